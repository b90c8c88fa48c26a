//===- MatrixTest.cpp - A matrix tile in a loop, by value -----------------===//
//
// C = A * B^T for one tile, operands from global memory, accumulators carried
// by scf.for as register arrays: any trip count, both shapes, both chips.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "ConversionRun.h"

using namespace fly::test;

namespace {

uint16_t toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits >> 16; // Small integers are exact.
}

/// A wave computes an m x m tile; `lanesK` elements of K a lane and step.
std::string tileKernel(int mn, int k, int lanesK) {
  int blockRows = mn == 16 ? 1 : 4; // Groups of four rows of the result.
  std::string m = std::to_string(mn),
              accumulator =
                  "vector<1x1x" + std::to_string(4 * blockRows) + "xf32>";
  std::string acc = "vector<" + std::to_string(4 * blockRows) + "xf32>";
  std::string frag = "vector<" + std::to_string(lanesK) + "xbf16>";
  std::string text = R"mlir(
  gpu.func @tile(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel
      attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[MN, %K] : !fly.view<MNx?xbf16>
    %b = fly.view %B[MN, %K] : !fly.view<MNx?xbf16>
    %c = fly.view %C[MN, MN] : !fly.view<MNxMNxf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %cmn = arith.constant MN : index
    %ck = arith.constant STEP : index
    %cl = arith.constant LANESK : index
    %lane = fly.lane
    %row = arith.remui %lane, %cmn : index
    %group = arith.divui %lane, %cmn : index
    %kl = arith.muli %group, %cl : index
    %zero = arith.constant dense<0.0> : ARRAY
    %end = arith.index_cast %K : i32 to index
    %acc = scf.for %k = %c0 to %end step %ck iter_args(%s = %zero) -> (ARRAY) {
      %kk = arith.addi %k, %kl : index
      %av = fly.read %a[%row, %kk] in_bounds [true, true] align LANESK : !fly.view<MNx?xbf16> -> FRAG
      %bv = fly.read %b[%row, %kk] in_bounds [true, true] align LANESK : !fly.view<MNx?xbf16> -> FRAG
      %old = vector.extract %s[0, 0] : ACC from ARRAY
      %new = amdgpu.mfma MNxMNxSTEP %av * %bv + %old blgp = none : FRAG, FRAG, ACC
      %n = vector.insert %new, %s[0, 0] : ACC into ARRAY
      scf.yield %n : ARRAY
    }
    %m0 = arith.muli %group, %c4 : index
)mlir";
  for (int v = 0; v < 4 * blockRows; ++v) {
    std::string id = std::to_string(v);
    int offset = v / 4 * 8 + v % 4;
    text += "    %o" + id + " = arith.constant " + std::to_string(offset) +
            " : index\n    %r" + id + " = arith.addi %m0, %o" + id +
            " : index\n    %v" + id + " = vector.extract %acc[0, 0, " + id +
            "] : f32 from ARRAY\n    fly.write %v" + id + ", %c[%r" + id +
            ", %row] in_bounds [true, true] : f32, !fly.view<MNxMNxf32>\n";
  }
  text += "    gpu.return\n  }";
  for (auto [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"ARRAY", accumulator},
           {"ACC", acc},
           {"FRAG", frag},
           {"LANESK", std::to_string(lanesK)},
           {"STEP", std::to_string(k)},
           {"MN", m}})
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value);
  return text;
}

void checkTile(llvm::StringRef chip, int mn, int kStep, int lanesK) {
  ConversionRun run(moduleOf(chip, tileKernel(mn, kStep, lanesK)));
  ASSERT_EQ(run.errors, "");
  for (int steps : {0, 1, 2, 5}) {
    int k = steps * kStep;
    std::vector<uint16_t> a(mn * k), b(mn * k);
    std::vector<int> ai(a.size()), bi(b.size());
    for (int row = 0; row < mn; ++row)
      for (int i = 0; i < k; ++i) {
        ai[row * k + i] = (131 * row + 71 * i + row * i % 17) % 9 - 4;
        bi[row * k + i] = (57 * row + 101 * i + row * i % 13) % 7 - 3;
        a[row * k + i] = toBf16(ai[row * k + i]);
        b[row * k + i] = toBf16(bi[row * k + i]);
      }
    a.resize(std::max<size_t>(a.size(), 8));
    b.resize(std::max<size_t>(b.size(), 8));
    uint64_t pa = run.buffer(a), pb = run.buffer(b);
    uint64_t pc = run.buffer(std::vector<float>(mn * mn, -1));
    ASSERT_EQ(run.launch({pa, pb, pc, uint64_t(k)}), "");
    std::vector<float> got = run.read<float>(pc, mn * mn);
    for (int row = 0; row < mn; ++row)
      for (int column = 0; column < mn; ++column) {
        int sum = 0;
        for (int i = 0; i < k; ++i)
          sum += ai[row * k + i] * bi[column * k + i];
        ASSERT_EQ(got[row * mn + column], float(sum))
            << "K " << k << " at " << row << "," << column;
      }
  }
}

} // namespace

TEST(MatrixLoop, Tile16) {
  checkTile("gfx942", 16, 16, 4);
  checkTile("gfx950", 16, 16, 4);
  checkTile("gfx950", 16, 32, 8);
}

TEST(MatrixLoop, Tile32) {
  checkTile("gfx942", 32, 8, 4);
  checkTile("gfx950", 32, 16, 8);
}
