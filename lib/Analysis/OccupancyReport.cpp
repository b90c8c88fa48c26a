//===- OccupancyReport.cpp - What keeps waves off a compute unit ----------===//
#include "fly/Analysis/OccupancyReport.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fly;
using namespace fly::analysis;
using arch::OccupancyLimiter;

/// Bytes that the guide's K micro-step covers.
static constexpr int64_t microStepBytes = 64;

/// Vector registers of both kinds, before the granule.
static unsigned vectorRegisters(const arch::ArchInfo &chip,
                                const arch::KernelResources &used) {
  if (!used.accVgprs || !chip.registers.accumOffsetGranule)
    return used.archVgprs + used.accVgprs;
  return llvm::alignTo(used.archVgprs, *chip.registers.accumOffsetGranule) +
         used.accVgprs;
}

namespace {
/// The placing of whole workgroups, or of waves where their size is unknown.
class Placing {
public:
  Placing(const arch::ArchInfo &chip, const arch::KernelResources &used)
      : chip(chip), threads(used.workgroupThreads),
        waves(threads ? llvm::divideCeil(threads, *chip.waveSize) : 1) {}

  bool hasWorkgroups() const { return threads != 0; }
  unsigned simds() const { return *chip.simdsPerCu; }
  unsigned slots() const { return *chip.workgroups.maxWavesPerSimd; }
  /// Workgroups (waves of one SIMD) that fit where a SIMD takes this many
  /// waves.
  unsigned unitsOf(unsigned wavesPerSimd) const {
    return threads ? wavesPerSimd * simds() / waves : wavesPerSimd;
  }
  /// Waves on the fullest SIMD.
  unsigned wavesOf(unsigned units) const {
    return threads ? llvm::divideCeil(units * waves, simds()) : units;
  }
  /// The most that the slots for waves and workgroups take.
  unsigned most() const {
    if (!threads)
      return slots();
    unsigned workgroups =
        waves == 1 ? *chip.workgroups.maxSingleWave : *chip.workgroups.barriers;
    return std::min(workgroups, unitsOf(slots()));
  }

private:
  const arch::ArchInfo &chip;
  unsigned threads, waves;
};
} // namespace

/// What registers of each wave allow: as allotted, and of these what is used.
static void addWaveLimit(const Placing &placing, unsigned needed,
                         unsigned stepGranule, OccupancyRow &row) {
  if (row.allocated == 0)
    return;
  auto unitsOf = [&](unsigned registers) {
    return placing.unitsOf(
        std::min(placing.slots(), row.capacity / std::max(registers, 1u)));
  };
  unsigned units = unitsOf(row.allocated), byUsed = unitsOf(needed);
  row.wavesPerSimd = placing.wavesOf(units);
  if (placing.hasWorkgroups())
    row.workgroupsPerCu = units;
  if (byUsed > units)
    row.wavesByUsed = placing.wavesOf(byUsed);
  if (byUsed >= placing.most())
    return;
  unsigned waves = placing.wavesOf(byUsed + 1);
  unsigned most = llvm::alignDown(row.capacity / waves, stepGranule);
  if (most < row.used)
    row.next = OccupancyRow::Step{row.used - most, waves};
}

static OccupancyRow makeVgprRow(const arch::ArchInfo &chip,
                                const arch::KernelResources &used,
                                const arch::Occupancy &occupancy,
                                const Placing &placing) {
  OccupancyRow row;
  row.resource = OccupancyLimiter::Vgpr;
  row.used = vectorRegisters(chip, used);
  if (row.used || used.allottedVgprs)
    row.allocated = occupancy.allocatedVgprs;
  row.granule = *chip.registers.vgprGranule;
  row.capacity = *chip.registers.vgprsPerSimd;
  addWaveLimit(placing, occupancy.neededVgprs, row.granule, row);
  return row;
}

static OccupancyRow makeSgprRow(const arch::ArchInfo &chip,
                                const arch::KernelResources &used,
                                const Placing &placing) {
  OccupancyRow row;
  row.resource = OccupancyLimiter::Sgpr;
  row.used = used.sgprs;
  row.capacity = *chip.registers.sgprsPerSimd;
  // LLVM's rule takes what is used and no granule: 100 give 8 waves; and no
  // more than a wave can have, which profilers round up.
  unsigned most =
      llvm::alignTo(*chip.registers.maxSgprs + *chip.registers.extraSgprs,
                    *chip.registers.sgprGranule);
  row.allocated = std::min(used.sgprs, most);
  addWaveLimit(placing, row.allocated, 1, row);
  return row;
}

