//===- Algebra.h - Coalesce, compose, complement, invert --------*- C++ -*-===//
//
// The operations from which all others are made. Each gives a layout whose
// function is exactly what is said here, or an error with the numbers that
// stand against it; none rounds where it should refuse.
//
// Unknown extents and strides are carried along where the answer holds for all
// their values; an error names the one that must be static otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_ALGEBRA_H
#define FLY_LAYOUT_ALGEBRA_H

#include "fly/Layout/Layout.h"

namespace fly::layout {

/// The layout with the same function of a flat coordinate and as few leaves as
/// possible: extents of 1 dropped, neighbours that count on from each other
/// merged.
llvm::Expected<Layout> coalesce(const Layout &layout);

/// Coalesces by mode: a leaf of `profile`, whatever its value, stands for a
/// mode to coalesce into one, a tuple for modes to treat one by one. Modes
/// beyond the profile stay as they are.
llvm::Expected<Layout> coalesce(const Layout &layout, const IntTuple &profile);

/// R(c) = outer(inner(c)) for all coordinates c of `inner`, whose shape R's
/// refines. The last leaf of `outer` counts as unbounded, so that `inner` may
/// reach beyond its size. A leaf extent:stride of `inner` needs, from where it
/// starts on, strides and extents that divide those of `outer`, or the other
/// way round; leaves of extent 1 become 1:0.
llvm::Expected<Layout> composition(const Layout &outer, const Layout &inner);

/// The flat layout of the indices that `layout` leaves out below `size`: its
/// strides ascend, and together with `layout` it reaches each index of
/// [0, size) at least, if `checkCovers` holds, and none twice. Leaves of stride
/// 0 or extent 1 do not count. An error if a stride is
/// below the extent of what comes before it, or negative.
llvm::Expected<Layout> complement(const Layout &layout, const Int &size);

/// Says why `layout` and its complement in `size` do not reach each index of
/// [0, size) exactly once: a stride does not divide by the extent before it
/// (which leaves holes), or the size does not (the last repetition reaches
/// beyond). The complement exists all the same.
llvm::Error checkCovers(const Layout &layout, const Int &size);

/// The longest layout R that the strides show with layout(R(i)) = i for all i
/// below its size; 1:0 if there is none. It has the size of `layout` if and
/// only if that is a permutation of [0, size) (leaves of stride 0 apart). An
/// error if a stride is negative.
llvm::Expected<Layout> rightInverse(const Layout &layout);

/// A layout L with L(layout(c)) = c for all flat coordinates c. An error if
/// `layout` is not injective, a stride is negative, or a stride does not divide
/// the next greater one.
llvm::Expected<Layout> leftInverse(const Layout &layout);

} // namespace fly::layout

#endif // FLY_LAYOUT_ALGEBRA_H
