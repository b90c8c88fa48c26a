//===- Int.cpp - Products of a known factor and unknown values ------------===//
//
// Unknown values are compared by their text, so that no table of names has to
// outlive the layouts. A ceil() is an unknown value too, whose text holds both
// sides; it is reduced first, so that equal quotients get equal texts.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/Int.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace fly::layout;

/// A named value, or a quotient rounded up.
struct Int::Unknown {
  std::string text;
  bool isQuotient = false;
  Int numerator, denominator;
};

Int Int::make(int64_t known, Factors factors) {
  Int result(known);
  if (known != 0 && !factors.empty())
    result.factors = std::make_shared<const Factors>(std::move(factors));
  return result;
}

llvm::Expected<Int> Int::unknown(llvm::StringRef name) {
  auto isNameChar = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (name.empty() || llvm::isDigit(name.front()) ||
      !llvm::all_of(name, isNameChar))
    return llvm::createStringError(
        llvm::formatv("'{0}' names no unknown value: expected a letter or '_', "
                      "then letters, digits or '_'",
                      name));
  auto node = std::make_shared<Unknown>();
  node->text = "?" + name.str();
  return make(1, {std::move(node)});
}

bool Int::operator==(const Int &other) const {
  if (known != other.known || isStatic() != other.isStatic())
    return false;
  if (isStatic() || factors == other.factors)
    return true;
  return std::equal(factors->begin(), factors->end(), other.factors->begin(),
                    other.factors->end(), [](const auto &a, const auto &b) {
                      return a->text == b->text;
                    });
}

std::string Int::str() const {
  if (isStatic())
    return std::to_string(known);
  std::string text = known == 1 ? "" : std::to_string(known) + "*";
  for (const auto &[index, factor] : llvm::enumerate(*factors))
    text += (index ? "*" : "") + factor->text;
  return text;
}

static llvm::Expected<int64_t> product(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::MulOverflow(a, b, result))
    return llvm::createStringError(
        llvm::formatv("the product of {0} and {1} overflows 64 bits", a, b));
  return result;
}

llvm::Expected<int64_t> Int::bind(Bindings bindings) const {
  int64_t result = known;
  if (isStatic())
    return result;
  for (const auto &factor : *factors) {
    int64_t value;
    if (factor->isQuotient) {
      llvm::Expected<int64_t> above = factor->numerator.bind(bindings);
      if (!above)
        return above;
      llvm::Expected<int64_t> below = factor->denominator.bind(bindings);
      if (!below)
        return below;
      // Both are at least 1.
      value = (*above - 1) / *below + 1;
    } else {
      std::optional<int64_t> bound =
          bindings(llvm::StringRef(factor->text).drop_front());
      if (!bound)
        return llvm::createStringError(
            llvm::formatv("'{0}' has no value", factor->text));
      if (*bound < 1)
        return llvm::createStringError(llvm::formatv(
            "'{0}' must be at least 1, got {1}", factor->text, *bound));
      value = *bound;
    }
    llvm::Expected<int64_t> next = product(result, value);
    if (!next)
      return next;
    result = *next;
  }
  return result;
}

static bool textLess(llvm::StringRef a, llvm::StringRef b) { return a < b; }

llvm::Expected<Int> Int::multiply(const Int &a, const Int &b) {
  llvm::Expected<int64_t> known = product(a.known, b.known);
  if (!known)
    return known.takeError();
  Factors all;
  for (const Int *side : {&a, &b})
    if (!side->isStatic())
      all.insert(all.end(), side->factors->begin(), side->factors->end());
  llvm::sort(all, [](const auto &x, const auto &y) {
    return textLess(x->text, y->text);
  });
  return make(*known, std::move(all));
}

std::optional<Int> Int::divideExact(const Int &a, const Int &b) {
  if (b.known == 0)
    return std::nullopt;
  // The least integer has no negative counterpart.
  if (b.known == -1 && a.known == INT64_MIN)
    return std::nullopt;
  if (a.known % b.known != 0)
    return std::nullopt;
  if (a.known == 0)
    return Int(0);
  Factors rest = a.isStatic() ? Factors() : *a.factors;
  if (!b.isStatic())
    for (const auto &factor : *b.factors) {
      auto found = llvm::find_if(
          rest, [&](const auto &x) { return x->text == factor->text; });
      if (found == rest.end())
        return std::nullopt;
      rest.erase(found);
    }
  return make(a.known / b.known, std::move(rest));
}

llvm::Expected<Int> Int::ceilDivide(const Int &a, const Int &b) {
  if (std::optional<Int> exact = divideExact(a, b))
    return *exact;
  if (a.isStatic() && b.isStatic())
    return Int((a.known - 1) / b.known + 1);
  // A common factor changes nothing: ceil(ca/cb) = ceil(a/b).
  int64_t common = std::gcd(a.known, b.known);
  Int above = make(a.known / common, a.isStatic() ? Factors() : *a.factors);
  Int below = make(b.known / common, {});
  if (!b.isStatic())
    for (const auto &factor : *b.factors) {
      Int single = make(1, {factor});
      if (std::optional<Int> smaller = divideExact(above, single)) {
        above = *smaller;
        continue;
      }
      llvm::Expected<Int> next = multiply(below, single);
      if (!next)
        return next;
      below = *next;
    }
  // ceil(ceil(a/b)/c) = ceil(a/bc).
  if (above.known == 1 && !above.isStatic() && above.factors->size() == 1 &&
      above.factors->front()->isQuotient) {
    const Unknown &inner = *above.factors->front();
    llvm::Expected<Int> both = multiply(inner.denominator, below);
    if (!both)
      return both;
    return ceilDivide(inner.numerator, *both);
  }
  if (below.is(1))
    return above;
  auto node = std::make_shared<Unknown>();
  node->text = "ceil(" + above.str() + "/" + below.str() + ")";
  node->isQuotient = true;
  node->numerator = above;
  node->denominator = below;
  return make(1, {std::move(node)});
}

bool Int::knownLessEqual(const Int &a, const Int &b) {
  if (a.is(0))
    return true;
  if (a.known > b.known)
    return false;
  // What b has beyond the unknown values of a is at least 1.
  return a.isStatic() ||
         divideExact(make(b.known, b.isStatic() ? Factors() : *b.factors),
                     make(1, *a.factors))
             .has_value();
}
