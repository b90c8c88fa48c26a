//===- Loop.h - benchmarks of one instruction in a loop ---------*- C++ -*-===//
#ifndef FLY_TEST_BENCHMARK_LOOP_H
#define FLY_TEST_BENCHMARK_LOOP_H

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/ArrayRef.h"

namespace fly::bench {

/// What a wave repeats. v1 are the lanes' byte addresses of 16 bytes each,
/// v4..v11 their number in f32, v12 and v16..v31 free, v13 numbers from 0 to
/// 10, v14 and v15 the same as two f16 each, s4 the iterations that are left.
struct Loop {
  const char *name, *text;
  arch::Chip chip = arch::Chip::Gfx942;
  unsigned iterations = 2000;
  bool isTimed = false;
};

/// Makes a benchmark of each; `loops` stays.
bool registerLoops(llvm::ArrayRef<Loop> loops);

} // namespace fly::bench

#endif // FLY_TEST_BENCHMARK_LOOP_H
