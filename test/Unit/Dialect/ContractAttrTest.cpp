//===- ContractAttrTest.cpp - The launch contract as an attribute ---------===//
#include "fly/Contract/ObjectContracts.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace fly;
using contract::Expr;

namespace {

class ContractAttr : public testing::Test {
protected:
  ContractAttr() {
    context.loadDialect<FlyDialect, gpu::GPUDialect, ROCDL::ROCDLDialect>();
    module = parseSourceString<ModuleOp>(
        R"(gpu.module @m [#rocdl.target<chip = "gfx950">] {
             gpu.func @k(%a: i32 {fly.name = "M"}, %b: i32) kernel { gpu.return }
           })",
        &context);
    module->walk([&](gpu::GPUFuncOp op) { kernel = op; });
  }

  /// Reads the contract and returns it as JSON text, or the error's text.
  std::string read() {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      error = diag.str();
      return success();
    });
    auto contract = readContract(cast<FunctionOpInterface>(*kernel));
    return succeeded(contract) ? contract::printContracts({{*contract}, {}})
                               : error;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  gpu::GPUFuncOp kernel;
};

contract::LaunchContract makeContract() {
  contract::LaunchContract contract;
  contract.kernel = "k";
  contract.chip = "gfx950";
  contract::Argument pointer;
  pointer.name = "A";
  pointer.kind = contract::ArgumentKind::Pointer;
  pointer.type = "bf16";
  pointer.size = 8;
  pointer.access = contract::Access::ReadWrite;
  pointer.alignment = 16;
  pointer.workspace = true;
  pointer.fill = "zeros";
  pointer.view = contract::View{{Expr::argument("M"), Expr::constant(64)},
                                {Expr::argument("ld"), Expr::constant(1)}};
  contract::Argument scalar;
  scalar.name = "M";
  scalar.type = "i32";
  scalar.offset = 8;
  scalar.size = 4;
  contract.arguments = {pointer, scalar};
  contract.grid = {Expr::binary(Expr::Kind::CeilDiv, Expr::argument("M"),
                                Expr::constant(128)),
                   Expr::constant(1), Expr::constant(1)};
  contract.block = {256, 1, 1};
  contract.staticLdsBytes = 65536;
  contract.dynamicLdsBytes = Expr::argument("M");
  contract.requirements = {
      {Expr::argument("M"), Expr::constant(64), ""},
      {Expr::binary(Expr::Kind::Lt, Expr::argument("M"), Expr::argument("N")),
       std::nullopt, "M must be below N"}};
  return contract;
}

TEST_F(ContractAttr, KeepsEverything) {
  contract::LaunchContract contract = makeContract();
  kernel->setAttr("fly.contract", makeContractAttr(&context, contract));
  EXPECT_EQ(read(), contract::printContracts({{contract}, {}}));
}

TEST_F(ContractAttr, TakesNameAndChipFromTheKernel) {
  contract::LaunchContract contract = makeContract();
  contract.kernel = "old";
  contract.chip = "gfx942";
  kernel->setAttr("fly.contract", makeContractAttr(&context, contract));
  EXPECT_EQ(read(), contract::printContracts({{makeContract()}, {}}));
}

TEST_F(ContractAttr, SaysThatItIsAbsent) {
  EXPECT_EQ(read(), "'gpu.func' op has no 'fly.contract' dictionary: run "
                    "fly-plan-grid first");
}

TEST_F(ContractAttr, NamesTheMalformedPart) {
  auto set = [&](llvm::StringRef text) {
    kernel->setAttr("fly.contract", parseAttribute(text, &context));
  };
  set("{}");
  EXPECT_NE(read().find("attribute 'fly.contract' is malformed"),
            std::string::npos);
  DictionaryAttr good = makeContractAttr(&context, makeContract());
  NamedAttrList entries(good);
  entries.set("grid", parseAttribute(R"(["M +", "1", "1"])", &context));
  kernel->setAttr("fly.contract", entries.getDictionary(&context));
  EXPECT_NE(read().find("grid"), std::string::npos) << read();
  entries = NamedAttrList(good);
  entries.set("block", parseAttribute("[1.0, 1, 1]", &context));
  kernel->setAttr("fly.contract", entries.getDictionary(&context));
  EXPECT_NE(read().find("block"), std::string::npos) << read();
}

TEST_F(ContractAttr, NamesArguments) {
  auto function = cast<FunctionOpInterface>(*kernel);
  EXPECT_EQ(getArgumentName(function, 0), "M");
  EXPECT_EQ(getArgumentName(function, 1), "arg1");
}

} // namespace
