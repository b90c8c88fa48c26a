//===- Parts.cpp - Which ops of a stage run in one step -------------------===//
//
// Values of a prefetch need not run ahead together: a tile with three buffers
// in LDS is loaded two iterations before it is read, its neighbour that stays
// in registers one. So the prefetch is taken apart by what its values need.
// Pure ops are repeated; what reads memory is done once, so values that share
// such an op run ahead together, as far as the farthest of them.
//
// Loops of more than two stages have the distances that their author wrote.
//
//===----------------------------------------------------------------------===//
#include "Parts.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fly;
using namespace fly::pipeline;

void pipeline::collectSlice(Value value, Region &stage, OpSet &slice) {
  Operation *op = value.getDefiningOp();
  op = op ? stage.front().findAncestorOpInBlock(*op) : nullptr;
  if (!op || !slice.insert(op).second)
    return;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      collectSlice(operand, stage, slice);
  });
}

SmallVector<Part> pipeline::planParts(PipelineOp op,
                                      const Handovers &handovers) {
  SmallVector<Region *, 3> stages = op.getStages();
  SmallVector<int64_t, 3> distances = op.getDistances();
  SmallVector<Part> parts;
  auto addWhole = [&](unsigned stage) {
    Part &part = parts.emplace_back();
    part.stage = stage;
    part.distance = distances[stage];
    if (stage < handovers.size())
      llvm::append_range(part.values,
                         llvm::seq<unsigned>(0, handovers[stage].size()));
  };
  auto shallExtend = [&](const Handover &handover) {
    return handover.ahead > distances.front();
  };
  if (stages.size() != 2 || llvm::none_of(handovers.front(), shallExtend)) {
    for (unsigned stage = 0; stage < stages.size(); ++stage)
      addWhole(stage);
    return parts;
  }

  // Values are tied by the ops that must not be repeated.
  SmallVector<OpSet> slices;
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseMap<Operation *, unsigned> owners;
  for (auto [index, value] : llvm::enumerate(op.getYielded(0))) {
    collectSlice(value, *stages.front(), slices.emplace_back());
    classes.insert(index);
    for (Operation *each : slices.back())
      if (!isPure(each)) {
        auto [owner, isFirst] = owners.try_emplace(each, index);
        if (!isFirst)
          classes.unionSets(owner->second, index);
      }
  }
  llvm::MapVector<unsigned, Part> byLeader;
  for (auto [index, handover] : llvm::enumerate(handovers.front())) {
    Part &part = byLeader[classes.getLeaderValue(index)];
    part.distance =
        std::max({part.distance, distances.front(), handover.ahead});
    part.values.push_back(index);
    if (!part.ops)
      part.ops.emplace();
    part.ops->insert(slices[index].begin(), slices[index].end());
  }
  // Memory answers in order: what is taken sooner is loaded first, or its wait
  // is one for all that runs farther ahead.
  auto isSooner = [](const Part &a, const Part &b) {
    return a.distance < b.distance;
  };
  for (auto &[leader, part] : byLeader)
    parts.insert(llvm::upper_bound(parts, part, isSooner), std::move(part));
  addWhole(1);
  return parts;
}
