//===- Turns.cpp - Whether two groups of waves gain by turns --------------===//
//
// A copy past the registers is waited for at the end of the memory cluster
// before the one that reads it (fly-insert-waits: two barriers ahead of its
// reader), which may be its own: the other group multiplies meanwhile. A load
// to registers is waited for where its value is used; what goes into the next
// round is used there.
//
//===----------------------------------------------------------------------===//
#include "Turns.h"

#include "fly/Arch/Wave.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "../InsertWaits/LdsPlaces.h"
#include "Stretches.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// Cycles of a turn's matrix instructions, on average, below which barriers
/// cost more than what they hide: turns of 128 cycles came to 3224 a K tile
/// where waves in step came to 2909 (docs/Rationale/Turns.md).
static constexpr unsigned kLeastTurn = 256;

/// Cycles that the LDS ports need for one wave's access of so many bytes a
/// lane, where a wave of each SIMD makes it.
static unsigned getPortCycles(Value value, unsigned portBytes,
                              unsigned wavesAPort) {
  auto vector = dyn_cast<VectorType>(value.getType());
  uint64_t bits = getElementTypeOrSelf(value).getIntOrFloatBitWidth() *
                  uint64_t(vector ? vector.getNumElements() : 1);
  uint64_t bytes = arch::waveLanes * llvm::divideCeil(bits, 8);
  return unsigned(wavesAPort * llvm::divideCeil(bytes, portBytes));
}

static unsigned getLdsCycles(const Cluster &cluster,
                             const arch::ArchInfo &chip) {
  unsigned wavesAPort = *chip.simdsPerCu / *chip.lds.ports, cycles = 0;
  for (Operation *op : cluster.ops)
    op->walk([&](Operation *inner) {
      if (inner->getNumRegions() || waits::leavesLdsAlone(inner))
        return;
      if (isa<ReadOp, ReadTransposedOp>(inner))
        cycles += getPortCycles(inner->getResult(0), *chip.lds.portReadBytes,
                                wavesAPort);
      else if (auto write = dyn_cast<WriteOp>(inner))
        cycles += getPortCycles(write.getValue(), *chip.lds.portWriteBytes,
                                wavesAPort);
    });
  return cycles;
}

namespace {
/// Where values and copies of a round are waited for.
class Waits {
public:
  Waits(scf::ForOp loop, const Clusters &clusters)
      : loop(loop), clusters(clusters) {
    for (auto [index, cluster] : llvm::enumerate(clusters.all))
      for (Operation *op : cluster.ops)
        op->walk([&, index = index](Operation *inner) {
          clusterOf[inner] = unsigned(index);
        });
  }

  /// The least cycles of both groups between an access and its wait.
  std::optional<unsigned> findLeast() const {
    std::optional<unsigned> least;
    for (const auto &[op, cluster] : clusterOf) {
      std::optional<unsigned> until;
      unsigned meanwhile = 0;
      if (waits::copiesToLds(op)) {
        until = findWaitOfCopy(op, cluster);
        if (until)
          meanwhile = getCyclesBeside(*until);
      } else if (auto read = dyn_cast<ReadOp>(op);
                 read && !read.getView().getType().getInLds()) {
        until = findUse(read.getResult(), cluster);
      }
      if (until)
        least = std::min(least.value_or(~0u),
                         countCycles(cluster, *until) + meanwhile);
    }
    return least;
  }

private:
  unsigned size() const { return unsigned(clusters.all.size()); }

  /// Of the matrix clusters between `from` and `to`, which is counted on into
  /// the next round, for both groups.
  unsigned countCycles(unsigned from, unsigned to) const {
    unsigned cycles = 0;
    for (unsigned i = from + 1; i < to; ++i)
      cycles += 2 * clusters.all[i % size()].cycles;
    return cycles;
  }

