//===- TileProgram.h - Random programs on tiles -----------------*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_TILEPROGRAM_H
#define FLY_TEST_SWEEP_TILEPROGRAM_H

#include <cstdint>
#include <string>

namespace fly::sweep {

/// The text of a kernel that follows from `seed` alone: loads, elementwise ops,
/// transposes, broadcasts, reductions, scans, code on what lanes hold and a
/// loop, on tiles of random extents, elements and waves, for one of both chips.
/// All extents stand in the text, so it runs without arguments.
std::string makeTileProgram(uint64_t seed);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_TILEPROGRAM_H
