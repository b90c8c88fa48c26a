//===- LaneValues.cpp - Values, named once --------------------------------===//
#include "LaneValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::verify;

LaneValues::LaneValues(unsigned items, unsigned waveSize)
    : itemCount(items), lanesPerWave(waveSize), entries(1, nullptr) {
  fullMask = mask(std::vector<uint32_t>(items, 1));
}

ValueId LaneValues::intern(Entry entry) {
  if (llvm::all_equal(entry.values))
    entry.values.resize(1);
  auto [it, isNew] = ids.try_emplace(std::move(entry), ValueId(entries.size()));
  if (isNew)
    entries.push_back(&it->first);
  return it->second;
}

ValueId LaneValues::constant(uint32_t value) {
  return intern({false, {value}});
}

ValueId LaneValues::lanes(std::vector<uint32_t> values) {
  return intern({false, std::move(values)});
}

ValueId LaneValues::mask(std::vector<uint32_t> bits) {
  return intern({true, std::move(bits)});
}

bool LaneValues::isMask(ValueId value) const {
  return value != unknownValue && entries[value]->isMask;
}

ValueId LaneValues::asMask(ValueId value) {
  if (value == unknownValue || isMask(value))
    return value;
  const std::vector<uint32_t> &content = entries[value]->values;
  if (content.size() == 1 && content[0] == 0)
    return mask({0});
  return content.size() == 1 && content[0] == ~0u ? fullMask : unknownValue;
}

bool LaneValues::anyInWave(ValueId mask, unsigned wave) const {
  unsigned begin = wave * waveSize(),
           end = std::min(begin + waveSize(), items());
  for (unsigned item = begin; item < end; ++item)
    if (at(mask, item))
      return true;
  return false;
}
