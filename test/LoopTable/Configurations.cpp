//===- Configurations.cpp - Which loops the table is about ----------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Gen/GemmChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include "Rows.h"

using namespace fly;
using namespace fly::looptable;

std::string Configuration::name() const {
  return llvm::formatv("{0} {1} {2}x{3}x{4} waves {5}x{6} B {7} {8}{9}", chip,
                       type, tile[0], tile[1], tile[2], waves[0], waves[1],
                       isPreshuffled ? "preshuffled" : "plain",
                       isBound ? "bound" : "free",
                       copy.empty() ? "" : " " + copy);
}

int64_t Configuration::ldsBytes() const {
  int64_t bits = type == "fp4" ? 4 : type == "bf16" || type == "f16" ? 16 : 8;
  return (tile[0] + (isPreshuffled ? 0 : tile[1])) * tile[2] * bits / 8;
}

/// Elements of K that share a scale, rows of a matrix instruction, and its lane
/// groups along K, of the MX formats.
static constexpr int64_t kScaleBlock = 32, kInstructionRows = 16,
                         kLaneGroups = 4;

int64_t Configuration::scaleBytes() const {
  return type == "fp4" ? tile[2] / kScaleBlock / kLaneGroups : 0;
}

int64_t Configuration::scaleReads() const {
  return (tile[0] / waves[0] + tile[1] / waves[1]) / kInstructionRows;
}

static std::array<int64_t, 3> parseTile(llvm::StringRef text) {
  std::array<int64_t, 3> tile = {0, 0, 0};
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, 'x');
  for (auto [size, part] : llvm::zip(tile, parts))
    part.getAsInteger(10, size);
  return tile;
}

std::vector<Configuration> fly::looptable::listConfigurations() {
  std::vector<Configuration> all;
  auto add = [&](Configuration base) {
    for (bool isPreshuffled : {false, true})
      for (bool isBound : {false, true}) {
        base.isPreshuffled = isPreshuffled;
        base.isBound = isBound;
        all.push_back(base);
      }
  };
  for (const char *chip : {"gfx942", "gfx950"}) {
    for (const gen::GemmConfiguration &each : gen::listGemmConfigurations()) {
      bool isNamedType = !each.in.empty();
      // The guide's fp4 tiles are for the chip that has the type.
      if (isNamedType && llvm::StringRef(chip) != "gfx950")
        continue;
      for (const char *type : {"bf16", "fp8", "i8"}) {
        Configuration base;
        base.chip = chip;
        base.type = isNamedType ? each.in.str() : type;
        base.tile = parseTile(each.tile);
        add(base);
        for (const char *copy : {"async", "sync"}) {
          base.copy = copy;
          if (each.async)
            add(base);
        }
        if (isNamedType)
          break;
      }
    }
    // The fat tile, with 128 and with 256 accumulators a lane.
    for (const char *type : {"bf16", "fp8", "i8"})
      for (int64_t waves : {4, 2}) {
        Configuration base;
        base.chip = chip;
        base.type = type;
        base.tile = {256, 256, 64};
        base.waves = {2, waves};
        add(base);
      }
    // Of Triton's.
    Configuration base;
    base.chip = chip;
    base.type = "fp8";
    base.tile = {128, 256, 64};
    add(base);
  }
  return all;
}
