//===- HardwareRows.h - groups of published figures -------------*- C++ -*-===//
#ifndef FLY_LIB_BENCH_HARDWAREROWS_H
#define FLY_LIB_BENCH_HARDWAREROWS_H

#include "fly/Bench/Hardware.h"

#include "MicroKernel.h"

namespace fly::bench {

using Rows = std::vector<HardwareRow>;

/// Lanes that conflict, and how often: LDS phases and banks.
llvm::Error addConflictRows(Rows &rows);
/// Throughput of LDS and of vector memory, 1 to 16 waves on 1 to 4 SIMDs.
llvm::Error addThroughputRows(Rows &rows);
/// Latencies by pointer chase, bandwidths of the whole chip.
llvm::Error addMemoryRows(Rows &rows);
/// Distances of single instructions.
llvm::Error addTraceRows(Rows &rows);

/// Cycles that a launch takes longer with `more` than with `less` as its first
/// argument: without what starting costs.
llvm::Expected<double> cyclesBetween(MicroKernel &kernel,
                                     MicroKernel::Launch launch, uint64_t less,
                                     uint64_t more);

/// Sixteen times the same access an iteration, by waves on chosen SIMDs of one
/// compute unit, without waits.
class AccessLoop {
public:
  /// `body` is one access of v3, the lane's offset of `bytes` a lane.
  static llvm::Expected<std::unique_ptr<AccessLoop>>
  create(arch::Chip chip, llvm::StringRef body, unsigned bytes);
  /// Cycles of the compute unit for an access of a wave, with `waves` on each
  /// SIMD of the mask `simds`.
  llvm::Expected<double> cyclesEach(unsigned simds, unsigned waves,
                                    unsigned less = 40, unsigned more = 80);

private:
  std::unique_ptr<MicroKernel> kernel;
  uint64_t buffer = 0;
};

/// A distance of the public instruction trace.
struct TraceDistance {
  const char *what;
  double low, high; ///< Published, of an MI350X.
  double model;
  const char *source;
  bool isInput; ///< A parameter of the model is this figure.
};
/// What the model gives for the distances of the trace on `chip`.
llvm::Expected<std::vector<TraceDistance>> traceDistances(arch::Chip chip);

} // namespace fly::bench

#endif // FLY_LIB_BENCH_HARDWAREROWS_H
