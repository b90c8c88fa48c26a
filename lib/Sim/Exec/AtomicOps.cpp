//===- AtomicOps.cpp - memory atomics by mnemonic -------------------------===//

#include "AtomicOps.h"

#include "llvm/ADT/StringSwitch.h"

#include "BufferSpace.h"

using namespace fly::sim;

// A float has at least 2p+2 significant bits for p = 11 and 8, so rounding its
// sum to the narrow format equals rounding the exact sum once.
uint32_t fly::sim::atomic::addPackedHalf(uint32_t old, uint32_t data) {
  float low = halfToFloat(uint16_t(old)) + halfToFloat(uint16_t(data));
  float high =
      halfToFloat(uint16_t(old >> 16)) + halfToFloat(uint16_t(data >> 16));
  return floatToHalf(low) | uint32_t(floatToHalf(high)) << 16;
}

uint32_t fly::sim::atomic::addPackedBfloat(uint32_t old, uint32_t data) {
  float low = bfloatToFloat(uint16_t(old)) + bfloatToFloat(uint16_t(data));
  float high =
      bfloatToFloat(uint16_t(old >> 16)) + bfloatToFloat(uint16_t(data >> 16));
  return floatToBFloat(low) | uint32_t(floatToBFloat(high)) << 16;
}

template <typename Space>
ExecFn fly::sim::findMemoryAtomic(llvm::StringRef operation) {
  using namespace atomic;
  using U32 = uint32_t;
  using U64 = uint64_t;
  return llvm::StringSwitch<ExecFn>(operation)
      .Case("add", atomicUpdate<Space, U32, add<U32>>)
      .Case("sub", atomicUpdate<Space, U32, sub<U32>>)
      .Case("smin", atomicUpdate<Space, U32, minSigned<U32>>)
      .Case("umin", atomicUpdate<Space, U32, minUnsigned<U32>>)
      .Case("smax", atomicUpdate<Space, U32, maxSigned<U32>>)
      .Case("umax", atomicUpdate<Space, U32, maxUnsigned<U32>>)
      .Case("and", atomicUpdate<Space, U32, bitAnd<U32>>)
      .Case("or", atomicUpdate<Space, U32, bitOr<U32>>)
      .Case("xor", atomicUpdate<Space, U32, bitXor<U32>>)
      .Case("inc", atomicUpdate<Space, U32, increment<U32>>)
      .Case("dec", atomicUpdate<Space, U32, decrement<U32>>)
      .Case("swap", atomicUpdate<Space, U32, exchange<U32>>)
      .Case("cmpswap", memoryCompareSwap<Space, U32>)
      .Case("add_x2", atomicUpdate<Space, U64, add<U64>>)
      .Case("sub_x2", atomicUpdate<Space, U64, sub<U64>>)
      .Case("smin_x2", atomicUpdate<Space, U64, minSigned<U64>>)
      .Case("umin_x2", atomicUpdate<Space, U64, minUnsigned<U64>>)
      .Case("smax_x2", atomicUpdate<Space, U64, maxSigned<U64>>)
      .Case("umax_x2", atomicUpdate<Space, U64, maxUnsigned<U64>>)
      .Case("and_x2", atomicUpdate<Space, U64, bitAnd<U64>>)
      .Case("or_x2", atomicUpdate<Space, U64, bitOr<U64>>)
      .Case("xor_x2", atomicUpdate<Space, U64, bitXor<U64>>)
      .Case("inc_x2", atomicUpdate<Space, U64, increment<U64>>)
      .Case("dec_x2", atomicUpdate<Space, U64, decrement<U64>>)
      .Case("swap_x2", atomicUpdate<Space, U64, exchange<U64>>)
      .Case("cmpswap_x2", memoryCompareSwap<Space, U64>)
      .Case("add_f32", atomicUpdate<Space, U32, addFloat<U32, float>>)
      .Case("add_f64", atomicUpdate<Space, U64, addFloat<U64, double>>)
      .Case("min_f64", atomicUpdate<Space, U64, minFloat<U64, double>>)
      .Case("max_f64", atomicUpdate<Space, U64, maxFloat<U64, double>>)
      .Case("pk_add_f16", atomicUpdate<Space, U32, addPackedHalf>)
      .Case("pk_add_bf16", atomicUpdate<Space, U32, addPackedBfloat>)
      .Default(nullptr);
}

namespace fly::sim {
template ExecFn findMemoryAtomic<GlobalSpace>(llvm::StringRef);
template ExecFn findMemoryAtomic<FlatSpace>(llvm::StringRef);
template ExecFn findMemoryAtomic<BufferSpace>(llvm::StringRef);
} // namespace fly::sim
