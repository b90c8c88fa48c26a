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

} // namespace fly::bench

#endif // FLY_LIB_BENCH_HARDWAREROWS_H
