//===- Compare.cpp - Is a result right? -----------------------------------===//
#include "fly/Launch/Compare.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <numeric>

using namespace fly;
using namespace fly::launch;

static bool agree(double got, double expected, Tolerance tolerance) {
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return true;
  // An infinite expectation would make any difference small.
  if (std::isinf(got) || std::isinf(expected))
    return false;
  return std::abs(got - expected) <=
         tolerance.absolute + tolerance.relative * std::abs(expected);
}

/// Bounds above this share of the values are told: agreement then says little.
static constexpr double kWide = 0.05;

namespace {
/// Collects what the bounds of a comparison amount to.
class BoundStatistics {
public:
  /// Whether the element agrees within its bound.
  bool add(double got, double expected, double bound, Comparison &result) {
    if (bound == 0)
      return false;
    ++result.bounded;
    if (std::isinf(bound)) {
      ++result.unbounded;
      return true;
    }
    if (std::isfinite(expected)) {
      bounds += bound * bound;
      values += expected * expected;
    }
    double off = std::abs(got - expected);
    if (!(off <= bound))
      return false;
    result.largestShare = std::max(result.largestShare, off / bound);
    return true;
  }
  double relativeWidth() const {
    return bounds == 0 ? 0 : std::sqrt(bounds / values);
  }

private:
  double bounds = 0, values = 0;
};

/// What the coordinates of the wrong elements have in common in one dimension.
struct Extent {
  int64_t low = INT64_MAX, high = -1;
  /// Every coordinate is `low` plus a multiple of this.
  int64_t step = 0;

  void add(int64_t coordinate) {
    if (high < 0) {
      low = high = coordinate;
      return;
    }
    step = std::gcd(step, std::abs(coordinate - low));
    low = std::min(low, coordinate);
    high = std::max(high, coordinate);
  }
};
} // namespace

/// "rows 16..31 and columns 0..60 step 4 of 64".
static std::string describePattern(llvm::ArrayRef<Extent> extents,
                                   const Shape &shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  size_t rank = extents.size();
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    os << (dim ? " and " : "");
    if (rank == 2)
      os << (dim ? "columns " : "rows ");
    else
      os << "dimension " << dim << ": ";
    if (extent.low == 0 && extent.high + 1 == shape.extents[dim] &&
        extent.step <= 1) {
      os << "all";
      continue;
    }
    os << extent.low;
    if (extent.high > extent.low)
      os << ".." << extent.high;
    if (extent.step > 1)
      os << " step " << extent.step;
    os << " of " << shape.extents[dim];
  }
  return text;
}

/// Elements of memory that no coordinate names and that differ.
static int64_t countGapDifferences(const Buffer &got, const Buffer &expected) {
  if (got.shape().isContiguous() || got.elements() != expected.elements() ||
      got.type() != expected.type())
    return 0;
  std::vector<bool> isNamed(got.elements());
  for (int64_t i = 0, e = got.shape().size(); i < e; ++i)
    isNamed[got.shape().locate(i)] = true;
  int64_t count = 0;
  for (int64_t i = 0; i < got.elements(); ++i)
    count += !isNamed[i] && got.type().loadBits(got.data(), i) !=
                                got.type().loadBits(expected.data(), i);
  return count;
}

llvm::Expected<Comparison> fly::launch::compare(const Buffer &got,
                                                const Buffer &expected,
                                                Tolerance tolerance) {
  if (got.shape().extents != expected.shape().extents)
    return llvm::createStringError(
        "buffer '" + got.name() + "' has the extents " + got.shape().str() +
        ", what is expected has " + expected.shape().str());
  Comparison result;
  result.total = got.shape().size();
  std::vector<Extent> extents(got.shape().extents.size());
  double worst = -1;
  BoundStatistics statistics;
  for (int64_t i = 0; i < result.total; ++i) {
    double g = got.value(i), e = expected.value(i);
    double bound = expected.bounds().areZero()
                       ? 0
                       : expected.bounds().get(expected.shape().locate(i),
                                               expected.type().bits());
    bool isWithin = statistics.add(g, e, bound, result);
    if (isWithin || agree(g, e, tolerance))
      continue;
    Difference difference{got.shape().coordinates(i), g, e};
    double off = std::abs(g - e);
    if (std::isnan(off))
      off = INFINITY;
    if (result.wrong++ == 0)
      result.first = difference;
    if (off > worst) {
      worst = off;
      result.worst = difference;
    }
    for (auto [extent, coordinate] : llvm::zip(extents, difference.coordinates))
      extent.add(coordinate);
  }
  if (result.wrong)
    result.pattern = describePattern(extents, got.shape());
  result.gapElements = countGapDifferences(got, expected);
  result.relativeWidth = statistics.relativeWidth();
  return result;
}

