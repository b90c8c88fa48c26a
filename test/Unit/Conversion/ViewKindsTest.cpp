//===- ViewKindsTest.cpp - Unions, dynamic LDS, flat and block reads ------===//
//
// The forms of views that only hand-written kernels have, by value.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "ConversionRun.h"
#include "ExplicitText.h"

using namespace fly::test;

// Members of a union lie over each other, and the kernel takes the bytes of the
// largest: what is written as words is read as bytes.
TEST(LdsStruct, MembersOfAUnionShareBytes) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  fly.lds.struct @U union { words : !fly.view<64xi32, lds>, bytes : !fly.view<64x4xi8, lds>, all : !fly.view<1024xi8, lds> }
  fly.lds.struct @S { other : !fly.view<16xi32, lds> }
  gpu.func @k(%C: !fly.ptr<i8>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[64, 4] : !fly.view<64x4xi8>
    %u = fly.lds.alloc : !fly.lds<@U>
    %o = fly.lds.alloc : !fly.lds<@S>
    %w = fly.lds.field %u[words] : !fly.lds<@U> -> !fly.view<64xi32, lds>
    %b = fly.lds.field %u[bytes] : !fly.lds<@U> -> !fly.view<64x4xi8, lds>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %x = arith.index_cast %lane : index to i32
    %f = arith.constant 16909060 : i32
    %y = arith.muli %x, %f : i32
    fly.write %y, %w[%lane] : i32, !fly.view<64xi32, lds>
    fly.barrier lds
    %c63 = arith.constant 63 : index
    %m = arith.subi %c63, %lane : index
    %v = fly.read %b[%m, %c0] : !fly.view<64x4xi8, lds> -> vector<4xi8>
    fly.write %v, %c[%m, %c0] in_bounds [true, true] : vector<4xi8>, !fly.view<64x4xi8>
    gpu.return
  })mlir"));
  ASSERT_EQ(run.errors, "");
  EXPECT_NE(run.assembly.find(".amdhsa_group_segment_fixed_size 1088"),
            std::string::npos);
  uint64_t c = run.buffer(std::vector<uint8_t>(256));
  ASSERT_EQ(run.launch({c}), "");
  std::vector<uint8_t> got = run.read<uint8_t>(c, 256);
  for (uint32_t lane = 0; lane < 64; ++lane)
    for (uint32_t byte = 0; byte < 4; ++byte)
      ASSERT_EQ(got[lane * 4 + byte],
                uint8_t(lane * 0x01020304u >> (8 * byte)));
}

// The last member begins behind the others; its rows are as many as the launch
// gives bytes for.
TEST(LdsStruct, LastMemberTakesTheLaunchsBytes) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    ConversionRun run(moduleOf(chip, R"mlir(
  fly.lds.struct @S { row : !fly.view<64xi32, lds>, rest : !fly.view<?x64xi32, lds> }
  gpu.func @k(%C: !fly.ptr<i32>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[%M, 64] : !fly.view<?x64xi32>
    %s = fly.lds.alloc : !fly.lds<@S>
    %row = fly.lds.field %s[row] : !fly.lds<@S> -> !fly.view<64xi32, lds>
    %rest = fly.lds.field %s[rest] : !fly.lds<@S> -> !fly.view<?x64xi32, lds>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.index_cast %M : i32 to index
    %x = arith.index_cast %lane : index to i32
    fly.write %x, %row[%lane] : i32, !fly.view<64xi32, lds>
    scf.for %r = %c0 to %rows step %c1 {
      %k = arith.constant 1000 : i32
      %n = arith.index_cast %r : index to i32
      %n1 = arith.addi %n, %k : i32
      %p = arith.muli %n1, %k : i32
      %v = arith.addi %p, %x : i32
      fly.write %v, %rest[%r, %lane] : i32, !fly.view<?x64xi32, lds>
    }
    fly.barrier lds
    %c63 = arith.constant 63 : index
    %m = arith.subi %c63, %lane : index
    %own = fly.read %row[%m] : !fly.view<64xi32, lds> -> i32
    scf.for %r = %c0 to %rows step %c1 {
      %v = fly.read %rest[%r, %m] : !fly.view<?x64xi32, lds> -> i32
      %w = arith.subi %v, %own : i32
      fly.write %w, %c[%r, %lane] : i32, !fly.view<?x64xi32>
    }
    gpu.return
  })mlir"));
    ASSERT_EQ(run.errors, "");
    EXPECT_NE(run.assembly.find(".amdhsa_group_segment_fixed_size 256"),
              std::string::npos);
    for (int rows : {1, 9, 200}) {
      uint64_t c = run.buffer(std::vector<int32_t>(rows * 64, -1));
      run.dynamicLdsBytes = rows * 256;
      ASSERT_EQ(run.launch({c, uint64_t(rows)}), "");
      std::vector<int32_t> got = run.read<int32_t>(c, rows * 64);
      for (int i = 0; i < rows * 64; ++i)
        ASSERT_EQ(got[i], 1000 * (1000 + i / 64));
    }
    run.dynamicLdsBytes = 8 * 256; // The kernel gets whole granules.
    uint64_t c = run.buffer(std::vector<int32_t>(99 * 64, -1));
    EXPECT_NE(run.launch({c, 99}).find("LDS"), std::string::npos);
  }
}

