//===- ErrorBounds.h - How far memory may be from its values ----*- C++ -*-===//
//
// What problem: the reference executor writes a number where a correct kernel
// may write one beside it, and whoever compares must know how far beside.
// What idea: a shadow of a buffer with an absolute bound for each element. It
// takes no memory until the first element with a bound other than 0.
// What it refuses: bounds of elements that are read with another width than
// they were written with are infinite.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_ERRORBOUNDS_H
#define FLY_SUPPORT_ERRORBOUNDS_H

#include <cstdint>
#include <vector>

namespace fly {

class ErrorBounds {
public:
  /// Whether every element is exactly what the memory holds.
  bool areZero() const { return bounds.empty(); }
  /// Of element `index` of packed elements of `bits` bits: how far a correct
  /// result may be from the memory's, 0 or more, infinite where nothing is
  /// known.
  double get(uint64_t index, unsigned bits) const;
  /// Rounds up by up to a millionth.
  void set(uint64_t index, unsigned bits, double bound);

private:
  /// Of elements of `width` bits.
  std::vector<float> bounds;
  unsigned width = 0;
};

} // namespace fly

#endif // FLY_SUPPORT_ERRORBOUNDS_H
