//===- Samples.cpp - Arguments to measure at ------------------------------===//
#include "Samples.h"

#include <cmath>
#include <limits>
#include <random>

using namespace fly;
using namespace fly::mathtable;

using Codes = std::vector<uint64_t>;

static std::vector<double> specialValues() {
  double inf = std::numeric_limits<double>::infinity();
  std::vector<double> values;
  for (double v : {0.0,
                   0x1p-149,
                   0x1p-140,
                   0x1p-127,
                   0x1p-126,
                   0x1p-24,
                   0x1.fffffep-2,
                   0.5,
                   0x1.fffffep-1,
                   1.0,
                   0x1.000002p0,
                   1.5,
                   2.0,
                   2.5,
                   3.0,
                   1.5707963267948966,
                   3.141592653589793,
                   88.7,
                   103.9,
                   127.0,
                   128.0,
                   8388607.5,
                   16777215.0,
                   16777216.0,
                   0x1p55,
                   0x1p91,
                   0x1.fffffep127,
                   inf})
    for (double sign : {1.0, -1.0})
      values.push_back(sign * v);
  values.push_back(std::nan(""));
  return values;
}

/// A number of any sign and exponent, the mantissa random or at an end.
static uint64_t anyCode(ElementType type, size_t index, std::mt19937_64 &rng) {
  unsigned bits = type.bits();
  unsigned mantissaBits =
      llvm::APFloat::semanticsPrecision(type.semantics()) - 1;
  uint64_t mantissa = rng();
  if (index % 8 == 0)
    mantissa = rng() % 5 - 2;
  mantissa &= (uint64_t(1) << mantissaBits) - 1;
  uint64_t signAndExponent = index % (uint64_t(1) << (bits - mantissaBits));
  return signAndExponent << mantissaBits | mantissa;
}

static uint64_t codeInRange(ElementType type, const Function &function,
                            std::mt19937_64 &rng) {
  double unit = double(rng() >> 11) * 0x1p-53;
  return type.encode(function.low + (function.high - function.low) * unit);
}

std::vector<Codes> fly::mathtable::makeSamples(const Function &function,
                                               ElementType type, size_t count) {
  std::vector<Codes> samples(function.arguments);
  std::vector<double> special = specialValues();
  if (function.arguments == 1 && type.bits() == 16) {
    for (uint64_t code = 0; code < 65536;
         code += std::max<size_t>(1, 65536 / count))
      samples[0].push_back(code);
  } else if (function.arguments == 1) {
    for (double value : special)
      samples[0].push_back(type.encode(value));
  } else {
    for (double x : special)
      for (double y : special) {
        samples[0].push_back(type.encode(x));
        samples[1].push_back(type.encode(y));
      }
  }
  std::mt19937_64 rng(20240229);
  bool isComplete = function.arguments == 1 && type.bits() == 16;
  for (size_t i = 0; !isComplete && i < count; ++i)
    for (unsigned a = 0; a < function.arguments; ++a)
      samples[a].push_back(i % 2 ? codeInRange(type, function, rng)
                                 : anyCode(type, i / 2, rng));
  for (Codes &codes : samples)
    while (codes.size() % kElementsOfWorkgroup)
      codes.push_back(type.encode(1.0));
  return samples;
}