  /// Of the matrix cluster that the other group is at during memory cluster
  /// `at`: the one before it or the one behind it.
  unsigned getCyclesBeside(unsigned at) const {
    return std::min(clusters.all[(at + size() - 1) % size()].cycles,
                    clusters.all[(at + 1) % size()].cycles);
  }

  /// The memory cluster at whose end a copy is waited for.
  std::optional<unsigned> findWaitOfCopy(Operation *copy, unsigned from) const {
    waits::LdsPlaces written = waits::getAccessed(copy);
    unsigned before = from; // The last memory cluster that was seen.
    for (unsigned i = from + 1; i < from + 1 + 2 * size(); ++i) {
      const Cluster &cluster = clusters.all[i % size()];
      if (cluster.isMatrix)
        continue;
      for (Operation *op : cluster.ops)
        if (isa<ReadOp, ReadTransposedOp>(op) && !waits::leavesLdsAlone(op) &&
            meet(written, waits::getAccessed(op)))
          return before;
      before = i;
    }
    return std::nullopt;
  }

  static bool meet(const waits::LdsPlaces &a, const waits::LdsPlaces &b) {
    return a.anywhere || b.anywhere ||
           llvm::any_of(a.places,
                        [&](Attribute place) { return b.meets(place); });
  }

  /// The cluster that first uses a value.
  std::optional<unsigned> findUse(Value value, unsigned from) const {
    std::optional<unsigned> first;
    auto take = [&](Value of, unsigned round) {
      for (Operation *user : of.getUsers())
        if (auto it = clusterOf.find(user); it != clusterOf.end())
          if (unsigned at = it->second + round * size(); at >= from)
            first = std::min(first.value_or(~0u), at);
    };
    take(value, 0);
    scf::ForOp loop = this->loop;
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [index, operand] : llvm::enumerate(yield->getOperands()))
      if (operand == value)
        take(loop.getRegionIterArg(unsigned(index)), 1);
    return first;
  }

  scf::ForOp loop;
  const Clusters &clusters;
  llvm::DenseMap<Operation *, unsigned> clusterOf;
};
} // namespace

std::optional<TurnCost> hotloop::weighTurns(scf::ForOp loop,
                                            const Clusters &clusters,
                                            const arch::ArchInfo &chip) {
  if (!chip.simdsPerCu || !chip.lds.ports || !chip.lds.portReadBytes ||
      !chip.lds.portWriteBytes || !chip.latency.hbm || !chip.issue.mfmaPass)
    return std::nullopt;
  TurnCost cost;
  for (const Cluster &cluster : clusters.all) {
    cost.turns += cluster.mfmas != 0;
    cost.matrix += cluster.cycles;
    cost.lds += getLdsCycles(cluster, chip);
  }
  cost.hidden = Waits(loop, clusters).findLeast();
  return cost;
}

std::string hotloop::describe(const TurnCost &cost) {
  std::string text = llvm::formatv(
      "a wave has {0} cycles of matrix instructions in {1} turn{2}, its group "
      "{3} of LDS accesses",
      cost.matrix, cost.turns, cost.turns == 1 ? "" : "s", cost.lds);
  if (cost.hidden)
    text += llvm::formatv("; {0} or more between an access of global memory "
                          "and the wait for it",
                          *cost.hidden);
  return text;
}

std::string hotloop::whyInStep(const TurnCost &cost,
                               const arch::ArchInfo &chip) {
  std::string why;
  if (cost.lds > cost.matrix)
    why = "LDS takes longer than what is multiplied meanwhile";
  else if (cost.matrix < cost.turns * kLeastTurn)
    why = llvm::formatv("turns of less than {0} cycles cost more at barriers "
                        "than they hide",
                        kLeastTurn);
  else if (cost.hidden && *cost.hidden < *chip.latency.hbm)
    why = llvm::formatv("memory may take {0} cycles", *chip.latency.hbm);
  return why.empty() ? why : why + ": " + describe(cost);
}