// Outside of a flat access is what lies before or behind the view; the end of a
// row is not.
TEST(GlobalAccess, FlatRunsOnIntoTheNextRow) {
  const char *text = R"mlir(
  gpu.func @k(%A: !fly.ptr<$T>, %C: !fly.ptr<$T>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?x$T>
    %c = fly.view %C[%M, %N] : !fly.view<?x?x$T>
    %c4 = arith.constant 4 : index
    %shift = arith.constant $SHIFT : index
    %c0 = arith.constant 0 : index
    %lane = fly.lane
    %k = arith.muli %lane, %c4 : index
    %from = arith.addi %k, %shift : index
    %v = fly.read %a[%c0, %from] flat $ALIGN : !fly.view<?x?x$T> -> vector<4x$T>
    fly.write %v, %c[%c0, %k] flat : vector<4x$T>, !fly.view<?x?x$T>
    gpu.return
  })mlir";
  for (int shift : {-6, -1, 0, 3})
    for (bool wide : {false, true}) {
      ConversionRun run(moduleOf(
          "gfx942", fillIn(text, {{"T", wide ? "i32" : "i16"},
                                  {"SHIFT", std::to_string(shift)},
                                  {"ALIGN", shift == 0 ? "align 4" : ""}})));
      ASSERT_EQ(run.errors, "");
      for (auto [rows, columns] : {std::pair{5, 7}, {3, 64}, {1, 1}, {9, 30}}) {
        int total = rows * columns;
        std::vector<int32_t> in(total), got(total);
        for (int i = 0; i < total; ++i)
          in[i] = 100 + i;
        auto launch = [&, rows = rows, columns = columns](auto zero) {
          using T = decltype(zero);
          uint64_t a = run.buffer(std::vector<T>(in.begin(), in.end()));
          uint64_t c = run.buffer(std::vector<T>(total, T(-1)));
          ASSERT_EQ(run.launch({a, c, uint64_t(rows), uint64_t(columns)}), "");
          std::vector<T> out = run.read<T>(c, total);
          got.assign(out.begin(), out.end());
        };
        wide ? launch(int32_t()) : launch(int16_t());
        for (int i = 0; i < total; ++i) {
          int from = i + shift;
          int expected = i >= 256                    ? -1
                         : from >= 0 && from < total ? in[from]
                                                     : 0;
          ASSERT_EQ(got[i], expected)
              << rows << "x" << columns << " shift " << shift << " at " << i;
        }
      }
    }
}

// The block of a preshuffled view that holds the coordinates, outside too.
TEST(GlobalAccess, ReadsBlocksOfPreshuffledViews) {
  for (auto [type, bytes] : {std::pair{"i8", 1}, {"bf16", 2}, {"f32", 4}}) {
    std::string text = fillIn(R"mlir(
  gpu.func @k(%B: !fly.ptr<$T>, %C: !fly.ptr<i8>, %N: i32, %K: i32, %DN: i32, %DK: i32) kernel attributes {fly.waves = 1 : i32} {
    %b = fly.view %B[%N, %K] : !fly.view<?x?x$T, #fly.preshuffle<16, 64>>
    %c = fly.view %C[12, 64, 16] : !fly.view<12x64x16xi8>
    %lane = fly.lane
    %dn = arith.index_cast %DN : i32 to index
    %dk = arith.index_cast %DK : i32 to index
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %ck = arith.constant $COLUMNS : index
    %c4 = arith.constant 4 : index
    fly.static_for %i = 0 to 3 {
      fly.static_for %j = 0 to 4 {
        %n0 = arith.muli %i, %c16 : index
        %k0 = arith.muli %j, %ck : index
        %n = arith.addi %n0, %dn : index
        %k = arith.addi %k0, %dk : index
        %v = fly.read %b[%n, %k] {block} : !fly.view<?x?x$T, #fly.preshuffle<16, 64>> -> vector<$CHUNKx$T>
        %w = vector.bitcast %v : vector<$CHUNKx$T> to vector<16xi8>
        %i4 = arith.muli %i, %c4 : index
        %at = arith.addi %i4, %j : index
        fly.write %w, %c[%at, %lane, %c0] : vector<16xi8>, !fly.view<12x64x16xi8>
      }
    }
    gpu.return
  })mlir",
                              {{"T", type},
                               {"COLUMNS", std::to_string(64 / bytes)},
                               {"CHUNK", std::to_string(16 / bytes)}});
    ConversionRun run(moduleOf("gfx942", text));
    ASSERT_EQ(run.errors, "");
    // Two rows of three blocks; the third row and the fourth column are
    // outside.
    int blocks = 3, rows = 2;
    std::vector<uint8_t> in(rows * blocks * 1024);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = uint8_t(i * 29 + i / 1024 * 7 + 1);
    uint64_t b = run.buffer(in);
    int columns = 64 / bytes;
    for (auto [dn, dk] : {std::pair{0, 0}, {15, columns - 1}, {-1, -columns}}) {
      uint64_t c = run.buffer(std::vector<uint8_t>(12 * 1024, 0xcc));
      ASSERT_EQ(
          run.launch({b, c, uint64_t(rows * 16), uint64_t(blocks * columns),
                      uint32_t(dn), uint32_t(dk)}),
          "");
      std::vector<uint8_t> got = run.read<uint8_t>(c, 12 * 1024);
      int above = dn < 0, left = dk < 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
          for (int byte = 0; byte < 1024; ++byte) {
            int row = i - above, column = j - left;
            bool isInside =
                row >= 0 && row < rows && column >= 0 && column < blocks;
            ASSERT_EQ(int(got[(i * 4 + j) * 1024 + byte]),
                      isInside ? int(in[(row * blocks + column) * 1024 + byte])
                               : 0)
                << type << " block " << i << "," << j << " byte " << byte
                << " shifted by " << dn << "," << dk;
          }
    }
  }
}
