//===- Rules.cpp - What a schedule must satisfy on a chip -----------------===//
#include "fly/Plan/Rules.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::plan;
using llvm::formatv;

/// "128 = 2 * 64", or "100 is no multiple of 64".
static std::string describeMultiple(int64_t number, int64_t unit) {
  if (unit > 0 && number % unit == 0)
    return formatv("{0} = {1} * {2}", number, number / unit, unit);
  return formatv("{0} is no multiple of {1}", number, unit);
}

Rule fly::plan::checkSplit(const DotTile &tile, DotTile::Side side) {
  bool rows = side == DotTile::A;
  int64_t extent = rows ? tile.m : tile.n;
  int64_t waves = rows ? tile.wavesM : tile.wavesN;
  int64_t unit = waves * tile.mfma;
  return {rows ? "rows over waves" : "columns over waves", extent % unit == 0,
          formatv("{0} ({1} wave{2} * {3})", describeMultiple(extent, unit),
                  waves, waves == 1 ? "" : "s", tile.mfma)};
}

Rule fly::plan::checkRows(const DotTile &tile) {
  int64_t bytes = tile.rowBytes(DotTile::A);
  return {"bytes of k", bytes % rowBlockBytes == 0,
          formatv("{0} ({1} elements of {2} bits)",
                  describeMultiple(bytes, rowBlockBytes), tile.k, tile.a.bits)};
}

Rule fly::plan::checkPacks(const DotTile &tile) {
  int64_t step = tile.microStep();
  return {"micro-steps of k", tile.k % step == 0,
          formatv("{0} (64 lanes / {1} * {2} elements)",
                  describeMultiple(tile.k, step), tile.mfma,
                  tile.packElements())};
}

Rule fly::plan::checkInstruction(const arch::ArchInfo &chip,
                                 const DotTile &tile, arch::ElementType a,
                                 arch::ElementType b) {
  const arch::MfmaRow *row = findInstruction(chip, tile, a, b);
  return {
      "matrix instruction", row != nullptr,
      row ? formatv("{0}, {1} passes", row->mnemonic, row->passesOn(chip.chip))
                .str()
          : formatv("{0} has none of {1}x{1} for {2} and {3} whose k divides "
                    "{4}",
                    chip.name, tile.mfma, arch::elementTypeName(a),
                    arch::elementTypeName(b), tile.k)
                .str()};
}

Rule fly::plan::checkCopy(llvm::StringRef label, int64_t bytes,
                          int64_t threads) {
  int64_t round = threads * accessBytes;
  return {formatv("copy of {0}", label), true,
          formatv("{0} bytes ({1} threads * {2}){3}",
                  describeMultiple(bytes, round), threads, accessBytes,
                  bytes % round == 0
                      ? ""
                      : ": guarded, some threads are idle in its last round")};
}

/// Narrower copies leave the rest of a dword empty. [LLVM22] LDS DMA
static constexpr unsigned kLeastDirectBytes = 4;

/// Whether a lane may copy so many bytes at once: whole elements.
static bool isDirectWidth(unsigned width, unsigned elementBits) {
  return width >= kLeastDirectBytes && width * 8 % elementBits == 0;
}

std::optional<int64_t>
fly::plan::findDirectCopy(const arch::ArchInfo &chip, unsigned elementBits,
                          int64_t rowBytes, int64_t bytes, int64_t threads) {
  std::optional<int64_t> best;
  if (!chip.dma.widths)
    return best;
  for (unsigned width : *chip.dma.widths) // Ascending.
    if (isDirectWidth(width, elementBits) && rowBytes % width == 0 &&
        bytes % (threads * width) == 0)
      best = width;
  return best;
}

