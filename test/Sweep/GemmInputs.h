//===- GemmInputs.h - What the sweep's kernels read -------------*- C++ -*-===//
//
// Contents follow from rows and columns alone, not from where memory holds
// them: kernels with other orders of operands, layouts or gaps get the same
// numbers.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_SWEEP_GEMMINPUTS_H
#define FLY_TEST_SWEEP_GEMMINPUTS_H

#include "fly/Launch/Arguments.h"

#include "Configurations.h"

namespace fly::sweep {

/// What A, B, scales and the bias hold.
enum class Inputs {
  Integers, ///< The generator of the public test cases, with scales that are
            ///< powers of two: sums are exact.
  Rounding, ///< Numbers whose sums round, where the types have such.
};

/// The generator of the public test cases.
int64_t elementA(int64_t m, int64_t k);
int64_t elementB(int64_t n, int64_t k);
/// The bias, read as the first row of a matrix like B.
int64_t elementBias(int64_t n);
/// The scale of a row of an operand and a block of K, as a power of two.
double scaleOf(int64_t row, int64_t block);

/// Fills what the kernel reads; C holds zeros where it is added to.
llvm::Error fillInputs(const Configuration &configuration, Inputs inputs,
                       std::vector<launch::Argument> &arguments);

/// Fills the elements between rows with ones in all bits, NaN where a type has
/// one: nobody may read them as zero, and in C they show that nobody wrote.
void fillGaps(std::vector<launch::Argument> &arguments);
/// An error if anything was written between rows.
llvm::Error checkGaps(const launch::Buffer &buffer);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_GEMMINPUTS_H
