//===- ErrorBounds.cpp - How far memory may be from its values ------------===//
#include "fly/Support/ErrorBounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fly;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();

double ErrorBounds::get(uint64_t index, unsigned bits) const {
  if (bounds.empty())
    return 0;
  if (bits == width)
    return index < bounds.size() ? bounds[index] : 0;
  uint64_t begin = index * bits / width;
  uint64_t end = std::min<uint64_t>(((index + 1) * bits + width - 1) / width,
                                    bounds.size());
  for (uint64_t i = begin; i < end; ++i)
    if (bounds[i] != 0)
      return kInfinity;
  return 0;
}

void ErrorBounds::set(uint64_t index, unsigned bits, double bound) {
  if (bounds.empty()) {
    if (bound == 0)
      return;
    width = bits;
  }
  // Doubles that led to it were rounded as well.
  bound *= 1 + 0x1p-20;
  float up = float(bound);
  if (double(up) < bound)
    up = std::nextafter(up, kInfinity);
  uint64_t begin = index, end = index + 1;
  if (bits != width) {
    begin = index * bits / width;
    end = ((index + 1) * bits + width - 1) / width;
    // A part of an element: what it then holds has the bound of neither.
    bool coversWhole =
        index * bits % width == 0 && (index + 1) * bits % width == 0;
    if (up == 0 && !coversWhole)
      return;
    up = up == 0 ? 0 : kInfinity;
  }
  if (bounds.size() < end) {
    if (up == 0)
      return;
    bounds.resize(std::max<uint64_t>(end, bounds.size() * 2));
  }
  std::fill(bounds.begin() + begin, bounds.begin() + end, up);
}
