//===- Samples.h - Arguments to measure at ----------------------*- C++ -*-===//
#ifndef FLY_TEST_MATHTABLE_SAMPLES_H
#define FLY_TEST_MATHTABLE_SAMPLES_H

#include "fly/Support/ElementType.h"

#include <vector>

#include "Functions.h"

namespace fly::mathtable {

/// Elements that a workgroup of the measuring kernels computes.
inline constexpr size_t kElementsOfWorkgroup = 1024;

/// Codes of the arguments, of each operand as many, a multiple of the
/// workgroup's. One argument of 16 bits: all codes, or every so many that at
/// most `count` are left. Else `count` or a few more: the same on every
/// machine, from all exponents and signs, from the function's range, and
/// special values with each other.
std::vector<std::vector<uint64_t>> makeSamples(const Function &function,
                                               ElementType type, size_t count);

} // namespace fly::mathtable

#endif // FLY_TEST_MATHTABLE_SAMPLES_H
