//===- ValuCube.cpp - Faces of a cube that a direction meets --------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which face of a cube the direction (x, y, z) meets, and where: as the
// pseudocode has it [AMD: CDNA3 ISA, V_CUBE*_F32]. Of equal magnitudes z is
// taken first, then y; an unordered comparison takes the next one.
//
//===----------------------------------------------------------------------===//

#include <cmath>

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

enum class Axis { X, Y, Z };

Axis majorAxis(float x, float y, float z) {
  x = std::fabs(x), y = std::fabs(y), z = std::fabs(z);
  return z >= x && z >= y ? Axis::Z : y >= x ? Axis::Y : Axis::X;
}

float face(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::Z:
    return z < 0 ? 5 : 4;
  case Axis::Y:
    return y < 0 ? 3 : 2;
  case Axis::X:
    break;
  }
  return x < 0 ? 1 : 0;
}

float across(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::Z:
    return z < 0 ? -x : x;
  case Axis::Y:
    return x;
  case Axis::X:
    break;
  }
  return x < 0 ? z : -z;
}

float down(float x, float y, float z) {
  if (majorAxis(x, y, z) != Axis::Y)
    return -y;
  return y < 0 ? -z : z;
}

/// Twice the major coordinate, with its sign.
float twiceMajor(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::Z:
    return 2 * z;
  case Axis::Y:
    return 2 * y;
  case Axis::X:
    break;
  }
  return 2 * x;
}

constexpr ValuRow kRows[] = {
    valu<face, kFlushes>("v_cubeid_f32"),
    valu<across, kFlushes>("v_cubesc_f32"),
    valu<down, kFlushes>("v_cubetc_f32"),
    valu<twiceMajor, kRounds>("v_cubema_f32"),
};

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuCubeRows() { return kRows; }
