//===- TransposingReads.cpp - LDS reads that transpose --------------------===//
//
// Of 16 neighbouring lanes each names a chunk of a row, and gets a column of
// what all of them named. With n elements a chunk, 16 / n lanes side by side
// cover 16 columns of a row, and n rows of lanes are what each lane gets. The
// lane map of the result is known; that of the chunks is made by exchanging the
// lane's number along columns for its place among those chunks. That the two
// agree is not argued but enumerated.
//
//===----------------------------------------------------------------------===//
#include "TransposingReads.h"

#include "fly/Arch/Intrinsics.h"

using namespace fly;

/// Lanes that exchange elements. [AMD] gfx950.
static constexpr int64_t kLanes = 16;
/// Bits that a lane gets of elements of whole bytes.
static constexpr int64_t kReadBits = 64;

int64_t fly::getTransposedElements(const arch::ArchInfo &chip, int64_t bits) {
  const arch::IntrinsicRow *row = arch::lookupIntrinsic("ds.read.tr");
  bool exists = row && row->availableOn(chip.chip) && (bits == 8 || bits == 16);
  return exists ? kReadBits / bits : 0;
}

/// Whether the term is the same for the lanes that exchange elements.
static bool isShared(const LaneTerm &term) {
  return term.source == LaneTerm::Wave || term.div % kLanes == 0;
}

/// Whether each group of `count` registers runs across the rows.
static bool runsAcross(const LaneMap &map, unsigned contiguous, int64_t count) {
  if (map.registers.empty() || map.registers.back() % count != 0)
    return false;
  for (size_t reg = 0; reg < map.tails.size(); ++reg) {
    const auto &first = map.tails[reg - reg % count], &tail = map.tails[reg];
    for (unsigned d = 0; d < map.rank(); ++d)
      if (tail[d] - first[d] != (d == contiguous ? 0 : int64_t(reg % count)))
        return false;
  }
  return true;
}

/// Whether every lane gets what `map` says of the chunks that its neighbours
/// name.
static bool agrees(const LaneMap &map, const LaneMap &chunks,
                   unsigned contiguous, int64_t count) {
  for (unsigned reg = 0; reg < map.tails.size(); ++reg)
    for (int64_t lane = 0; lane < arch::waveLanes; ++lane) {
      int64_t element = reg % count, own = lane % kLanes;
      int64_t from = lane - own + element * (kLanes / count) + own / count;
      auto chunk = chunks.evaluate(from, reg - element);
      // A chunk is aligned to its size.
      if (chunk[contiguous] % count != 0)
        return false;
      chunk[contiguous] += own % count;
      if (chunk != map.evaluate(lane, reg))
        return false;
    }
  return true;
}

std::optional<LaneMap> fly::getTransposedChunks(const LaneMap &map,
                                                unsigned contiguous,
                                                int64_t elements) {
  if (map.rank() != 2 || map.partial != 0 || elements == 0 ||
      !runsAcross(map, contiguous, elements))
    return std::nullopt;
  LaneMap chunks = map;
  bool isExchanged = false;
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    auto &terms = chunks.base[dim];
    for (unsigned i = terms.size(); i-- > 0;) {
      LaneTerm term = terms[i];
      if (isShared(term))
        continue;
      bool isColumn = dim == contiguous && term.source == LaneTerm::Lane &&
                      term.div == 1 && term.mul == 1 && term.mod != 0 &&
                      term.mod % kLanes == 0;
      if (!isColumn || isExchanged)
        return std::nullopt;
      isExchanged = true;
      terms.erase(terms.begin() + i);
      if (term.mod != kLanes)
        terms.push_back({LaneTerm::Lane, kLanes, term.mod / kLanes, kLanes});
    }
  }
  if (!isExchanged)
    return std::nullopt;
  int64_t perRow = kLanes / elements;
  chunks.base[contiguous].push_back({LaneTerm::Lane, 1, perRow, elements});
  chunks.base[1 - contiguous].push_back({LaneTerm::Lane, perRow, elements, 1});
  if (!agrees(map, chunks, contiguous, elements))
    return std::nullopt;
  return chunks;
}
