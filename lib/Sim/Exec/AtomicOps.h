//===- AtomicOps.h - read-modify-write operations ---------------*- C++ -*-===//
//
// What idea: an operation is a pure function of the old value and the lane's
// operand; memory instructions and LDS instructions share it. Lanes act in
// ascending order. Meaning: [AMD] CDNA3 instruction set document.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_EXEC_ATOMICOPS_H
#define FLY_LIB_SIM_EXEC_ATOMICOPS_H

#include "fly/Sim/Numeric/HalfConvert.h"

#include <cmath>

#include "LaneMemory.h"

namespace fly::sim {

namespace atomic {

template <typename T>
T add(T old, T data) {
  return old + data;
}
template <typename T>
T sub(T old, T data) {
  return old - data;
}
template <typename T>
T reverseSub(T old, T data) {
  return data - old;
}
template <typename T>
T minUnsigned(T old, T data) {
  return data < old ? data : old;
}
template <typename T>
T maxUnsigned(T old, T data) {
  return data > old ? data : old;
}
template <typename T>
T minSigned(T old, T data) {
  using S = std::make_signed_t<T>;
  return S(data) < S(old) ? data : old;
}
template <typename T>
T maxSigned(T old, T data) {
  using S = std::make_signed_t<T>;
  return S(data) > S(old) ? data : old;
}
template <typename T>
T bitAnd(T old, T data) {
  return old & data;
}
template <typename T>
T bitOr(T old, T data) {
  return old | data;
}
template <typename T>
T bitXor(T old, T data) {
  return old ^ data;
}
template <typename T>
T exchange(T, T data) {
  return data;
}
/// Wraps to 0 above `data`.
template <typename T>
T increment(T old, T data) {
  return old >= data ? 0 : old + 1;
}
/// Wraps to `data` below 1 or above `data`.
template <typename T>
T decrement(T old, T data) {
  return old == 0 || old > data ? data : old - 1;
}

template <typename T, typename F>
F asFloat(T bits) {
  static_assert(sizeof(T) == sizeof(F));
  F value;
  std::memcpy(&value, &bits, sizeof(F));
  return value;
}
template <typename T, typename F>
T asBits(F value) {
  T bits;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <typename T, typename F>
T addFloat(T old, T data) {
  F sum = asFloat<T, F>(old) + asFloat<T, F>(data);
  // One NaN on every host.
  if (std::isnan(sum))
    return sizeof(T) == 4 ? T(0x7fc00000) : T(0x7ff8) << (sizeof(T) * 8 - 16);
  return asBits<T, F>(sum);
}
/// A NaN operand gives the other operand.
template <typename T, typename F>
T minFloat(T old, T data) {
  F a = asFloat<T, F>(old), b = asFloat<T, F>(data);
  return b < a || std::isnan(a) ? data : old;
}
template <typename T, typename F>
T maxFloat(T old, T data) {
  F a = asFloat<T, F>(old), b = asFloat<T, F>(data);
  return b > a || std::isnan(a) ? data : old;
}

uint32_t addPackedHalf(uint32_t old, uint32_t data);
uint32_t addPackedBfloat(uint32_t old, uint32_t data);

/// Applies `apply` to memory that other host threads may change, too.
template <typename T, T (*apply)(T, T)>
T update(uint8_t *memory, T data) {
  T *word = reinterpret_cast<T *>(memory);
  T old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(word, &old, apply(old, data), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return old;
}

} // namespace atomic

/// The operand of a lane: one or two registers.
template <typename T>
T laneValue(const uint32_t *registers, unsigned lane) {
  T value = registers[lane];
  if constexpr (sizeof(T) == 8)
    value |= T(registers[waveLanes + lane]) << 32;
  return value;
}
template <typename T>
void setLaneValue(uint32_t *registers, unsigned lane, T value) {
  registers[lane] = uint32_t(value);
  if constexpr (sizeof(T) == 8)
    registers[waveLanes + lane] = uint32_t(value >> 32);
}

/// Resolves an atomic access: it must be naturally aligned.
template <typename Space, typename T>
uint8_t *resolveAtomic(const Space &space, const isa::Instruction &inst,
                       WaveState &wave, unsigned lane) {
  uint8_t *memory = space.resolve(inst, wave, lane, sizeof(T), true);
  if (memory && reinterpret_cast<uintptr_t>(memory) % sizeof(T) != 0) {
    wave.raise(FaultKind::MisalignedAccess, inst, "", int(lane),
               reinterpret_cast<uintptr_t>(memory) % 4096, sizeof(T), true);
    return nullptr;
  }
  return memory;
}

template <typename Space, typename T, T (*apply)(T, T)>
void atomicUpdate(const isa::Instruction &inst, WaveState &wave) {
  Space space(inst, wave);
  const uint32_t *data = wave.lanes(inst.src[isa::MemData]);
  uint32_t *out = inst.dst[0].exists() ? wave.lanes(inst.dst[0]) : nullptr;
  forEachActiveLane(wave, [&](unsigned lane) {
    uint8_t *memory = resolveAtomic<Space, T>(space, inst, wave, lane);
    T old = 0;
    if (memory)
      old = atomic::update<T, apply>(memory, laneValue<T>(data, lane));
    if (out)
      setLaneValue<T>(out, lane, old);
  });
}

/// Compare and swap: `data` and `compare` give each lane's operands.
template <typename Space, typename T>
void compareSwap(const isa::Instruction &inst, WaveState &wave,
                 const uint32_t *data, const uint32_t *compare) {
  Space space(inst, wave);
  uint32_t *out = inst.dst[0].exists() ? wave.lanes(inst.dst[0]) : nullptr;
  forEachActiveLane(wave, [&](unsigned lane) {
    uint8_t *memory = resolveAtomic<Space, T>(space, inst, wave, lane);
    T expected = laneValue<T>(compare, lane);
    if (memory)
      __atomic_compare_exchange_n(reinterpret_cast<T *>(memory), &expected,
                                  laneValue<T>(data, lane), false,
                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
      expected = 0;
    if (out)
      setLaneValue<T>(out, lane, expected);
  });
}

/// Memory form: the swap value comes first, the comparison behind it.
template <typename Space, typename T>
void memoryCompareSwap(const isa::Instruction &inst, WaveState &wave) {
  const uint32_t *data = wave.lanes(inst.src[isa::MemData]);
  compareSwap<Space, T>(inst, wave, data,
                        data + sizeof(T) / 4 * size_t(waveLanes));
}

/// The executor of "<op>" of a *_atomic_<op> mnemonic, null if unknown.
template <typename Space>
ExecFn findMemoryAtomic(llvm::StringRef operation);

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_ATOMICOPS_H
