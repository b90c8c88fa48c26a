//===- GridWalk.h - Which tile a workgroup has ------------------*- C++ -*-===//
//
// What problem: workgroups are dispatched in the order of their numbers, x
// fastest, and dealt to the accelerator dies (XCDs) round-robin [AMD]. Which
// tile each number means decides what neighbours in time and on a die share in
// caches.
// What idea: a number becomes a position in the walk, and a position becomes
// coordinates. Both steps are permutations for every grid. Written once over
// the arithmetic, so that the code that kernels get and the numbers that tests
// and reports compute are the same.
// What it refuses: nothing; counts are positive and their product fits the
// arithmetic.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_GRIDWALK_H
#define FLY_PLAN_GRIDWALK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace fly::plan {

/// How workgroups walk over a grid of tiles.
struct GridWalk {
  enum class Order : uint8_t {
    NFastest, ///< Along the last dimension first.
    MFastest, ///< Along the first dimension first.
    /// `group` tiles of the first dimension together, along it first, then
    /// along the others.
    Grouped,
    /// As NFastest, the first dimension from its end.
    LongestFirst,
  };
  Order order = Order::NFastest;
  /// Of Grouped, at least 1.
  int64_t group = 1;
  /// Dies that workgroups are dealt to; each walks over neighbours. 1: the
  /// position is the number.
  int64_t xcds = 1;
  /// The dimension of which each die has neighbours: the slowest one. None:
  /// whatever the order says.
  std::optional<unsigned> slowest;
};

/// The position in the walk of workgroup `id` of `total`. Die `id % xcds` has
/// neighbouring positions, as many as the others or one more.
template <typename Arith, typename V>
V getPosition(Arith &b, V id, V total, const GridWalk &walk) {
  if (walk.xcds == 1)
    return id;
  V xcds = b.number(walk.xcds);
  V die = b.rem(id, xcds), nth = b.div(id, xcds);
  V each = b.div(total, xcds), rest = b.rem(total, xcds);
  return b.add(b.add(b.mul(die, each), b.min(die, rest)), nth);
}

/// The coordinates, in tiles, of a position in the walk over a grid of `rank`
/// dimensions with `count(dim)` tiles each.
template <typename Arith, typename V>
llvm::SmallVector<V, 3> getCoordinates(Arith &b, V position, unsigned rank,
                                       llvm::function_ref<V(unsigned)> count,
                                       const GridWalk &walk) {
  using Order = GridWalk::Order;
  llvm::SmallVector<V, 3> coordinates(rank);
  // Dimensions from the slowest to the fastest.
  llvm::SmallVector<unsigned, 3> dims;
  if (walk.slowest)
    dims.push_back(*walk.slowest);
  for (unsigned i = 0; i < rank; ++i) {
    unsigned dim = walk.order == Order::MFastest ? rank - 1 - i : i;
    if (dim != walk.slowest)
      dims.push_back(dim);
  }
  V rest = position;
  auto peel = [&](unsigned from) {
    for (unsigned i = dims.size(); i-- > from + 1;) {
      coordinates[dims[i]] = b.rem(rest, count(dims[i]));
      rest = b.div(rest, count(dims[i]));
    }
    coordinates[dims[from]] = rest;
  };
  // What is grouped is the slowest of the dimensions behind the fixed one.
  unsigned first = walk.slowest && dims.size() > 1 ? 1 : 0;
  if (walk.order != Order::Grouped) {
    peel(0);
  } else {
    V others = b.number(1);
    for (unsigned dim : llvm::ArrayRef(dims).drop_front(first + 1))
      others = b.mul(others, count(dim));
    V rows = count(dims[first]);
    if (first) {
      V inner = b.mul(rows, others);
      coordinates[dims[0]] = b.div(rest, inner);
      rest = b.rem(rest, inner);
    }
    V most = b.min(b.number(walk.group), rows);
    V inGroup = b.mul(most, others);
    V begin = b.mul(b.div(rest, inGroup), most);
    V height = b.min(b.sub(rows, begin), most);
    V within = b.rem(rest, inGroup);
    rest = b.div(within, height);
    V row = b.add(begin, b.rem(within, height));
    if (first + 1 < dims.size())
      peel(first + 1);
    coordinates[dims[first]] = row;
  }
  if (walk.order == Order::LongestFirst)
    coordinates[0] = b.sub(b.sub(count(0), b.number(1)), coordinates[0]);
  return coordinates;
}

/// The arithmetic of plain numbers.
struct NumberArith {
  int64_t number(int64_t value) { return value; }
  int64_t add(int64_t l, int64_t r) { return l + r; }
  int64_t sub(int64_t l, int64_t r) { return l - r; }
  int64_t mul(int64_t l, int64_t r) { return l * r; }
  int64_t div(int64_t l, int64_t r) { return l / r; }
  int64_t rem(int64_t l, int64_t r) { return l % r; }
  int64_t min(int64_t l, int64_t r) { return std::min(l, r); }
};

} // namespace fly::plan

#endif // FLY_PLAN_GRIDWALK_H