int64_t fly::launch::countUntouched(const Buffer &result,
                                    const Buffer &initial) {
  // All ones is no number of a float type, but -1 of an integer type.
  ElementType type = result.type();
  if (!type.isFloat())
    return 0;
  uint64_t ones = ~uint64_t(0) >> (64 - type.bits());
  int64_t count = 0;
  for (int64_t i = 0, e = result.shape().size(); i < e; ++i) {
    int64_t at = result.shape().locate(i);
    count += type.loadBits(result.data(), at) == ones &&
             type.loadBits(initial.data(), at) == ones;
  }
  return count;
}

static void print(llvm::raw_ostream &os, llvm::StringRef name,
                  const Difference &difference) {
  os << name << '[';
  llvm::interleave(difference.coordinates, os, ",");
  os << "] = " << llvm::format("%.9g", difference.got) << ", expected "
     << llvm::format("%.9g", difference.expected);
}

std::string fly::launch::summarize(const Comparison &comparison,
                                   Tolerance tolerance) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!comparison.isJudged()) {
    os << "none of " << comparison.total << " has an error bound";
    return text;
  }
  os << comparison.judged() << " of " << comparison.total;
  if (comparison.bounded > comparison.unbounded)
    os << " within their error bounds, "
       // Two digits, and of what rounds to 100 all three.
       << llvm::format(comparison.largestShare < 0.995 ? "%.2g" : "%.0f",
                       100 * comparison.largestShare)
       << " % of a bound used at most";
  else if (tolerance.absolute == 0 && tolerance.relative == 0)
    os << " equal";
  else
    os << " within "
       << llvm::format("atol %.2e, rtol %.2e", tolerance.absolute,
                       tolerance.relative);
  if (comparison.unbounded)
    os << ", " << comparison.unbounded << " not judged";
  return text;
}

std::vector<std::string>
fly::launch::describeWeakness(const Comparison &comparison,
                              llvm::StringRef name) {
  std::vector<std::string> lines;
  if (comparison.unbounded)
    lines.push_back((name + ": " + llvm::Twine(comparison.unbounded) + " of " +
                     llvm::Twine(comparison.total) +
                     " elements have no error bound, so that they are not "
                     "judged: anything would agree with them")
                        .str());
  if (comparison.relativeWidth > kWide) {
    std::string &line = lines.emplace_back(name.str());
    llvm::raw_string_ostream(line)
        << ": error bounds are "
        << llvm::format("%.2g", 100 * comparison.relativeWidth)
        << " % of the values, so that to be within them says little";
  }
  return lines;
}

std::string fly::launch::describe(const Comparison &comparison,
                                  llvm::StringRef name, Tolerance tolerance) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (comparison.wrong == 0) {
    os << name << ": " << (comparison.isJudged() ? "" : "not judged, ")
       << summarize(comparison, tolerance);
  } else {
    os << name << ": " << comparison.wrong << " of " << comparison.total
       << " wrong; first ";
    print(os, name, comparison.first);
    os << "; worst ";
    print(os, name, comparison.worst);
    if (!comparison.pattern.empty())
      os << "; wrong are " << comparison.pattern;
  }
  if (comparison.gapElements)
    os << "; " << comparison.gapElements
       << " elements between the rows were changed";
  return text;
}
