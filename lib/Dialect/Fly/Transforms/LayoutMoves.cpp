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

Attribute fly::getBitcastLayout(Attribute layout, int64_t fromBits,
                                int64_t toBits) {
  auto recount = [&](int64_t count) {
    return count * fromBits % toBits == 0 ? count * fromBits / toBits : 0;
  };
  MLIRContext *context = layout.getContext();
  if (auto blocked = dyn_cast<BlockedAttr>(layout))
    if (int64_t vector = recount(blocked.getVector()))
      return BlockedAttr::get(context, blocked.getThreads(), vector,
                              blocked.getRows());
  if (auto operand = dyn_cast<OperandAttr>(layout))
    if (int64_t pack = recount(operand.getPack()))
      return OperandAttr::get(context, operand.getSide(), operand.getParent(),
                              pack);
  return {};
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

SmallVector<unsigned> fly::orderByRuns(LaneMap &map, unsigned contiguous) {
  unsigned rank = map.registers.size();
  SmallVector<int64_t> strides(rank, 1);
  for (unsigned axis = rank; axis-- > 1;)
    strides[axis - 1] = strides[axis] * map.registers[axis];
  auto isRun = [&](unsigned axis) {
    if (map.registers[axis] < 2)
      return false;
    for (unsigned d = 0; d < map.rank(); ++d)
      if (map.tails[strides[axis]][d] - map.tails[0][d] != (d == contiguous))
        return false;
    return true;
  };
  if (rank < 2 || isRun(rank - 1))
    return {};
  for (unsigned axis = rank - 1; axis-- > 0;) {
    if (!isRun(axis))
      continue;
    LaneMap ordered = map;
    int64_t length = map.registers[axis], inner = strides[axis];
    ordered.registers.erase(ordered.registers.begin() + axis);
    ordered.registers.push_back(length);
    SmallVector<unsigned> order;
    for (size_t reg = 0; reg < map.tails.size(); ++reg) {
      // The new number without the run counts what is above and below it.
      int64_t rest = reg / length;
      int64_t old = rest / inner * inner * length + rest % inner +
                    int64_t(reg % length) * inner;
      order.push_back(old);
      ordered.tails[reg] = map.tails[old];
    }
    map = std::move(ordered);
    return order;
  }
  return {};
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
