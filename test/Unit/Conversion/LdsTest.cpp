//===- LdsTest.cpp - LDS fields and swizzles, by value --------------------===//
//
// Case T21 of the open cases, addresses whose constants are folded past the
// swizzle, LDS beyond the reach of an immediate, and each kind of barrier.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "ConversionRun.h"

using namespace fly::test;

namespace {

/// 32 rows of 128 bytes; $WRITE and $READ are the types that the two sides see.
std::string roundTrip(std::string write, std::string read,
                      std::string unchecked) {
  std::string text = R"mlir(
  fly.lds.struct @S { buf : $READ }
  gpu.func @k(%A: !fly.ptr<i8>, %C: !fly.ptr<i8>) kernel
      attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[32, 128] : !fly.view<32x128xi8>
    %c = fly.view %C[32, 128] : !fly.view<32x128xi8>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %w = fly.lds.field %lds[buf] $UNCHECKED : !fly.lds<@S> -> $WRITE
    %r = fly.lds.field %lds[buf] : !fly.lds<@S> -> $READ
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %thread = gpu.thread_id x
    %row = arith.divui %thread, %c8 : index
    %chunk = arith.remui %thread, %c8 : index
    %col = arith.muli %chunk, %c16 : index
    %v = fly.read %a[%row, %col] in_bounds [true, true] : !fly.view<32x128xi8> -> vector<16xi8>
    fly.write %v, %w[%row, %col] : vector<16xi8>, $WRITE
    fly.barrier lds
    %u = fly.read %r[%row, %col] : $READ -> vector<16xi8>
    fly.write %u, %c[%row, %col] in_bounds [true, true] : vector<16xi8>, !fly.view<32x128xi8>
    gpu.return
  })mlir";
  for (auto [name, value] :
       {std::pair<std::string, std::string>{"$WRITE", write},
        {"$READ", read},
        {"$UNCHECKED", unchecked}})
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value);
  return moduleOf("gfx942", text);
}

const char *linearType = "!fly.view<32x128xi8, lds>";
const char *swizzledType = "!fly.view<32x128xi8, lds, #fly.swizzle<3, 4, 3>>";

std::vector<uint8_t> bytes(size_t count) {
  std::vector<uint8_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = uint8_t((i * 37 + i / 256 * 11) & 0xff);
  return values;
}

} // namespace

TEST(LdsAccess, SwizzledOnBothSidesIsTheIdentity) {
  ConversionRun run(roundTrip(swizzledType, swizzledType, ""));
  ASSERT_EQ(run.errors, "");
  std::vector<uint8_t> in = bytes(4096);
  uint64_t a = run.buffer(in), c = run.buffer(std::vector<uint8_t>(4096));
  ASSERT_EQ(run.launch({a, c}), "");
  EXPECT_EQ(run.read<uint8_t>(c, 4096), in);
}

TEST(LdsAccess, SwizzledOnOneSideIsRefused) {
  ConversionRun run(roundTrip(linearType, swizzledType, ""));
  EXPECT_NE(run.errors.find("swizzle on one side only"), std::string::npos)
      << run.errors;
}

TEST(LdsAccess, UncheckedReadsWhereTheSwizzlePoints) {
  ConversionRun run(roundTrip(linearType, swizzledType, "{fly.unchecked}"));
  ASSERT_EQ(run.errors, "");
  std::vector<uint8_t> in = bytes(4096);
  uint64_t a = run.buffer(in), c = run.buffer(std::vector<uint8_t>(4096));
  ASSERT_EQ(run.launch({a, c}), "");
  std::vector<uint8_t> got = run.read<uint8_t>(c, 4096);
  // Row 1 byte 0 comes from byte 16 of the row, row 5 byte 32 from byte 112.
  EXPECT_EQ(got[128], in[128 + 16]);
  EXPECT_EQ(got[5 * 128 + 32], in[5 * 128 + 112]);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], in[i ^ ((i >> 3) & 0x70)]) << i;
}

