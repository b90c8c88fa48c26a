//===- Samples.h - Repeated measurements of one thing -----------*- C++ -*-===//
//
// What problem: a time that is measured once says little; clocks move, and one
// sample in ten is an outlier.
// What idea: the median, and the median deviation from it as the spread. Both
// stay where they are when fewer than half of the samples are wild (of samples
// that are mostly one rounded number: fewer than a quarter).
// What it leaves open: samples that drift. They are taken as independent.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_SAMPLES_H
#define FLY_SUPPORT_SAMPLES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>

namespace fly {

/// The middle one of the samples, or the mean of the two middle ones. There
/// must be one.
double getMedian(llvm::ArrayRef<double> samples);

/// The median distance of the samples from their median, scaled so that it is
/// the standard deviation of normally distributed ones; where half of them are
/// equal, the distance that three quarters keep. 0 of a single sample.
double getSpread(llvm::ArrayRef<double> samples);

/// The standard deviation of the median itself, estimated from the spread: what
/// more samples make smaller.
double getMedianError(llvm::ArrayRef<double> samples);
/// That of \p count samples with this spread.
double getMedianError(double spread, size_t count);

/// True for 0 and for numbers of 1e-90 to 1e90, of either sign: no measurement
/// lies outside, and sums, products and ratios of such numbers stay finite.
bool isMeasurement(double value);

/// Differences up to this share are what clocks alone may make of two runs of
/// the same code [guide: section 8, on MI350]. A warning, not a rule.
inline constexpr double clockNoiseShare = 0.14;

} // namespace fly

#endif // FLY_SUPPORT_SAMPLES_H
