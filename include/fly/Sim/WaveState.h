//===- WaveState.h - architectural state of one wave ------------*- C++ -*-===//
//
// What problem: executors of every unit need one picture of a wave's registers
// that is fast to vectorise over 64 lanes.
// What idea: vector registers are stored register by register, 64 dwords each
// (structure of arrays), so that one instruction is one loop over contiguous
// lanes. Scalars are an array indexed by the hardware's operand code, so vcc,
// m0 and exec need no special case.
// What it refuses: nothing throws; an executor reports a fault by setting the
// wave's status, and the dispatch loop stops there.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_WAVESTATE_H
#define FLY_SIM_WAVESTATE_H

#include "fly/Isa/Instruction.h"

#include <cstdint>
#include <cstring>
#include <memory>

namespace fly::sim {

class WorkgroupState;
struct WaveState;

/// Lanes of a wave on every chip simulated here.
constexpr unsigned waveLanes = 64;
/// One dword of every lane, aligned for the widest vector unit.
struct alignas(64) LaneBuffer {
  uint32_t lane[waveLanes];
};

/// How a decoded instruction is executed. Bound once per static instruction
/// when a program is loaded. The executor does not advance pc: the dispatch
/// loop sets it to the next instruction before the call, so a branch
/// overwrites it.
using ExecFn = void (*)(const isa::Instruction &, WaveState &);

/// What a wave does next.
enum class WaveStatus : uint8_t {
  Running,
  AtBarrier,
  Ended,
  Faulted,
};

enum class FaultKind : uint8_t {
  None,
  UnknownInstruction, ///< Bytes LLVM does not decode.
  Unimplemented,      ///< Decoded, but there is no executor for this form.
  UnmappedAccess,     ///< Global, flat, scalar or scratch address.
  LdsOutOfRange,      ///< Only where the hardware has no defined result.
  MisalignedAccess,
  BadProgramCounter,
  Barrier, ///< Barrier check: some waves or lanes can never arrive.
  Budget,  ///< Instruction budget used up, or no progress.
  Trap,    ///< s_trap, or a state that the model does not cover.
};

/// Where and why a wave stopped.
struct Fault {
  FaultKind kind = FaultKind::None;
  uint64_t pc = 0;
  int32_t lane = -1;    ///< -1: not one lane's fault.
  uint64_t address = 0; ///< UnmappedAccess, LdsOutOfRange, MisalignedAccess.
  uint32_t bytes = 0;   ///< Access size.
  bool isWrite = false;
  const char *reason = ""; ///< Static text, for Unimplemented and Trap.
};

/// The MODE register's fields that change values.
struct ModeRegister {
  uint32_t bits = 0;

  unsigned roundF32() const { return bits & 3; }
  unsigned roundF64F16() const { return (bits >> 2) & 3; }
  /// Denormal modes: bit 0 keeps inputs, bit 1 keeps outputs; 0 flushes both.
  unsigned denormF32() const { return (bits >> 4) & 3; }
  unsigned denormF64F16() const { return (bits >> 6) & 3; }
  bool dx10Clamp() const { return bits & (1u << 8); }
  bool ieee() const { return bits & (1u << 9); }
  bool fp16Ovfl() const { return bits & (1u << 23); }
  bool gprIndexEnabled() const { return bits & (1u << 27); }
};

/// Registers and status of one wave.
struct WaveState {
  static constexpr unsigned numVectorRegisters = 512;
  static constexpr unsigned agprBase = 256;
  static constexpr unsigned vccLo = 106, m0Code = 124, execLo = 126;

  /// 512 registers of 64 lanes: VGPR n at index n, AGPR n at 256 + n.
  uint32_t *vectorFile = nullptr;
  /// By hardware operand code, see isa::OperandKind::SGPR.
  uint32_t sgpr[128] = {};
  uint32_t scc = 0; ///< 0 or 1.
  ModeRegister mode;
  uint64_t pc = 0;
  WaveStatus status = WaveStatus::Running;
  Fault fault;
  /// Index in its workgroup.
  uint32_t waveIndex = 0;
  /// EXEC when the wave started: all lanes but those of a partial last wave.
  uint64_t lanesAtStart = ~uint64_t(0);
  /// Memory, LDS and the other waves; null in unit tests of pure arithmetic.
  WorkgroupState *workgroup = nullptr;

