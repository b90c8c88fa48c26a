//===- Lds.cpp - local data share: loads, stores, atomics -----------------===//
//
// What idea: single-address forms are the templates of LaneMemory.h over
// LdsSpace; two-address forms have their own here. The HSA environment allows
// any alignment of LDS accesses. [LLVM22] unaligned-ds-access
// What it refuses: the global data share, and mnemonics outside the tables.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include "AtomicOps.h"
#include "LdsLookup.h"

using namespace fly::sim;
using fly::isa::Format;
using fly::isa::Instruction;

namespace {

/// The two byte offsets of read2, write2: in elements, or in 64 elements.
struct TwoOffsets {
  uint32_t first, second;

  TwoOffsets(const Instruction &inst, uint32_t elementBytes) {
    uint32_t scale = elementBytes * (inst.mnemonic.contains("st64") ? 64u : 1u);
    first = uint32_t(inst.offset) * scale;
    second = uint32_t(inst.offset1) * scale;
  }
};

} // namespace

template <unsigned dwords>
static void readTwo(const Instruction &inst, WaveState &wave) {
  const TwoOffsets offsets(inst, dwords * 4);
  const uint32_t *address = wave.lanes(inst.src[fly::isa::MemAddr]);
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint32_t base = address[lane];
    uint32_t values[2 * dwords] = {};
    uint32_t *half = values;
    for (uint32_t offset : {offsets.first, offsets.second}) {
      if (const uint8_t *memory =
              resolveLds(inst, wave, lane, uint32_t(base + offset), dwords * 4,
                         false, unsigned(half - values)))
        std::memcpy(half, memory, dwords * 4);
      half += dwords;
    }
    for (unsigned i = 0; i != 2 * dwords; ++i)
      out[i * waveLanes + lane] = values[i];
  });
}

template <unsigned dwords>
static void writeTwo(const Instruction &inst, WaveState &wave) {
  const TwoOffsets offsets(inst, dwords * 4);
  const uint32_t *address = wave.lanes(inst.src[fly::isa::MemAddr]);
  const uint32_t *data[2] = {wave.lanes(inst.src[fly::isa::MemData]),
                             wave.lanes(inst.src[fly::isa::MemBase])};
  const uint32_t offset[2] = {offsets.first, offsets.second};
  forEachActiveLane(wave, [&](unsigned lane) {
    for (unsigned half = 0; half != 2; ++half) {
      uint32_t values[dwords];
      for (unsigned i = 0; i != dwords; ++i)
        values[i] = data[half][i * waveLanes + lane];
      if (uint8_t *memory = resolveLds(inst, wave, lane,
                                       uint32_t(address[lane] + offset[half]),
                                       dwords * 4, true, half * dwords))
        std::memcpy(memory, values, dwords * 4);
    }
  });
}

/// LDS form of compare and swap: data0 is the comparison, data1 the new value.
template <typename T>
static void ldsCompareSwap(const Instruction &inst, WaveState &wave) {
  compareSwap<LdsSpace, T>(inst, wave, wave.lanes(inst.src[fly::isa::MemBase]),
                           wave.lanes(inst.src[fly::isa::MemData]));
}

/// Address without a register: M0 + offset + 4 * lane.
static void readAddTid(const Instruction &inst, WaveState &wave) {
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint64_t at =
        uint64_t(wave.m0() & 0xffff) + uint32_t(inst.offset) + 4 * lane;
    uint32_t value = 0;
    if (const uint8_t *memory = resolveLds(inst, wave, lane, at, 4, false))
      std::memcpy(&value, memory, 4);
    out[lane] = value;
  });
}
static void writeAddTid(const Instruction &inst, WaveState &wave) {
  const uint32_t *data = wave.lanes(inst.src[fly::isa::MemData]);
  forEachActiveLane(wave, [&](unsigned lane) {
    uint64_t at =
        uint64_t(wave.m0() & 0xffff) + uint32_t(inst.offset) + 4 * lane;
    if (uint8_t *memory = resolveLds(inst, wave, lane, at, 4, true))
      std::memcpy(memory, &data[lane], 4);
  });
}

