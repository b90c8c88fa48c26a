//===- SimulationChecks.cpp - What a simulation tells the checklist -------===//
//
// Of each launch in what fly-run --timing --json prints: how many units have
// work, what LDS and memory cost, the hot loop's mix, and the what-ifs. A
// what-if belongs to the row whose fix gets at its cause.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"
#include "fly/Analysis/SimulationFile.h"
#include "fly/Arch/Products.h"

#include "llvm/Support/FormatVariadic.h"

#include "ChecklistLimits.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;
using llvm::StringRef;

namespace {
/// Adds what one launch tells.
class LaunchChecks {
public:
  LaunchChecks(Checklist &list, StringRef input, const SimulatedLaunch &launch,
               double cycles)
      : list(list), input(input), launch(launch), cycles(cycles) {}

  void add() {
    addFill();
    addStalls();
    addMix();
    addCaches();
    addWhatIfs();
  }

private:
  void addFill();
  void addStalls();
  void addMix();
  void addCaches();
  void addWhatIfs();
  void add(Check check, const std::string &text, bool holds) {
    list.add(check, input,
             (launch.kernel.empty() ? "" : launch.kernel + ": ") + text, holds);
  }

  Checklist &list;
  StringRef input;
  const SimulatedLaunch &launch;
  double cycles;
};
} // namespace

/// part / whole where both are told and whole is not 0.
static std::optional<double> ratio(std::optional<double> part,
                                   std::optional<double> whole) {
  if (!part || !whole || *whole <= 0)
    return std::nullopt;
  return *part / *whole;
}

void LaunchChecks::addFill() {
  const arch::Product *product = arch::lookupProduct(launch.product);
  std::optional<double> active = launch.find("occupancy.active_cus");
  if (!product || !product->computeUnits || !active)
    return;
  double units = *product->computeUnits;
  add(Check::FillsMachine,
      formatv("{0:f0} of {1:f0} compute units of {2} have workgroups", *active,
              units, product->name),
      *active >= units);
  if (*active > 0 && *active < units)
    list.addGain(Check::FillsMachine,
                 {1 - *active / units, /*isBound=*/true, input.str(), "", 0});
}

void LaunchChecks::addStalls() {
  if (auto share = ratio(launch.find("counters.SQ_LDS_BANK_CONFLICT"),
                         launch.find("counters.SQ_LDS_IDX_ACTIVE")))
    add(Check::BankConflicts,
        formatv("{0:f1} % of the LDS cycles are conflicts", 100 * *share),
        *share < mostStall);
  double life = launch.find("detail.issue_cycles").value_or(0) +
                launch.sum("detail.stall_cycles.");
  double wait = launch.find("detail.stall_cycles.wait-vmem").value_or(0);
  if (life > 0)
    add(Check::GlobalLatency,
        formatv("{0:f1} % of the waves' lives wait for vector memory",
                100 * wait / life),
        wait / life < mostStall);
}

void LaunchChecks::addMix() {
  double all = launch.sum("instructions_by_class.");
  double mfma = launch.find("instructions_by_class.mfma").value_or(0);
  if (!(mfma > 0))
    return;
  std::optional<double> ofLoop = matrixShareOfLoop(launch.instructions);
  double share = ofLoop.value_or(mfma / all);
  std::string text = formatv("{0:f1} % of what {1}", 100 * share,
                             ofLoop ? "the loop with most MFMAs executes"
                                    : "is executed, loops and all else");
  if (auto busy = launch.find("detail.mfma_busy_share"))
    text += formatv("; the matrix unit is busy {0:f1} % of the time of the "
                    "units at work",
                    100 * *busy);
  add(Check::MfmaShare, text, share >= leastMfmaShare);
}

void LaunchChecks::addCaches() {
  auto hits = launch.find("counters.TCC_HIT_sum");
  auto misses = launch.find("counters.TCC_MISS_sum");
  if (!hits || !misses)
    return;
  if (auto share = ratio(hits, *hits + *misses))
    add(Check::CacheBalance,
        formatv("{0:f1} % of the L2's accesses hit", 100 * *share),
        *share >= leastHitRate);
}

void LaunchChecks::addWhatIfs() {
  static constexpr std::pair<StringRef, Check> causes[] = {
      {"conflicts", Check::BankConflicts}, {"l2", Check::CacheBalance},
      {"barriers", Check::DoubleBuffer},   {"waits", Check::GlobalLatency},
      {"addresses", Check::MfmaShare},
  };
  for (const SimulatedWhatIf &whatIf : launch.whatIf)
    for (auto [cause, check] : causes) {
      if (whatIf.cause != cause || !(whatIf.cycles < cycles))
        continue;
      Gain gain{1 - whatIf.cycles / cycles, /*isBound=*/false, input.str(), "",
                0};
      if (whatIf.editCycles && !whatIf.edit.empty()) {
        gain.edit = whatIf.edit;
        gain.editShare = 1 - *whatIf.editCycles / cycles;
      }
      list.addGain(check, std::move(gain));
    }
}

llvm::Error Checklist::addSimulation(StringRef path) {
  bool isTold = false;
  auto add = [&](const SimulatedLaunch &launch) {
    std::optional<double> cycles = launch.find("cycles");
    if (cycles && *cycles > 0) {
      isTold = true;
      LaunchChecks(*this, path, launch, *cycles).add();
    }
    return llvm::Error::success();
  };
  llvm::Expected<SimulationFile> file = readSimulationFile(path, add);
  if (!file)
    return file.takeError();
  if (!isTold)
    return llvm::createStringError(
        "'" + path +
        "': no 'timing' with cycles; expected what fly-run --timing --json "
        "prints of a simulation");
  return llvm::Error::success();
}
