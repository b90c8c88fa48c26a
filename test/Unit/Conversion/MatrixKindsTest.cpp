//===- MatrixKindsTest.cpp - Scaled matrix instructions, hints, by value --===//
//
// One matrix instruction with scales against a plain sum, lanes filled as the
// facts about gfx950 say; and a kernel with every hint and priority, whose
// values they must not change.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <gtest/gtest.h>

#include "ConversionRun.h"
#include "ExplicitText.h"

using namespace fly::test;

namespace {

const char *scaledText = R"mlir(
  gpu.func @k(%A: !fly.ptr<i8>, %B: !fly.ptr<i8>, %SA: !fly.ptr<i32>, %SB: !fly.ptr<i32>, %C: !fly.ptr<f32>)
      kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[16, $BYTES] : !fly.view<16x$BYTESxi8>
    %b = fly.view %B[16, $BYTES] : !fly.view<16x$BYTESxi8>
    %sa = fly.view %SA[16, 4] : !fly.view<16x4xi32>
    %sb = fly.view %SB[16, 4] : !fly.view<16x4xi32>
    %c = fly.view %C[16, 16] : !fly.view<16x16xf32>
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %lane = fly.lane
    %row = arith.remui %lane, %c16 : index
    %group = arith.divui %lane, %c16 : index
    %k = arith.muli %group, %c16 : index
    $READA
    $READB
    %xa = fly.read %sa[%row, %group] : !fly.view<16x4xi32> -> vector<1xi32>
    %xb = fly.read %sb[%row, %group] : !fly.view<16x4xi32> -> vector<1xi32>
    %fa = vector.bitcast %xa : vector<1xi32> to vector<4xf8E8M0FNU>
    %fb = vector.bitcast %xb : vector<1xi32> to vector<4xf8E8M0FNU>
    %zero = arith.constant dense<1.0> : vector<4xf32>
    %d = amdgpu.scaled_mfma 16x16x128 (%fa[1] * %av) * (%fb[2] * %bv) + %zero
        : vector<4xf8E8M0FNU>, $TYPE, vector<4xf8E8M0FNU>, $TYPE, vector<4xf32>
    %m = arith.muli %group, %c4 : index
    fly.static_for %v = 0 to 4 {
      %r = arith.addi %m, %v : index
      %x = vector.extract %d[%v] : f32 from vector<4xf32>
      fly.write %x, %c[%r, %row] : f32, !fly.view<16x16xf32>
    }
    gpu.return
  })mlir";

/// Eight-bit operands come as two chunks of 16, 64 elements apart; of four bits
/// a lane has 32 elements that are neighbours.
std::string readOperand(const char *name, bool isFp8) {
  return fillIn(
      isFp8
          ? R"mlir(%k$N = arith.constant 64 : index
    %h$N = arith.addi %k, %k$N : index
    %l0$N = fly.read %$N[%row, %k] : !fly.view<16x128xi8> -> vector<16xi8>
    %l1$N = fly.read %$N[%row, %h$N] : !fly.view<16x128xi8> -> vector<16xi8>
    %p$N = ub.poison : vector<32xi8>
    %q$N = vector.insert_strided_slice %l0$N, %p$N {offsets = [0], strides = [1]} : vector<16xi8> into vector<32xi8>
    %r$N = vector.insert_strided_slice %l1$N, %q$N {offsets = [16], strides = [1]} : vector<16xi8> into vector<32xi8>
    %$Nv = vector.bitcast %r$N : vector<32xi8> to vector<32xf8E4M3FN>)mlir"
          : R"mlir(%r$N = fly.read %$N[%row, %k] : !fly.view<16x64xi8> -> vector<16xi8>
    %$Nv = vector.bitcast %r$N : vector<16xi8> to vector<32xf4E2M1FN>)mlir",
      {{"N", name}});
}

/// Integers of -3 to 3, as an OCP E4M3 code or an E2M1 code.
uint8_t encode(int value, bool isFp8) {
  static const uint8_t fp8[] = {0x00, 0x38, 0x40, 0x44};
  static const uint8_t fp4[] = {0x0, 0x2, 0x4, 0x5};
  uint8_t magnitude = (isFp8 ? fp8 : fp4)[std::abs(value)];
  return value < 0 ? magnitude | (isFp8 ? 0x80 : 0x8) : magnitude;
}

