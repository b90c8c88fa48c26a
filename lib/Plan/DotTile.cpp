//===- DotTile.cpp - The arithmetic of one dot of a schedule --------------===//
#include "fly/Plan/DotTile.h"

#include "fly/Arch/MatrixFormats.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

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

/// What runs ahead of a loaded operand: the data of its copy, or more sets of
/// fragments.
void DotTile::addPrefetch(Side side, int64_t fragment, Budget &budget) const {
  const OperandTile &tile = operand(side);
  const char *name = side == A ? "A" : "B";
  if (!tile.isLoaded || !tile.runsAhead || (tile.inLds && tile.isAsync))
    return;
  int64_t registers =
      tile.inLds ? copyRounds(side) * (accessBytes / arch::registerBytes)
                 : tile.depth * fragment;
  if (tile.inLds)
    budget.add(llvm::formatv("prefetch of {0}: {1} bytes in 16-byte loads of "
                             "{2} threads",
                             name, tileBytes(side), threads()),
               registers);
  else
    budget.add(llvm::formatv("prefetch of {0}: {1} of fragments", name,
                             tile.depth == 1
                                 ? "a second set"
                                 : std::to_string(tile.depth) + " more sets"),
               registers);
  if (int64_t each = tile.loadBytes; each < arch::registerBytes)
    budget.add(llvm::formatv("prefetch of {0}: a register for each load of {1} "
                             "byte{2}, {3} times as many",
                             name, each, each == 1 ? "" : "s",
                             arch::registerBytes / each),
               registers * (arch::registerBytes / each - 1),
               /*isAvoidable=*/true);
}

/// Tiles in registers that the operand is computed of, or its scales; and the
/// operand itself while its elements are wider than they are multiplied.
void DotTile::addSources(Side side, Budget &budget) const {
  const OperandTile &tile = operand(side);
  const char *name = side == A ? "A" : "B";
  int64_t rows = side == A ? m / wavesM : n / wavesN;
  for (const SourceTile &source : tile.sources) {
    // Lanes of a row share K: each has its part of the columns, one at least
    // of each micro-step, where they are fewer than that.
    int64_t parts = arch::waveLanes / mfma;
    int64_t shared =
        isScaled
            ? parts
            : std::clamp<int64_t>(microStep() * source.columns / k, 1, parts);
    int64_t columns = llvm::divideCeil(source.columns, shared);
    int64_t atOnce = std::min(source.atOnce, columns);
    int64_t registers =
        rows / mfma * llvm::divideCeil(columns, atOnce) *
        llvm::divideCeil(atOnce * source.bits, arch::registerBytes * 8);
    budget.add(llvm::formatv("{0} of {1}: {2}x{3} of a lane, {4} at once{5}",
                             source.what, name, rows / mfma, columns, atOnce,
                             source.runsAhead ? ", two sets" : ""),
               registers * (source.runsAhead ? 2 : 1), /*isAvoidable=*/true);
  }
  if (tile.widestBits > tile.bits)
    budget.add(llvm::formatv("{0} while it is computed: {1}x{2} of {3} bits",
                             name, rows, k, tile.widestBits),
               rows * k * tile.widestBits /
                   (arch::waveLanes * arch::registerBytes * 8),
               /*isAvoidable=*/true);
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
    auto registersOf = [&](int64_t depth) {
      return rows * depth * tile.bits / (arch::waveLanes * 32);
    };
    int64_t fragment = registersOf(depth);
    std::string width = tile.bits % 8
                            ? std::to_string(tile.bits) + " bits"
                            : std::to_string(tile.bits / 8) + " bytes";
    budget.add(llvm::formatv("fragments of {0}: {1}x{2} * {3} / (64 lanes * 4 "
                             "bytes)",
                             name, rows, depth, width),
               fragment);
    int64_t scaled = std::min(
        k, std::max(microStep(), arch::scaleBlock * arch::waveLanes / mfma));
    if (isScaled && inLds && scaled > depth)
      budget.add(
          llvm::formatv("the rest of scaled instructions of {0}: {1}x{2}", name,
                        rows, scaled - depth),
          registersOf(scaled) - fragment, /*isAvoidable=*/true);
    addPrefetch(side, fragment, budget);
    addSources(side, budget);
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
