//===- Interleave.h - Memory operations between matrix ones -----*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Stretches.h"

namespace fly::hotloop {

/// Whether the operations of the stretch may change their order; `why` says
/// what stands against it.
bool canInterleave(const Stretch &stretch, std::string &why);

/// Puts the operations of the stretch into the order of `groups`, with a fence
/// behind each group of accesses.
void placeInOrder(const Stretch &stretch, llvm::ArrayRef<SchedGroup> groups);

/// Whether what the loop's matrix instructions add up fills one of the two
/// files of registers that a wave has, so that it is alone on its SIMD, and the
/// loop carries nothing else in registers. Tiles that wait there for the next
/// round are LLVM's to place, which a fixed order keeps it from: 64 registers
/// of a preshuffled B cost 220 accumulator moves (gfx950, bf16, 256x256x64).
bool fillsRegisterFile(mlir::scf::ForOp loop);

/// Matrix instructions of \p stretch that its loads go over, for a wave that
/// has its SIMD alone: loads one behind another wait for the path from memory,
/// and so does all behind them, but the last one should be there at the end of
/// the stretch. 0, from the front on, where no room is left or nothing is
/// known. With all at the front the tiles of 256x256x64 took up to a quarter
/// more cycles on the timing model.
unsigned countLoadSlots(mlir::scf::ForOp loop, const Stretch &stretch);

} // namespace fly::hotloop

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SCHEDULEHOTLOOP_INTERLEAVE_H
