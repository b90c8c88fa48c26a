//===- Compare.h - Is a result right? ---------------------------*- C++ -*-===//
//
// Compares two buffers element by element: equal, within the error bounds that
// the reference executor derived, or within a tolerance. What is wrong is told
// so that a person sees the bug: first and worst element, how many, and the
// pattern they form.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_COMPARE_H
#define FLY_LAUNCH_COMPARE_H

#include "fly/Launch/Buffer.h"

namespace fly::launch {

/// Elements agree where |got - expected| <= absolute + relative * |expected|;
/// both 0 is exact. NaN agrees with NaN, and -0 with 0.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// One element that differs.
struct Difference {
  llvm::SmallVector<int64_t, 4> coordinates;
  double got = 0;
  double expected = 0;
};

struct Comparison {
  int64_t total = 0;
  int64_t wrong = 0;
  /// Valid where `wrong` > 0: the first in row-major order, and the one that
  /// is off by most.
  Difference first, worst;
  /// Where the wrong elements lie, in words; empty where none is.
  std::string pattern;
  /// Bytes in gaps between rows that differ (a strided buffer alone).
  int64_t gapElements = 0;
  /// Elements whose expected value has an error bound other than 0, and those
  /// whose bound is infinite: anything would agree with them, so they are
  /// neither right nor wrong.
  int64_t bounded = 0, unbounded = 0;
  /// Largest |got - expected| of elements that agree, as a share of the bound.
  double largestShare = 0;
  /// Root of the mean square of the finite bounds over that of their values:
  /// how little agreement within them may say.
  double relativeWidth = 0;

  /// Elements that are right or wrong.
  int64_t judged() const { return total - unbounded; }
  /// Whether the comparison says anything: not where no element has a bound.
  bool isJudged() const { return total == 0 || judged() > 0; }
  /// Nothing that was judged is wrong, and something was.
  bool isRight() const { return wrong == 0 && gapElements == 0 && isJudged(); }
};

/// Buffers of equal shape. Elements of `got` and `expected` may differ in
/// type. An element also agrees within the bound that `expected` has for it.
llvm::Expected<Comparison> compare(const Buffer &got, const Buffer &expected,
                                   Tolerance tolerance = {});

/// Elements of a float buffer that hold the bits they started with, where those
/// were all ones, the fill of buffers that a kernel only writes: nothing has
/// written them. Both buffers have one shape and type.
int64_t countUntouched(const Buffer &result, const Buffer &initial);

/// "1088 of 1088 equal", or how far from it they may be, and how many were not
/// judged; of a comparison without wrong elements.
std::string summarize(const Comparison &comparison, Tolerance tolerance = {});

/// Lines on elements without a bound, and on bounds too wide to say much; empty
/// without either.
std::vector<std::string> describeWeakness(const Comparison &comparison,
                                          llvm::StringRef name);

/// "C: 2 of 1088 wrong; first C[3,5] = 7, expected 9; ...", or
/// "C: 1088 of 1088 equal".
std::string describe(const Comparison &comparison, llvm::StringRef name,
                     Tolerance tolerance = {});

} // namespace fly::launch

#endif // FLY_LAUNCH_COMPARE_H
