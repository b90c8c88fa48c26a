//===- AddressSlice.h - arithmetic that only makes addresses ----*- C++ -*-===//
#ifndef FLY_LIB_SIM_TIMING_ADDRESSSLICE_H
#define FLY_LIB_SIM_TIMING_ADDRESSSLICE_H

#include "TimedInstruction.h"
#include "Trace.h"

namespace fly::sim {

/// For each executed instruction of a wave, whether it is vector or scalar
/// arithmetic whose results end in addresses of memory instructions and
/// nowhere else.
std::vector<bool> findAddressArithmetic(const TimedProgram &program,
                                        const WaveTrace &trace);

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_ADDRESSSLICE_H
