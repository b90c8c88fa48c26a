//===- Interleave.h - Memory operations between matrix ones -----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H

#include "Stretches.h"

namespace fly::hotloop {

/// Whether the operations of the stretch may change their order; `why` says
/// what stands against it.
bool canInterleave(const Stretch &stretch, std::string &why);

/// Puts the operations of the stretch into the order of `groups`, with a fence
/// behind each group.
void placeInOrder(const Stretch &stretch, llvm::ArrayRef<SchedGroup> groups);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H
