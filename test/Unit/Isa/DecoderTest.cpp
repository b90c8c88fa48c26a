//===- DecoderTest.cpp - operands and modifiers ---------------------------===//

#include "fly/Isa/Decoder.h"

#include "fly/Isa/CodeObject.h"

#include <random>

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;
using isa::Format;
using isa::Operand;
using isa::OperandKind;

namespace {

/// Decodes a kernel body; the s_endpgm behind it is left out.
class Decoded {
public:
  Decoded(llvm::StringRef body, llvm::StringRef chip) {
    std::string message;
    std::string bytes =
        test::assembleText(test::wrapKernel(body, chip), chip, message);
    EXPECT_FALSE(bytes.empty()) << message;
    auto loaded = isa::CodeObject::load(bytes);
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return;
    }
    object = std::make_unique<isa::CodeObject>(std::move(*loaded));
    auto decoded = isa::Program::decode(*object);
    if (!decoded) {
      ADD_FAILURE() << llvm::toString(decoded.takeError());
      return;
    }
    program = std::move(*decoded);
  }
  const isa::Instruction &operator[](size_t i) const {
    return program->instructions()[i];
  }
  std::unique_ptr<isa::CodeObject> object;
  std::unique_ptr<isa::Program> program;
};

static void expectOperand(const Operand &operand, OperandKind kind,
                          unsigned reg, unsigned dwords) {
  EXPECT_EQ(operand.kind, kind);
  EXPECT_EQ(operand.reg, reg);
  EXPECT_EQ(operand.dwords, dwords);
}

TEST(Decoder, ReadsVectorModifiers) {
  Decoded code(R"(
    v_fma_f32 v1, -v2, |s3|, 2.0 clamp mul:2
    v_add_f32_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:DWORD
    v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xa bank_mask:0x3 bound_ctrl:0
    v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,1,0] neg_hi:[0,0,1]
    v_cmp_lt_f64 vcc, 1.0, v[2:3]
    v_cmp_lt_f32 s[4:5], v1, v2
    v_addc_co_u32 v0, vcc, v1, v2, vcc
    v_cndmask_b32 v0, v1, v2, vcc
    v_fmac_f32 v0, 0x12345678, v2
    v_fmamk_f32 v0, v1, 0x40490fdb, v2
    v_mul_f16 v0, 1.0, v1
    v_mad_u64_u32 v[0:1], s[2:3], v4, v5, v[6:7]
)",
               "gfx942");
  EXPECT_EQ(code[0].mnemonic, "v_fma_f32");
  EXPECT_EQ(code[0].format, Format::VOP3);
  EXPECT_EQ(code[0].neg, 1);
  EXPECT_EQ(code[0].abs, 2);
  EXPECT_TRUE(code[0].clamp);
  EXPECT_EQ(code[0].omod, 1);
  expectOperand(code[0].src[1], OperandKind::SGPR, 3, 1);
  EXPECT_EQ(code[0].src[2].imm, 0x40000000u);

  EXPECT_TRUE(code[1].isSdwa);
  EXPECT_EQ(code[1].mnemonic, "v_add_f32");
  EXPECT_EQ(code[1].sdwa.dstSel, 5);
  EXPECT_EQ(code[1].sdwa.dstUnused, 2);
  EXPECT_EQ(code[1].sdwa.src0Sel, 0);
  EXPECT_EQ(code[1].sdwa.src1Sel, 6);
  expectOperand(code[1].src[0], OperandKind::VGPR, 1, 1);
  expectOperand(code[1].src[1], OperandKind::VGPR, 2, 1);

  EXPECT_TRUE(code[2].isDpp);
  EXPECT_EQ(code[2].dpp.ctrl, 0x111);
  EXPECT_EQ(code[2].dpp.rowMask, 0xa);
  EXPECT_EQ(code[2].dpp.bankMask, 3);
  EXPECT_TRUE(code[2].dpp.boundCtrl);
  EXPECT_EQ(code[2].numSrc, 1);
  expectOperand(code[2].src[0], OperandKind::VGPR, 1, 1);

  EXPECT_EQ(code[3].format, Format::VOP3P);
  EXPECT_EQ(code[3].opSel, 1);
  EXPECT_EQ(code[3].opSelHi, 6);
  EXPECT_EQ(code[3].neg, 2);
  EXPECT_EQ(code[3].negHi, 4);

  expectOperand(code[4].dst[0], OperandKind::SGPR, 106, 2);
  EXPECT_EQ(code[4].src[0].imm, 0x3ff0000000000000u);
  expectOperand(code[4].src[1], OperandKind::VGPR, 2, 2);
  expectOperand(code[5].dst[0], OperandKind::SGPR, 4, 2);

  EXPECT_EQ(code[6].numDst, 2);
  expectOperand(code[6].dst[1], OperandKind::SGPR, 106, 2);
  expectOperand(code[6].src[2], OperandKind::SGPR, 106, 2);
  EXPECT_EQ(code[7].numSrc, 3);

  EXPECT_TRUE(code[8].readsDst);
  EXPECT_EQ(code[8].numSrc, 2);
  EXPECT_EQ(code[8].src[0].imm, 0x12345678u);
  EXPECT_TRUE(code[8].src[0].isLiteral);

  EXPECT_EQ(code[9].numSrc, 3);
  expectOperand(code[9].src[0], OperandKind::VGPR, 1, 1);
  EXPECT_EQ(code[9].src[1].imm, 0x40490fdbu);
  expectOperand(code[9].src[2], OperandKind::VGPR, 2, 1);

  EXPECT_EQ(code[10].src[0].imm, 0x3c00u);
  expectOperand(code[11].dst[1], OperandKind::SGPR, 2, 2);
  expectOperand(code[11].src[2], OperandKind::VGPR, 6, 2);
}

