//===- Flow.cpp - branches, barriers, waits, end of program ---------------===//
//
// What idea: wave.pc already points behind the instruction. Waits and
// priorities do nothing to values, since results arrive at once here.
// What it refuses: s_trap and messages that a host would have to answer.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/bit.h"

#include "../Workgroup.h"
#include "ExecTable.h"

using namespace fly::sim;
using fly::isa::Instruction;

static void jump(const Instruction &inst, WaveState &wave) {
  wave.pc += uint64_t(int64_t(inst.simm16) * 4);
}
static void jumpIf(bool condition, const Instruction &inst, WaveState &wave) {
  if (condition)
    jump(inst, wave);
}
static void nothing(const Instruction &, WaveState &) {}

static void barrier(const Instruction &inst, WaveState &wave) {
  // Hardware does not look at lanes; a barrier that some of them skip is one
  // that they, or their wave, meet elsewhere or never.
  uint64_t missing = wave.lanesAtStart & ~wave.exec();
  if (missing && wave.workgroup->launch.options.checks.has(Check::Barriers))
    return wave.raise(FaultKind::Barrier, inst,
                      "this lane is disabled at a barrier, which all lanes of "
                      "a wave have to reach together",
                      llvm::countr_zero(missing));
  // A workgroup of one wave does not wait. [AMD]
  if (wave.workgroup->launch.wavesPerWorkgroup > 1)
    wave.status = WaveStatus::AtBarrier;
}

static void trap(const Instruction &inst, WaveState &wave) {
  wave.raise(FaultKind::Trap, inst, "s_trap executed");
}

/// Sets the low index byte, or the operand enables, of M0.
static void setIndex(WaveState &wave, uint32_t index) {
  uint32_t &m0 = wave.sgpr[WaveState::m0Code];
  m0 = (m0 & ~0xffu) | (index & 0xff);
}
static void setIndexMode(WaveState &wave, uint32_t enables) {
  uint32_t &m0 = wave.sgpr[WaveState::m0Code];
  m0 = (m0 & ~0xf000u) | (enables & 0xf) << 12;
}
constexpr uint32_t gprIndexBit = 1u << 27;

#define OP(...)                                                                \
  [](const Instruction &i, WaveState &w) {                                     \
    (void)i;                                                                   \
    __VA_ARGS__;                                                               \
  }

const ExecEntry soppTable[] = {
    {"s_endpgm", OP(w.status = WaveStatus::Ended)},
    {"s_endpgm_saved", OP(w.status = WaveStatus::Ended)},
    {"s_branch", jump},
    {"s_cbranch_scc0", OP(jumpIf(!w.scc, i, w))},
    {"s_cbranch_scc1", OP(jumpIf(w.scc, i, w))},
    {"s_cbranch_vccz", OP(jumpIf(w.vcc() == 0, i, w))},
    {"s_cbranch_vccnz", OP(jumpIf(w.vcc() != 0, i, w))},
    {"s_cbranch_execz", OP(jumpIf(w.exec() == 0, i, w))},
    {"s_cbranch_execnz", OP(jumpIf(w.exec() != 0, i, w))},
    {"s_barrier", barrier},
    {"s_trap", trap},
    {"s_set_gpr_idx_off", OP(w.mode.bits &= ~gprIndexBit)},
    {"s_set_gpr_idx_mode", OP(setIndexMode(w, uint32_t(i.simm16)))},
    {"s_nop", nothing},
    {"s_waitcnt", nothing},
    {"s_setprio", nothing},
    {"s_sleep", nothing},
    {"s_sethalt", nothing},
    {"s_setkill", nothing},
    {"s_icache_inv", nothing},
    {"s_incperflevel", nothing},
    {"s_decperflevel", nothing},
    {"s_ttracedata", nothing},
    {"s_sendmsg", nothing},
    {"s_wakeup", nothing},
    {"s_code_end", OP(w.raise(FaultKind::Trap, i, "ran into padding"))},
};

const ExecEntry sop1Table[] = {
    {"s_getpc_b64", OP(w.setScalar64(i.dst[0], w.pc))},
    {"s_setpc_b64", OP(w.pc = w.scalar64(i.src[0]))},
    {"s_swappc_b64", OP(uint64_t target = w.scalar64(i.src[0]);
                        w.setScalar64(i.dst[0], w.pc); w.pc = target)},
    {"s_set_gpr_idx_idx", OP(setIndex(w, w.scalar(i.src[0])))},
};

/// The four enable bits are the operand that SOPC keeps in place of src1.
static void indexOn(const Instruction &inst, WaveState &wave) {
  uint32_t index = wave.scalar(inst.src[0]);
  setIndex(wave, index);
  setIndexMode(wave, inst.bytes[1] & 0xf);
  wave.mode.bits |= gprIndexBit;
}

ExecFn fly::sim::lookupFlow(const Instruction &inst, ChipKind) {
  using fly::isa::Format;
  switch (inst.format) {
  case Format::SOPP:
    return findExec(soppTable, inst.mnemonic);
  case Format::SOP1:
    return findExec(sop1Table, inst.mnemonic);
  case Format::SOPC:
    return inst.mnemonic == "s_set_gpr_idx_on" ? indexOn : nullptr;
  case Format::SOPK:
    if (inst.mnemonic == "s_call_b64")
      return OP(w.setScalar64(i.dst[0], w.pc); jump(i, w));
    if (inst.mnemonic == "s_waitcnt_vmcnt" ||
        inst.mnemonic == "s_waitcnt_expcnt" ||
        inst.mnemonic == "s_waitcnt_lgkmcnt" ||
        inst.mnemonic == "s_waitcnt_vscnt")
      return nothing;
    return nullptr;
  default:
    return nullptr;
  }
}
