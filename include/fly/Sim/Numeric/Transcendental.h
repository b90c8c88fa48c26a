//===- Transcendental.h - Functions of the transcendental unit --*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware's exp, log, sin and cos are table approximations of about 1 ulp
// whose bits are not public. The simulator returns what a good approximation
// would: the true value, computed in double with a relative error below 2^-48
// and then rounded once. The C library is not asked, since its last bits differ
// between versions; only IEEE operations are used here.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_NUMERIC_TRANSCENDENTAL_H
#define FLY_SIM_NUMERIC_TRANSCENDENTAL_H

namespace fly::sim {

/// 2^x. Infinity above 1020, 0 below -1020, far outside every format that the
/// hardware's instruction has; NaN itself.
double exp2Wide(double x);

/// log2(x): -infinity for +-0, NaN for negative numbers.
double log2Wide(double x);

/// sin(2 pi x): the argument is in revolutions. NaN for infinities.
double sinRevolutions(double x);

/// cos(2 pi x): the argument is in revolutions. NaN for infinities.
double cosRevolutions(double x);

} // namespace fly::sim

#endif // FLY_SIM_NUMERIC_TRANSCENDENTAL_H
