//===- Configurations.cpp - The combinations of the GEMM sweep ------------===//
//
// Tiles, waves, matrix instructions, stages and chips in full; types and
// problem shapes rotate over them, so that each meets each many times. The
// order is fixed and a configuration's shape depends on its place alone, so a
// sweep can stop and go on, or be split.
//
//===----------------------------------------------------------------------===//
#include "Configurations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly::sweep;

std::string Configuration::name() const {
  return llvm::formatv("{0} {1}->{2} tile {3}x{4}x{5} waves {6}x{7} mfma {8} "
                       "stages {9} problem {10}x{11}x{12} gap {13}{14}",
                       chip, in, out, tileM, tileN, tileK, wavesM, wavesN, mfma,
                       stages, m, n, k, gap, declared ? " declared" : "")
      .str();
}

/// The problem of the configuration with this number: exact tiles, tails in
/// each dimension, one row, few and many K tiles, gaps between rows.
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
  };
  const Problem &problem = problems[number % std::size(problems)];
  c.m = problem.m;
  c.n = problem.n;
  c.k = problem.k;
  c.gap = problem.gap;
  c.declared = problem.declared;
}

std::vector<Configuration> fly::sweep::listConfigurations(bool quick) {
  struct Waves {
    int64_t m, n;
  };
  std::vector<Configuration> all;
  unsigned number = 0;
  for (const char *chip : {"gfx942", "gfx950"})
    for (int64_t mfma : {16, 32})
      for (int64_t stages : {1, 2})
        for (int64_t tileM : {16, 32, 48, 64, 112, 128, 256})
          for (int64_t tileN : {64, 128, 256})
            for (int64_t tileK : {32, 64, 96, 128, 256})
              for (Waves waves :
                   {Waves{1, 4}, Waves{2, 2}, Waves{4, 1}, Waves{2, 4}}) {
                if (tileM % (waves.m * mfma) != 0 ||
                    tileN % (waves.n * mfma) != 0)
                  continue;
                Configuration c;
                c.chip = chip;
                c.in = number % 3 == 2 ? "f16" : "bf16";
                c.out = number % 2 == 0 ? "f32" : c.in;
                c.tileM = tileM;
                c.tileN = tileN;
                c.tileK = tileK;
                c.wavesM = waves.m;
                c.wavesN = waves.n;
                c.mfma = mfma;
                c.stages = stages;
                setProblem(c, number++);
                all.push_back(c);
              }
  if (!quick)
    return all;
  // A stride that is prime to the periods above meets all of them.
  std::vector<Configuration> some;
  for (size_t i = 0; i < all.size(); i += 29)
    some.push_back(all[i]);
  return some;
}
