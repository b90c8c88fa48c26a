//===- TransposingReads.h - LDS reads that transpose ------------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_TRANSPOSINGREADS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_TRANSPOSINGREADS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/LaneMap.h"

namespace fly {

/// Elements of `bits` bits that a lane gets of a transposing read, one of each
/// of as many rows; 0 where the chip has none for them.
int64_t getTransposedElements(const arch::ArchInfo &chip, int64_t bits);

/// The chunk of contiguous elements that each lane names so that transposing
/// reads of `elements` give it what `map` says: the first of group `i` is that
/// of register `i * elements`. None where lanes hold something else than
/// columns of 16 neighbours, which is shown lane by lane.
std::optional<LaneMap>
getTransposedChunks(const LaneMap &map, unsigned contiguous, int64_t elements);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_TRANSPOSINGREADS_H
