//===- SaluConstant.cpp - scalar maths with a constant, SOPK -------------===//
//
// Meaning: [AMD] CDNA3 instruction set document.
//
//===----------------------------------------------------------------------===//

#include "../Workgroup.h"
#include "SaluOperands.h"

using namespace fly::sim;
using namespace fly::sim::salu;

/// Hardware registers that s_getreg may name. [LLVM22] SIDefines
constexpr unsigned modeRegister = 1, xccIdRegister = 20;

/// Readable registers; others hold state that does not exist here.
static bool readHardwareRegister(const WaveState &wave, unsigned id,
                                 uint32_t &value) {
  switch (id) {
  case modeRegister:
    value = wave.mode.bits;
    return true;
  case xccIdRegister:
    // The dispatcher deals workgroups to the XCDs in turn [AMD], here from XCD
    // 0 on. [INF: SIM-XCC-ID]
    value =
        wave.workgroup
            ? uint32_t(wave.workgroup->linearId() % wave.workgroup->launch.xcds)
            : 0;
    return true;
  default:
    return false;
  }
}

static void getRegister(const Instruction &inst, WaveState &wave) {
  unsigned spec = uint16_t(inst.simm16);
  uint32_t value;
  if (!readHardwareRegister(wave, spec & 63, value))
    return wave.raise(FaultKind::Unimplemented, inst,
                      "only MODE and XCC_ID can be read");
  unsigned offset = (spec >> 6) & 31, width = ((spec >> 11) & 31) + 1;
  put(inst, wave, bitfieldUnsigned(value, offset | width << 16));
}

static void setRegister(const Instruction &inst, WaveState &wave,
                        uint32_t value) {
  unsigned spec = uint16_t(inst.simm16);
  if ((spec & 63) != modeRegister)
    return wave.raise(FaultKind::Unimplemented, inst,
                      "only the MODE register can be written");
  unsigned offset = (spec >> 6) & 31, width = ((spec >> 11) & 31) + 1;
  uint32_t mask = width >= 32 ? ~0u : ((1u << width) - 1);
  wave.mode.bits =
      (wave.mode.bits & ~(mask << offset)) | ((value & mask) << offset);
}

const ExecEntry sopkTable[] = {
    {"s_movk_i32", FLY_SALU_OP(put(i, w, uint32_t(i.simm16)))},
    {"s_cmovk_i32", FLY_SALU_OP(if (w.scc) put(i, w, uint32_t(i.simm16)))},
    {"s_addk_i32",
     FLY_SALU_OP(putSignedSum(i, w, w.scalar(i.dst[0]), uint32_t(i.simm16)))},
    {"s_mulk_i32",
     FLY_SALU_OP(put(i, w, w.scalar(i.dst[0]) * uint32_t(i.simm16)))},
    {"s_getreg_b32", FLY_SALU_OP(getRegister(i, w))},
    {"s_setreg_b32", FLY_SALU_OP(setRegister(i, w, src0(i, w)))},
    {"s_setreg_imm32_b32",
     FLY_SALU_OP(uint32_t v; std::memcpy(&v, i.bytes + 4, 4);
                 setRegister(i, w, v))},
};

ExecFn fly::sim::salu::findConstant(llvm::StringRef mnemonic) {
  return findExec(sopkTable, mnemonic);
}