TEST(Decoder, ReadsMatrixInstructions) {
  Decoded code(R"(
    v_mfma_f32_16x16x32_bf16 a[0:3], v[4:7], a[8:11], a[0:3]
    v_mfma_f32_16x16x4_f32 v[0:3], v4, v5, 0 cbsz:1 abid:2 blgp:3
    v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:15], v[0:3], v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:4
    v_accvgpr_read_b32 v1, a2
)",
               "gfx950");
  EXPECT_EQ(code[0].format, Format::MAI);
  EXPECT_EQ(code[0].mnemonic, "v_mfma_f32_16x16x32_bf16");
  expectOperand(code[0].dst[0], OperandKind::AGPR, 0, 4);
  expectOperand(code[0].src[0], OperandKind::VGPR, 4, 4);
  expectOperand(code[0].src[1], OperandKind::AGPR, 8, 4);
  expectOperand(code[0].src[2], OperandKind::AGPR, 0, 4);
  EXPECT_EQ(code[1].cbsz, 1);
  EXPECT_EQ(code[1].abid, 2);
  EXPECT_EQ(code[1].blgp, 3);
  EXPECT_EQ(code[1].src[2].kind, OperandKind::Immediate);
  EXPECT_EQ(code[1].src[2].imm, 0u);
  EXPECT_EQ(code[2].size, 16);
  EXPECT_EQ(code[2].numSrc, 5);
  EXPECT_EQ(code[2].cbsz, 1);
  EXPECT_EQ(code[2].blgp, 4);
  EXPECT_EQ(code[2].opSel & 3, 1);
  EXPECT_EQ(code[2].opSelHi & 3, 2);
  expectOperand(code[2].src[1], OperandKind::VGPR, 12, 4);
  expectOperand(code[2].src[3], OperandKind::VGPR, 20, 1);
  expectOperand(code[2].src[4], OperandKind::VGPR, 21, 1);
  EXPECT_EQ(code[3].format, Format::MAI);
  expectOperand(code[3].src[0], OperandKind::AGPR, 2, 1);
}

