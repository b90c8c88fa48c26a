//===- HighSourcesTest.cpp - factors that end at the last register --------===//
//
// Every format, in both register files, with both factors at each even place
// near the end, with and without scales: what the assembler took is decoded to
// the same operands and prints the same text.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"

#include "llvm/Support/FormatVariadic.h"

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;
using isa::OperandKind;

namespace {
/// A factor, as written and as it must be decoded.
struct Factor {
  OperandKind kind;
  unsigned first, count;

  std::string text() const {
    return llvm::formatv("{0}[{1}:{2}]", kind == OperandKind::AGPR ? "a" : "v",
                         first, first + count - 1);
  }
};
} // namespace

TEST(HighSources, AreDecodedInEveryFormat) {
  struct Format {
    unsigned number, registers;
  };
  constexpr Format formats[] = {{0, 8}, {1, 8}, {2, 6}, {3, 6}, {4, 4}};
  constexpr unsigned placesAlike = 246;
  std::vector<std::string> texts;
  std::vector<std::pair<Factor, Factor>> factors;
  std::string body;
  for (bool isScaled : {false, true})
    for (Format a : formats)
      for (Format b : formats)
        for (OperandKind kind : {OperandKind::VGPR, OperandKind::AGPR})
          for (unsigned place = placesAlike; place != 256; place += 2) {
            Factor first = {kind, std::min(place, 256 - a.registers),
                            a.registers};
            Factor second = {kind == OperandKind::VGPR ? OperandKind::AGPR
                                                       : OperandKind::VGPR,
                             std::min(place, 256 - b.registers), b.registers};
            std::string text = llvm::formatv(
                "v_mfma_{0}f32_16x16x128_f8f6f4 v[0:3], {1}, {2}, v[0:3]{3}",
                isScaled ? "scale_" : "", first.text(), second.text(),
                isScaled ? ", v4, v5 op_sel_hi:[0,0,0]" : "");
            if (a.number)
              text += llvm::formatv(" cbsz:{0}", a.number);
            if (b.number)
              text += llvm::formatv(" blgp:{0}", b.number);
            body += "  " + text + "\n";
            texts.push_back(std::move(text));
            factors.push_back({first, second});
          }
  std::string message;
  test::KernelShape shape;
  shape.vgprs = 512;
  shape.accumOffset = 256;
  std::string bytes = test::assembleText(
      test::wrapKernel(body, "gfx950", shape), "gfx950", message);
  ASSERT_FALSE(bytes.empty()) << message;
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  ASSERT_GE((*program)->instructions().size(), texts.size());
  for (size_t i = 0; i != texts.size(); ++i) {
    const isa::Instruction &inst = (*program)->instructions()[i];
    ASSERT_EQ(inst.text.str(), texts[i]);
    auto expectFactor = [&](const isa::Operand &operand, Factor factor) {
      EXPECT_EQ(operand.kind, factor.kind) << texts[i];
      EXPECT_EQ(operand.reg, factor.first) << texts[i];
      EXPECT_EQ(operand.dwords, factor.count) << texts[i];
    };
    expectFactor(inst.src[0], factors[i].first);
    expectFactor(inst.src[1], factors[i].second);
  }
}

TEST(HighSources, ConstantsAreNoRegisters) {
  // Bit 8 of a factor says that it is a register. Without it the numbers of the
  // last registers are no factor, in either place and every format.
  auto decoder = isa::Decoder::create("gfx950");
  ASSERT_TRUE(bool(decoder)) << llvm::toString(decoder.takeError());
  llvm::BumpPtrAllocator strings;
  constexpr uint32_t isRegister = 0x100;
  auto decode = [&](uint32_t first, uint32_t second, uint32_t format) {
    // v_mfma_f32_16x16x128_f8f6f4 v[0:3], first, second, v[0:3]
    uint32_t words[2] = {0xd3ad0000 | format << 8,
                         first | second << 9 | isRegister << 18 | format << 29};
    return (*decoder)->decode(
        llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words), 8), 0,
        strings);
  };
  for (uint32_t format : {2, 3, 4})
    for (uint32_t number = 249; number != 256; ++number) {
      EXPECT_EQ(decode(number, isRegister, format).format, isa::Format::Invalid)
          << number << " " << format;
      EXPECT_EQ(decode(isRegister, number, format).format, isa::Format::Invalid)
          << number << " " << format;
    }
  EXPECT_EQ(decode(isRegister | 250, isRegister | 250, 2).mnemonic,
            "v_mfma_f32_16x16x128_f8f6f4");
}
