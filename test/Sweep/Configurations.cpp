//===- Configurations.cpp - The combinations of the GEMM sweep ------------===//
//
// Tiles, waves, matrix instructions, stages and chips in full; pairs of types,
// epilogues and problem shapes rotate over them, with periods that share no
// divisor, so that each meets each many times. Then
// come random combinations of all levers (SeededConfigurations.cpp). The order
// is fixed and a configuration's shape depends on its place alone, so a sweep
// can stop and go on, or be split.
//
//===----------------------------------------------------------------------===//
#include "Configurations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace fly;
using namespace fly::sweep;

/// Groups of random combinations, and schedules of each.
static constexpr unsigned kGroups = 256, kPerGroup = 8;
/// One of so many is a quick one.
static constexpr size_t kQuickStride = 29;

/// The levers that are not at their default: " swizzle xor acc plain".
static std::string describeLevers(const Configuration &c) {
  const gen::GemmOptions &levers = c.levers, none;
  struct {
    const char *name;
    llvm::StringRef value, usual;
  } words[] = {{"swizzle", levers.swizzle, none.swizzle},
               {"acc", levers.acc, none.acc},
               {"hot-loop", levers.hotLoop, none.hotLoop},
               {"store", levers.store, none.store},
               {"copy", levers.async ? "async" : "", ""},
               {"schedule", c.overrides, ""}};
  std::string text;
  for (auto [name, value, usual] : words)
    if (value != usual)
      text += llvm::formatv(" {0} {1}", name, value).str();
  return text;
}

std::string Configuration::name() const {
  return llvm::formatv("{0} {1}->{2} {3} tile {4}x{5}x{6} waves {7}x{8} mfma "
                       "{9} stages {10}{11} problem {12}x{13}x{14} gap "
                       "{15}{16}{17}",
                       chip, in, out, epilogue, tileM, tileN, tileK, wavesM,
                       wavesN, mfma, stages, describeLevers(*this), m, n, k,
                       gap, declared ? " declared" : "",
                       comparesBits ? " bits" : "")
      .str();
}

int64_t Configuration::ldsBytes() const {
  return stages * (tileM + tileN) * tileK * 2;
}

Configuration Configuration::plain() const {
  Configuration c = *this;
  c.tileM = c.tileN = c.tileK = 64;
  c.wavesM = c.wavesN = 2;
  c.stages = 1;
  c.levers.swizzle = "none";
  c.levers.async = false;
  c.levers.acc = "plain";
  c.levers.hotLoop = "off";
  c.levers.store = "direct";
  c.overrides.clear();
  return c;
}

/// The problem of the configuration with this number: exact tiles, tails in
/// each dimension alone and together, one row, one column, K below the tile,
/// few and many K tiles, gaps between rows that keep and that break alignment.
static void setProblem(Configuration &c, unsigned number) {
  struct Problem {
    int64_t m, n, k, gap;
    bool declared;
  };
  const Problem problems[] = {
      {c.tileM, c.tileN, 2 * c.tileK, 0, true},
      {c.tileM + 1, c.tileN + 8, c.tileK, 0, true},
      {c.tileM - 1, c.tileN - 3, c.tileK + 5, 0, false},
      {17, 40, 3 * c.tileK, 8, true},
      {1, 1, 1, 0, false},
      {2 * c.tileM - 5, 9, 4 * c.tileK + 8, 3, false},
      {c.tileM, 2 * c.tileN - 16, 5 * c.tileK, 16, true},
      {c.tileM + 3, c.tileN, c.tileK - 8, 8, true},
      {c.tileM, c.tileN, c.tileK - 7, 0, false},
      {1, c.tileN + 1, 2 * c.tileK + 16, 1, false},
      {c.tileM + 7, 1, 3 * c.tileK - 1, 5, false},
  };
  static_assert(std::size(problems) % 2 != 0 && std::size(problems) % 3 != 0 &&
                    std::size(problems) % 5 != 0,
                "problems meet all types and epilogues");
  const Problem &problem = problems[number % std::size(problems)];
  c.m = problem.m;
  c.n = problem.n;
  c.k = problem.k;
  c.gap = problem.gap;
  c.declared = problem.declared;
}