TEST(Decoder, PlacesMemoryOperands) {
  Decoded code(R"(
    global_load_dwordx4 v[0:3], v4, s[2:3] offset:-16 sc0 nt
    global_store_dwordx2 v[4:5], v[6:7], off offset:8
    global_store_dword v4, v6, s[2:3]
    flat_load_dword v0, v[2:3] offset:12
    scratch_store_dword off, v1, s3 offset:4
    scratch_load_dword v0, v1, off offset:4
    buffer_load_dwordx4 v[0:3], v4, s[4:7], s3 offen offset:16
    buffer_store_short v0, v[4:5], s[4:7], 0 idxen offen
    buffer_load_dword v4, s[4:7], s3 offen offset:4 lds
    buffer_atomic_cmpswap v[0:1], v4, s[4:7], 0 offen sc0
    ds_read2_b64 v[0:3], v4 offset0:1 offset1:255
    ds_write2st64_b32 v0, v1, v2 offset1:3
    ds_write_b128 v0, a[4:7] offset:65535
    global_atomic_add_f32 v0, v1, s[2:3]
    global_load_lds_dword v[2:3], off offset:4
    s_load_dwordx8 s[8:15], s[0:1], 0x20
    s_load_dword s8, s[0:1], s5 offset:0x4
)",
               "gfx942");
  using isa::MemAddr;
  using isa::MemBase;
  using isa::MemData;
  using isa::MemSOffset;
  expectOperand(code[0].dst[0], OperandKind::VGPR, 0, 4);
  expectOperand(code[0].src[MemAddr], OperandKind::VGPR, 4, 1);
  expectOperand(code[0].src[MemBase], OperandKind::SGPR, 2, 2);
  EXPECT_EQ(code[0].offset, -16);
  EXPECT_TRUE(code[0].sc0);
  EXPECT_TRUE(code[0].nt);
  EXPECT_FALSE(code[0].sc1);
  expectOperand(code[1].src[MemAddr], OperandKind::VGPR, 4, 2);
  expectOperand(code[1].src[MemData], OperandKind::VGPR, 6, 2);
  EXPECT_FALSE(code[1].src[MemBase].exists());
  expectOperand(code[2].src[MemData], OperandKind::VGPR, 6, 1);
  expectOperand(code[2].src[MemBase], OperandKind::SGPR, 2, 2);
  EXPECT_EQ(code[3].format, Format::Flat);
  EXPECT_EQ(code[3].offset, 12);
  EXPECT_FALSE(code[4].src[MemAddr].exists());
  expectOperand(code[4].src[MemData], OperandKind::VGPR, 1, 1);
  expectOperand(code[4].src[MemBase], OperandKind::SGPR, 3, 1);
  expectOperand(code[5].src[MemAddr], OperandKind::VGPR, 1, 1);
  EXPECT_FALSE(code[5].src[MemBase].exists());
  EXPECT_TRUE(code[6].offen);
  expectOperand(code[6].src[MemAddr], OperandKind::VGPR, 4, 1);
  expectOperand(code[6].src[MemBase], OperandKind::SGPR, 4, 4);
  expectOperand(code[6].src[MemSOffset], OperandKind::SGPR, 3, 1);
  EXPECT_EQ(code[6].offset, 16);
  EXPECT_TRUE(code[7].idxen);
  expectOperand(code[7].src[MemData], OperandKind::VGPR, 0, 1);
  expectOperand(code[7].src[MemAddr], OperandKind::VGPR, 4, 2);
  EXPECT_EQ(code[7].src[MemSOffset].kind, OperandKind::Immediate);
  EXPECT_TRUE(code[8].lds);
  EXPECT_FALSE(code[8].src[MemData].exists());
  expectOperand(code[8].src[MemAddr], OperandKind::VGPR, 4, 1);
  expectOperand(code[9].src[MemData], OperandKind::VGPR, 0, 2);
  expectOperand(code[9].src[MemAddr], OperandKind::VGPR, 4, 1);
  EXPECT_TRUE(code[9].dst[0].exists());
  EXPECT_EQ(code[10].offset, 1);
  EXPECT_EQ(code[10].offset1, 255);
  expectOperand(code[11].src[MemData], OperandKind::VGPR, 1, 1);
  expectOperand(code[11].src[MemBase], OperandKind::VGPR, 2, 1);
  EXPECT_EQ(code[12].offset, 65535);
  expectOperand(code[12].src[MemData], OperandKind::AGPR, 4, 4);
  EXPECT_FALSE(code[13].sc0);
  EXPECT_FALSE(code[13].dst[0].exists());
  EXPECT_TRUE(code[14].lds);
  expectOperand(code[14].src[MemAddr], OperandKind::VGPR, 2, 2);
  expectOperand(code[15].dst[0], OperandKind::SGPR, 8, 8);
  EXPECT_EQ(code[15].offset, 0x20);
  expectOperand(code[16].src[1], OperandKind::SGPR, 5, 1);
  EXPECT_EQ(code[16].offset, 4);
}

