//===- CheckedArithmetic.h - Arithmetic that keeps its first error -*- C++ -*-//
//
// Operations on layouts multiply in many places, and each product may overflow.
// Checking each one hides the operation; this calculator keeps the first error
// and goes on with 1, and the operation asks once, at its end.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_LAYOUT_CHECKEDARITHMETIC_H
#define FLY_LIB_LAYOUT_CHECKEDARITHMETIC_H

#include "fly/Layout/Int.h"

namespace fly::layout {

/// Multiplies and divides; `takeError` says whether all results hold.
class CheckedArithmetic {
public:
  Int multiply(const Int &a, const Int &b) { return keep(Int::multiply(a, b)); }
  Int ceilDivide(const Int &a, const Int &b) {
    return keep(Int::ceilDivide(a, b));
  }
  /// The first error, or success.
  llvm::Error takeError() {
    if (!message)
      return llvm::Error::success();
    return llvm::createStringError(*message);
  }

private:
  Int keep(llvm::Expected<Int> result) {
    if (result)
      return *result;
    std::string text = llvm::toString(result.takeError());
    if (!message)
      message = std::move(text);
    return 1;
  }

  std::optional<std::string> message;
};

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_CHECKEDARITHMETIC_H
