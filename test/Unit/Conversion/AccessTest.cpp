//===- AccessTest.cpp - Views of global memory, by value ------------------===//
//
// Copies through ragged, strided, padded and shifted views. A read outside must
// give the pad, a write outside must not happen, whatever the address of the
// element is: column N of a row is outside although row + 1 begins there.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "ConversionRun.h"
#include "ExplicitText.h"

using namespace fly::test;

namespace {

/// A workgroup of 256 threads copies 32 rows of 64 i16 elements from a view to
/// a view, shifted by $ROW rows and $COL columns, in vectors of 8.
const char *copyText = R"mlir(
  gpu.func @copy(%A: !fly.ptr<i16>, %C: !fly.ptr<i16>, %M: i32,
                 %N: i32 {fly.multiple_of = $MULTIPLE : i64}, %ld: i32, %lc: i32) kernel
      attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%M, %N] strides [%ld, 1] : !fly.view<?x?xi16>
    %c = fly.view %C[%M, %N] strides [%lc, 1] : !fly.view<?x?xi16>
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %dr = arith.constant $ROW : index
    %dc = arith.constant $COL : index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %r0 = arith.muli %block, %c32 : index
    %tr = arith.divui %thread, %c8 : index
    %tc = arith.remui %thread, %c8 : index
    %r = arith.addi %r0, %tr : index
    %col = arith.muli %tc, %c8 : index
    %ar = arith.addi %r, %dr : index
    %ac = arith.addi %col, %dc : index
    %v = fly.read %a[%ar, %ac] $PAD $ALIGN : !fly.view<?x?xi16> -> vector<8xi16>
    fly.write %v, %c[%r, %col] $ALIGN : vector<8xi16>, !fly.view<?x?xi16>
    gpu.return
  }
)mlir";

struct CopyCase {
  int rows, columns, rowStride, outStride;
  int shiftRows = 0, shiftColumns = 0;
  int multiple = 1;
  std::string pad = "", align = "";
  int16_t padValue = 0;
};

void checkCopy(const CopyCase &c, llvm::StringRef chip = "gfx942") {
  SCOPED_TRACE(std::to_string(c.rows) + "x" + std::to_string(c.columns) +
               " ld " + std::to_string(c.rowStride) + " shift " +
               std::to_string(c.shiftRows) + "," +
               std::to_string(c.shiftColumns) + " " + c.pad + " " + c.align);
  ConversionRun run(
      moduleOf(chip, fillIn(copyText, {{"MULTIPLE", std::to_string(c.multiple)},
                                       {"ROW", std::to_string(c.shiftRows)},
                                       {"COL", std::to_string(c.shiftColumns)},
                                       {"PAD", c.pad},
                                       {"ALIGN", c.align}})));
  ASSERT_EQ(run.errors, "");
  auto span = [&](int stride) { return (c.rows - 1) * stride + c.columns; };
  std::vector<int16_t> in(span(c.rowStride)), out(span(c.outStride), -7);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int16_t(1000 + i * 7);
  uint64_t a = run.buffer(in), b = run.buffer(out);
  uint32_t workgroups = (c.rows + 31) / 32 + 1;
  ASSERT_EQ(run.launch({a, b, uint64_t(c.rows), uint64_t(c.columns),
                        uint64_t(c.rowStride), uint64_t(c.outStride)},
                       workgroups),
            "");
  std::vector<int16_t> got = run.read<int16_t>(b, out.size());
  for (int row = 0; row < c.rows; ++row)
    for (int column = 0; column < c.outStride; ++column) {
      size_t at = size_t(row) * c.outStride + column;
      if (at >= got.size())
        continue;
      int fromRow = row + c.shiftRows, fromColumn = column + c.shiftColumns;
      bool inside = fromRow >= 0 && fromRow < c.rows && fromColumn >= 0 &&
                    fromColumn < c.columns;
      int16_t expected = column >= std::min(c.columns, 64) ? int16_t(-7)
                         : inside
                             ? in[size_t(fromRow) * c.rowStride + fromColumn]
                             : c.padValue;
      ASSERT_EQ(got[at], expected) << "row " << row << " column " << column;
    }
}

} // namespace

TEST(GlobalAccess, CopiesRaggedViewsElementByElement) {
  for (int rows : {1, 2, 31, 33})
    for (int columns : {1, 3, 8, 13, 63, 64})
      checkCopy({rows, columns, columns, columns});
}

TEST(GlobalAccess, CopiesRowsWithPaddingBetween) {
  for (int columns : {1, 5, 8, 57, 63})
    for (int rows : {1, 7, 40})
      checkCopy({rows, columns, 72, 65});
}

// Aligned rows are read 16 bytes at once, up to the last element of an odd row.
TEST(GlobalAccess, ReadsWideAcrossTheEndOfARow) {
  for (int columns : {1, 5, 8, 57, 63}) {
    CopyCase c{9, columns, 64, 64};
    c.align = "align 8";
    checkCopy(c);
  }
}

TEST(GlobalAccess, MovesWholeVectorsWhereTheExtentIsAMultiple) {
  for (int columns : {8, 24, 56, 64}) {
    CopyCase c{33, columns, 64, 64};
    c.align = "align 8";
    c.multiple = 8;
    checkCopy(c);
    checkCopy(c, "gfx950");
  }
}

