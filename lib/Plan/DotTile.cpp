//===- DotTile.cpp - The arithmetic of one dot of a schedule --------------===//
#include "fly/Plan/DotTile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::plan;

/// Lane-dependent offsets and LDS bases of a GEMM with everything hoisted: one
/// for each operand's copy, fragment and store, and what their computation
/// leaves behind. An estimate; the code generator has the last word.
static constexpr unsigned kAddressRegisters = 16;

int64_t DotTile::copyRounds(Side side) const {
  return llvm::divideCeil(tileBytes(side), threads() * accessBytes);
}

int64_t DotTile::ldsReads(Side side) const {
  int64_t split = side == A ? wavesM : wavesN;
  return operand(side).inLds
             ? tileBytes(side) / split / (arch::waveLanes * accessBytes)
             : 0;
}

int64_t DotTile::ldsBytes() const {
  int64_t bytes = 0;
  for (Side side : {A, B})
    if (operand(side).inLds)
      bytes += operand(side).stages * tileBytes(side);
  return bytes;
}

Budget DotTile::registers() const {
  Budget budget;
  budget.add(llvm::formatv("accumulators: {0}x{1} / (64 lanes * {2} waves)", m,
                           n, waves()),
             accumulatorRegisters());
  for (Side side : {A, B}) {
    const OperandTile &tile = operand(side);
    const char *name = side == A ? "A" : "B";
    bool inLds = tile.isLoaded && tile.inLds;
    // From LDS one read at a time, of a pack a part where the other operand's
    // elements are narrower; from global memory the whole tile.
    int64_t read = accessBytes * 8 / tile.bits * arch::waveLanes / mfma;
    int64_t depth = inLds ? std::min(read, microStep()) : k;
    int64_t rows = side == A ? m / wavesM : n / wavesN;
    int64_t fragment = rows * depth * tile.bits / (arch::waveLanes * 32);
    std::string width = tile.bits % 8
                            ? std::to_string(tile.bits) + " bits"
                            : std::to_string(tile.bits / 8) + " bytes";
    budget.add(llvm::formatv("fragments of {0}: {1}x{2} * {3} / (64 lanes * 4 "
                             "bytes)",
                             name, rows, depth, width),
               fragment);
    if (!tile.isLoaded || !tile.runsAhead)
      continue;
    if (inLds && tile.isAsync)
      continue;
    if (inLds)
      budget.add(llvm::formatv("prefetch of {0}: {1} bytes in 16-byte loads of "
                               "{2} threads",
                               name, tileBytes(side), threads()),
                 copyRounds(side) * (accessBytes / 4));
    else
      budget.add(llvm::formatv("prefetch of {0}: {1} of fragments", name,
                               tile.depth == 1
                                   ? "a second set"
                                   : std::to_string(tile.depth) + " more sets"),
                 tile.depth * fragment);
  }
  budget.add("addresses (estimate)", kAddressRegisters);
  return budget;
}

const arch::MfmaRow *fly::plan::findInstruction(const arch::ArchInfo &chip,
                                                const DotTile &tile,
                                                arch::ElementType a,
                                                arch::ElementType b) {
  return arch::chooseMfma(chip.chip, tile.mfma, a, b, tile.k, tile.isScaled);
}
