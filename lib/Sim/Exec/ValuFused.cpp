//===- ValuFused.cpp - Fused multiply-add of whole registers --------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValuFused.h"

#include "VectorLevel.h"

using namespace fly;
using namespace fly::sim;

namespace {

FLY_INLINE void fuseLoop(const uint32_t *a, const uint32_t *b,
                         const uint32_t *c, uint32_t *out) {
  for (unsigned lane = 0; lane != waveLanes; ++lane)
    out[lane] = bitCast<uint32_t>(__builtin_fmaf(bitCast<float>(a[lane]),
                                                 bitCast<float>(b[lane]),
                                                 bitCast<float>(c[lane])));
}

void fuseGeneric(const uint32_t *a, const uint32_t *b, const uint32_t *c,
                 uint32_t *out) {
  fuseLoop(a, b, c, out);
}

FLY_TARGET_AVX2 void fuseAvx2(const uint32_t *a, const uint32_t *b,
                              const uint32_t *c, uint32_t *out) {
  fuseLoop(a, b, c, out);
}

using FuseFn = void (*)(const uint32_t *, const uint32_t *, const uint32_t *,
                        uint32_t *);

FuseFn selectFuse() {
  return hostVectorLevel() == VectorLevel::Generic ? fuseGeneric : fuseAvx2;
}

} // namespace

void fly::sim::fuseLanes32(const uint32_t *a, const uint32_t *b,
                           const uint32_t *c, uint32_t *out) {
  static const FuseFn fuse = selectFuse();
  fuse(a, b, c, out);
}
