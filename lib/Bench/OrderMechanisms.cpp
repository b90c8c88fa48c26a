//===- OrderMechanisms.cpp - levers of order, occupancy and stores --------===//
#include "MechanismPairs.h"

using namespace fly;
using namespace fly::bench;
using gen::GemmOptions;

static GemmVariant hints(const GemmOptions &options, const char *how) {
  return with(options, [&](GemmOptions &o) { o.hotLoop = how; });
}

/// The ways of results to memory, and of registers that are not there.
static void addStorePairs(std::vector<MechanismPair> &pairs) {
  auto store = [](GemmOptions options, const char *how) {
    return with(std::move(options), [&](GemmOptions &o) { o.store = how; });
  };
  GemmOptions wide = makeGemm(arch::Chip::Gfx942, "bf16", "128x256x64");
  wide.out = "bf16";
  wide.ldsStages = "1";
  GemmOptions plain = wide;
  plain.acc = "plain";
  constexpr GemmShape shallow{4096, 4096, 256};
  pairs.push_back({"results row by row through LDS (cshuffle)",
                   "for tile_n from 128: direct stores of 2 bytes coalesce "
                   "badly",
                   true, shallow, store(plain, "direct"),
                   store(plain, "cshuffle")});
  pairs.push_back({"cshuffle against direct stores of 8 bytes",
                   "nothing: published kernels have no transposed accumulators",
                   false, shallow, store(wide, "direct"),
                   store(wide, "cshuffle")});
  GemmOptions fat = makeGemm(arch::Chip::Gfx950, "bf16", "256x256x64");
  fat.waves = "2x2";
  pairs.push_back({"no spills against 36 in the loop", "a severe regression",
                   true, GemmShape{2048, 2048, 1024},
                   withSchedule(fat, {"codegen=vgpr_hints"}),
                   withSchedule(fat, {"codegen=vgpr"})});
}

void fly::bench::addOrderPairs(std::vector<MechanismPair> &pairs) {
  constexpr arch::Chip mi300 = arch::Chip::Gfx942, mi350 = arch::Chip::Gfx950;
  GemmOptions small = makeGemm(mi300, "bf16", "64x64x64");
  small.ldsStages = "1";
  GemmOptions fat = makeGemm(mi350, "fp8", "128x256x128");
  fat.async = true;
  GemmOptions fatPreshuffled = makePreshuffled(fat);
  constexpr GemmShape large{8192, 8192, 2048};
  pairs.push_back({"hints, small tile", "little", false,
                   GemmShape{512, 512, 1024}, hints(small, "off"),
                   hints(small, "on")});
  pairs.push_back({"hints, fat tile with copies past the registers",
                   "+8 to 10 %", true, large, hints(fat, "off"),
                   hints(fat, "on")});
  // Its sign is that of which loads of B the code generator leaves behind the
  // matrix instructions that free their registers: -1 to 6 %.
  pairs.push_back({"hints, the same with B straight to registers",
                   "+8 to 10 % for the guide's kernel", false, large,
                   hints(fatPreshuffled, "off"), hints(fatPreshuffled, "on")});
  GemmVariant alone = asIs(small);
  alone.unusedLdsBytes = 24 << 10;
  GemmVariant both = asIs(small);
  both.unusedLdsBytes = 16 << 10;
  pairs.push_back({"two workgroups a unit against one",
                   "waits of one hide in the other", true,
                   GemmShape{2048, 1536, 512}, alone, both});
  addStorePairs(pairs);
  // 76 rows of 57 tiles: dealt out in turn, the 32 tiles of a die in a round
  // have 5 rows and 32 columns; walked in groups of 8 rows, 8 and 4 or 5. With
  // the stores that is 33 and 72 % of all requests.
  GemmOptions wide = makeGemm(mi350, "bf16", "192x256x64");
  pairs.push_back({"workgroups by XCD, in groups of 8 rows",
                   "contiguous tiles on a die raise its hit rate [AMD]; by "
                   "counting rows and columns of tiles 33 to 72 %",
                   true, GemmShape{14592, 14592, 2048},
                   withSchedule(wide, {"grid.xcd=off"}),
                   withSchedule(wide, {"grid.xcd=on", "grid.order=grouped(8)"}),
                   Measure::L2Hits, 1});
}
