//===- LayoutMoves.cpp - What a change of layout moves --------------------===//
//
// Lanes keep their elements where the bases of both layouts differ by one
// constant for all threads and each tail of the new layout is, that far away, a
// tail of the old one. Layouts that hold an element in several lanes are looked
// at lane by lane too: a lane takes what it has itself, or it has to be moved.
//
//===----------------------------------------------------------------------===//
#include "LayoutMoves.h"

#include "fly/Arch/Wave.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace fly;

Attribute fly::getTransposed(Attribute layout) {
  if (auto transposed = dyn_cast<TransposedAttr>(layout))
    return transposed.getParent();
  return TransposedAttr::get(layout.getContext(), layout);
}

Attribute fly::getSlice(int64_t dim, int64_t extent, Attribute layout) {
  if (auto transposed = dyn_cast<TransposedAttr>(layout))
    return SliceAttr::get(layout.getContext(), 1 - dim, extent,
                          transposed.getParent());
  return SliceAttr::get(layout.getContext(), dim, extent, layout);
}

/// The coordinates of a thread's base.
static SmallVector<int64_t, 2> getBase(const LaneMap &map, int64_t thread) {
  SmallVector<int64_t, 2> base(map.rank(), 0);
  for (unsigned d = 0; d < map.rank(); ++d)
    for (const LaneTerm &term : map.base[d])
      base[d] += term.evaluate(thread);
  return base;
}

std::optional<SmallVector<unsigned>>
fly::getRegisterMoves(const LaneMap &from, const LaneMap &to, int64_t threads) {
  auto distance = [&](int64_t thread) {
    SmallVector<int64_t, 2> delta = getBase(to, thread);
    for (auto [d, base] : llvm::enumerate(getBase(from, thread)))
      delta[d] -= base;
    return delta;
  };
  SmallVector<int64_t, 2> delta = distance(0);
  for (int64_t thread = 1; thread < threads; ++thread)
    if (distance(thread) != delta)
      return std::nullopt;
  std::map<SmallVector<int64_t, 2>, unsigned> registers;
  for (auto [index, tail] : llvm::enumerate(from.tails))
    registers.try_emplace(tail, index);
  SmallVector<unsigned> moves;
  for (SmallVector<int64_t, 2> tail : to.tails) {
    for (unsigned d = 0; d < to.rank(); ++d)
      tail[d] += delta[d];
    auto found = registers.find(tail);
    if (found == registers.end())
      return std::nullopt;
    moves.push_back(found->second);
  }
  return moves;
}

bool fly::movesBetweenLanes(ConvertLayoutOp op, int64_t threads) {
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getType());
  auto fromLayout = dyn_cast_or_null<LayoutAttrInterface>(from.getEncoding());
  auto toLayout = dyn_cast_or_null<LayoutAttrInterface>(to.getEncoding());
  return fromLayout && toLayout &&
         !getRegisterMoves(fromLayout.getLaneMap(from.getShape()),
                           toLayout.getLaneMap(to.getShape()), threads);
}

int64_t fly::getContiguousGroup(const LaneMap &map, unsigned contiguous,
                                int64_t elementBits, int64_t divisor) {
  int64_t inner = map.registers.back();
  int64_t widest = arch::widestAccessBytes * 8 / elementBits;
  if (divisor != 0)
    widest = std::gcd(widest, divisor);
  auto isRun = [&](int64_t length) {
    for (size_t reg = 0; reg < map.tails.size(); ++reg)
      for (unsigned d = 0; d < map.rank(); ++d) {
        int64_t expected = map.tails[reg - reg % length][d] +
                           (d == contiguous ? reg % length : 0);
        if (map.tails[reg][d] != expected ||
            (divisor != 0 && d == contiguous && reg % length == 0 &&
             expected % length != 0))
          return false;
      }
    return true;
  };
  int64_t group = 1;
  for (int64_t length = 2; length <= widest && inner % length == 0; length *= 2)
    if (isRun(length))
      group = length;
  return group;
}
