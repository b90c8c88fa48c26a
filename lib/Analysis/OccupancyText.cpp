//===- OccupancyText.cpp - Occupancy for people and as JSON ---------------===//
#include "fly/Analysis/OccupancyReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::analysis;
using arch::OccupancyLimiter;
using llvm::formatv;

static std::string count(unsigned number, llvm::StringRef what) {
  return (llvm::Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

/// "4 VGPRs", "296 bytes of LDS".
static std::string amount(OccupancyLimiter resource, unsigned number) {
  if (resource == OccupancyLimiter::Lds)
    return count(number, "byte") + " of LDS";
  return count(number, arch::limiterName(resource));
}

/// Whether more registers are allotted than what is used needs.
static bool isPadded(const OccupancyReport &report, const OccupancyRow &row) {
  return row.resource == OccupancyLimiter::Vgpr && report.occupancy &&
         report.occupancy->allocatedVgprs != report.occupancy->neededVgprs;
}

static void printRow(llvm::raw_ostream &os, const OccupancyReport &report,
                     const OccupancyRow &row) {
  bool isLds = row.resource == OccupancyLimiter::Lds;
  bool hasGranule = !isLds || report.chip->lds.granuleBytes;
  os << "  " << llvm::left_justify(arch::limiterName(row.resource), 5);
  if (row.resource == OccupancyLimiter::Vgpr && report.used.accVgprs)
    os << formatv("{0} + {1} = {2}", report.used.archVgprs,
                  report.used.accVgprs, row.used);
  else
    os << row.used;
  os << formatv(" of {0}{1}", row.capacity, isLds ? " bytes" : "");
  if (isPadded(report, row))
    os << formatv(", {0} allotted", row.allocated);
  else if (row.granule > 1 && row.used && hasGranule &&
           row.allocated != row.used)
    os << formatv(", {0} by the granule of {1}", row.allocated, row.granule);
  if (row.wavesPerSimd)
    os << ": " << count(*row.wavesPerSimd, "wave") << " a SIMD";
  if (row.workgroupsPerCu)
    os << (row.wavesPerSimd ? ", " : ": ") << (hasGranule ? "" : "at most ")
       << count(*row.workgroupsPerCu, "workgroup") << " a compute unit";
  if (row.wavesByUsed)
    os << formatv("; the {0} used alone: {1}", row.used,
                  count(*row.wavesByUsed, "wave"));
  if (row.next)
    os << "; " << amount(row.resource, row.next->fewer) << " fewer "
       << (row.next->fewer == 1 ? "gives " : "give ")
       << count(row.next->wavesPerSimd, "wave");
  os << '\n';
}

/// "vector registers and LDS together: 4 VGPRs and 296 bytes of LDS fewer".
static void printTogether(llvm::raw_ostream &os,
                          const OccupancyReport &report) {
  if (report.together.empty())
    return;
  std::string what;
  for (auto [resource, step] :
       llvm::zip_equal(report.togetherOf, report.together))
    what += (what.empty() ? "" : " and ") + amount(resource, step.fewer);
  os << formatv("  for one {0} more, {1} a SIMD: {2} fewer\n",
                report.used.workgroupThreads ? "workgroup" : "wave",
                count(report.together.front().wavesPerSimd, "wave"), what);
}

/// Why registers that nobody uses are allotted, and what to do about it.
static void printPadding(llvm::raw_ostream &os, const OccupancyReport &report) {
  const arch::Occupancy &occupancy = *report.occupancy;
  unsigned allotted = occupancy.allocatedVgprs;
  if (report.used.isAllotment) {
    if (arch::isPaddedCount(*report.chip, allotted))
      os << formatv("  registers are as allotted, of which a profile does not "
                    "tell those in use; compilers pad\n  to {0}, so that there "
                    "are at most {1} a SIMD: the code object tells\n",
                    allotted, count(occupancy.wavesByVgpr, "wave"));
    return;
  }
  if (occupancy.isLimitedByPadding)
    os << formatv("  no register fewer gives more: the compiler pads to {0}, "
                  "since it plans for at most {1} a\n  SIMD; let it plan for "
                  "more (waves_per_eu of a schedule, amdgpu-waves-per-eu, "
                  "launch bounds)\n",
                  allotted, count(occupancy.wavesByVgpr, "wave"));
}

static void printGuide(llvm::raw_ostream &os, const OccupancyReport &report,
                       const plan::DotTile &tile) {
  GuideRegisters guide = estimateByGuide(tile);
  os << formatv("  the guide's rough estimate for {0}x{1}x{2} over {3}x{4} "
                "waves: {5} to {6} + {7} registers\n",
                tile.m, tile.n, tile.k, tile.wavesM, tile.wavesN,
                guide.leastArch(), guide.mostArch(), guide.accumulators)
     << formatv("    accumulators {0} = {1} * {2} * 4; B tile {3}; A prefetch "
                "{4}; A tile {5} = {6} loads * 4; addresses {7} to {8}\n",
                guide.accumulators, tile.mRepeat(), tile.accumulatorsN(),
                guide.bTile, guide.aPrefetch, guide.aTile,
                tile.copyRounds(plan::DotTile::A), guide.leastAddresses,
                guide.mostAddresses);
  if (report.used.archVgprs + report.used.accVgprs)
    os << formatv("    the kernel has {0} + {1}\n", report.used.archVgprs,
                  report.used.accVgprs);
}

void fly::analysis::print(llvm::raw_ostream &os, const OccupancyReport &report,
                          const plan::DotTile *tile) {
  const arch::ArchInfo &chip = *report.chip;
  if (!report.kernel.empty())
    os << report.kernel << "  ";
  os << formatv("{0}, waves of {1} lanes\n", chip.name, *chip.waveSize);
  if (report.occupancy) {
    const arch::Occupancy &occupancy = *report.occupancy;
    os << "  " << count(occupancy.wavesPerSimd, "wave") << " a SIMD";
    if (report.used.workgroupThreads)
      os << formatv(", {0} of {1} work items a compute unit",
                    count(occupancy.workgroupsPerCu, "workgroup"),
                    report.used.workgroupThreads);
    os << (occupancy.limiter == OccupancyLimiter::Waves
               ? "; all wave slots that whole workgroups fill\n"
               : formatv(", limited by {0}{1}\n",
                         occupancy.isLimitedByPadding ? "the padding of " : "",
                         arch::limiterName(occupancy.limiter))
                     .str());
    if (!report.used.workgroupThreads)
      os << "  by registers alone: the size of a workgroup is not known\n";
  } else {
    os << (report.isImpossible ? "  does not fit: " : "  occupancy unknown: ")
       << report.problem << '\n';
  }
  for (const OccupancyRow &row : report.rows)
    printRow(os, report, row);
  printTogether(os, report);
  if (report.occupancy)
    printPadding(os, report);
  if (!report.unknown.empty())
    os << "  unknown of " << chip.name << ": "
       << llvm::join(report.unknown, ", ") << '\n';
  if (tile)
    printGuide(os, report, *tile);
}

static llvm::json::Value optional(const std::optional<unsigned> &number) {
  return number ? llvm::json::Value(int64_t(*number))
                : llvm::json::Value(nullptr);
}

static llvm::json::Value toJSON(const OccupancyRow &row) {
  llvm::json::Object object{
      {"resource", arch::limiterName(row.resource)},
      {"used", int64_t(row.used)},
      {"allocated", int64_t(row.allocated)},
      {"granule", int64_t(row.granule)},
      {"capacity", int64_t(row.capacity)},
      {"waves_per_simd", optional(row.wavesPerSimd)},
      {"workgroups_per_cu", optional(row.workgroupsPerCu)},
      {"waves_by_used", optional(row.wavesByUsed)},
      {"next", nullptr}};
  if (row.next)
    object["next"] =
        llvm::json::Object{{"fewer", int64_t(row.next->fewer)},
                           {"waves_per_simd", int64_t(row.next->wavesPerSimd)}};
  return object;
}

llvm::json::Value fly::analysis::toJSON(const OccupancyReport &report,
                                        const plan::DotTile *tile) {
  llvm::json::Array rows, together;
  for (const OccupancyRow &row : report.rows)
    rows.push_back(::toJSON(row));
  for (auto [resource, step] :
       llvm::zip_equal(report.togetherOf, report.together))
    together.push_back(
        llvm::json::Object{{"resource", arch::limiterName(resource)},
                           {"fewer", int64_t(step.fewer)},
                           {"waves_per_simd", int64_t(step.wavesPerSimd)}});
  llvm::json::Object object{
      {"chip", report.chip->name},
      {"wave_size", int64_t(*report.chip->waveSize)},
      {"kernel", report.kernel},
      {"vgpr", int64_t(report.used.archVgprs)},
      {"agpr", int64_t(report.used.accVgprs)},
      {"sgpr", int64_t(report.used.sgprs)},
      {"lds_bytes", int64_t(report.used.ldsBytes)},
      {"workgroup_threads", int64_t(report.used.workgroupThreads)},
      {"waves_per_simd", nullptr},
      {"workgroups_per_cu", nullptr},
      {"limiter", nullptr},
      {"limits", std::move(rows)},
      {"together", std::move(together)},
      {"unknown", llvm::json::Array(report.unknown)}};
  if (report.occupancy) {
    object["waves_per_simd"] = int64_t(report.occupancy->wavesPerSimd);
    if (report.used.workgroupThreads)
      object["workgroups_per_cu"] = int64_t(report.occupancy->workgroupsPerCu);
    object["limiter"] = arch::limiterName(report.occupancy->limiter);
    object["limited_by_padding"] = report.occupancy->isLimitedByPadding;
  } else {
    object["problem"] = report.problem;
  }
  if (tile) {
    GuideRegisters guide = estimateByGuide(*tile);
    object["guide_estimate"] =
        llvm::json::Object{{"agpr", guide.accumulators},
                           {"least_vgpr", guide.leastArch()},
                           {"most_vgpr", guide.mostArch()}};
  }
  return object;
}
