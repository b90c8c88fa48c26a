//===- Costs.cpp - What the resolved schedule needs of the chip ----------===//
//
// LDS bytes and the register estimate, member by member. Refused: more than the
// chip has.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// Lane-dependent offsets and LDS bases of a GEMM with everything hoisted: one
/// for each operand's copy, fragment and store, and what their computation
/// leaves behind. An estimate; the code generator has the last word.
static constexpr unsigned kAddressRegisters = 16;

LogicalResult ScheduleResolver::checkLds() {
  Budget budget, oneStage;
  for (const auto &[label, load] : loads) {
    if (!load.policy.inLds)
      continue;
    RankedTensorType tile = getTileType(load.ops.front()->getResult(0));
    std::string shape = llvm::join(
        llvm::map_range(tile.getShape(),
                        [](int64_t extent) { return std::to_string(extent); }),
        "x");
    budget.add(llvm::formatv("{0}: {1} stage{2} of {3} elements of {4} bits",
                             label.getValue(), load.policy.stages,
                             load.policy.stages == 1 ? "" : "s", shape,
                             tile.getElementTypeBitWidth()),
               load.ldsBytes());
    oneStage.add("", load.tileBytes());
  }
  std::string fix = "smaller tiles, or regs for an operand";
  if (oneStage.total() <= *chip.lds.bytes)
    fix = llvm::formatv("stages = 1 needs {0} bytes", oneStage.total());
  if (failed(checkLdsBudget(kernel, chip, budget, fix)))
    return failure();
  passed(kernel, "LdsBytes",
         "LDS: " + Twine(budget.total()) + " of " + Twine(*chip.lds.bytes) +
             " bytes");
  return success();
}

/// Registers of a lane while `dot` runs: accumulators, what the next matrix
/// instructions read, what the next iteration's loads bring, addresses.
Budget ScheduleResolver::getRegisters(const DotPlan &dot) const {
  Budget budget;
  int64_t count = waves[0] * waves[1];
  budget.add(llvm::formatv("accumulators: {0}x{1} / (64 lanes * {2} waves)",
                           dot.m, dot.n, count),
             dot.m * dot.n / (arch::waveLanes * count));
  for (auto [name, op, extent, split] :
       {std::tuple("A", dot.a, dot.m, waves[0]),
        std::tuple("B", dot.b, dot.n, waves[1])}) {
    const LoadPlan *load = getLoad(op);
    bool inLds = load && load->policy.inLds;
    // From LDS one micro-step at a time; from global memory the whole tile.
    int64_t depth = inLds ? dot.microStep() : dot.k;
    int64_t fragment =
        extent / split * depth * dot.elementBytes / (arch::waveLanes * 4);
    budget.add(llvm::formatv("fragments of {0}: {1}x{2} * {3} bytes / (64 "
                             "lanes * 4 bytes)",
                             name, extent / split, depth, dot.elementBytes),
               fragment);
    if (!load || !load->runsAhead)
      continue;
    if (inLds)
      budget.add(llvm::formatv("prefetch of {0}: {1} bytes in 16-byte loads "
                               "of {2} threads",
                               name, load->tileBytes(), threads()),
                 llvm::divideCeil(load->tileBytes(), threads() * kAccessBytes) *
                     (kAccessBytes / 4));
    else
      budget.add(
          llvm::formatv("prefetch of {0}: a second set of fragments", name),
          fragment);
  }
  budget.add("addresses (estimate)", kAddressRegisters);
  return budget;
}

LogicalResult ScheduleResolver::checkRegisters() {
  for (const DotPlan &dot : dots) {
    Budget budget = getRegisters(dot);
    unsigned least = llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
    StringRef fix =
        wavesPerEu > least && budget.total() <= registerLimit(chip, least)
            ? "a smaller waves_per_eu"
            : "smaller tiles";
    if (failed(checkRegisterBudget(kernel, chip, wavesPerEu, budget, fix)))
      return failure();
    passed(dot.op, "Registers",
           "estimated " + Twine(budget.total()) + " of " +
               Twine(registerLimit(chip, wavesPerEu)) +
               " vector registers a lane");
  }
  return success();
}
