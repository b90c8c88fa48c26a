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

#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace fly;
using namespace fly::sweep;

/// One of so many is a quick one.
static constexpr size_t kQuickStride = 29;

/// The levers that are not at their default: " swizzle xor acc plain".
static std::string describeLevers(const Configuration &c) {
  const gen::GemmOptions &levers = c.levers, none;
  std::string group = c.isWidened() ? std::to_string(levers.group) : "";
  struct {
    const char *name;
    llvm::StringRef value, usual;
  } words[] = {{"swizzle", levers.swizzle, none.swizzle},
               {"acc", levers.acc, none.acc},
               {"hot-loop", levers.hotLoop, none.hotLoop},
               {"store", levers.store, none.store},
               {"copy", levers.async ? "async" : "", ""},
               {"b", levers.bLayout, none.bLayout},
               {"operands", levers.operands, none.operands},
               {"scales", levers.scales, none.scales},
               {"group", group, ""},
               {"split-k", levers.splitK, ""},
               {"stream-k", levers.streamK, ""},
               {"xcd", levers.xcdSwizzle ? "on" : "", ""},
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

/// Bits of a type as `--in` spells it.
static int64_t bitsOf(llvm::StringRef type) {
  return llvm::StringSwitch<int64_t>(type)
      .Case("f64", 64)
      .Cases({"f32", "xf32"}, 32)
      .Cases({"fp8", "bf8", "i8"}, 8)
      .Cases({"fp6", "bf6"}, 6)
      .Cases({"fp4", "i4"}, 4)
      .Default(16);
}

int64_t Configuration::bitsOfA() const {
  return bitsOf(llvm::StringRef(in).split(',').first);
}

int64_t Configuration::bitsOfB() const {
  return bitsOf(llvm::StringRef(in).rsplit(',').second.empty()
                    ? llvm::StringRef(in)
                    : llvm::StringRef(in).rsplit(',').second);
}

int64_t Configuration::scaleGroup() const {
  if (levers.scales == "mx")
    return 32;
  if (levers.scales == "block")
    return 128;
  return isWidened() ? levers.group : 0;
}

int64_t Configuration::accumulators() const {
  return tileM * tileN / (64 * wavesM * wavesN) * (in == "f64" ? 2 : 1);
}

int64_t Configuration::ldsBytes() const {
  int64_t bytes = stages * tileM * rowBytesOfA();
  if (!isPreshuffled() && !isWidened())
    bytes += (stagesOfB ? stagesOfB : stages) * tileN * rowBytesOfB();
  return bytes;
}

/// A depth with the same order of sums. The instruction, and with it the order,
/// may follow from the depth of a tile of 8-bit floats; parts of K are whole
/// tiles.
static int64_t plainDepth(const Configuration &c) {
  if (c.isSplit())
    return c.tileK;
  // Lanes hold packs of as many weights as 16 bytes, or fewer of short rows.
  if (c.isWidened())
    return std::min<int64_t>(c.tileK, 128);
  if (c.scaleGroup())
    return 128;
  bool isFp8 = c.bitsOfA() == 8 && c.in != "i8";
  if (isFp8 && c.chip == "gfx950" && c.mfma == 16 && c.tileK % 128 == 0)
    return 128;
  return std::min<int64_t>(64, 1024 / c.bitsOfA());
}

Configuration Configuration::plain() const {
  Configuration c = *this;
  c.tileK = plainDepth(*this);
  // Workers share the tiles of C as they are.
  if (levers.streamK.empty()) {
    c.tileM = 64;
    c.tileN = levers.scales == "block" ? 128 : 64;
  }
  c.stages = 1;
  c.stagesOfB = 0;
  c.levers.bLayout.clear();
  // What an atomic gives lies in LDS beside the operands.
  int64_t limit = *arch::ArchInfo::lookup(chip)->lds.bytes;
  if (levers.streamK.empty() && c.ldsBytes() + kShareBytes > limit)
    c.tileM = 32;
  c.wavesM = c.tileM % (2 * c.mfma) == 0 ? 2 : 1;
  c.wavesN = c.tileN % (2 * c.mfma) == 0 ? 2 : 1;
  c.gap = 0;
  c.declared = false;
  c.levers.swizzle = "none";
  c.levers.async = false;
  c.levers.acc = "plain";
  c.levers.hotLoop = "off";
  c.levers.store = "direct";
  c.levers.operands = "nt";
  c.levers.xcdSwizzle = false;
  c.overrides = "codegen=vgpr";
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

/// The types and the epilogue of the configuration with this number. One in
/// five tries all forms of code generation and takes the best.
static void setTypes(Configuration &c, unsigned number) {
  if (number % 5 != 0)
    c.overrides = number % 2 ? "codegen=vgpr" : "codegen=agpr_ilp";
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
  std::vector<Configuration> seeded = listSeeded();
  all.insert(all.end(), seeded.begin(), seeded.end());
  if (!quick)
    return all;
  // A stride that is prime to the periods above meets all of them.
  std::vector<Configuration> some;
  for (size_t i = 0; i < all.size(); i += kQuickStride)
    some.push_back(all[i]);
  return some;
}