// Static parts of coordinates, in every position to the period, through wide
// and narrow accesses: a wave writes linear positions element by element and
// reads vectors at base + constant.
TEST(LdsAccess, FoldsConstantsPastTheSwizzle) {
  for (const char *layout : {"#fly.swizzle<3, 4, 3>", "#fly.swizzle<2, 4, 4>",
                             "#fly.swizzle<3, 3, 4>", ""}) {
    std::string type = std::string("!fly.view<128x64xi16, lds") +
                       (*layout ? ", " : "") + layout + ">";
    std::string text = R"mlir(
  fly.lds.struct @S { buf : TYPE }
  gpu.func @k(%C: !fly.ptr<i16>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[8, 16, 64] : !fly.view<8x16x64xi16>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %b = fly.lds.field %lds[buf] : !fly.lds<@S> -> TYPE
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    scf.for %r = %c0 to %c128 step %c1 {
      %x = arith.index_cast %r : index to i16
      %l = arith.index_cast %lane : index to i16
      %k64 = arith.constant 64 : i16
      %y = arith.muli %x, %k64 : i16
      %z = arith.addi %y, %l : i16
      fly.write %z, %b[%r, %lane] : i16, TYPE
    }
    fly.barrier lds
    %row = arith.remui %lane, %c16 : index
    %group = arith.divui %lane, %c16 : index
    %gc = arith.muli %group, %c16 : index
)mlir";
    // Row offsets 0, 16, ... and column offsets 0, 4, 8, 12 elements.
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 4; ++j) {
        std::string id = std::to_string(i) + "_" + std::to_string(j);
        text += "    %r" + id + "c = arith.constant " + std::to_string(16 * i) +
                " : index\n    %q" + id + "c = arith.constant " +
                std::to_string(4 * j) + " : index\n    %i" + id +
                "c = arith.constant " + std::to_string(i) + " : index\n    %r" +
                id + " = arith.addi %row, %r" + id + "c : index\n    %q" + id +
                " = arith.addi %gc, %q" + id + "c : index\n    %v" + id +
                " = fly.read %b[%r" + id + ", %q" + id +
                "] : TYPE -> vector<4xi16>\n    fly.write %v" + id + ", %c[%i" +
                id + "c, %row, %q" + id +
                "] in_bounds [true, true, true] : vector<4xi16>, "
                "!fly.view<8x16x64xi16>\n";
      }
    text += "    gpu.return\n  }";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    ConversionRun run(moduleOf("gfx950", text));
    ASSERT_EQ(run.errors, "") << layout;
    uint64_t c = run.buffer(std::vector<int16_t>(8192, -1));
    ASSERT_EQ(run.launch({c}), "");
    std::vector<int16_t> got = run.read<int16_t>(c, 8192);
    for (int i = 0; i < 8192; ++i)
      ASSERT_EQ(got[i], int16_t(i)) << layout << " element " << i;
  }
}

