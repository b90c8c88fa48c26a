//===- LdsAtomicProbes.cpp - lanes of LDS atomics on one address ----------===//
#include "llvm/Support/FormatVariadic.h"

#include "Probes.h"

using namespace fly;
using namespace fly::bench;
using arch::Chip;

/// Lanes count on `1 << shift` addresses side by side.
static llvm::Error probeAddressConflicts(ProbeBench &bench) {
  MicroShape shape;
  shape.ldsBytes = 256;
  for (unsigned addresses : {1u, 2u, 8u, 32u, 64u}) {
    auto kernel = MicroKernel::create(bench.chip,
                                      llvm::formatv(R"(
  v_mov_b32 v2, 1
  v_and_b32 v1, {0}, v0
  v_lshlrev_b32 v1, 2, v1
  ds_add_u32 v1, v2
  s_waitcnt lgkmcnt(0)
)",
                                                    addresses - 1)
                                          .str(),
                                      shape);
    if (!kernel)
      return kernel.takeError();
    auto timing = (*kernel)->run({});
    if (!timing)
      return timing.takeError();
    // Two phases of 32 lanes.
    double each = addresses < 32 ? 32.0 / addresses - 1 : 0;
    bench.add("conflict cycles on " + std::to_string(addresses) +
                  (addresses == 1 ? " address" : " addresses"),
              "cycles", Predicted::exactly(2 * each),
              double((*timing)->counters.ldsAddressConflict),
              "SQ_LDS_ADDR_CONFLICT");
  }
  return llvm::Error::success();
}

void fly::bench::addLdsAtomicProbes(Probes &probes) {
  probes.push_back({"LDS-ADDRESS-CONFLICTS",
                    {Chip::Gfx942, Chip::Gfx950},
                    probeAddressConflicts});
}
