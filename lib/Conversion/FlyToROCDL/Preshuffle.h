//===- Preshuffle.h - Offsets in preshuffled views --------------*- C++ -*-===//
//
// A coordinate pair of a preshuffled view as five coordinates whose strides
// are constant: block of rows, block of columns, chunk in the block, row in the
// block, element in the chunk.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_PRESHUFFLE_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_PRESHUFFLE_H

#include "AddressTerms.h"
#include "Lowering.h"

namespace fly {

/// The parts of a row and a column of a preshuffled view.
struct PreshuffledSums {
  CoordinateSum blockRow, blockColumn, chunk, row, element;
};

/// Takes the two last coordinates of a view apart. Emits arithmetic for what is
/// not known to be whole blocks or inside one.
PreshuffledSums splitPreshuffled(const CoordinateSum &row,
                                 const CoordinateSum &column,
                                 PreshuffleAttr layout, unsigned elementBytes,
                                 I32Builder &i32);

/// The largest multiple of `unit`, a power of two, that is at most `sum`. Emits
/// arithmetic for what is no known multiple.
CoordinateSum roundDown(const CoordinateSum &sum, int64_t unit,
                        I32Builder &i32);

/// What a sum is a multiple of; 0 for the constant 0.
uint64_t knownDivisor(const CoordinateSum &sum);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_PRESHUFFLE_H