TEST(Decoder, ReadsScalarAndControl) {
  Decoded code(R"(
.Ltop:
    s_cbranch_scc0 .Ltop
    s_movk_i32 s3, -5
    s_cmpk_lt_i32 s3, 7
    s_waitcnt vmcnt(3) lgkmcnt(0)
    s_mov_b64 s[4:5], 0xfffffff0
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5
    s_mov_b64 exec, -1
    s_mov_b32 m0, s2
)",
               "gfx942");
  EXPECT_EQ(code[0].branchTarget, code[0].pc);
  EXPECT_EQ(int32_t(code[1].src[0].imm), -5);
  expectOperand(code[2].src[0], OperandKind::SGPR, 3, 1);
  EXPECT_EQ(code[2].src[1].imm, 7u);
  EXPECT_EQ(uint16_t(code[3].simm16), 0x0073u);
  EXPECT_EQ(code[4].src[0].imm, 0xfffffff0u);
  EXPECT_EQ(code[5].size, 8);
  expectOperand(code[6].dst[0], OperandKind::SGPR, 126, 2);
  EXPECT_EQ(code[6].src[0].imm, ~uint64_t(0));
  expectOperand(code[7].dst[0], OperandKind::SGPR, 124, 1);
}

/// LLVM keeps literals that an inline constant could express as expressions.
TEST(Decoder, TypesConstants) {
  Decoded code(R"(
    s_add_u32 s0, s1, lit(0x14)
    v_mul_f16 v0, lit(1.0), v1
    v_cmp_lt_f64 vcc, 0x40093333, v[2:3]
    s_mov_b64 s[0:1], -16
    v_fmaak_f32 v0, v1, v2, 2.0
    v_pk_add_f16 v0, v1, 1.0
    v_lshlrev_b64 v[0:1], 3, v[2:3]
    v_mov_b32 v0, src_shared_base
    v_mov_b32 v0, src_scc
)",
               "gfx942");
  EXPECT_EQ(code[0].numSrc, 2);
  EXPECT_EQ(code[0].src[1].imm, 0x14u);
  EXPECT_TRUE(code[0].src[1].isLiteral);
  EXPECT_EQ(code[1].src[0].imm, 0x3c00u);
  EXPECT_EQ(code[2].src[0].imm, 0x4009333300000000u);
  EXPECT_EQ(code[3].src[0].imm, 0xfffffffffffffff0u);
  EXPECT_FALSE(code[3].src[0].isLiteral);
  EXPECT_EQ(code[4].src[2].imm, 0x40000000u);
  EXPECT_EQ(code[5].src[1].imm, 0x3c00u);
  EXPECT_EQ(code[6].src[0].imm, 3u);
  EXPECT_EQ(code[7].src[0].kind, OperandKind::Special);
  EXPECT_EQ(code[7].src[0].reg, 235);
  EXPECT_EQ(code[8].src[0].reg, 253);
}

TEST(Decoder, KeepsUndecodableBytes) {
  Decoded code("    .long 0xffffffff\n    v_mov_b32 v0, v1\n", "gfx942");
  EXPECT_EQ(code[0].format, Format::Invalid);
  EXPECT_EQ(code[0].size, 4);
  EXPECT_EQ(code[1].mnemonic, "v_mov_b32");
}

TEST(Decoder, RefusesUnknownChips) {
  auto decoder = isa::Decoder::create("gfx94x");
  ASSERT_FALSE(bool(decoder));
  EXPECT_NE(llvm::toString(decoder.takeError())
                .find("expected one of: gfx942, gfx950"),
            std::string::npos);
}

