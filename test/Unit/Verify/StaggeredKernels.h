//===- StaggeredKernels.h - waves that are a barrier apart ------*- C++ -*-===//
//
// Hand-written kernels of 8 waves. In front of each body: v1 the work item's
// own dword, v2 that of the same lane 4 waves farther, v5 that of the next wave
// of the same four; s8 the wave, m0 the first byte of its 256. v0 is the
// work-item id.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_VERIFY_STAGGEREDKERNELS_H
#define FLY_TEST_UNIT_VERIFY_STAGGEREDKERNELS_H

#include "MarkedKernels.h"

namespace fly::test {

/// Waves from number 4 on pass a barrier more, then the others.
extern const char *const partWaves, *const joinWaves;

/// Compares the order of LDS with the marks of bodies between the two.
void expectStaggered(const std::vector<MarkedKernel> &kernels);

/// Of kernels of one object, since assembling takes longest.
std::vector<verify::KernelVerdict>
verdictsOfStaggered(const std::vector<std::string> &bodies);

} // namespace fly::test

#endif // FLY_TEST_UNIT_VERIFY_STAGGEREDKERNELS_H