/// Append and consume: one counter at M0 + offset moves by the number of
/// enabled lanes, each of which gets the old value. [LLVM22] puts the address
/// of the counter in M0 as it is, as for the forms with lane numbers.
template <bool isAppend>
static void moveCounter(const Instruction &inst, WaveState &wave) {
  uint64_t exec = wave.exec();
  if (exec == 0)
    return;
  uint64_t at = uint64_t(wave.m0() & 0xffff) + uint32_t(inst.offset);
  uint32_t count = uint32_t(llvm::popcount(exec)), old = 0;
  if (uint8_t *memory =
          resolveLds(inst, wave, llvm::countr_zero(exec), at, 4, true)) {
    std::memcpy(&old, memory, 4);
    uint32_t moved = isAppend ? old + count : old - count;
    std::memcpy(memory, &moved, 4);
  }
  uint32_t *out = wave.lanes(inst.dst[0]);
  forEachActiveLane(wave, [&](unsigned lane) { out[lane] = old; });
}

static void nothing(const Instruction &, WaveState &) {}

static ExecFn findAccess(llvm::StringRef name) {
  using L = LdsSpace;
  return llvm::StringSwitch<ExecFn>(name)
      .Case("ds_read_u8", loadElement<L, Extend::Zero8>)
      .Case("ds_read_i8", loadElement<L, Extend::Sign8>)
      .Case("ds_read_u16", loadElement<L, Extend::Zero16>)
      .Case("ds_read_i16", loadElement<L, Extend::Sign16>)
      .Case("ds_read_u8_d16", loadElement<L, Extend::Low16Zero8>)
      .Case("ds_read_u8_d16_hi", loadElement<L, Extend::High16Zero8>)
      .Case("ds_read_i8_d16", loadElement<L, Extend::Low16Sign8>)
      .Case("ds_read_i8_d16_hi", loadElement<L, Extend::High16Sign8>)
      .Case("ds_read_u16_d16", loadElement<L, Extend::Low16>)
      .Case("ds_read_u16_d16_hi", loadElement<L, Extend::High16>)
      .Case("ds_read_b32", loadDwords<L, 1>)
      .Case("ds_read_b64", loadDwords<L, 2>)
      .Case("ds_read_b96", loadDwords<L, 3>)
      .Case("ds_read_b128", loadDwords<L, 4>)
      .Cases({"ds_read2_b32", "ds_read2st64_b32"}, readTwo<1>)
      .Cases({"ds_read2_b64", "ds_read2st64_b64"}, readTwo<2>)
      .Case("ds_write_b8", storeElement<L, 1, false>)
      .Case("ds_write_b8_d16_hi", storeElement<L, 1, true>)
      .Case("ds_write_b16", storeElement<L, 2, false>)
      .Case("ds_write_b16_d16_hi", storeElement<L, 2, true>)
      .Case("ds_write_b32", storeDwords<L, 1>)
      .Case("ds_write_b64", storeDwords<L, 2>)
      .Case("ds_write_b96", storeDwords<L, 3>)
      .Case("ds_write_b128", storeDwords<L, 4>)
      .Cases({"ds_write2_b32", "ds_write2st64_b32"}, writeTwo<1>)
      .Cases({"ds_write2_b64", "ds_write2st64_b64"}, writeTwo<2>)
      .Case("ds_read_addtid_b32", readAddTid)
      .Case("ds_write_addtid_b32", writeAddTid)
      .Case("ds_append", moveCounter<true>)
      .Case("ds_consume", moveCounter<false>)
      .Case("ds_nop", nothing)
      .Default(nullptr);
}

template <typename T, T (*apply)(T, T)>
constexpr ExecFn ldsUpdate = atomicUpdate<LdsSpace, T, apply>;

