//===- TileCost.cpp - What a tile of K costs a compute unit ---------------===//
#include "fly/Plan/TileCost.h"

#include "fly/Arch/Occupancy.h"

using namespace fly;
using namespace fly::plan;

/// Cycles that a loop takes beside its busiest unit: for the slowest wave at
/// the barrier, the first reads behind it and the issue of its loads. With two
/// waves a SIMD, which take turns, half as many; with one buffer, whose second
/// barrier lets the next tile in, somewhat more. Rounded from what the timing
/// model shows for GEMMs of fifteen tiles (docs/Rationale/Levers.md): these
/// rank tiles as it does, and are no figures of the hardware.
static constexpr double kAloneCycles = 800, kTurnsCycles = 400,
                        kSecondBarrierCycles = 200;

TileCost fly::plan::estimateCost(const arch::ArchInfo &chip,
                                 const DotTile &tile, const arch::MfmaRow &row,
                                 bool isNarrow) {
  TileCost cost;
  cost.matrix = double(tile.mfmasPerTile(row)) *
                row.passesOn(chip.chip, isNarrow) * *chip.issue.mfmaPass *
                tile.waves() / *chip.simdsPerCu;
  double ports = *chip.lds.ports, bytesIn = 0;
  bool hasOneBuffer = false;
  for (DotTile::Side side : {DotTile::A, DotTile::B}) {
    const OperandTile &operand = tile.operand(side);
    double bytes = double(tile.tileBytes(side));
    if (!operand.isLoaded) {
      // Computed of others: their bytes, by each wave that needs them.
      int64_t rows = side == DotTile::A ? tile.m : tile.n;
      for (const SourceTile &source : operand.sources)
        bytesIn += double(rows) * source.columns * source.bits / 8 *
                   (side == DotTile::A ? tile.wavesN : tile.wavesM);
      continue;
    }
    if (!operand.inLds) {
      bytesIn += bytes * (side == DotTile::A ? tile.wavesN : tile.wavesM);
      continue;
    }
    bytesIn += bytes;
    hasOneBuffer |= operand.stages == 1;
    double read = double(tile.ldsReads(side)) * tile.waves() * arch::waveLanes *
                  accessBytes;
    cost.lds += read / (ports * *chip.lds.portReadBytes) +
                bytes / (ports * *chip.lds.portWriteBytes);
  }
  cost.memory = bytesIn / *chip.issue.vmemBytes;
  cost.waits = tile.waves() > *chip.simdsPerCu ? kTurnsCycles : kAloneCycles;
  if (hasOneBuffer)
    cost.waits += kSecondBarrierCycles;
  return cost;
}

int64_t fly::plan::estimateResident(const arch::ArchInfo &chip,
                                    const DotTile &tile) {
  int64_t limit = *chip.registers.maxArchVgprs;
  int64_t registers = tile.registers().total();
  arch::KernelResources resources;
  resources.archVgprs = unsigned(std::min(registers, limit));
  resources.accVgprs = unsigned(
      std::clamp<int64_t>(registers - limit, 0, *chip.registers.maxAccVgprs));
  resources.ldsBytes = unsigned(tile.ldsBytes());
  resources.workgroupThreads = unsigned(tile.threads());
  auto occupancy = arch::computeOccupancy(chip, resources);
  if (occupancy)
    return std::max(1u, occupancy->workgroupsPerCu);
  llvm::consumeError(occupancy.takeError());
  return 1;
}