TEST(GlobalAccess, PadsOnEverySide) {
  for (int shiftRows : {-1, 0, 2})
    for (int shiftColumns : {-3, 0, 5}) {
      CopyCase c{20, 45, 45, 45, shiftRows, shiftColumns};
      checkCopy(c);
      c.pad = "pad one";
      c.padValue = 1;
      checkCopy(c);
      c.pad = "pad lowest";
      c.padValue = INT16_MIN;
      checkCopy(c);
    }
}

// Rows that overlap (a stride below the extent): the range of the buffer says
// nothing about rows, so the lane compares them.
TEST(GlobalAccess, ChecksRowsOfOverlappingViews) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  gpu.func @k(%A: !fly.ptr<i32>, %C: !fly.ptr<i32>, %M: i32, %s: i32) kernel
      attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, 8] strides [%s, 1] : !fly.view<?x8xi32>
    %c = fly.view %C[64, 8] : !fly.view<64x8xi32>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %v = fly.read %a[%lane, %c0] pad one : !fly.view<?x8xi32> -> vector<4xi32>
    fly.write %v, %c[%lane, %c0] in_bounds [true, true] : vector<4xi32>, !fly.view<64x8xi32>
    gpu.return
  })mlir"));
  ASSERT_EQ(run.errors, "");
  std::vector<int32_t> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = 100 + i;
  uint64_t a = run.buffer(in), c = run.buffer(std::vector<int32_t>(512, -1));
  ASSERT_EQ(run.launch({a, c, 5, 2}), "");
  std::vector<int32_t> got = run.read<int32_t>(c, 512);
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 4; ++column)
      EXPECT_EQ(got[row * 8 + column], row < 5 ? in[row * 2 + column] : 1);
}

// An offset far beyond 32 bits goes into the resource's base.
TEST(GlobalAccess, ReachesElementsBeyondFourGibibytes) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  gpu.func @k(%A: !fly.ptr<i32>, %C: !fly.ptr<i32>) kernel
      attributes {fly.waves = 1 : i32} {
    %block = gpu.block_id x
    %c1 = arith.constant 1 : index
    %b1 = arith.addi %block, %c1 : index
    %b = arith.index_cast %b1 : index to i64
    %stride = arith.constant 1500000000 : i64
    %off = arith.muli %b, %stride : i64
    %a = fly.view %A[64] at %off : !fly.view<64xi32>
    %c = fly.view %C[64] : !fly.view<64xi32>
    %lane = fly.lane
    %v = fly.read %a[%lane] : !fly.view<64xi32> -> i32
    fly.write %v, %c[%lane] : i32, !fly.view<64xi32>
    gpu.return
  })mlir"));
  ASSERT_EQ(run.errors, "");
  std::vector<int32_t> far(64);
  for (int i = 0; i < 64; ++i)
    far[i] = 5 * i;
  uint64_t a = run.buffer(far);
  uint64_t c = run.buffer(std::vector<int32_t>(64, -1));
  // The pointer lies 6 GB before the buffer.
  ASSERT_EQ(run.launch({a - 6000000000ull, c}), "");
  EXPECT_EQ(run.read<int32_t>(c, 64), far);
}

TEST(GlobalAccess, SplitsTheOffsetOfALoop) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  gpu.func @sum(%A: !fly.ptr<i32>, %C: !fly.ptr<i32>, %K: i32) kernel
      attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xi32>
    %c = fly.view %C[64] : !fly.view<64xi32>
    %lane = fly.lane
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %end = arith.index_cast %K : i32 to index
    %s = scf.for %k = %c0 to %end step %c3 iter_args(%acc = %zero) -> (i32) {
      %k1 = arith.addi %k, %c1 : index
      %x = fly.read %a[%lane, %k] in_bounds [true, true] : !fly.view<64x?xi32> -> i32
      %y = fly.read %a[%lane, %k1] : !fly.view<64x?xi32> -> i32
      %t = arith.addi %acc, %x : i32
      %u = arith.addi %t, %y : i32
      scf.yield %u : i32
    }
    fly.write %s, %c[%lane] : i32, !fly.view<64xi32>
    gpu.return
  })mlir"));
  ASSERT_EQ(run.errors, "");
  for (int k : {0, 1, 2, 3, 4, 10}) {
    std::vector<int32_t> in(64 * k + 1);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = int32_t(i * i % 91);
    in.resize(std::max<size_t>(64 * k, 1));
    uint64_t a = run.buffer(in), c = run.buffer(std::vector<int32_t>(64, -1));
    ASSERT_EQ(run.launch({a, c, uint64_t(k)}), "");
    std::vector<int32_t> got = run.read<int32_t>(c, 64);
    for (int lane = 0; lane < 64; ++lane) {
      int32_t expected = 0;
      for (int i = 0; i < k; i += 3)
        expected += in[lane * k + i] + (i + 1 < k ? in[lane * k + i + 1] : 0);
      EXPECT_EQ(got[lane], expected) << "K " << k << " lane " << lane;
    }
  }
}
