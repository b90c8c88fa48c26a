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
    std::string gaps;
    if (load.padBytes)
      gaps = llvm::formatv(" and {0} bytes between rows", load.padBytes);
    budget.add(llvm::formatv("{0}: {1} stage{2} of {3} elements of {4} bits{5}",
                             label.getValue(), load.policy.stages,
                             load.policy.stages == 1 ? "" : "s", shape,
                             tile.getElementTypeBitWidth(), gaps),
               load.ldsBytes());
    oneStage.add("", load.bufferBytes());
  }
  if (int64_t bytes = getHandedOnBytes()) {
    budget.add("the old value of fly.atomic_rmw, for all waves", bytes);
    oneStage.add("", bytes);
  }
  std::string fix = "smaller tiles, or regs for an operand";
  if (oneStage.total() <= *chip.lds.bytes)
    fix = llvm::formatv("stages = 1 needs {0} bytes", oneStage.total());
  ldsBudget = budget;
  if (!holds(plan::checkLds(chip, budget)))
    return checkLdsBudget(kernel, chip, budget, fix);
  passed(kernel, "LdsBytes",
         "LDS: " + Twine(budget.total()) + " of " + Twine(*chip.lds.bytes) +
             " bytes");
  return success();
}

plan::OperandTile ScheduleResolver::getOperand(Operation *op,
                                               Value operand) const {
  plan::OperandTile tile;
  tile.bits = getTileType(operand).getElementTypeBitWidth();
  const LoadPlan *load = getLoad(op);
  tile.isLoaded = load;
  tile.inLds = load && load->policy.inLds;
  tile.runsAhead = load && load->runsAhead;
  tile.stages = load ? load->policy.stages : 0;
  tile.isAsync = load && load->policy.isAsync;
  tile.depth = load ? load->policy.depth : 1;
  if (load)
    tile.loadBytes = getAccessBytes(op);
  return tile;
}

plan::DotTile ScheduleResolver::getTile(const DotPlan &dot) const {
  plan::DotTile tile = dot.tile();
  ProductOpInterface op = dot.op;
  tile.wavesM = waves[0];
  tile.wavesN = waves[1];
  tile.a = getOperand(dot.a, op.getLhs().get());
  tile.b = getOperand(dot.b, op.getRhs().get());
  addSources(dot, tile);
  return tile;
}

LogicalResult ScheduleResolver::checkRegisters() {
  for (const DotPlan &dot : dots) {
    Budget budget = getTile(dot).registers();
    unsigned least = llvm::divideCeil(waves[0] * waves[1], *chip.simdsPerCu);
    StringRef fix =
        wavesPerEu > least && budget.least() <= registerLimit(chip, least)
            ? "a smaller waves_per_eu"
            : "smaller tiles";
    if (!holds(plan::checkRegisters(chip, budget, wavesPerEu)))
      return checkRegisterBudget(kernel, chip, wavesPerEu, budget, fix);
    passed(dot.op, "Registers",
           "estimated " + Twine(budget.least()) + " of " +
               Twine(registerLimit(chip, wavesPerEu)) +
               " vector registers a lane");
    plan::Rule spills = plan::checkSpills(chip, getTile(dot), wavesPerEu);
    if (!spills.holds)
      missed(dot.op, "RegistersTight",
             spills.text + ": some may spill; use more waves, smaller tiles or "
                           "'fly.require_multiple' for wider accesses");
  }
  return success();
}