/// The types and the epilogue of the configuration with this number.
static void setTypes(Configuration &c, unsigned number) {
  constexpr std::pair<const char *, const char *> types[] = {
      {"bf16", "f32"}, {"bf16", "bf16"}, {"f16", "f16"},
      {"f16", "f32"},  {"bf16", "f16"},  {"f16", "bf16"}};
  constexpr const char *epilogues[] = {"none", "none", "bias", "none",
                                       "bias_relu"};
  std::tie(c.in, c.out) = types[number % std::size(types)];
  c.epilogue = epilogues[number % std::size(epilogues)];
}

/// More buffers, copies past the registers, ways to lay out LDS; every problem
/// has another number of K tiles.
static void addPipelines(std::vector<Configuration> &all, unsigned number) {
  struct Tile {
    int64_t m, n, k, wavesM, wavesN;
  };
  constexpr Tile tiles[] = {{64, 64, 64, 2, 2},  {32, 128, 32, 1, 4},
                            {128, 64, 64, 2, 4}, {64, 64, 96, 2, 2},
                            {48, 64, 128, 1, 4}, {128, 128, 64, 2, 2},
                            {64, 32, 256, 4, 1}};
  constexpr const char *swizzles[] = {"auto", "pad", "xor", "none"};
  for (const char *chip : {"gfx942", "gfx950"})
    for (const Tile &tile : tiles)
      for (int64_t stages : {1, 2, 3, 4, 6})
        for (bool async : {false, true})
          for (unsigned round = 0; round < 5; ++round) {
            Configuration c;
            c.chip = chip;
            c.tileM = tile.m;
            c.tileN = tile.n;
            c.tileK = tile.k;
            c.wavesM = tile.wavesM;
            c.wavesN = tile.wavesN;
            bool isWide = tile.m % (32 * tile.wavesM) == 0 &&
                          tile.n % (32 * tile.wavesN) == 0;
            c.mfma = isWide && number % 3 == 0 ? 32 : 16;
            c.stages = stages;
            c.levers.async = async;
            c.levers.swizzle = swizzles[number % std::size(swizzles)];
            setTypes(c, number);
            setProblem(c, number++);
            all.push_back(c);
          }
}

std::vector<Configuration> fly::sweep::listConfigurations(bool quick) {
  using Waves = std::pair<int64_t, int64_t>;
  constexpr Waves waveGrids[] = {{1, 4}, {2, 2}, {4, 1}, {2, 4},
                                 {4, 2}, {1, 8}, {8, 1}};
  std::vector<Configuration> all;
  unsigned number = 0;
  for (const char *chip : {"gfx942", "gfx950"})
    for (int64_t mfma : {16, 32})
      for (int64_t stages : {1, 2})
        for (int64_t tileM : {16, 32, 48, 64, 112, 128, 256})
          for (int64_t tileN : {64, 128, 256})
            for (int64_t tileK : {32, 64, 96, 128, 256})
              for (auto [wavesM, wavesN] : waveGrids) {
                if (tileM % (wavesM * mfma) != 0 ||
                    tileN % (wavesN * mfma) != 0)
                  continue;
                Configuration c;
                c.chip = chip;
                c.tileM = tileM;
                c.tileN = tileN;
                c.tileK = tileK;
                c.wavesM = wavesM;
                c.wavesN = wavesN;
                c.mfma = mfma;
                c.stages = stages;
                setTypes(c, number);
                setProblem(c, number++);
                all.push_back(c);
              }
  addPipelines(all, number);
  std::vector<Configuration> seeded = listSeeded(kGroups, kPerGroup);
  all.insert(all.end(), seeded.begin(), seeded.end());
  if (!quick)
    return all;
  // A stride that is prime to the periods above meets all of them.
  std::vector<Configuration> some;
  for (size_t i = 0; i < all.size(); i += kQuickStride)
    some.push_back(all[i]);
  return some;
}