  // Pairs of scalar registers.
  uint64_t sgpr64(unsigned code) const {
    return sgpr[code] | (uint64_t(sgpr[code + 1]) << 32);
  }
  void setSgpr64(unsigned code, uint64_t value) {
    sgpr[code] = uint32_t(value);
    sgpr[code + 1] = uint32_t(value >> 32);
  }
  uint64_t exec() const { return sgpr64(execLo); }
  void setExec(uint64_t value) { setSgpr64(execLo, value); }
  uint64_t vcc() const { return sgpr64(vccLo); }
  void setVcc(uint64_t value) { setSgpr64(vccLo, value); }
  uint32_t m0() const { return sgpr[m0Code]; }

  /// 64 lanes of the `dword`-th register of a vector operand.
  uint32_t *lanes(const isa::Operand &operand, unsigned dword = 0) {
    unsigned index = operand.reg + dword +
                     (operand.kind == isa::OperandKind::AGPR ? agprBase : 0);
    return vectorFile + size_t(index) * waveLanes;
  }
  uint32_t *vgpr(unsigned index) {
    return vectorFile + size_t(index) * waveLanes;
  }

  /// Value of a scalar register, special value or constant, one dword of it.
  /// For a constant dword 1 is the upper half of `imm`.
  uint32_t scalar(const isa::Operand &operand, unsigned dword = 0) const {
    switch (operand.kind) {
    case isa::OperandKind::SGPR:
      return sgpr[(operand.reg + dword) & 127];
    case isa::OperandKind::Immediate:
      return uint32_t(operand.imm >> (32 * dword));
    default:
      return special(operand.reg, dword);
    }
  }
  uint64_t scalar64(const isa::Operand &operand) const {
    return scalar(operand, 0) | (uint64_t(scalar(operand, 1)) << 32);
  }
  /// Writes a scalar destination (writes to null are dropped).
  void setScalar(const isa::Operand &operand, uint32_t value,
                 unsigned dword = 0) {
    if (operand.kind == isa::OperandKind::SGPR)
      sgpr[(operand.reg + dword) & 127] = value;
  }
  void setScalar64(const isa::Operand &operand, uint64_t value) {
    setScalar(operand, uint32_t(value), 0);
    setScalar(operand, uint32_t(value >> 32), 1);
  }

  /// The lanes of any source: a pointer into the register file, or `buffer`
  /// filled with the scalar value. No modifiers are applied.
  const uint32_t *source(const isa::Operand &operand, unsigned dword,
                         LaneBuffer &buffer) {
    if (operand.isVector())
      return lanes(operand, dword);
    uint32_t value = scalar(operand, dword);
    for (uint32_t &lane : buffer.lane)
      lane = value;
    return buffer.lane;
  }

  /// Writes the lanes that EXEC enables.
  void store(const isa::Operand &operand, unsigned dword,
             const uint32_t *values) {
    uint32_t *out = lanes(operand, dword);
    uint64_t mask = exec();
    if (mask == ~uint64_t(0)) {
      std::memcpy(out, values, waveLanes * sizeof(uint32_t));
      return;
    }
    for (unsigned lane = 0; lane != waveLanes; ++lane)
      out[lane] = (mask >> lane) & 1 ? values[lane] : out[lane];
  }

  /// Stops the wave at `inst`. The first fault wins.
  void raise(FaultKind kind, const isa::Instruction &inst,
             const char *reason = "", int lane = -1, uint64_t address = 0,
             uint32_t bytes = 0, bool isWrite = false) {
    if (status == WaveStatus::Faulted)
      return;
    status = WaveStatus::Faulted;
    fault = Fault{kind, inst.pc, lane, address, bytes, isWrite, reason};
  }

  /// Read-only hardware values by operand code (scc, vccz, execz, apertures).
  uint32_t special(unsigned code, unsigned dword) const;
};

} // namespace fly::sim

#endif // FLY_SIM_WAVESTATE_H
