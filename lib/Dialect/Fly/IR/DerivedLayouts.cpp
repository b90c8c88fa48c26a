//===- DerivedLayouts.cpp - Layouts made of another layout ----------------===//
//
// Slices, repetitions and transposes: the tile is part of, or another order of,
// one that has its own layout, and lies in the same lanes. Registers that would
// hold an element twice count once.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include <set>

using namespace mlir;
using namespace fly;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

/// The shape of the tile that the slice is broadcast to.
static SmallVector<int64_t> parentShape(SliceAttr slice,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> full(shape);
  full.insert(full.begin() + slice.getDim(), slice.getExtent());
  return full;
}

LogicalResult SliceAttr::verifyShape(ArrayRef<int64_t> shape,
                                     EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "slice layout needs a distributed parent, got "
                       << getParent();
  if (getDim() < 0 || getDim() > int64_t(shape.size()) || getExtent() < 1)
    return emitError() << "slice layout cannot remove dimension " << getDim()
                       << " of extent " << getExtent() << " next to rank "
                       << shape.size();
  return parent.verifyShape(parentShape(*this, shape), emitError);
}

LaneMap SliceAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap parent = cast<LayoutAttrInterface>(getParent())
                       .getLaneMap(parentShape(*this, shape));
  LaneMap map;
  for (unsigned d = 0; d < parent.rank(); ++d)
    if (int64_t(d) != getDim()) {
      map.partial |= unsigned(parent.isPartial(d)) << map.base.size();
      map.base.push_back(parent.base[d]);
    }
  // Registers that differ only in the removed dimension hold the same element;
  // the first of each stands for all.
  std::set<SmallVector<int64_t, 2>> seen;
  for (const auto &tail : parent.tails) {
    SmallVector<int64_t, 2> sliced;
    for (unsigned d = 0; d < parent.rank(); ++d)
      if (int64_t(d) != getDim())
        sliced.push_back(tail[d]);
    if (seen.insert(sliced).second)
      map.tails.push_back(std::move(sliced));
  }
  map.registers = {int64_t(map.tails.size())};
  return map;
}

//===----------------------------------------------------------------------===//
// Repeated
//===----------------------------------------------------------------------===//

/// The shape of the tile that neighbours make of this one.
static SmallVector<int64_t> repeatedShape(RepeatedAttr repeated,
                                          ArrayRef<int64_t> shape) {
  SmallVector<int64_t> full(shape);
  full[repeated.getDim()] *= repeated.getFactor();
  return full;
}

/// Splits the base of a repeated dimension: terms whose quotient is again a
/// term. The rest must not reach from one element to the next; `reach` is what
/// it adds at most, none where it has no bound.
static SmallVector<LaneTerm, 3> divideBase(ArrayRef<LaneTerm> base,
                                           int64_t factor,
                                           std::optional<int64_t> &reach) {
  SmallVector<LaneTerm, 3> quotient;
  reach = 0;
  for (LaneTerm term : base) {
    if (term.mul % factor == 0) {
      term.mul /= factor;
      quotient.push_back(term);
      continue;
    }
    // Without a modulus the lanes of a wave bound the term.
    int64_t count = term.mod;
    if (!count && term.source == LaneTerm::Lane)
      count = llvm::divideCeil(arch::waveLanes, term.div);
    // So many steps of the term are one of the quotient.
    int64_t steps = factor % term.mul == 0 ? factor / term.mul : 0;
    if (count && (!steps || count <= steps)) {
      *reach += (count - 1) * term.mul;
    } else if (steps && (!term.mod || term.mod % steps == 0)) {
      *reach += (steps - 1) * term.mul;
      term.div *= steps;
      term.mod /= steps;
      term.mul = 1;
      quotient.push_back(term);
    } else {
      reach = std::nullopt;
      return quotient;
    }
  }
  return quotient;
}

LogicalResult RepeatedAttr::verifyShape(ArrayRef<int64_t> shape,
                                        EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "repeated layout needs a distributed parent, got "
                       << getParent();
  if (getDim() < 0 || getDim() >= int64_t(shape.size()) || getFactor() < 1 ||
      getFactor() > arch::laneRegisterBits)
    return emitError() << "repeated layout cannot repeat " << getFactor()
                       << " times along dimension " << getDim() << " of rank "
                       << shape.size();
  SmallVector<int64_t> full = repeatedShape(*this, shape);
  if (failed(parent.verifyShape(full, emitError)))
    return failure();
  LaneMap map = parent.getLaneMap(full);
  std::optional<int64_t> reach;
  divideBase(map.base[getDim()], getFactor(), reach);
  bool fits = reach && llvm::all_of(map.tails, [&](const auto &tail) {
                return tail[getDim()] % getFactor() + *reach < getFactor();
              });
  if (fits && !map.isPartial(getDim()))
    return success();
  return emitError() << "repeated layout of " << getParent() << ": registers "
                     << "of a lane would hold another one of " << getFactor()
                     << " neighbours in each lane";
}

LaneMap RepeatedAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap parent = cast<LayoutAttrInterface>(getParent())
                       .getLaneMap(repeatedShape(*this, shape));
  LaneMap map;
  map.base = parent.base;
  map.partial = parent.partial;
  std::optional<int64_t> reach;
  map.base[getDim()] = divideBase(parent.base[getDim()], getFactor(), reach);
  std::set<SmallVector<int64_t, 2>> seen;
  for (SmallVector<int64_t, 2> tail : parent.tails) {
    tail[getDim()] /= getFactor();
    if (seen.insert(tail).second)
      map.tails.push_back(std::move(tail));
  }
  map.registers = {int64_t(map.tails.size())};
  return map;
}

//===----------------------------------------------------------------------===//
// Transposed
//===----------------------------------------------------------------------===//

LogicalResult TransposedAttr::verifyShape(ArrayRef<int64_t> shape,
                                          EmitError emitError) const {
  auto parent = dyn_cast<LayoutAttrInterface>(getParent());
  if (!parent)
    return emitError() << "transposed layout needs a distributed parent, got "
                       << getParent();
  if (shape.size() != 2)
    return emitError() << "transposed layout holds tiles of rank 2, got rank "
                       << shape.size();
  return parent.verifyShape({shape[1], shape[0]}, emitError);
}

LaneMap TransposedAttr::getLaneMap(ArrayRef<int64_t> shape) const {
  LaneMap map =
      cast<LayoutAttrInterface>(getParent()).getLaneMap({shape[1], shape[0]});
  std::swap(map.base[0], map.base[1]);
  for (auto &tail : map.tails)
    std::swap(tail[0], tail[1]);
  map.partial = unsigned(map.isPartial(1)) | unsigned(map.isPartial(0)) << 1;
  return map;
}
