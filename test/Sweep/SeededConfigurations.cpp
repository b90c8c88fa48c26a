//===- SeededConfigurations.cpp - Combinations of levers at random --------===//
//
// A group is a product: chip, types, scales, instruction, epilogue, problem,
// and whether and how workgroups share K. Its members are schedules of it and
// layouts of its memory, each lever drawn alone; draws that a rule forbids are
// drawn again. Sizes favour those that are no multiple of a vector, views those
// with gaps between rows.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"

#include "llvm/Support/MathExtras.h"

#include "SeededDraws.h"

using namespace fly;
using namespace fly::sweep;

/// Products, and schedules of each.
static constexpr unsigned kGroups = 320, kPerGroup = 8;
/// Where the seeds of draws of their own begin.
static constexpr unsigned kShortnessSeed = 10000, kFurtherSeed = 30000;

/// Extents of a problem: a third exact multiples of vectors, the others not.
static int64_t drawExtent(Random &random, int64_t most, int64_t vector) {
  int64_t extent = 1 + random.below(most);
  return random.chance(35) ? int64_t(llvm::alignTo(extent, vector)) : extent;
}

/// Types of the operands, and where and with which scales they are multiplied.
static void drawTypes(Random &random, Configuration &c) {
  struct Types {
    const char *in;
    const char *scales = "";
    const char *chip = nullptr;
  };
  constexpr Types kTypes[] = {
      {"bf16"},
      {"bf16"},
      {"f16"},
      {"f16"},
      {"bf16", "row_col"},
      {"fp8"},
      {"fp8"},
      {"bf8"},
      {"fp8,bf8"},
      {"bf8,fp8"},
      {"fp8", "row_col"},
      {"bf8,fp8", "row_col"},
      {"fp8", "block"},
      {"bf8", "block"},
      {"fp8,bf8", "block"},
      {"i8"},
      {"i8"},
      {"i8", "row_col"},
      {"f32"},
      {"f32"},
      {"xf32", "", "gfx942"},
      {"f64"},
      {"fp4", "mx", "gfx950"},
      {"fp4", "mx", "gfx950"},
      {"fp6", "mx", "gfx950"},
      {"bf6", "mx", "gfx950"},
      {"fp8", "mx", "gfx950"},
      {"fp8,fp4", "mx", "gfx950"},
      {"fp4,bf6", "mx", "gfx950"},
      {"fp6,bf8", "mx", "gfx950"},
      {"bf16,i4"},
      {"bf16,i4"},
      {"f16,i4"},
  };
  constexpr const char *chips[] = {"gfx942", "gfx950"};
  constexpr int64_t groups[] = {32, 64, 128};
  constexpr int64_t instructions[] = {16, 16, 32};
  const Types &types = random.pick(kTypes);
  c.in = types.in;
  c.levers.scales = types.scales;
  c.chip = types.chip ? types.chip : random.pick(chips);
  c.levers.group = random.pick(groups);
  // There is one instruction of f64.
  c.mfma = random.pick(instructions);
  if (c.in == "f64")
    c.mfma = 16;
}

static void drawEpilogue(Random &random, Configuration &c) {
  constexpr const char *floats[] = {"f32", "bf16", "f16"};
  constexpr const char *epilogues[] = {"none",      "none",      "bias",
                                       "bias_relu", "bias_silu", "bias_gelu"};
  c.out = random.pick(floats);
  c.epilogue = random.pick(epilogues);
  if (c.in == "f64") {
    c.out = "f64";
    c.epilogue = "none";
  }
  if (c.in == "i8" && c.levers.scales.empty() && c.epilogue == "none" &&
      random.chance(60))
    c.out = "i32";
}

/// How K is shared, in a quarter of the groups. Parts are whole tiles of K, and
/// workers share tiles of C, so these are the same for all members.
static void drawShare(Random &random, Configuration &c) {
  constexpr const char *parts[] = {"2", "3", "4", "7", "16"};
  constexpr const char *forms[] = {"", ":last", ":two-kernel", ":two-kernel",
                                   ":atomic"};
  constexpr const char *workers[] = {"1", "3", "5", "8", "13", "31"};
  constexpr int64_t rows[] = {32, 64};
  constexpr int64_t columns[] = {64, 128};
  if (!random.chance(25))
    return;
  if (random.chance(35)) {
    c.levers.streamK = random.pick(workers);
    c.tileM = random.pick(rows);
    c.tileN = c.levers.scales == "block" ? 128 : random.pick(columns);
    return;
  }
  c.levers.splitK = random.pick(parts);
  c.levers.splitK += random.pick(forms);
  if (!c.isAtomic())
    return;
  // Sums that round depend on who comes first.
  c.out = c.in == "f64" ? "f64" : c.in == "i8" ? "i32" : "f32";
  c.epilogue = "none";
  if (c.levers.scales == "row_col")
    c.levers.scales.clear();
  c.comparesBits = c.in == "i8";
}

