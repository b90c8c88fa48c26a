//===- Int.h - Integers of layouts, known or unknown ------------*- C++ -*-===//
//
// Extents and strides are often known only when a kernel is launched, yet what
// is known of them must still simplify: 4 * M over 4 is M, and two modes that
// hold the same M merge. An Int is therefore a product: a known factor times
// unknown values, each of which has a name, its identity.
//
//   128    ?M    4*?M    ?M*?N    ceil(?M/128)
//
// Every unknown value stands for an integer of at least 1, which is what makes
// comparisons such as 4 <= 4*?M decidable. Sums of unknown values cannot be
// said: operations that would need one report which value must be known.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LAYOUT_INT_H
#define FLY_LAYOUT_INT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fly::layout {

/// Gives the value of an unknown by its name (without '?'), nothing if it has
/// none. Values are at least 1.
using Bindings = llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;

/// An immutable integer: a static factor times unknown values. Copies are
/// cheap.
class Int {
public:
  /// A static integer.
  Int(int64_t value = 0) : known(value) {}

  /// The unknown value of that name: a letter or '_', then letters, digits
  /// or '_'.
  static llvm::Expected<Int> unknown(llvm::StringRef name);

  /// Whether the value is known.
  bool isStatic() const { return !factors; }
  /// The value, where it is known.
  std::optional<int64_t> value() const {
    return isStatic() ? std::optional<int64_t>(known) : std::nullopt;
  }
  /// Whether this is the static integer `number`.
  bool is(int64_t number) const { return isStatic() && known == number; }
  /// The known factor; the value itself if it is static.
  int64_t factor() const { return known; }

  /// Whether both have the same text, and thus the same value whatever the
  /// unknown values are. The converse does not hold for ceil().
  bool operator==(const Int &other) const;
  bool operator!=(const Int &other) const { return !(*this == other); }

  /// The text form, see above.
  std::string str() const;

  /// The value with all unknown values replaced; an error names one that has
  /// no binding or a binding below 1.
  llvm::Expected<int64_t> bind(Bindings bindings) const;

  /// a * b; an error on overflow of the known factor.
  static llvm::Expected<Int> multiply(const Int &a, const Int &b);
  /// a / b where b is known to divide a whatever the unknown values are;
  /// nothing where it does not, or where that is not known.
  static std::optional<Int> divideExact(const Int &a, const Int &b);
  /// a / b rounded up, as a ceil() where nothing simpler is known. Both at
  /// least 1.
  static llvm::Expected<Int> ceilDivide(const Int &a, const Int &b);
  /// Whether a <= b is known to hold. Both at least 0.
  static bool knownLessEqual(const Int &a, const Int &b);

private:
  struct Unknown;
  using Factors = std::vector<std::shared_ptr<const Unknown>>;

  static Int make(int64_t known, Factors factors);

  int64_t known;
  // Sorted by text; null if there is none.
  std::shared_ptr<const Factors> factors;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Int &value) {
  return os << value.str();
}

} // namespace fly::layout

#endif // FLY_LAYOUT_INT_H