// 96 KiB on gfx950: fields beyond the 64 KiB that an immediate reaches.
TEST(LdsAccess, ReachesFieldsBeyondTheImmediate) {
  ConversionRun run(moduleOf("gfx950", R"mlir(
  fly.lds.struct @S { a : !fly.view<48x256xi32, lds>, b : !fly.view<48x256xi32, lds> }
  gpu.func @k(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 4 : i32} {
    %c = fly.view %C[4, 256] : !fly.view<4x256xi32>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<48x256xi32, lds>
    %b = fly.lds.field %lds[b] : !fly.lds<@S> -> !fly.view<48x256xi32, lds>
    %t = gpu.thread_id x
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i2 = arith.constant 2 : index
    %i3 = arith.constant 3 : index
    %last = arith.constant 47 : index
    %x = arith.index_cast %t : index to i32
    %k1000 = arith.constant 1000 : i32
    %y = arith.addi %x, %k1000 : i32
    %z = arith.addi %y, %k1000 : i32
    %w = arith.addi %z, %k1000 : i32
    fly.write %x, %a[%i0, %t] : i32, !fly.view<48x256xi32, lds>
    fly.write %y, %a[%last, %t] : i32, !fly.view<48x256xi32, lds>
    fly.write %z, %b[%i0, %t] : i32, !fly.view<48x256xi32, lds>
    fly.write %w, %b[%last, %t] : i32, !fly.view<48x256xi32, lds>
    fly.barrier lds
    %c255 = arith.constant 255 : index
    %m = arith.subi %c255, %t : index
    %r0 = fly.read %a[%i0, %m] : !fly.view<48x256xi32, lds> -> i32
    %r1 = fly.read %a[%last, %m] : !fly.view<48x256xi32, lds> -> i32
    %r2 = fly.read %b[%i0, %m] : !fly.view<48x256xi32, lds> -> i32
    %r3 = fly.read %b[%last, %m] : !fly.view<48x256xi32, lds> -> i32
    fly.write %r0, %c[%i0, %t] in_bounds [true, true] : i32, !fly.view<4x256xi32>
    fly.write %r1, %c[%i1, %t] in_bounds [true, true] : i32, !fly.view<4x256xi32>
    fly.write %r2, %c[%i2, %t] in_bounds [true, true] : i32, !fly.view<4x256xi32>
    fly.write %r3, %c[%i3, %t] in_bounds [true, true] : i32, !fly.view<4x256xi32>
    gpu.return
  })mlir"));
  ASSERT_EQ(run.errors, "");
  uint64_t c = run.buffer(std::vector<int32_t>(1024, -1));
  ASSERT_EQ(run.launch({c}), "");
  std::vector<int32_t> got = run.read<int32_t>(c, 1024);
  for (int row = 0; row < 4; ++row)
    for (int t = 0; t < 256; ++t)
      ASSERT_EQ(got[row * 256 + t], 1000 * row + 255 - t);
}

// Waves hand a value round by barriers of each kind. With `bare` the waits come
// from fly-insert-waits; the order in the code is looked at, because values on
// the simulator do not depend on waits.
TEST(LdsAccess, BarriersOrderLds) {
  for (const char *kind : {"lds", "all", "bare"}) {
    std::string text = R"mlir(
  fly.lds.struct @S { a : !fly.view<256xi32, lds> }
  gpu.func @k(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 4 : i32} {
    %c = fly.view %C[256] : !fly.view<256xi32>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<256xi32, lds>
    %t = gpu.thread_id x
    %x = arith.index_cast %t : index to i32
    %c255 = arith.constant 255 : index
    %m = arith.subi %c255, %t : index
    fly.write %x, %a[%t] : i32, !fly.view<256xi32, lds>
    fly.barrier KIND
    %y = fly.read %a[%m] : !fly.view<256xi32, lds> -> i32
    fly.barrier KIND
    fly.write %y, %a[%t] : i32, !fly.view<256xi32, lds>
    fly.barrier KIND
    %z = fly.read %a[%m] : !fly.view<256xi32, lds> -> i32
    %w = arith.addi %y, %z : i32
    fly.write %w, %c[%t] in_bounds [true] : i32, !fly.view<256xi32>
    gpu.return
  })mlir";
    for (size_t at; (at = text.find("KIND")) != std::string::npos;)
      text.replace(at, 4, kind);
    ConversionRun run(moduleOf("gfx942", text));
    ASSERT_EQ(run.errors, "") << kind;
    uint64_t c = run.buffer(std::vector<int32_t>(256, -1));
    ASSERT_EQ(run.launch({c}), "") << kind;
    std::vector<int32_t> got = run.read<int32_t>(c, 256);
    for (int t = 0; t < 256; ++t)
      ASSERT_EQ(got[t], 255 - t + t) << kind;

    // In the code: write, wait, barrier, read, wait, barrier, write, wait,
    // barrier, read.
    std::string order;
    std::vector<std::pair<const char *, char>> classes = {
        {"ds_write", 'w'}, {"ds_read", 'r'}, {"s_barrier", '|'}};
    bool waited = false;
    std::string line;
    for (char ch : run.assembly) {
      if (ch != '\n') {
        line += ch;
        continue;
      }
      if (line.find("s_waitcnt") != std::string::npos &&
          line.find("lgkmcnt(0)") != std::string::npos)
        waited = true;
      for (auto [name, letter] : classes)
        if (line.find(name) != std::string::npos &&
            line.find(';') == std::string::npos) {
          if (letter == '|')
            EXPECT_TRUE(waited) << kind << ": barrier without a wait";
          order += letter;
          waited = false;
        }
      line.clear();
    }
    EXPECT_EQ(order, "w|r|w|r") << kind;
  }
}
