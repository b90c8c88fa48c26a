//===- MechanismPairs.h - pairs of kernels that differ in a lever -*- C++ -*-=//
#ifndef FLY_LIB_BENCH_MECHANISMPAIRS_H
#define FLY_LIB_BENCH_MECHANISMPAIRS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Bench/Mechanisms.h"

#include "TimedGemm.h"

namespace fly::bench {

/// Two kernels, and what is known of the second against the first.
struct MechanismPair {
  const char *name = "";
  KnownGain known;
  GemmShape shape;
  GemmVariant before, after;
  Measure measure = Measure::Cycles;
  unsigned rounds = 2;
};

/// What is said of a lever, without and with a size.
inline KnownGain helps(const char *text) {
  return {KnownGain::Sign::Helps, 0, 0, text};
}
inline KnownGain helpsBy(double low, double high, const char *text) {
  return {KnownGain::Sign::Helps, low, high, text};
}
inline KnownGain hurtsBy(double low, double high, const char *text) {
  return {KnownGain::Sign::Hurts, low, high, text};
}
inline KnownGain unknown(const char *text) {
  return {KnownGain::Sign::Unknown, 0, 0, text};
}

/// 8 x 8 tiles of 128x128, whose operands any L2 holds.
inline constexpr GemmShape smallCube{1024, 1024, 1024};
/// A workgroup of 128x128 for each unit of an MI300X, whose operands no L2 of
/// it holds: the rows of A alone have 5 MB.
inline constexpr GemmShape fillsChip{2432, 2048, 1024};

/// Levers of the way from memory to LDS and from there to registers.
llvm::Error addLdsPairs(std::vector<MechanismPair> &pairs);
/// Levers of order, occupancy, stores and registers.
void addOrderPairs(std::vector<MechanismPair> &pairs);
/// Orders of workgroups over the XCDs.
void addGridPairs(std::vector<MechanismPair> &pairs);

/// A GEMM of the two chips that are timed, B plain; sizes are multiples of 16.
gen::GemmOptions makeGemm(arch::Chip chip, const char *in, const char *tile);
/// `options` with two buffers of LDS, B preshuffled and straight to registers,
/// and waves side by side along N: the form of the published kernels.
gen::GemmOptions makePreshuffled(gen::GemmOptions options);
/// A variant of `options`, changed.
GemmVariant with(gen::GemmOptions options,
                 llvm::function_ref<void(gen::GemmOptions &)> change);
/// A variant of `options` with these entries in its schedule.
GemmVariant withSchedule(gen::GemmOptions options,
                         std::vector<std::string> schedule);
inline GemmVariant asIs(gen::GemmOptions options) {
  return withSchedule(std::move(options), {});
}

} // namespace fly::bench

#endif // FLY_LIB_BENCH_MECHANISMPAIRS_H
