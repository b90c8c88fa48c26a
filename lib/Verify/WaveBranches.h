//===- WaveBranches.h - Which way each wave goes ----------------*- C++ -*-===//
//
// What is known of branches on EXEC, VCC and SCC from what registers hold in
// all lanes of a workgroup.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_WAVEBRANCHES_H
#define FLY_LIB_VERIFY_WAVEBRANCHES_H

#include "LaneValues.h"
#include "Leads.h"
#include "Stagger.h"

namespace fly::verify {

/// Whether a branch on EXEC or VCC is taken, where all waves know and agree.
std::optional<bool> knowsBranch(const isa::Instruction &branch,
                                const LaneRegisters &registers,
                                LaneValues &values);

/// Whether waves without a lane in EXEC go the way of `branch` that jumps, or
/// the other one.
bool isSkip(const isa::Instruction &branch, bool jumps);

/// Barriers that each wave has passed where the sides of `branch` meet, counted
/// from the wave that had the fewest in front; nothing if it is not known which
/// side a wave takes.
std::optional<llvm::SmallVector<unsigned, 16>>
countBarriers(const Parting &parting, const isa::Instruction &branch,
              const LaneRegisters &registers, const Lead &lead,
              LaneValues &values);

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_WAVEBRANCHES_H
