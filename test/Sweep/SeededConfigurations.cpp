//===- SeededConfigurations.cpp - Combinations of levers at random --------===//
//
// A group is a product: chip, types, instruction, epilogue, problem. Its
// members are schedules of it, each lever drawn alone; draws that a rule
// forbids are drawn again. Sizes favour those that are no multiple of a vector,
// views those with gaps between rows.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"

#include "llvm/Support/MathExtras.h"

#include <random>

#include "Configurations.h"

using namespace fly;
using namespace fly::sweep;

namespace {
/// Draws that are the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  int64_t below(int64_t bound) { return int64_t(engine() % uint64_t(bound)); }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T, size_t N>
  T pick(const T (&from)[N]) {
    return from[below(N)];
  }

private:
  std::mt19937_64 engine;
};
} // namespace

/// Extents of a problem: a third exact multiples of vectors, the others not.
static int64_t drawExtent(Random &random, int64_t most) {
  int64_t extent = 1 + random.below(most);
  return random.chance(35) ? int64_t(llvm::alignTo(extent, 16)) : extent;
}

static Configuration drawProduct(Random &random) {
  constexpr const char *chips[] = {"gfx942", "gfx950"};
  constexpr const char *types[] = {"bf16", "f16"};
  constexpr const char *outputs[] = {"f32", "bf16", "f16"};
  constexpr const char *epilogues[] = {"none",      "none",      "bias",
                                       "bias_relu", "bias_silu", "bias_gelu"};
  constexpr int64_t instructions[] = {16, 16, 32};
  constexpr int64_t gaps[] = {0, 0, 1, 3, 8, 16};
  Configuration c;
  c.chip = random.pick(chips);
  c.in = random.pick(types);
  c.out = random.pick(outputs);
  c.epilogue = random.pick(epilogues);
  c.mfma = random.pick(instructions);
  c.m = drawExtent(random, 150);
  c.n = drawExtent(random, 280);
  c.k = drawExtent(random, 400);
  c.gap = random.pick(gaps);
  c.declared = random.chance(50);
  c.comparesBits = true;
  return c;
}

/// The schedule of one member.
static void drawSchedule(Random &random, Configuration &c) {
  constexpr int64_t rows[] = {16, 32, 48, 64, 112, 128, 256};
  constexpr int64_t columns[] = {32, 64, 128, 256};
  constexpr int64_t depths[] = {32, 64, 64, 96, 128, 256};
  constexpr int64_t waves[] = {1, 2, 4, 8};
  constexpr const char *swizzles[] = {"auto", "xor", "pad", "none"};
  constexpr const char *orders[] = {"", "plain", "transposed"};
  constexpr const char *hints[] = {"auto", "off"};
  constexpr const char *stores[] = {"auto", "direct", "cshuffle"};
  constexpr const char *walks[] = {"",
                                   "grid.order=m_fastest",
                                   "grid.order=grouped(3)",
                                   "grid={order=grouped(2),xcd=on}",
                                   "grid.order=longest_first",
                                   "grid={xcd=by(1),persistent=3}",
                                   "grid.persistent=2",
                                   "a.first_pack=carried,b.first_pack=carried"};
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  bool isLegal = false;
  while (!isLegal) {
    c.tileM = random.pick(rows);
    c.tileN = random.pick(columns);
    c.tileK = random.pick(depths);
    c.wavesM = random.pick(waves);
    c.wavesN = random.pick(waves);
    c.stages = 1 + random.below(4);
    int64_t lanes = 64 * c.wavesM * c.wavesN;
    isLegal = lanes >= 128 && lanes <= 512 &&
              c.tileM % (c.wavesM * c.mfma) == 0 &&
              c.tileN % (c.wavesN * c.mfma) == 0 &&
              c.tileM * c.tileN / lanes <= 128 && c.ldsBytes() <= limit;
  }
  c.levers.swizzle = random.pick(swizzles);
  if (c.levers.swizzle == "xor" && !llvm::isPowerOf2_64(c.tileK))
    c.levers.swizzle = "auto";
  c.levers.async = random.chance(40);
  if (c.levers.async && c.levers.swizzle == "pad")
    c.levers.swizzle = "auto";
  c.levers.acc = random.pick(orders);
  c.levers.hotLoop = random.pick(hints);
  c.levers.store = random.pick(stores);
  // A tile changes lanes as a whole.
  if (c.levers.store == "cshuffle" &&
      c.tileM * c.tileN * (c.out == "f32" ? 4 : 2) > limit)
    c.levers.store = "auto";
  c.overrides = random.pick(walks);
}

std::vector<Configuration> fly::sweep::listSeeded(unsigned groups,
                                                  unsigned perGroup) {
  std::vector<Configuration> all;
  for (unsigned group = 0; group < groups; ++group) {
    Random random(group);
    Configuration product = drawProduct(random);
    for (unsigned i = 0; i < perGroup; ++i) {
      all.push_back(product);
      drawSchedule(random, all.back());
    }
  }
  return all;
}
