//===- LanePatterns.cpp - offsets of lanes that come again ----------------===//

#include "LanePatterns.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstring>

using namespace fly::sim;

/// Calls `body` with each of the lanes.
template <typename Body>
static void forEachLane(uint64_t lanes, Body body) {
  for (; lanes; lanes &= lanes - 1)
    body(unsigned(llvm::countr_zero(lanes)));
}

/// Whether all lanes that take part are as far from the pattern as the first,
/// modulo 2^32.
static bool isAlike(const LanePattern &pattern, const uint32_t *offsets) {
  uint32_t shift =
      offsets[pattern.firstLane] - pattern.offsets[pattern.firstLane];
  uint32_t different = 0;
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    different |= (offsets[lane] - shift) ^ pattern.offsets[lane];
  if (different == 0 || pattern.lanes == ~uint64_t(0))
    return different == 0;
  different = 0;
  forEachLane(pattern.lanes, [&](unsigned lane) {
    different |= (offsets[lane] - shift) ^ pattern.offsets[lane];
  });
  return different == 0;
}

static std::unique_ptr<LanePattern> describe(uint64_t lanes,
                                             const uint32_t *offsets) {
  auto pattern = std::make_unique<LanePattern>();
  pattern->lanes = lanes;
  pattern->firstLane = unsigned(llvm::countr_zero(lanes));
  std::memcpy(pattern->offsets, offsets, sizeof(pattern->offsets));
  pattern->least = pattern->most = offsets[pattern->firstLane];
  forEachLane(lanes, [&](unsigned lane) {
    pattern->least = std::min(pattern->least, offsets[lane]);
    pattern->most = std::max(pattern->most, offsets[lane]);
  });
  return pattern;
}

LanePatterns::Match LanePatterns::find(size_t instruction, uint64_t lanes,
                                       const uint32_t *offsets) {
  if (instruction >= known.size())
    known.resize(instruction + 1);
  std::vector<std::unique_ptr<LanePattern>> &own = known[instruction];
  for (const std::unique_ptr<LanePattern> &pattern : own) {
    if (pattern->lanes != lanes || !isAlike(*pattern, offsets))
      continue;
    // Where no offset has wrapped around, they are as far as they seem.
    int64_t shift = int64_t(offsets[pattern->firstLane]) -
                    pattern->offsets[pattern->firstLane];
    if (pattern->least + shift >= 0 && pattern->most + shift <= UINT32_MAX)
      return {pattern.get(), shift};
  }
  if (own.size() == mostOfInstruction)
    return {};
  own.push_back(describe(lanes, offsets));
  own.back()->number = count++;
  return {own.back().get(), 0};
}