static Configuration drawProduct(Random &random) {
  Configuration c;
  c.comparesBits = true;
  drawTypes(random, c);
  drawEpilogue(random, c);
  drawShare(random, c);
  c.m = drawExtent(random, 150, 16);
  c.n = drawExtent(random, 280, 16);
  c.k = drawExtent(random, 400, 1024 / std::min(c.bitsOfA(), c.bitsOfB()));
  // Rows are whole bytes.
  if (std::min(c.bitsOfA(), c.bitsOfB()) < 8)
    c.k = int64_t(llvm::alignTo(c.k, 4));
  return c;
}

/// Whether the rules of tiles allow the depth of the type.
static bool isLegalDepth(const Configuration &c) {
  if (c.levers.scales == "block")
    return c.tileK == 128;
  if (c.levers.scales == "mx")
    return c.tileK % (c.mfma == 32 ? 64 : 128) == 0;
  return c.scaleGroup() == 0 || c.tileK % c.scaleGroup() == 0;
}

static void drawDepth(Random &random, Configuration &c) {
  constexpr int64_t rowBytes[] = {64, 128, 128, 192, 256, 512};
  constexpr int64_t scaled[] = {64, 128, 128, 256, 384};
  do
    c.tileK = c.levers.scales == "mx" ? random.pick(scaled)
                                      : random.pick(rowBytes) * 8 / c.bitsOfA();
  while (!isLegalDepth(c));
}

/// Tile, waves and buffers of one member.
static void drawTile(Random &random, Configuration &c) {
  constexpr int64_t rows[] = {16, 32, 48, 64, 112, 128, 256};
  constexpr int64_t columns[] = {32, 64, 128, 256};
  constexpr int64_t waves[] = {1, 2, 4, 8};
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  bool isLegal = false;
  while (!isLegal) {
    if (c.levers.streamK.empty()) {
      c.tileM = random.pick(rows);
      c.tileN = random.pick(columns);
    }
    if (!c.isSplit())
      drawDepth(random, c);
    c.wavesM = random.pick(waves);
    c.wavesN = random.pick(waves);
    c.stages = 1 + random.below(4);
    int64_t lanes = 64 * c.wavesM * c.wavesN;
    isLegal = lanes >= 128 && lanes <= 512 &&
              c.tileM % (c.wavesM * c.mfma) == 0 &&
              c.tileN % (c.wavesN * c.mfma) == 0 &&
              (c.levers.scales != "block" || c.tileN % 128 == 0) &&
              c.accumulators() <= 128 && c.ldsBytes() <= limit;
  }
}

/// What memory holds, where the types and the problem allow it.
static void drawMemory(Random &random, Configuration &c) {
  constexpr const char *orders[] = {"nt", "nt", "nn", "tn", "tt"};
  constexpr int64_t gaps[] = {0, 0, 1, 3, 8, 16};
  c.gap = random.pick(gaps);
  c.declared = random.chance(50);
  bool isNarrow = std::min(c.bitsOfA(), c.bitsOfB()) < 8;
  if (isNarrow)
    c.gap = int64_t(llvm::alignTo(c.gap, 8));
  if (!isNarrow)
    c.levers.operands = random.pick(orders);
  bool isWhole = c.rowBytesOfB() % 64 == 0 && c.k % c.tileK == 0 &&
                 c.n % 16 == 0 && !c.isBTransposed();
  if (isWhole && random.chance(70))
    c.levers.bLayout = "preshuffle";
}

