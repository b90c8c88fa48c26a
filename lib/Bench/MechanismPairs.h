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
  const char *known = "";
  bool isGain = true;
  GemmShape shape;
  GemmVariant before, after;
  Measure measure = Measure::Cycles;
  unsigned rounds = 2;
};

/// Levers of the way from memory to LDS and from there to registers.
llvm::Error addLdsPairs(std::vector<MechanismPair> &pairs);
/// Levers of order, occupancy, stores and registers.
void addOrderPairs(std::vector<MechanismPair> &pairs);

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
