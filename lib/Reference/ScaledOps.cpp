//===- ScaledOps.cpp - MX products, rounding at random --------------------===//
//
// fly.dot_scaled in double, and the rule of `rounding sr`: both neighbours of a
// number and its part of the way between them, by arithmetic that is exact in
// double, while the device works on bits.
//
//===----------------------------------------------------------------------===//
#include <cmath>

#include "Interpreter.h"
#include "Rounding.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

LogicalResult Interpreter::executeDotScaled(DotScaledOp op) {
  const Tile &a = getTile(op.getA()), &b = getTile(op.getB());
  const Tile &scaleA = getTile(op.getScaleA()),
             &scaleB = getTile(op.getScaleB());
  const Tile &acc = getTile(op.getAcc());
  int64_t m = a.shape[0], k = a.shape[1], n = b.shape[0];
  int64_t blocks = scaleA.shape[1];
  if (b.shape[1] != k || acc.shape[0] != m || acc.shape[1] != n ||
      scaleA.shape[0] != m || scaleB.shape[0] != n ||
      scaleB.shape[1] != blocks || blocks * 32 != k)
    return op.emitError() << "multiplies " << m << "x" << k << " with " << n
                          << "x" << b.shape[1] << ", with " << blocks
                          << " scales a row";
  auto result = std::make_shared<Tile>(acc);
  ElementType type = *typeOf(op.getType());
  bool isExact = a.errors.empty() && b.errors.empty() &&
                 scaleA.errors.empty() && scaleB.errors.empty();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = acc.floats[i * n + j], magnitude = std::abs(sum);
      for (int64_t block = 0; block < blocks; ++block) {
        double part = 0, sizes = 0;
        for (int64_t p = block * 32; p < block * 32 + 32; ++p) {
          double product = a.floats[i * k + p] * b.floats[j * k + p];
          part += product;
          sizes += std::abs(product);
        }
        double scale = scaleA.floats[i * blocks + block] *
                       scaleB.floats[j * blocks + block];
        sum += part * scale;
        magnitude += sizes * std::abs(scale);
      }
      double error =
          isExact ? acc.at(i * n + j).error + sumError(type, k + 1, magnitude)
                  : kUnbounded;
      result->set(i * n + j, makeFloat(sum, error));
    }
  set(op, TilePtr(result));
  return success();
}

/// The random number of element `place`.
static uint32_t randomBits(uint32_t place, uint32_t seed) {
  uint32_t r = place * 0x9E3779B9u + seed;
  r = (r ^ r >> 16) * 0x85EBCA6Bu;
  r = (r ^ r >> 13) * 0xC2B2AE35u;
  return r ^ r >> 16;
}

Element fly::reference::roundAtRandom(Element element, ElementType to,
                                      uint32_t place, uint32_t seed) {
  double value = element.f;
  if (!std::isfinite(value) || value == 0)
    return element;
  int lowest = APFloat::semanticsMinExponent(to.semantics());
  int bits = APFloat::semanticsPrecision(to.semantics());
  double unit =
      std::ldexp(1.0, std::max(std::ilogb(value), lowest) - (bits - 1));
  double units = std::abs(value) / unit, below = std::floor(units);
  // The part of the way to the next number, as 32 bits.
  auto part = uint64_t(std::floor(std::ldexp(units - below, 32)));
  bool up = part + randomBits(place, seed) >= uint64_t(1) << 32;
  // What is off may take the other neighbour.
  double error = element.error == 0 ? 0 : element.error + unit;
  return makeFloat(std::copysign((below + (up ? 1 : 0)) * unit, value), error);
}
