//===- Composition.cpp - One layout after another -------------------------===//
//
// The inner layout is a sum over its leaves, and each leaf extent:stride walks
// through the coalesced outer layout: it skips leaves as long as its stride is
// a multiple of their extents, and then takes elements of one leaf after
// another. It has to end within a leaf, or at the end of one, with equal steps
// in each: hence the conditions of divisibility.
//
// Where the whole walk stays within one leaf of the outer layout, it needs
// none.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Algebra.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "CheckedArithmetic.h"
#include "FlatLayout.h"

using namespace fly::layout;

namespace {

/// Composes with one outer layout, given as text for messages and as leaves.
class Composer {
public:
  Composer(const Layout &outer, const Layout &inner,
           llvm::ArrayRef<Leaf> leaves)
      : outer(outer), inner(inner), leaves(leaves), taken(leaves.size()) {}

  /// The composition with `part`, a mode of the inner layout.
  llvm::Expected<Layout> run(const Layout &part) {
    if (part.isLeaf())
      return walk({part.shape().leaf(), part.stride().leaf()});
    llvm::SmallVector<Layout> modes;
    for (const Layout &mode : part.modes()) {
      llvm::Expected<Layout> result = run(mode);
      if (!result)
        return result;
      modes.push_back(std::move(*result));
    }
    return Layout::fromModes(modes);
  }

  /// Checks that what `run` took carries over from no leaf to the next.
  llvm::Error checkCarries() const;

private:
  llvm::Expected<Layout> walk(const Leaf &leaf);
  bool knownNotToCarry(unsigned at) const;
  llvm::Error mismatch(const Leaf &leaf, const Int &part, const char *what,
                       unsigned at) const;

  const Layout &outer, &inner;
  llvm::ArrayRef<Leaf> leaves;
  // What the inner layout walks through, for each leaf of the outer one.
  std::vector<llvm::SmallVector<Leaf, 4>> taken;
};

} // namespace

/// `part`, what is left of the extent or stride of `leaf`, does not fit leaf
/// number `at` of the outer layout.
llvm::Error Composer::mismatch(const Leaf &leaf, const Int &part,
                               const char *what, unsigned at) const {
  const Int &extent = leaves[at].extent;
  std::string where = llvm::formatv(
      "composition of '{0}' with '{1}': {2} {3} left of '{4}:{5}' "
      "at '{6}:{7}'",
      outer, inner, what, part, leaf.extent, leaf.stride, extent,
      leaves[at].stride);
  for (const Int *value : {&part, &extent})
    if (!value->isStatic())
      return llvm::createStringError(llvm::formatv(
          "{0}: '{1}' must be static, since whether {2} and {3} divide each "
          "other depends on it",
          where, *value, part, extent));
  return llvm::createStringError(
      llvm::formatv("{0}: expected a divisor or a multiple of {1}, got {2}",
                    where, extent, part));
}

/// Whether the last of `extent` elements at distance `stride` is known to be
/// below `end`.
static bool endsBelow(const Int &extent, const Int &stride, const Int &end) {
  int64_t last;
  if (!extent.isStatic() || !stride.isStatic() ||
      llvm::MulOverflow(extent.factor() - 1, stride.factor(), last))
    return false;
  // An unknown end is at least its known factor.
  return last < end.factor();
}

