//===- Yardsticks.cpp - Loops that other compilers made -------------------===//
//
// The measured loops of the project's facts on GEMMs (section 10: clang 22 on C
// and LLVM 22 on hand-made IR, gfx950, plain B, copies to LDS of 16 bytes) and
// those of Triton 3.6. All are of bf16 or fp8 and plain B; counts are of the
// K tiles that the loop of the other has.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FormatVariadic.h"

#include "Rows.h"

using namespace fly;
using namespace fly::looptable;

namespace {
constexpr llvm::StringLiteral kEight =
    "gfx950 bf16 256x256x64 waves 2x4 B plain free";
constexpr llvm::StringLiteral kFour =
    "gfx950 bf16 256x256x64 waves 2x2 B plain free";
constexpr llvm::StringLiteral kOlderBf16 =
    "gfx942 bf16 256x256x64 waves 2x4 B plain free";
constexpr llvm::StringLiteral kOlderFp8 =
    "gfx942 fp8 256x256x64 waves 2x4 B plain free";
constexpr llvm::StringLiteral kOlderNarrow =
    "gfx942 fp8 128x256x64 waves 1x4 B plain free";
constexpr llvm::StringLiteral kEightFp8 =
    "gfx950 fp8 256x256x64 waves 2x4 B plain free";
} // namespace

static constexpr Yardstick kYardsticks[] = {
    {"C, clang 22", kEight, 2, 128, 266},
    {"IR, no attributes", kEight, 2, 128, 793, 318, 134},
    {"IR, agpr-alloc=0", kEight, 2, 128, 229},
    {"IR, iterative-ilp and hints", kEight, 2, 128, 225},
    {"C, clang 22", kFour, 2, 256, 840, 203},
    {"IR, no attributes", kFour, 2, 256, 1422, 603, 259},
    {"IR, MFMA as assembly", kFour, 2, 256, 1250, 713, 212},
    {"IR, iterative-minreg, opaque bases", kFour, 2, 256, 376},
    {"IR, double-buffered fragments", kFour, 2, 256, 362},
    {"IR, double-buffered, hints", kFour, 2, 256, 464, 48},
    {"Triton 3.6", kOlderBf16, 1, 128, 215},
    {"Triton 3.6", kOlderFp8, 1, 64, 109},
    {"Triton 3.6", kOlderNarrow, 1, 64, 114},
    {"Triton 3.6", kEight, 1, 64, 159},
    {"Triton 3.6", kEightFp8, 1, 64, 108},
};

namespace {
struct Bound {
  llvm::StringLiteral row;
  double instructions; ///< A K tile.
};
} // namespace

/// What was measured of the rows above.
static constexpr Bound kBounds[] = {
    {kEight, 106},     {kFour, 185},          {kOlderBf16, 186},
    {kOlderFp8, 95.5}, {kOlderNarrow, 100.5}, {kEightFp8, 89},
};

std::optional<double> fly::looptable::findBound(llvm::StringRef name) {
  for (const Bound &bound : kBounds)
    if (name == bound.row)
      return bound.instructions;
  return std::nullopt;
}

llvm::ArrayRef<Yardstick> fly::looptable::listYardsticks() {
  return kYardsticks;
}

static double perTile(const Row &row) {
  const reports::LoopReport &loop = *row.kernel.hotLoop;
  return loop.instructions / loop.kTiles.value_or(1);
}

static unsigned spills(const Row &row) {
  return row.kernel.vgprSpills + row.kernel.sgprSpills;
}

bool fly::looptable::isBetter(const Row &row, const Yardstick &other) {
  return row.kernel.hotLoop &&
         perTile(row) < double(other.instructions) / other.kTiles &&
         row.kernel.hotLoop->accMove <= other.moves &&
         spills(row) <= other.spills;
}

std::string fly::looptable::compare(const Row &row, const Yardstick &other) {
  std::string line = llvm::formatv("{0,-46} {1,-35}", other.row, other.by);
  if (!row.kernel.hotLoop)
    return line + " no loop of ours";
  const reports::LoopReport &loop = *row.kernel.hotLoop;
  auto print = [&](double mfma, double instructions, double tiles,
                   unsigned moves, unsigned spilled) {
    line += llvm::formatv("{0:f1} MFMA of {1:f1} a K tile, {2} moves, {3} "
                          "spills",
                          mfma / tiles, instructions / tiles, moves, spilled);
  };
  line += " ours ";
  print(loop.mfma, loop.instructions, loop.kTiles.value_or(1), loop.accMove,
        spills(row));
  line += "; theirs ";
  print(other.mfma, other.instructions, other.kTiles, other.moves,
        other.spills);
  return line + (isBetter(row, other) ? ": better" : ": worse");
}
