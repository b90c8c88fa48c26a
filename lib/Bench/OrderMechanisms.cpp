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
  // The published kernels' accumulators are plain: a lane holds rows.
  pairs.push_back({"results row by row through LDS (cshuffle)",
                   helps("for tile_n from 128: direct stores of 2 bytes "
                         "coalesce badly"),
                   shallow, store(plain, "direct"), store(plain, "cshuffle")});
  pairs.push_back({"cshuffle against direct stores of 8 bytes",
                   unknown("published kernels have no transposed accumulators"),
                   shallow, store(wide, "direct"), store(wide, "cshuffle")});
  GemmOptions fat = makeGemm(arch::Chip::Gfx950, "bf16", "256x256x64");
  fat.waves = "2x2";
  pairs.push_back(
      {"no spills, against a form of code generation that spills in "
       "the loop",
       helps("a severe regression; 44 spills less, and their addresses, were "
             "26 % of another tile"),
       GemmShape{2048, 2048, 1024},
       withSchedule(fat, {"codegen=vgpr_hints", "kloop.hot_loop=on"}),
       withSchedule(fat, {"codegen=vgpr_ilp", "kloop.hot_loop=on"})});
}

/// Of the published fat tile of fp8.
static void addFatPairs(std::vector<MechanismPair> &pairs) {
  GemmOptions fat = makeGemm(arch::Chip::Gfx950, "fp8", "128x256x128");
  fat.async = true;
  GemmOptions fatPreshuffled = makePreshuffled(fat);
  constexpr GemmShape large{8192, 8192, 2048};
  pairs.push_back({"hints, fat tile with copies past the registers",
                   helpsBy(0.08, 0.10, "the tuning guide, of this kernel"),
                   large, hints(fatPreshuffled, "off"),
                   hints(fatPreshuffled, "on")});
  pairs.push_back({"hints, the same with B through LDS",
                   unknown("a kernel that nobody has published"), large,
                   hints(fat, "off"), hints(fat, "on")});
  pairs.push_back({"B preshuffled and straight to registers",
                   helps("all published fat tiles have it"), large,
                   hints(fat, "on"), hints(fatPreshuffled, "on")});
}

void fly::bench::addOrderPairs(std::vector<MechanismPair> &pairs) {
  GemmOptions small = makeGemm(arch::Chip::Gfx942, "bf16", "64x64x64");
  small.ldsStages = "1";
  pairs.push_back({"hints, small tile",
                   unknown("the guide: off is faster for some small tiles"),
                   GemmShape{512, 512, 1024}, hints(small, "off"),
                   hints(small, "on")});
  addFatPairs(pairs);
  GemmVariant alone = asIs(small);
  alone.unusedLdsBytes = 24 << 10;
  GemmVariant both = asIs(small);
  both.unusedLdsBytes = 16 << 10;
  pairs.push_back({"two workgroups a unit against one",
                   helps("waits of one hide in the other"),
                   GemmShape{2048, 1536, 512}, alone, both});
  addStorePairs(pairs);
}
