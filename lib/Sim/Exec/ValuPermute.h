//===- ValuPermute.h - Byte permutations by the host's own ------*- C++ -*-===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_EXEC_VALUPERMUTE_H
#define FLY_SIM_EXEC_VALUPERMUTE_H

#include "fly/Sim/WaveState.h"

namespace fly::sim {

/// v_perm_b32 without modifiers, for hosts of a level. A compiler makes no byte
/// shuffle of the one-lane function.
void permBytesAvx2(const isa::Instruction &inst, WaveState &wave);
void permBytesAvx512(const isa::Instruction &inst, WaveState &wave);

} // namespace fly::sim

#endif // FLY_SIM_EXEC_VALUPERMUTE_H
