//===- LdsAccess.cpp - Which bytes of LDS an instruction touches ----------===//
#include "LdsAccess.h"

#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::verify;
using isa::Format;
using isa::Instruction;
using llvm::StringRef;

/// A copy writes whole dwords, also for narrower elements.
static LdsAccess copyOf(const Instruction &inst) {
  LdsAccess access;
  access.writes = access.isDma = true;
  access.address = {isa::reg::m0, 1};
  access.bytes = std::max(4u, isa::accessBytes(inst.mnemonic));
  access.offsets = {uint32_t(inst.offset)};
  return access;
}

std::optional<LdsAccess> fly::verify::ldsAccessOf(const Instruction &inst) {
  if (isLdsDma(inst))
    return copyOf(inst);
  StringRef name = inst.mnemonic;
  if (inst.format != Format::DS || isLdsPermutation(inst) || inst.gds ||
      name.starts_with("ds_gws"))
    return std::nullopt;
  LdsAccess access;
  access.address = isa::rangeOf(inst.src[isa::MemAddr]);
  access.bytes = isa::accessBytes(name);
  access.reads = name.starts_with("ds_read");
  access.writes = name.starts_with("ds_write");
  access.isAtomic = !access.reads && !access.writes;
  if (access.isAtomic) {
    access.reads = access.writes = true;
    if (name.contains("_pk_"))
      access.bytes = 4;
  }
  bool isPair = name.contains("read2") || name.contains("write2") ||
                name.contains("wrxchg2");
  unsigned scale = isPair ? access.bytes * (name.contains("st64") ? 64 : 1) : 1;
  access.offsets.push_back(uint32_t(inst.offset) * scale);
  if (isPair)
    access.offsets.push_back(inst.offset1 * scale);
  return access;
}

LdsBytes::LdsBytes(const LdsAccess &access, ValueId address, ValueId mask,
                   LaneValues &values)
    : waves(values.waves()) {
  for (unsigned item = 0; item != values.items(); ++item) {
    if (!values.at(mask, item))
      continue;
    // A copy puts the lanes of a wave one behind the other.
    uint32_t lane = item % values.waveSize();
    uint32_t base =
        values.at(address, item) + (access.isDma ? lane * access.bytes : 0);
    for (uint32_t offset : access.offsets)
      waves[item / values.waveSize()].push_back(
          {base + offset, base + offset + access.bytes});
  }
  for (auto &stretches : waves) {
    llvm::sort(stretches);
    llvm::SmallVector<Stretch, 4> merged;
    for (const Stretch &stretch : stretches) {
      low = std::min(low, stretch.first);
      high = std::max(high, stretch.second);
      if (!merged.empty() && stretch.first <= merged.back().second)
        merged.back().second = std::max(merged.back().second, stretch.second);
      else
        merged.push_back(stretch);
    }
    stretches = std::move(merged);
  }
}

static bool meet(llvm::ArrayRef<LdsBytes::Stretch> a,
                 llvm::ArrayRef<LdsBytes::Stretch> b) {
  const auto *i = a.begin(), *j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->second <= j->first)
      ++i;
    else if (j->second <= i->first)
      ++j;
    else
      return true;
  }
  return false;
}

llvm::SmallVector<uint32_t, 16>
LdsBytes::meetings(const LdsBytes &other) const {
  llvm::SmallVector<uint32_t, 16> masks(waves.size(), 0);
  if (isApart(other))
    return masks;
  for (size_t i = 0; i != waves.size(); ++i)
    for (size_t j = 0; j != other.waves.size(); ++j)
      if (meet(waves[i], other.waves[j]))
        masks[i] |= 1u << j;
  return masks;
}
