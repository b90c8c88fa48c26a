//===- DotBound.cpp - Error bounds of matrix products ---------------------===//
#include "DotBound.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "Rounding.h"

using namespace fly;
using namespace fly::reference;

namespace {
/// What bounds need to know of the rows of an operand.
struct Rows {
  explicit Rows(const Tile &tile);

  int lowest = INT_MAX;      ///< The lowest bit of any element.
  std::vector<double> norms; ///< Of each row: the root of the sum of squares.
  /// The same of the errors; empty where there are none.
  std::vector<double> errors;
  double largestNorm = 0;
};
} // namespace

static double normOf(const double *row, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += row[i] * row[i];
  return std::sqrt(sum);
}

Rows::Rows(const Tile &tile) {
  int64_t count = tile.shape[1];
  for (double value : tile.floats)
    lowest = std::min(lowest, lowestBit(value));
  for (int64_t row = 0; row < tile.shape[0]; ++row) {
    norms.push_back(normOf(tile.floats.data() + row * count, count));
    largestNorm = std::max(largestNorm, norms.back());
    if (!tile.errors.empty())
      errors.push_back(normOf(tile.errors.data() + row * count, count));
  }
}

void fly::reference::boundDot(ElementType type, const Tile &a, const Tile &b,
                              const Tile &acc, Tile &result) {
  Rows left(a), right(b);
  int lowest = INT_MAX;
  double largest = 0;
  for (double value : acc.floats) {
    lowest = std::min(lowest, lowestBit(value));
    largest = std::max(largest, std::fabs(value));
  }
  bool haveNumbers = left.lowest != INT_MIN && right.lowest != INT_MIN &&
                     left.lowest != INT_MAX && right.lowest != INT_MAX;
  if (haveNumbers)
    lowest = std::min(lowest, left.lowest + right.lowest);
  bool isZero = left.lowest == INT_MAX || right.lowest == INT_MAX;
  bool areExact = a.errors.empty() && b.errors.empty() && acc.errors.empty();
  if (areExact &&
      (isZero || (haveNumbers && lowest != INT_MIN &&
                  isSumExact(type, lowest,
                             largest + left.largestNorm * right.largestNorm))))
    return;
  int64_t m = a.shape[0], n = b.shape[0], k = a.shape[1];
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double products = left.norms[i] * right.norms[j];
      double error = acc.errors.empty() ? 0 : acc.errors[i * n + j];
      if (!left.errors.empty())
        error += left.errors[i] * right.norms[j];
      if (!right.errors.empty())
        error += right.errors[j] * left.norms[i];
      if (!left.errors.empty() && !right.errors.empty())
        error += left.errors[i] * right.errors[j];
      // Products may be rounded as well, and each has a rounding of its sum.
      double magnitude = std::fabs(acc.floats[i * n + j]) + products;
      double rounding = sumError(type, k + 2, magnitude + error);
      error += rounding;
      result.setError(i * n + j, error == error ? error : kUnbounded);
    }
  }
}