/// `name` without "ds_" and without "_rtn".
static ExecFn findAtomic(llvm::StringRef name) {
  using namespace atomic;
  using U32 = uint32_t;
  using U64 = uint64_t;
  return llvm::StringSwitch<ExecFn>(name)
      .Case("add_u32", ldsUpdate<U32, add<U32>>)
      .Case("sub_u32", ldsUpdate<U32, sub<U32>>)
      .Case("rsub_u32", ldsUpdate<U32, reverseSub<U32>>)
      .Case("inc_u32", ldsUpdate<U32, increment<U32>>)
      .Case("dec_u32", ldsUpdate<U32, decrement<U32>>)
      .Case("min_i32", ldsUpdate<U32, minSigned<U32>>)
      .Case("max_i32", ldsUpdate<U32, maxSigned<U32>>)
      .Case("min_u32", ldsUpdate<U32, minUnsigned<U32>>)
      .Case("max_u32", ldsUpdate<U32, maxUnsigned<U32>>)
      .Case("and_b32", ldsUpdate<U32, bitAnd<U32>>)
      .Case("or_b32", ldsUpdate<U32, bitOr<U32>>)
      .Case("xor_b32", ldsUpdate<U32, bitXor<U32>>)
      .Case("wrxchg_b32", ldsUpdate<U32, exchange<U32>>)
      .Case("add_f32", ldsUpdate<U32, addFloat<U32, float>>)
      .Case("min_f32", ldsUpdate<U32, minFloat<U32, float>>)
      .Case("max_f32", ldsUpdate<U32, maxFloat<U32, float>>)
      .Case("pk_add_f16", ldsUpdate<U32, addPackedHalf>)
      .Case("pk_add_bf16", ldsUpdate<U32, addPackedBfloat>)
      .Case("cmpst_b32", ldsCompareSwap<U32>)
      .Case("add_u64", ldsUpdate<U64, add<U64>>)
      .Case("sub_u64", ldsUpdate<U64, sub<U64>>)
      .Case("rsub_u64", ldsUpdate<U64, reverseSub<U64>>)
      .Case("inc_u64", ldsUpdate<U64, increment<U64>>)
      .Case("dec_u64", ldsUpdate<U64, decrement<U64>>)
      .Case("min_i64", ldsUpdate<U64, minSigned<U64>>)
      .Case("max_i64", ldsUpdate<U64, maxSigned<U64>>)
      .Case("min_u64", ldsUpdate<U64, minUnsigned<U64>>)
      .Case("max_u64", ldsUpdate<U64, maxUnsigned<U64>>)
      .Case("and_b64", ldsUpdate<U64, bitAnd<U64>>)
      .Case("or_b64", ldsUpdate<U64, bitOr<U64>>)
      .Case("xor_b64", ldsUpdate<U64, bitXor<U64>>)
      .Case("wrxchg_b64", ldsUpdate<U64, exchange<U64>>)
      .Case("add_f64", ldsUpdate<U64, addFloat<U64, double>>)
      .Case("min_f64", ldsUpdate<U64, minFloat<U64, double>>)
      .Case("max_f64", ldsUpdate<U64, maxFloat<U64, double>>)
      .Case("cmpst_b64", ldsCompareSwap<U64>)
      .Default(nullptr);
}

ExecFn fly::sim::lookupLds(const Instruction &inst, ChipKind) {
  if (inst.format != Format::DS || inst.gds)
    return nullptr;
  if (ExecFn crossLane = lookupLdsCrossLane(inst))
    return crossLane;
  if (ExecFn access = findAccess(inst.mnemonic))
    return access;
  llvm::StringRef name = inst.mnemonic;
  if (!name.consume_front("ds_"))
    return nullptr;
  // "_rtn" stands before the type: ds_add_rtn_u32.
  size_t at = name.find("_rtn_");
  if (at == llvm::StringRef::npos)
    return findAtomic(name);
  return findAtomic((name.take_front(at) + name.drop_front(at + 4)).str());
}
