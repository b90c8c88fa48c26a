//===- GemmConfigurations.cpp - The tuning guide's GEMMs by name ----------===//
//
// All have the guide's form: B preshuffled and straight to registers, A through
// two buffers of LDS, waves side by side along N.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/GemmChoice.h"

using namespace fly::gen;
using llvm::StringRef;

static constexpr GemmConfiguration kConfigurations[] = {
    {"small-batch", "M up to 32, bound by memory", "16x64x256", "", "", false},
    {"small-batch-wide", "M up to 32, more columns and longer rows",
     "16x128x512", "", "", false},
    {"medium", "balanced", "64x256x128", "", "", false},
    {"large", "M from 4096, bound by the matrix units", "128x256x128", "", "",
     true},
    {"fp4", "MX fp4, gfx950", "64x256x256", "fp4", "mx", false},
    {"fp4-small", "MX fp4, gfx950, fewer rows", "32x128x256", "fp4", "mx",
     false},
};

llvm::ArrayRef<GemmConfiguration> fly::gen::listGemmConfigurations() {
  return kConfigurations;
}

static void complete(std::string &option, StringRef value) {
  if (option.empty())
    option = value.str();
}

llvm::Error fly::gen::applyGemmConfiguration(GemmOptions &options) {
  std::string known;
  for (const GemmConfiguration &each : kConfigurations) {
    known += (known.empty() ? "" : ", ") + each.name.str();
    if (options.config != each.name)
      continue;
    complete(options.tile, each.tile);
    complete(options.in, each.in);
    complete(options.scales, each.scales);
    complete(options.bLayout, "preshuffle");
    complete(options.waves, "1x4");
    complete(options.ldsStages, "2");
    options.async |= each.async;
    return llvm::Error::success();
  }
  return llvm::createStringError("--config=" + options.config +
                                 ": unknown, expected one of: " + known);
}
