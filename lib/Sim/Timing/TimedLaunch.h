//===- TimedLaunch.h - the time of a launch on a chip -----------*- C++ -*-===//
//
// What problem: a chip has hundreds of compute units and a launch thousands of
// workgroups; replaying all of them costs more than executing them.
// What idea: one compute unit of each XCD is replayed with the workgroups that
// it gets, for a number of rounds; the blocks of memory that the others touch
// in these rounds go through the caches; what comes later takes as long as the
// last round that was replayed. The result says so.
// What it leaves out: the dispatcher deals workgroups out in turn, whoever is
// ready first.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_TIMEDLAUNCH_H
#define FLY_LIB_SIM_TIMING_TIMEDLAUNCH_H

#include "fly/Arch/Occupancy.h"

#include "CacheLevels.h"
#include "ComputeUnit.h"

namespace fly::sim {

class TimedLaunch {
public:
  /// Prepares the recording of `launch`. Fails for chips without figures.
  static llvm::Expected<std::unique_ptr<TimedLaunch>>
  create(const LaunchState &launch, const TimingOptions &options);

  LaunchTrace &trace() { return *traces; }
  /// After the launch: replays what was recorded.
  TimingResult finish();

private:
  TimedLaunch(const LaunchState &launch, const TimingOptions &options,
              Machine machine, const arch::Occupancy &occupancy);
  /// Workgroups of the compute unit in detail of an XCD, in its order.
  std::vector<uint64_t> detailOf(unsigned xcd) const;
  /// What the launch finds in the caches.
  WarmCaches warmCaches() const;
  /// Replays workgroups of the unit in detail of an XCD; keeps up to `events`
  /// events, if any.
  UnitResult replay(unsigned xcd, llvm::ArrayRef<uint64_t> workgroups,
                    std::optional<FreeResource> free,
                    std::optional<uint64_t> events = std::nullopt) const;
  /// Cycles of all workgroups of the unit, of which some were replayed.
  uint64_t extrapolate(unsigned xcd, const UnitResult &unit,
                       std::optional<FreeResource> free) const;
  void addUnit(unsigned xcd, UnitResult &&unit, TimingResult &result) const;
  /// Adds up what is of the whole launch.
  void addLaunch(TimingResult &result) const;
  void describe(TimingResult &result) const;
  void describeSample(TimingResult &result) const;
  void describeWarmCaches(TimingResult &result) const;
  void addAssumptions(TimingResult &result) const;

  const LaunchState &launch;
  const TimingOptions options;
  const Machine machine;
  const arch::Occupancy occupancy;
  Placement placement;
  std::unique_ptr<LaunchTrace> traces;
  std::unique_ptr<CacheLevels> levels;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_TIMEDLAUNCH_H
