//===- Machine.h - How a kernel fits the whole device -----------*- C++ -*-===//
//
// How a grid fills the compute units of a product, and whether its work is
// bound by matrix units or by memory. Figures of products come from their
// tables (fly/Arch/Products.h); caches are not modelled: every byte counts
// once.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PLAN_MACHINE_H
#define FLY_PLAN_MACHINE_H

#include "fly/Arch/Products.h"

#include <cstdint>
#include <optional>

namespace fly::plan {

/// Workgroups on the compute units of a product, in rounds of equal length.
struct Fill {
  uint64_t workgroups = 0;
  uint64_t computeUnits = 0;
  uint64_t slots = 0; ///< Workgroups that are resident at once.
  uint64_t rounds = 0;
  /// Workgroups of the last round; equal to `slots` where it is full.
  uint64_t lastRound = 0;

  /// Compute units that have work in the first round.
  uint64_t busy() const { return std::min(workgroups, computeUnits); }
  /// Share of all slots in all rounds that have a workgroup, 0 to 1.
  double share() const {
    return rounds ? double(workgroups) / double(rounds * slots) : 0;
  }
};

/// The fill by `workgroups`, of which a compute unit holds `perCu` at once;
/// nothing where the product's compute units are unknown.
std::optional<Fill> fillMachine(const arch::Product &product,
                                uint64_t workgroups, unsigned perCu);

/// Work against bytes.
struct Roofline {
  double flop = 0;  ///< Of the problem, without padding of tiles.
  double bytes = 0; ///< Every element of every argument once.
  double peakTeraOps = 0;
  double bandwidthGBs = 0;

  /// Operations a byte.
  double intensity() const { return flop / bytes; }
  /// The intensity at which memory and matrix units take as long.
  double crossover() const { return peakTeraOps * 1e3 / bandwidthGBs; }
  bool isComputeBound() const { return intensity() >= crossover(); }
  /// Microseconds that the work takes at the peaks, at least.
  double leastMicroseconds() const {
    return std::max(flop / (peakTeraOps * 1e6), bytes / (bandwidthGBs * 1e3));
  }
};

/// Nothing where the product's peak for these types or its bandwidth is
/// unknown, or without bytes.
std::optional<Roofline> makeRoofline(const arch::Product &product,
                                     arch::ElementType a, arch::ElementType b,
                                     double flop, double bytes);

/// Rows of a result up to which the tuning guide expects memory or latency to
/// bind; above, the matrix units. A rule of thumb beside the computed regime.
inline constexpr int64_t fewRows = 512;

} // namespace fly::plan

#endif // FLY_PLAN_MACHINE_H
