//===- MathTable.cpp - Error bounds of the math functions -----------------===//
//
// `fly-math-table --rows` prints these rows, on any machine alike.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/MathTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;

static constexpr MathBound kRows[] = {
#include "MathRows.inc"
};

llvm::ArrayRef<MathBound> fly::getMathBounds() { return kRows; }

const MathBound *fly::lookupMathBound(llvm::StringRef function,
                                      llvm::StringRef type,
                                      bool isApproximate) {
  const MathBound *row = llvm::find_if(kRows, [&](const MathBound &r) {
    return r.function == function && r.type == type &&
           r.isApproximate == isApproximate;
  });
  return row == std::end(kRows) ? nullptr : row;
}
