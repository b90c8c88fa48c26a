//===- InstructionKindTest.cpp - Kinds of code and of its text ------------===//
//
// The kind of an instruction by its text alone must be that of its decoded
// form, over code of other compilers.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/InstructionKind.h"

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;
using isa::InstructionKind;

TEST(InstructionKind, OfTextIsThatOfTheDecodedInstruction) {
  bool seen[isa::instructionKindCount] = {};
  for (llvm::StringRef name :
       {"gfx942_gemm_bf16_256x256x64_w8_s2.s",
        "gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s", "gfx942_softmax_2048.s",
        "gfx950_gemm_bf16_128x256x64_w4_s2.s"}) {
    std::string message;
    std::string bytes = test::assembleObject(name, message);
    ASSERT_FALSE(bytes.empty()) << message;
    auto object = isa::CodeObject::load(bytes);
    ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
    auto program = isa::Program::decode(*object);
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    for (const isa::Instruction &inst : (*program)->instructions()) {
      if (inst.format == isa::Format::Invalid)
        continue;
      isa::Instruction fromText = isa::instructionOfText(inst.text);
      EXPECT_EQ(fromText.mnemonic, inst.mnemonic);
      EXPECT_EQ(isa::kindOf(fromText), isa::kindOf(inst)) << inst.text.str();
      EXPECT_EQ(isa::waitOf(fromText), isa::waitOf(inst)) << inst.text.str();
      seen[unsigned(isa::kindOf(inst))] = true;
    }
  }
  for (InstructionKind kind :
       {InstructionKind::Mfma, InstructionKind::VectorLoad,
        InstructionKind::VectorStore, InstructionKind::LdsRead,
        InstructionKind::LdsWrite, InstructionKind::ScalarMemory,
        InstructionKind::Wait, InstructionKind::Barrier, InstructionKind::Nop,
        InstructionKind::Valu, InstructionKind::Branch, InstructionKind::Salu,
        InstructionKind::Other})
    EXPECT_TRUE(seen[unsigned(kind)]) << isa::name(kind).str();
}

TEST(InstructionKind, ReadsWaitsAsTheyAreWritten) {
  auto waits = [](llvm::StringRef text) {
    arch::WaitCount wait = isa::waitOf(isa::instructionOfText(text));
    return std::pair(wait.vm, wait.lgkm);
  };
  EXPECT_EQ(waits("s_waitcnt vmcnt(3) & lgkmcnt(0)"), std::pair(3u, 0u));
  EXPECT_EQ(waits("s_waitcnt lgkmcnt(2)"), std::pair(63u, 2u));
  EXPECT_EQ(waits("s_waitcnt 0xc07f"), std::pair(63u, 0u));
  EXPECT_EQ(waits("s_waitcnt vmcnt(x)"), std::pair(63u, 15u));
  EXPECT_EQ(waits("s_wait_loadcnt 0x1"), std::pair(1u, 15u));
  EXPECT_EQ(waits("s_wait_dscnt 0x0"), std::pair(63u, 0u));
  EXPECT_EQ(waits("s_nop 3"), std::pair(63u, 15u));
}

TEST(InstructionKind, TakesTextThatIsNoInstruction) {
  for (llvm::StringRef text : {"", "   ", "; gemm", "??", "v", "s_"})
    EXPECT_TRUE(isa::name(isa::kindOf(isa::instructionOfText(text))).size());
  EXPECT_EQ(isa::kindOf(isa::instructionOfText(
                "buffer_load_dwordx4 v1, s[4:7], 0 offen lds")),
            InstructionKind::LdsDma);
  EXPECT_EQ(isa::kindOf(isa::instructionOfText("v_add_f32_e64_dpp v0, v1, v2")),
            InstructionKind::Valu);
}