/// How the walk over the grid, the loop and its loads differ from the usual.
static void drawOverrides(Random &random, Configuration &c) {
  constexpr const char *walks[] = {
      "grid.order=m_fastest",           "grid.order=grouped(3)",
      "grid={order=grouped(2),xcd=on}", "grid.order=longest_first",
      "grid={xcd=by(1),persistent=3}",  "grid.persistent=2"};
  constexpr const char *loops[] = {"a.first_pack=carried,b.first_pack=carried",
                                   "kloop.unroll=2", "kloop.unroll=3"};
  constexpr const char *depths[] = {"b.depth=2", "b.depth=3"};
  constexpr const char *forms[] = {"vgpr",     "vgpr_ilp",   "agpr",
                                   "agpr_ilp", "vgpr_hints", "agpr_hints"};
  if (random.chance(15))
    c.levers.xcdSwizzle = true;
  // Workers of stream-K are a line.
  else if (c.levers.streamK.empty() && random.chance(50))
    c.overrides = random.pick(walks);
  // Trying all forms takes six times as long.
  if (random.chance(85))
    c.addOverride(std::string("codegen=") + random.pick(forms));
  if (c.isPreshuffled() && random.chance(40))
    c.addOverride(random.pick(depths));
  else if (!c.isPreshuffled() && !c.isWidened() && random.chance(25))
    c.addOverride(random.pick(loops));
}

/// The schedule of one member.
static void drawSchedule(Random &random, Configuration &c) {
  constexpr const char *swizzles[] = {"auto", "xor", "pad", "none"};
  constexpr const char *orders[] = {"", "plain", "transposed"};
  constexpr const char *hints[] = {"auto", "on", "off"};
  constexpr const char *turns[] = {"auto", "on", "off", "pingpong"};
  constexpr const char *stores[] = {"auto", "direct", "cshuffle"};
  drawTile(random, c);
  drawMemory(random, c);
  c.levers.swizzle = random.pick(swizzles);
  if (c.levers.swizzle == "xor" && !(llvm::isPowerOf2_64(c.rowBytesOfA()) &&
                                     llvm::isPowerOf2_64(c.rowBytesOfB())))
    c.levers.swizzle = "auto";
  c.levers.async = random.chance(40);
  if (c.levers.async && c.levers.swizzle == "pad")
    c.levers.swizzle = "auto";
  c.levers.acc = random.pick(orders);
  // Two waves a SIMD may take turns.
  c.levers.hotLoop =
      c.wavesM * c.wavesN == 8 ? random.pick(turns) : random.pick(hints);
  c.levers.store = random.pick(stores);
  // A tile changes lanes as a whole.
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  int64_t outBytes = c.out == "f64"                     ? 8
                     : c.out == "f32" || c.out == "i32" ? 4
                                                        : 2;
  if (c.isAtomic() ||
      (c.levers.store == "cshuffle" && c.tileM * c.tileN * outBytes > limit))
    c.levers.store = "auto";
  drawOverrides(random, c);
  // Behind all other draws, which stay what they are: operands of whole bytes
  // may be transposed beside narrow ones.
  if (c.bitsOfB() < 8 && c.bitsOfA() >= 8 && random.chance(40))
    c.levers.operands = "tt";
}

/// Real orders, turns also of numbers of waves that have none; by draws of its
/// own, so that all others stay what they are.
static void drawOrder(Random random, Configuration &c) {
  if (random.chance(12))
    c.levers.hotLoop = random.chance(75) ? "interleave" : "pingpong";
}

/// In a quarter of the groups K is a few tiles, so that loops have fewer rounds
/// than their buffers, or none behind the prologue.
static void drawShortness(Random random, Configuration &c) {
  if (!random.chance(25))
    return;
  c.k = 1 + c.k % 100;
  if (std::min(c.bitsOfA(), c.bitsOfB()) < 8)
    c.k = int64_t(llvm::alignTo(c.k, 4));
}

std::vector<Configuration> fly::sweep::listSeeded() {
  std::vector<Configuration> all;
  for (unsigned group = 0; group < kGroups; ++group) {
    Random random(group);
    Configuration product = drawProduct(random);
    drawShortness(Random(kShortnessSeed + group), product);
    if (product.isSplit())
      drawDepth(random, product);
    for (unsigned i = 0; i < kPerGroup; ++i) {
      all.push_back(product);
      drawSchedule(random, all.back());
      drawOrder(Random(kGroups + all.size()), all.back());
      drawFurther(Random(kFurtherSeed + all.size()), all.back());
    }
  }
  return all;
}
