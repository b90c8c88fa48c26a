//===- Samples.cpp - Repeated measurements of one thing -------------------===//
#include "fly/Support/Samples.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace fly;

bool fly::isMeasurement(double value) {
  double size = std::abs(value);
  return size == 0 || (size >= 1e-90 && size <= 1e90);
}

double fly::getMedian(llvm::ArrayRef<double> samples) {
  assert(!samples.empty() && "the median of nothing");
  llvm::SmallVector<double> sorted(samples);
  std::sort(sorted.begin(), sorted.end());
  size_t middle = sorted.size() / 2;
  if (sorted.size() % 2)
    return sorted[middle];
  // Halves first: the sum of two large samples may overflow.
  return sorted[middle - 1] / 2 + sorted[middle] / 2;
}

double fly::getSpread(llvm::ArrayRef<double> samples) {
  if (samples.size() < 2)
    return 0;
  double median = getMedian(samples);
  llvm::SmallVector<double> distances;
  for (double sample : samples)
    distances.push_back(std::abs(sample - median));
  // Half of a normal distribution lies within 0.6745 standard deviations.
  double spread = 1.4826 * getMedian(distances);
  if (spread > 0)
    return spread;
  // Half of the samples are the same number, as rounded times often are; that
  // says nothing of the others. Three quarters of a normal distribution lie
  // within 1.1503 standard deviations.
  std::sort(distances.begin(), distances.end());
  return distances[3 * distances.size() / 4] / 1.1503;
}

double fly::getMedianError(llvm::ArrayRef<double> samples) {
  return getMedianError(getSpread(samples), samples.size());
}

double fly::getMedianError(double spread, size_t count) {
  // sqrt(pi / 2): how much less than the mean the median gains from more
  // samples of a normal distribution.
  return count ? 1.2533 * spread / std::sqrt(double(count)) : 0;
}
