//===- Forms.cpp - Orders of a stretch ------------------------------------===//
//
// Groups are positional, so they are made from the operations that the stretch
// holds, never more of a class than there is.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/MathExtras.h"

#include "Stretches.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// Matrix instructions that an LDS read should be ahead of its use: of 4 passes
/// they take the 46 cycles of a read (latency.ldsRead, lib/Arch) and one more.
static constexpr unsigned kReadLead = 4;

namespace {
/// Puts groups together, never more of a class than there is.
class GroupBuilder {
public:
  explicit GroupBuilder(const SchedCounts &counts) : left(counts) {}

  unsigned remaining(SchedClass schedClass) { return at(left, schedClass); }
  void take(SchedClass schedClass, unsigned count) {
    count = std::min(count, remaining(schedClass));
    if (!count)
      return;
    at(left, schedClass) -= count;
    if (!groups.empty() && groups.back().schedClass == schedClass)
      groups.back().count += count;
    else
      groups.push_back({schedClass, count});
  }
  /// Share `slot` of `slots` of `total` operations, evenly.
  void share(SchedClass schedClass, unsigned total, unsigned slot,
             unsigned slots) {
    take(schedClass,
         unsigned(llvm::divideCeil(uint64_t(slot + 1) * total, slots) -
                  llvm::divideCeil(uint64_t(slot) * total, slots)));
  }
  /// What is left, spread over the matrix instructions that are left.
  void finish() {
    SchedCounts rest = left;
    unsigned slots = std::max(remaining(SchedClass::Mfma), 1u);
    for (unsigned slot = 0; slot < slots; ++slot) {
      for (SchedClass each : {SchedClass::VmemRead, SchedClass::DsRead})
        share(each, at(rest, each), slot, slots);
      take(SchedClass::Mfma, 1);
      for (SchedClass each : {SchedClass::DsWrite, SchedClass::VmemWrite})
        share(each, at(rest, each), slot, slots);
    }
  }

  SmallVector<SchedGroup> groups;

private:
  SchedCounts left;
};

} // namespace

SmallVector<SchedGroup> hotloop::spread(const Stretch &stretch,
                                        unsigned loadSlots) {
  SchedCounts counts = stretch.counts;
  GroupBuilder builder(counts);
  unsigned mfmas = at(counts, SchedClass::Mfma);
  unsigned loads = at(counts, SchedClass::VmemRead);
  unsigned writes = at(counts, SchedClass::DsWrite);
  // Writes go to the tail, one a matrix instruction where they fit.
  unsigned tail = std::min(writes, mfmas);
  ArrayRef<Stretch::Step> steps = stretch.steps;
  // Short steps are read several ahead.
  size_t lead =
      llvm::divideCeil(kReadLead, std::max<uint64_t>(mfmas / steps.size(), 1));
  for (const Stretch::Step &step : steps.take_front(lead))
    builder.take(SchedClass::DsRead, step.reads);
  unsigned done = 0;
  for (auto [index, step] : llvm::enumerate(steps)) {
    unsigned ahead =
        index + lead < steps.size() ? steps[index + lead].reads : 0;
    for (unsigned slot = 0; slot < step.mfmas; ++slot, ++done) {
      if (!loadSlots)
        builder.take(SchedClass::VmemRead,
                     unsigned(llvm::divideCeil(loads, mfmas)));
      else if (done < loadSlots)
        builder.share(SchedClass::VmemRead, loads, done, loadSlots);
      builder.take(SchedClass::Mfma, 1);
      builder.share(SchedClass::DsRead, ahead, slot, step.mfmas);
      if (done + tail >= mfmas)
        builder.share(SchedClass::DsWrite, writes, done + tail - mfmas, tail);
    }
  }
  builder.finish();
  return std::move(builder.groups);
}

SmallVector<SchedGroup> hotloop::guide(const Stretch &stretch) {
  SchedCounts counts = stretch.counts;
  GroupBuilder builder(counts);
  builder.take(SchedClass::DsRead, 2);
  builder.take(SchedClass::Mfma, 1);
  builder.take(SchedClass::Mfma, 1);
  unsigned group = std::max(stretch.group, 1u);
  unsigned rounds =
      unsigned(llvm::divideCeil(at(counts, SchedClass::Mfma), 2 * group));
  unsigned writes = at(counts, SchedClass::DsWrite);
  unsigned first = rounds > writes + 2 ? rounds - writes - 2 : 0;
  for (unsigned round = 0; round < rounds; ++round) {
    builder.take(SchedClass::VmemRead, 1);
    builder.take(SchedClass::Mfma, group);
    builder.take(SchedClass::DsRead, 1);
    builder.take(SchedClass::Mfma, group);
    if (round + 1 >= first)
      builder.take(SchedClass::DsWrite, 1);
  }
  builder.finish();
  return std::move(builder.groups);
}
