//===- Preshuffle.h - The order of preshuffled matrices ---------*- C++ -*-===//
//
// Where an element of a matrix lies whose bytes are in blocks, as a matrix unit
// reads them: in a block of R rows by B bytes, 16 bytes of each row, then the
// next 16 of each. One formula for the compiler, the reference executor and the
// host that shuffles weights.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_SUPPORT_PRESHUFFLE_H
#define FLY_SUPPORT_PRESHUFFLE_H

#include <cstdint>

namespace fly {

/// Blocks of a preshuffled matrix.
struct PreshuffleBlocks {
  /// Bytes that a row has next to each other, and that a lane reads.
  static constexpr int64_t chunkBytes = 16;

  int64_t rows = 16;
  /// Bytes of a row of a block.
  int64_t bytes = 64;

  /// Elements of `elementBits` bits in a row of a block, and in a chunk.
  int64_t columns(int64_t elementBits) const { return bytes * 8 / elementBits; }
  static int64_t chunk(int64_t elementBits) {
    return chunkBytes * 8 / elementBits;
  }
  /// The element that (row, column) of a matrix of `width` columns is at.
  int64_t place(int64_t row, int64_t column, int64_t width,
                int64_t elementBits) const {
    int64_t unit = chunk(elementBits), block = columns(elementBits);
    return row / rows * rows * width + column / block * block * rows +
           column % block / unit * unit * rows + row % rows * unit +
           column % unit;
  }
};

} // namespace fly

#endif // FLY_SUPPORT_PRESHUFFLE_H