void checkScaled(bool isFp8) {
  std::string text =
      fillIn(scaledText,
             {{"BYTES", isFp8 ? "128" : "64"},
              {"READA", readOperand("a", isFp8)},
              {"READB", readOperand("b", isFp8)},
              {"TYPE", isFp8 ? "vector<32xf8E4M3FN>" : "vector<32xf4E2M1FN>"}});
  ConversionRun run(moduleOf("gfx950", text));
  ASSERT_EQ(run.errors, "");
  auto a = [](int row, int k) {
    return (row * 5 + k * 3 + row * k % 7) % 7 - 3;
  };
  auto b = [](int row, int k) {
    return (row * 3 + k * 5 + row * k % 5) % 7 - 3;
  };
  // Exponents of -1 to 2 in the byte that the op picks, others elsewhere.
  auto exponent = [](int row, int block, int which) {
    return (row + block * 2 + which) % 4 - 1;
  };
  auto pack = [&](bool left) {
    std::vector<uint8_t> bytes(isFp8 ? 16 * 128 : 16 * 64);
    for (int row = 0; row < 16; ++row)
      for (int k = 0; k < 128; ++k) {
        uint8_t code = encode(left ? a(row, k) : b(row, k), isFp8);
        if (isFp8)
          bytes[row * 128 + k] = code;
        else
          bytes[row * 64 + k / 2] |= code << (k % 2 * 4);
      }
    return bytes;
  };
  auto scales = [&](int which) {
    std::vector<uint32_t> words(64);
    for (int row = 0; row < 16; ++row)
      for (int block = 0; block < 4; ++block)
        words[row * 4 + block] = (0x90909090u & ~(0xffu << (8 * (which + 1)))) |
                                 uint32_t(127 + exponent(row, block, which))
                                     << (8 * (which + 1));
    return words;
  };
  uint64_t pa = run.buffer(pack(true)), pb = run.buffer(pack(false));
  uint64_t sa = run.buffer(scales(0)), sb = run.buffer(scales(1));
  uint64_t c = run.buffer(std::vector<float>(256, -1));
  ASSERT_EQ(run.launch({pa, pb, sa, sb, c}), "");
  std::vector<float> got = run.read<float>(c, 256);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double sum = 1;
      for (int k = 0; k < 128; ++k)
        sum += std::ldexp(double(a(i, k) * b(j, k)),
                          exponent(i, k / 32, 0) + exponent(j, k / 32, 1));
      ASSERT_EQ(got[i * 16 + j], float(sum)) << i << "," << j;
    }
}

} // namespace

TEST(ScaledMatrix, OfEightAndFourBits) {
  checkScaled(/*isFp8=*/true);
  checkScaled(/*isFp8=*/false);
}

TEST(ScaledMatrix, IsRefusedOnGfx942) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %x = ub.poison : vector<32xf4E2M1FN>
    %s = ub.poison : vector<4xf8E8M0FNU>
    %c = arith.constant dense<0.0> : vector<4xf32>
    %d = amdgpu.scaled_mfma 16x16x128 (%s[0] * %x) * (%s[0] * %x) + %c
        : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
    gpu.return
  })mlir"));
  EXPECT_NE(run.errors.find("which gfx942 does not have: needs gfx950"),
            std::string::npos)
      << run.errors;
}

TEST(Hints, ChangeNoValue) {
  const char *text = R"mlir(
  fly.lds.struct @S { a : !fly.view<64xf32, lds> }
  gpu.func @k(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64] : !fly.view<64xf32>
    %c = fly.view %C[64] : !fly.view<64xf32>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64xf32, lds>
    %lane = fly.lane
    %c63 = arith.constant 63 : index
    %m = arith.subi %c63, %lane : index
    fly.setprio 2
    %x = fly.read %a[%lane] : !fly.view<64xf32> -> f32
    fly.write %x, %l[%lane] : f32, !fly.view<64xf32, lds>
    fly.sched.vmem 1
    fly.sched.dswr 1
    fly.wait vm(0) lgkm(0)
    fly.barrier bare
    %y = fly.read %l[%m] : !fly.view<64xf32, lds> -> f32
    %e = math.exp2 %y fastmath<afn> : f32
    %p = arith.mulf %e, %x : f32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %one = arith.constant 1.0 : f32
    %d = amdgpu.mfma 16x16x4 %p * %one + %zero blgp = none : f32, f32, vector<4xf32>
    %sum = vector.extract %d[0] : f32 from vector<4xf32>
    fly.write %sum, %c[%lane] : f32, !fly.view<64xf32>
    fly.sched.dsrd 1
    fly.sched.trans 1
    fly.sched.valu 1
    fly.sched.salu 1
    fly.sched.mfma 1
    fly.sched.vmem_write 1
    fly.sched.barrier
    fly.setprio 0
    gpu.return
  })mlir";
  for (const char *chip : {"gfx942", "gfx950"}) {
    ConversionRun run(moduleOf(chip, text));
    ASSERT_EQ(run.errors, "");
    std::vector<float> in(64);
    for (int i = 0; i < 64; ++i)
      in[i] = float(i * 7 % 9 - 4);
    uint64_t a = run.buffer(in), c = run.buffer(std::vector<float>(64, -1));
    ASSERT_EQ(run.launch({a, c}), "");
    std::vector<float> got = run.read<float>(c, 64);
    auto product = [&](int lane) {
      return std::ldexp(in[lane], int(in[63 - lane]));
    };
    // Row i of A is lanes i, 16 + i, ...; lane l holds row 4 * (l / 16) first.
    for (int lane = 0; lane < 64; ++lane) {
      int row = lane / 16 * 4;
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += product(row + 16 * k);
      ASSERT_EQ(got[lane], sum) << "lane " << lane;
    }
    for (const char *code :
         {"s_setprio 2", "s_setprio 0", "s_waitcnt vmcnt(0) lgkmcnt(0)"})
      EXPECT_NE(run.assembly.find(code), std::string::npos) << code;
  }
}
