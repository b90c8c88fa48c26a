//===- MfmaAccumulator.cpp - Moves between VGPRs and AGPRs ----------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unlike the matrix instructions these are vector moves: EXEC masks them.
//
//===----------------------------------------------------------------------===//

#include "MfmaTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

void executeMove(const isa::Instruction &inst, WaveState &wave) {
  LaneBuffer buffer;
  wave.store(inst.dst[0], 0, wave.source(inst.src[0], 0, buffer));
}

constexpr MfmaRow kRows[] = {
    {"v_accvgpr_read_b32", executeMove},
    {"v_accvgpr_write_b32", executeMove},
    {"v_accvgpr_mov_b32", executeMove},
};

} // namespace

llvm::ArrayRef<MfmaRow> fly::sim::accumulatorRows() { return kRows; }