static OccupancyRow makeLdsRow(const arch::ArchInfo &chip,
                               const arch::KernelResources &used,
                               const Placing *placing) {
  OccupancyRow row;
  row.resource = OccupancyLimiter::Lds;
  row.used = used.ldsBytes;
  row.capacity = *chip.lds.bytes;
  row.granule = chip.lds.granuleBytes.value().value_or(1);
  row.allocated = llvm::alignTo(row.used, row.granule);
  if (row.used == 0)
    return row;
  unsigned workgroups = row.capacity / row.allocated;
  // No more than there are slots for.
  if (placing && placing->hasWorkgroups())
    workgroups = std::min(workgroups, placing->most());
  row.workgroupsPerCu = workgroups;
  if (!placing || !placing->hasWorkgroups())
    return row;
  row.wavesPerSimd = placing->wavesOf(workgroups);
  if (workgroups >= placing->most())
    return row;
  unsigned most = llvm::alignDown(row.capacity / (workgroups + 1), row.granule);
  row.next =
      OccupancyRow::Step{row.used - most, placing->wavesOf(workgroups + 1)};
  return row;
}

/// The figures that occupancy needs and the chip's table does not have.
static std::vector<std::string> findUnknown(const arch::ArchInfo &chip) {
  std::vector<std::string> names;
  auto need = [&](bool isKnown, const char *name) {
    if (!isKnown)
      names.push_back(name);
  };
  need(chip.simdsPerCu.known(), "SIMDs a compute unit");
  need(chip.registers.vgprsPerSimd.known(), "vector registers a SIMD");
  need(chip.registers.vgprGranule.known(), "granule of vector registers");
  need(chip.registers.sgprsPerSimd.known(), "scalar registers a SIMD");
  need(chip.lds.granuleBytes.known(), "granule of LDS");
  need(chip.workgroups.maxWavesPerSimd.known(), "wave slots a SIMD");
  return names;
}

OccupancyReport
fly::analysis::reportOccupancy(const arch::ArchInfo &chip, std::string kernel,
                               const arch::KernelResources &used) {
  OccupancyReport report;
  report.chip = &chip;
  report.kernel = std::move(kernel);
  report.used = used;
  report.unknown = findUnknown(chip);
  bool ldsFits = used.ldsBytes <= *chip.lds.bytes;
  if (!report.unknown.empty()) {
    if (ldsFits)
      report.rows.push_back(makeLdsRow(chip, used, nullptr));
    report.isImpossible = !ldsFits;
    report.problem =
        ldsFits ? "not all that it needs is known"
                : llvm::formatv("one workgroup needs {0} bytes of LDS on {1}, "
                                "limit is {2}",
                                used.ldsBytes, chip.name, *chip.lds.bytes)
                      .str();
    return report;
  }
  llvm::Expected<arch::Occupancy> occupancy =
      arch::computeOccupancy(chip, used);
  if (!occupancy) {
    report.problem = llvm::toString(occupancy.takeError());
    report.isImpossible = true;
    return report;
  }
  report.occupancy = *occupancy;
  Placing placing(chip, used);
  report.rows = {makeVgprRow(chip, used, *occupancy, placing),
                 makeLdsRow(chip, used, &placing),
                 makeSgprRow(chip, used, placing)};
  unsigned units = placing.hasWorkgroups() ? occupancy->workgroupsPerCu
                                           : occupancy->wavesPerSimd;
  unsigned waves = placing.wavesOf(units + 1);
  for (const arch::OccupancyStep &step :
       arch::nextOccupancy(chip, used, *occupancy)) {
    // In what the kernel uses, not in what it is allotted.
    unsigned own = step.resource == OccupancyLimiter::Vgpr
                       ? vectorRegisters(chip, used)
                   : step.resource == OccupancyLimiter::Lds ? used.ldsBytes
                                                            : used.sgprs;
    report.togetherOf.push_back(step.resource);
    report.together.push_back({own - std::min(own, step.most), waves});
  }
  return report;
}

llvm::Error fly::analysis::checkRegisterLimit(const arch::KernelResources &used,
                                              const arch::ArchInfo &chip,
                                              unsigned most) {
  unsigned needed = vectorRegisters(chip, used);
  if (most >= needed)
    return llvm::Error::success();
  if (used.accVgprs)
    return llvm::createStringError(llvm::formatv(
        "a limit of {0} vector registers forces the {1} accumulation registers "
        "out of a kernel with {2} + {1}: results of matrix instructions would "
        "move through architectural registers (v_accvgpr_read) and spill, "
        "measured as 4.5 times slower by the tuning guide; use a smaller tile "
        "or fewer buffers",
        most, used.accVgprs, used.archVgprs));
  return llvm::createStringError(llvm::formatv(
      "a limit of {0} vector registers is less than the {1} that the kernel "
      "uses: it would spill {2} a lane; use a smaller tile or fewer buffers",
      most, needed, needed - most));
}

GuideRegisters fly::analysis::estimateByGuide(const plan::DotTile &tile) {
  GuideRegisters registers;
  int64_t unroll = tile.rowBytes(plan::DotTile::A) / microStepBytes;
  registers.accumulators = tile.mRepeat() * tile.accumulatorsN() * 4;
  registers.bTile = unroll * 2 * tile.accumulatorsN() * 2;
  registers.aTile = tile.copyRounds(plan::DotTile::A) * 4;
  return registers;
}
