//===- Preshuffle.h - Buffers as a matrix unit reads them -------*- C++ -*-===//
#ifndef FLY_LAUNCH_PRESHUFFLE_H
#define FLY_LAUNCH_PRESHUFFLE_H

#include "fly/Launch/Buffer.h"
#include "fly/Support/Preshuffle.h"

namespace fly::launch {

/// Moves the elements of a row-major matrix, or of several (the leading
/// extents), to where a view `#fly.preshuffle` of these blocks has them. Errors
/// of rows and columns that are no whole blocks name both numbers; nothing has
/// moved then.
llvm::Error preshuffle(Buffer &buffer, const PreshuffleBlocks &blocks);

/// The way back.
llvm::Error unshuffle(Buffer &buffer, const PreshuffleBlocks &blocks);

} // namespace fly::launch

#endif // FLY_LAUNCH_PRESHUFFLE_H
