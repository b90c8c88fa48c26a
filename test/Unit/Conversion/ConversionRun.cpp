//===- ConversionRun.cpp - Explicit IR to values --------------------------===//

#include "ConversionRun.h"

#include "fly/Conversion/FlyToROCDL/Passes.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Target/CodeObject.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace fly;
using namespace fly::test;

static constexpr uint64_t guardBytes = 256;
static constexpr uint8_t guardPattern = 0xa5;

std::string fly::test::moduleOf(llvm::StringRef chip, llvm::StringRef body) {
  return ("gpu.module @m [#rocdl.target<chip = \"" + chip + "\">] {\n" + body +
          "\n}\n")
      .str();
}

/// Parses, runs the passes, generates code. Gives the code object, or leaves
/// the reason in `errors`.
static target::CodeObject compile(llvm::StringRef source, std::string &errors) {
  mlir::DialectRegistry registry;
  registry.insert<
      FlyDialect, mlir::amdgpu::AMDGPUDialect, mlir::arith::ArithDialect,
      mlir::func::FuncDialect, mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect,
      mlir::math::MathDialect, mlir::ROCDL::ROCDLDialect, mlir::scf::SCFDialect,
      mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  target::registerTranslations(registry);
  mlir::MLIRContext context(registry);
  context.disableMultithreading();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler(
      [&](mlir::Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return {};
  mlir::PassManager passes(&context);
  passes.addPass(createFlyInstantiatePass());
  passes.addPass(createFlyExpandMathPass());
  passes.addPass(createFlyInsertWaitsPass());
  passes.addPass(createFlyCheckLegalPass());
  passes.addPass(createFlyConvertToROCDLPass());
  if (mlir::failed(passes.run(*module)))
    return {};
  target::SerializeOptions options;
  options.emitAssembly = true;
  auto gpuModule = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
  auto object = target::serialize(gpuModule, options);
  return mlir::succeeded(object) ? std::move(*object) : target::CodeObject();
}

ConversionRun::ConversionRun(llvm::StringRef source) {
  target::CodeObject object = compile(source, errors);
  assembly = object.assembly;
  if (object.bytes.empty())
    return;
  auto loaded = simulator.load(object.bytes);
  if (loaded)
    program = *loaded;
  else
    errors += llvm::toString(loaded.takeError());
}

uint64_t ConversionRun::reserve(size_t bytes) {
  uint64_t base =
      llvm::cantFail(simulator.memory().allocate(bytes + 2 * guardBytes));
  std::memset(host(base, guardBytes), guardPattern, guardBytes);
  std::memset(host(base + guardBytes + bytes, guardBytes), guardPattern,
              guardBytes);
  guarded.push_back({base, bytes});
  return base + guardBytes;
}

std::string ConversionRun::launch(std::vector<uint64_t> arguments,
                                  uint32_t workgroups,
                                  llvm::StringRef kernelName) {
  if (!program)
    return "not compiled: " + errors;
  sim::LaunchParams params;
  params.program = program;
  params.kernel = kernelName.str();
  const isa::CodeObject &object = program->object();
  const isa::Kernel *kernel =
      kernelName.empty() ? &object.kernels()[0] : object.findKernel(kernelName);
  size_t next = 0;
  for (const isa::KernelArgument &argument : kernel->arguments) {
    if (argument.isHidden())
      continue;
    sim::ArgumentValue value = sim::ArgumentValue::of(arguments.at(next++));
    value.bytes.resize(argument.size);
    params.arguments.push_back(value);
  }
  params.dynamicLdsBytes = dynamicLdsBytes;
  params.workgroups = {workgroups, 1, 1};
  params.workgroupSize = kernel->requiredWorkgroupSize;
  llvm::Expected<sim::Result> launched = simulator.launch(params);
  if (!launched)
    return llvm::toString(launched.takeError());
  result = *launched;
  for (const Guarded &range : guarded)
    for (uint64_t i = 0; i < guardBytes; ++i)
      if (*host(range.base + i, 1) != guardPattern ||
          *host(range.base + guardBytes + range.bytes + i, 1) != guardPattern)
        return "a guard byte changed";
  return "";
}