llvm::Expected<Layout> Composer::walk(const Leaf &leaf) {
  CheckedArithmetic arithmetic;
  if (leaf.extent.is(1) || leaf.stride.is(0))
    return Layout::get(leaf.extent, 0);
  if (leaf.stride.factor() < 0 && leaves.size() > 1)
    return llvm::createStringError(llvm::formatv(
        "composition of '{0}' with '{1}': stride {2}: expected at least 0, "
        "unless the outer layout coalesces to one mode",
        outer, inner, leaf.stride));

  llvm::SmallVector<Leaf> result;
  Int rest = leaf.extent;
  Int step = leaf.stride;
  auto take = [&](const Int &extent, unsigned at) {
    result.push_back({extent, arithmetic.multiply(step, leaves[at].stride)});
    taken[at].push_back({extent, step});
  };
  for (unsigned at = 0; !rest.is(1); ++at) {
    const Int &extent = leaves[at].extent;
    if (at + 1 == leaves.size() || endsBelow(rest, step, extent)) {
      take(rest, at);
      break;
    }
    if (std::optional<Int> skipped = Int::divideExact(step, extent)) {
      step = *skipped;
      continue;
    }
    std::optional<Int> room = Int::divideExact(extent, step);
    if (!room)
      return mismatch(leaf, step, "stride", at);
    if (Int::knownLessEqual(rest, *room)) {
      take(rest, at);
      break;
    }
    std::optional<Int> more = Int::divideExact(rest, *room);
    if (!more)
      return mismatch(leaf, arithmetic.multiply(rest, step), "extent", at);
    take(*room, at);
    rest = *more;
    step = 1;
  }
  if (llvm::Error error = arithmetic.takeError())
    return std::move(error);
  return Layout::fromLeaves(result);
}

/// Whether the walks through leaf `at` are digits of one number below its
/// extent: each ends before the step of the next greater one.
bool Composer::knownNotToCarry(unsigned at) const {
  llvm::SmallVector<Leaf, 4> digits;
  for (const Leaf &walk : taken[at]) {
    auto *position = llvm::find_if(digits, [&](const Leaf &digit) {
      return !Int::knownLessEqual(digit.stride, walk.stride);
    });
    digits.insert(position, walk);
  }
  for (unsigned i = 0; i < digits.size(); ++i) {
    llvm::Expected<Int> end = Int::multiply(digits[i].extent, digits[i].stride);
    if (!end) {
      llvm::consumeError(end.takeError());
      return false;
    }
    const Int &limit =
        i + 1 < digits.size() ? digits[i + 1].stride : leaves[at].extent;
    if (!Int::knownLessEqual(*end, limit))
      return false;
  }
  return true;
}

llvm::Error Composer::checkCarries() const {
  for (unsigned at = 0; at + 1 < leaves.size(); ++at) {
    // One walk alone was checked when it was taken.
    if (taken[at].size() < 2 || knownNotToCarry(at))
      continue;
    const Int &extent = leaves[at].extent;
    int64_t greatest = 0;
    for (const Leaf &walk : taken[at]) {
      int64_t last;
      if (!walk.extent.isStatic() || !walk.stride.isStatic())
        return llvm::createStringError(llvm::formatv(
            "composition of '{0}' with '{1}': whether the modes of the inner "
            "layout together stay within '{2}:{3}' depends on unknown values: "
            "'{4}' must be static",
            outer, inner, extent, leaves[at].stride,
            walk.extent.isStatic() ? walk.stride : walk.extent));
      if (llvm::MulOverflow(walk.extent.factor() - 1, walk.stride.factor(),
                            last) ||
          llvm::AddOverflow(greatest, last, greatest))
        greatest = INT64_MAX;
    }
    // An unknown extent is at least its known factor.
    if (greatest < extent.factor())
      continue;
    return llvm::createStringError(llvm::formatv(
        "composition of '{0}' with '{1}': the modes of the inner layout "
        "together leave '{2}:{3}': expected a sum below {2}, got {4}",
        outer, inner, extent, leaves[at].stride, greatest));
  }
  return llvm::Error::success();
}

llvm::Expected<Layout> fly::layout::composition(const Layout &outer,
                                                const Layout &inner) {
  llvm::Expected<llvm::SmallVector<Leaf>> leaves =
      coalesceLeaves(outer.leaves(), /*keepLast=*/true);
  if (!leaves)
    return leaves.takeError();
  Composer composer(outer, inner, *leaves);
  llvm::Expected<Layout> result = composer.run(inner);
  if (!result)
    return result;
  if (llvm::Error error = composer.checkCarries())
    return std::move(error);
  return result;
}
