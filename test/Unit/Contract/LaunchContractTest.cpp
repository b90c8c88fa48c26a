// The contract of a GEMM: sizes of views, grid, requirements, JSON and note.

#include "fly/Contract/LaunchContract.h"

#include "fly/Contract/Note.h"

#include "llvm/ADT/StringMap.h"

#include <gtest/gtest.h>

using namespace fly::contract;

namespace {

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

Argument pointer(const char *name, const char *type, uint32_t offset,
                 Access access, View view) {
  Argument argument;
  argument.name = name;
  argument.kind = ArgumentKind::Pointer;
  argument.type = type;
  argument.offset = offset;
  argument.size = 8;
  argument.access = access;
  argument.alignment = 16;
  argument.view = std::move(view);
  return argument;
}

LaunchContract gemm() {
  LaunchContract contract;
  contract.kernel = "gemm";
  contract.chip = "gfx942";
  contract.arguments = {
      pointer("A", "bf16", 0, Access::Read,
              {{parse("M"), parse("K")}, {parse("K"), parse("1")}}),
      pointer("C", "f32", 8, Access::Write,
              {{parse("M"), parse("N")}, {parse("LDC"), parse("1")}})};
  for (const char *name : {"M", "N", "K", "LDC"}) {
    Argument argument;
    argument.name = name;
    argument.type = "i32";
    argument.offset =
        contract.arguments.back().offset + contract.arguments.back().size;
    argument.size = 4;
    contract.arguments.push_back(argument);
  }
  Argument part = pointer("part", "f32", 32, Access::ReadWrite,
                          {{parse("M * N")}, {parse("1")}});
  part.workspace = true;
  part.fill = "zeros";
  contract.arguments.push_back(part);
  contract.grid = {parse("(M ceildiv 16) * (N ceildiv 64)"), parse("1"),
                   parse("1")};
  contract.block = {256, 1, 1};
  contract.staticLdsBytes = 16384;
  contract.requirements = {
      {parse("K"), parse("64"), ""},
      {parse("N > 0"), std::nullopt, "N must be positive"}};
  return contract;
}

struct Values {
  llvm::StringMap<int64_t> map;
  std::optional<int64_t> operator()(llvm::StringRef name) const {
    auto it = map.find(name);
    return it == map.end() ? std::nullopt : std::optional<int64_t>(it->second);
  }
};

std::string errorText(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

template <typename T>
std::string errorText(llvm::Expected<T> result) {
  return errorText(result.takeError());
}

} // namespace

TEST(LaunchContract, SizesOfViews) {
  LaunchContract contract = gemm();
  Values values{{{"M", 17}, {"N", 64}, {"K", 96}, {"LDC", 80}}};
  EXPECT_EQ(llvm::cantFail(viewBytes(contract.arguments[0], values)),
            uint64_t(17 * 96 * 2));
  // Padded rows: the last row has no padding after it.
  EXPECT_EQ(llvm::cantFail(viewBytes(contract.arguments[1], values)),
            uint64_t((16 * 80 + 64) * 4));
  values.map["M"] = 0;
  EXPECT_EQ(llvm::cantFail(viewBytes(contract.arguments[1], values)), 0u);
  values.map["M"] = -1;
  EXPECT_EQ(errorText(viewBytes(contract.arguments[1], values)),
            "extent of dimension 0 is negative: M = -1");
  LaunchContract fixed = gemm();
  fixed.arguments[1].view->strides[1] = Expr::constant(-2);
  values.map["M"] = 17;
  EXPECT_EQ(errorText(viewBytes(fixed.arguments[1], values)),
            "stride of dimension 1 is negative: -2");
  values.map["M"] = INT64_MAX;
  values.map["LDC"] = 2;
  EXPECT_EQ(errorText(viewBytes(contract.arguments[1], values)),
            "overflow in the size of a view");
}

TEST(LaunchContract, SubByteElements) {
  Argument argument =
      pointer("A", "f4E2M1FN", 0, Access::Read,
              {{parse("3"), parse("5")}, {parse("5"), parse("1")}});
  EXPECT_EQ(llvm::cantFail(viewBytes(argument, Values{})), 8u);
  EXPECT_EQ(elementTypeBits("f8E4M3FNUZ"), 8u);
  EXPECT_EQ(elementTypeBits("f8E8M0FNU"), 8u);
  EXPECT_EQ(elementTypeBits("f6E2M3FN"), 6u);
  EXPECT_EQ(elementTypeBits("bf16"), 16u);
  EXPECT_EQ(elementTypeBits("i1"), 1u);
  EXPECT_EQ(elementTypeBits("index"), 64u);
  EXPECT_EQ(elementTypeBits("float"), std::nullopt);
  EXPECT_EQ(elementTypeBits("f16x"), std::nullopt);
  EXPECT_EQ(elementTypeBits(""), std::nullopt);
}

TEST(LaunchContract, Grid) {
  LaunchContract contract = gemm();
  Values values{{{"M", 17}, {"N", 65}, {"K", 64}, {"LDC", 65}}};
  auto grid = llvm::cantFail(evaluateGrid(contract, values));
  EXPECT_EQ(grid, (std::array<uint32_t, 3>{4, 1, 1}));
  contract.grid[1] = parse("M - 20");
  EXPECT_EQ(errorText(evaluateGrid(contract, values)),
            "kernel 'gemm': grid y = M - 20 is -3, expected 0 to 4294967295");
}

TEST(LaunchContract, RequirementsNameTheNumbers) {
  LaunchContract contract = gemm();
  Values values{{{"M", 17}, {"N", 64}, {"K", 96}, {"LDC", 64}}};
  EXPECT_EQ(errorText(checkRequirements(contract, values)),
            "kernel 'gemm': K=96 is not a multiple of 64");
  values.map["N"] = 0;
  EXPECT_EQ(errorText(checkRequirements(contract, values)),
            "kernel 'gemm': K=96 is not a multiple of 64\n"
            "kernel 'gemm': N must be positive (N=0)");
  values.map["K"] = 128;
  values.map["N"] = 1;
  EXPECT_EQ(errorText(checkRequirements(contract, values)), "");
  contract.requirements = {{parse("K * 2"), parse("M"), "rows must align"}};
  EXPECT_EQ(errorText(checkRequirements(contract, values)),
            "kernel 'gemm': K * 2=256 is not a multiple of 17 (K=128): "
            "rows must align");
  contract.requirements = {{parse("Q"), parse("64"), ""}};
  EXPECT_EQ(errorText(checkRequirements(contract, values)),
            "kernel 'gemm': no value for argument 'Q'");
}

TEST(LaunchContract, JsonRoundTrip) {
  std::string text = printContracts({{gemm()}, {}});
  auto contracts = llvm::cantFail(parseContracts(text));
  ASSERT_EQ(contracts.kernels.size(), 1u);
  EXPECT_EQ(printContracts(contracts), text);
  const LaunchContract &read = contracts.kernels[0];
  EXPECT_EQ(read.kernel, "gemm");
  EXPECT_EQ(read.block, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(read.grid[0], gemm().grid[0]);
  ASSERT_NE(read.findArgument("part"), nullptr);
  EXPECT_TRUE(read.findArgument("part")->workspace);
  EXPECT_EQ(read.findArgument("part")->fill, "zeros");
  EXPECT_EQ(read.findArgument("part")->access, Access::ReadWrite);
  EXPECT_EQ(read.findArgument("C")->view->strides[0], parse("LDC"));
  EXPECT_EQ(read.findArgument("LDC")->offset, 28u);
  EXPECT_EQ(read.findArgument("nothing"), nullptr);
}

TEST(LaunchContract, JsonErrorsNameThePlace) {
  auto errorOf = [](llvm::StringRef from, llvm::StringRef to) {
    std::string text = printContracts({{gemm()}, {}});
    size_t at = text.find(from.str());
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to.str());
    return errorText(parseContracts(text));
  };
  EXPECT_EQ(errorOf("\"offset\":8", "\"offset\":-8"),
            "expected an unsigned 32-bit number at launch "
            "contract.kernels[0].arguments[1].offset");
  EXPECT_EQ(errorOf("\"kind\":\"pointer\"", "\"kind\":\"x\""),
            "expected pointer or scalar at launch "
            "contract.kernels[0].arguments[0].kind");
  EXPECT_EQ(errorOf("\"K\"", "\"K +\""),
            "expected an expression in its text form at launch "
            "contract.kernels[0].arguments[0].extents[1]");
  EXPECT_EQ(errorOf("\"version\":1", "\"version\":2"),
            "launch contract has version 2, this reader knows up to 1");
  EXPECT_NE(errorText(parseContracts("{")), "");
  EXPECT_NE(errorText(parseContracts("[]")), "");
}

TEST(Note, HasTheElfLayout) {
  std::string note = makeNote({{gemm()}, {}});
  EXPECT_EQ(note.size() % 4, 0u);
  EXPECT_EQ(note.substr(0, 4), std::string("\4\0\0\0", 4));
  EXPECT_EQ(note.substr(12, 4), std::string("Fly\0", 4));
  EXPECT_EQ(note.substr(16, 1), "{");
}

TEST(Note, RefusesOtherBytes) {
  EXPECT_EQ(errorText(readContracts("")),
            "expected a 64-bit little-endian ELF file");
  EXPECT_EQ(errorText(readContracts(std::string(200, 'x'))),
            "expected a 64-bit little-endian ELF file");
}