Rule fly::plan::checkDirectCopy(const arch::ArchInfo &chip,
                                llvm::StringRef label, unsigned elementBits,
                                int64_t rowBytes, int64_t bytes,
                                int64_t threads) {
  auto width = findDirectCopy(chip, elementBits, rowBytes, bytes, threads);
  unsigned most = chip.dma.widths ? chip.dma.widths->back() : 0;
  if (!width && most * 8 < elementBits)
    return {formatv("direct copy of {0}", label), false,
            formatv("elements of {0} bytes are wider than what {1} copies at "
                    "once, {2}",
                    elementBits / 8, chip.name, most)};
  unsigned least = kLeastDirectBytes;
  if (chip.dma.widths)
    if (auto *found = llvm::find_if(
            *chip.dma.widths,
            [&](unsigned width) { return isDirectWidth(width, elementBits); });
        found != chip.dma.widths->end())
      least = *found;
  return {formatv("direct copy of {0}", label), width.has_value(),
          width
              ? formatv("{0} bytes = {1} * {2} threads * {3}", bytes,
                        bytes / (threads * *width), threads, *width)
                    .str()
              : formatv("a tile of {0} bytes in rows of {1} is no whole "
                        "number of rounds of {2} threads * {3} bytes, the "
                        "least that {4} copies of elements of {5} bits",
                        bytes, rowBytes, threads, least, chip.name, elementBits)
                    .str()};
}

Rule fly::plan::checkXor(llvm::StringRef label, int64_t rowBytes) {
  return {formatv("xor of {0}", label),
          rowBytes % accessBytes == 0 &&
              llvm::isPowerOf2_64(rowBytes / accessBytes),
          formatv("rows of {0} bytes are {1} chunks of {2}, {3}", rowBytes,
                  rowBytes / accessBytes, accessBytes,
                  llvm::isPowerOf2_64(rowBytes / accessBytes)
                      ? "a power of two"
                      : "no power of two")};
}

Rule fly::plan::checkTurns(const arch::ArchInfo &chip, int64_t waves) {
  int64_t simds = chip.simdsPerCu ? *chip.simdsPerCu : 0;
  return {"turns of waves", simds && waves == 2 * simds,
          formatv("{0} waves, two on each of {1} SIMDs are {2}", waves, simds,
                  2 * simds)};
}

Rule fly::plan::checkLds(const arch::ArchInfo &chip, const Budget &budget) {
  return {"LDS", budget.total() <= *chip.lds.bytes,
          formatv("{0} of {1} bytes", budget.total(), *chip.lds.bytes)};
}

static std::string describeRegisters(llvm::StringRef word, uint64_t needed,
                                     unsigned limit, unsigned wavesPerSimd) {
  return formatv("{0} {1} of {2} vector registers a lane with {3} wave{4} a "
                 "SIMD",
                 word, needed, limit, wavesPerSimd,
                 wavesPerSimd == 1 ? "" : "s");
}

Rule fly::plan::checkRegisters(const arch::ArchInfo &chip, const Budget &budget,
                               unsigned wavesPerSimd) {
  unsigned limit = registerLimit(chip, wavesPerSimd);
  return {"registers", budget.least() <= limit,
          describeRegisters("estimated", budget.least(), limit, wavesPerSimd)};
}

Rule fly::plan::checkSpills(const arch::ArchInfo &chip, const DotTile &tile,
                            unsigned wavesPerSimd) {
  constexpr llvm::StringLiteral name = "registers without spills";
  uint64_t total = tile.registers().total();
  unsigned limit = registerLimit(chip, wavesPerSimd);
  // What is computed is not in accumulation registers.
  uint64_t computed = total - tile.accumulatorRegisters();
  if ((tile.a.widestBits || tile.b.widestBits) && chip.registers.maxArchVgprs &&
      computed > *chip.registers.maxArchVgprs)
    return {name.str(), false,
            formatv("up to {0} of {1} registers that arithmetic takes, beside "
                    "{2} accumulators",
                    computed, *chip.registers.maxArchVgprs,
                    tile.accumulatorRegisters())};
  return {name.str(), total <= limit,
          describeRegisters("up to", total, limit, wavesPerSimd)};
}