/// LLVM's decoder ends the process on some bytes; ours must not.
TEST(Decoder, SurvivesRandomBytes) {
  struct Template {
    uint32_t mask, value;   ///< First dword.
    uint32_t mask2, value2; ///< Third dword.
  };
  const Template templates[] = {
      {0, 0, 0, 0},
      {0x800001ff, 0x000000f9, 0, 0}, // VOP2, VOPC, VOP1 with selects.
      {0x800001ff, 0x000000fa, 0, 0},
      {0xfc000000, 0xd0000000, 0, 0},                   // VOP3
      {0xff800000, 0xd3800000, 0, 0},                   // VOP3P
      {0xfffe0000, 0xd3ac0000, 0xfffe0000, 0xd3ac0000}, // Scaled MFMA.
      {0xfc000000, 0xc0000000, 0, 0},                   // SMEM
      {0xfc000000, 0xd8000000, 0, 0},                   // DS
      {0xfc000000, 0xdc000000, 0, 0},                   // Flat
      {0xf8000000, 0xe0000000, 0, 0},                   // MUBUF
      {0xf8000000, 0xe8000000, 0, 0},                   // MTBUF
      {0xc0000000, 0x80000000, 0, 0},                   // Scalar
  };
  for (const char *chip : {"gfx942", "gfx950"}) {
    auto decoder = isa::Decoder::create(chip);
    ASSERT_TRUE(bool(decoder)) << llvm::toString(decoder.takeError());
    std::mt19937 random(2024);
    for (const Template &form : templates)
      for (unsigned round = 0; round != 20000; ++round) {
        uint32_t words[4];
        for (uint32_t &word : words)
          word = uint32_t(random());
        words[0] = (words[0] & ~form.mask) | form.value;
        words[2] = (words[2] & ~form.mask2) | form.value2;
        uint8_t bytes[16];
        std::memcpy(bytes, words, 16);
        llvm::BumpPtrAllocator strings;
        // Short input, too: the end of a code segment.
        size_t size = round % 8 ? 16 : 4 * (1 + random() % 4);
        isa::Instruction inst =
            (*decoder)->decode(llvm::ArrayRef(bytes, size), 0, strings);
        EXPECT_LE(inst.size, size);
        EXPECT_GT(inst.size, 0);
      }
  }
}

/// Every instruction of every foreign object decodes.
class ForeignObject : public testing::TestWithParam<const char *> {};

TEST_P(ForeignObject, DecodesCompletely) {
  std::string message;
  std::string bytes = test::assembleObject(GetParam(), message);
  ASSERT_FALSE(bytes.empty()) << message;
  auto object = isa::CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  auto program = isa::Program::decode(*object);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const isa::Kernel &kernel = object->kernels()[0];
  size_t inKernel = 0;
  for (const isa::Instruction &inst : (*program)->instructions()) {
    if (inst.pc < kernel.entry || inst.pc >= kernel.entry + kernel.codeSize)
      continue;
    ++inKernel;
    EXPECT_NE(inst.format, Format::Invalid) << std::hex << inst.pc;
    EXPECT_EQ((*program)->indexOf(inst.pc),
              size_t(&inst - (*program)->instructions().data()));
  }
  EXPECT_GT(inKernel, 200u);
}

INSTANTIATE_TEST_SUITE_P(
    Triton, ForeignObject,
    testing::Values("gfx942_gemm_bf16_128x128x64_w4_s3.s",
                    "gfx942_gemm_bf16_256x256x64_w8_s2.s",
                    "gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s",
                    "gfx942_softmax_2048.s",
                    "gfx950_gemm_bf16_128x256x64_w4_s2.s",
                    "gfx950_gemm_bf16_256x256x64_w8_s2.s",
                    "gfx950_gemm_fp8_128x256x128_w4_s2.s",
                    "gfx950_softmax_2048.s"),
    [](const auto &info) {
      return llvm::StringRef(info.param).drop_back(2).str();
    });

} // namespace
