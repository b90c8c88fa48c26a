//===- LdsCopyTest.cpp - Copies to LDS, transposing reads, by value -------===//
//
// What lane l copies must lie l widths behind the wave's place, zeros where the
// source is outside; a swizzled view must give back what was copied to where
// fly.swizzle said. Transposing reads are compared with the matrix.
//
//===----------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "ConversionRun.h"
#include "ExplicitText.h"

using namespace fly::test;

namespace {

/// Four waves copy 32 rows of $ROW bytes from a ragged view, $WIDTH bytes a
/// lane, and write them out again, $OUT bytes a lane.
const char *copyText = R"mlir(
  fly.lds.struct @S { a : $L }
  gpu.func @copy(%A: !fly.ptr<i8>, %C: !fly.ptr<i8>, %M: i32, %N: i32 {fly.multiple_of = $MULTIPLE : i64})
      kernel attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xi8>
    %c = fly.view %C[32, $ROW] : !fly.view<32x$ROWxi8>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> $L
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %out = arith.constant $OUT : index
    %bytes = arith.constant $ROW : index
    %width = arith.constant $WIDTH : index
    %span = arith.constant $SPAN : index
    %lane = fly.lane
    %wave = fly.wave
    %own = arith.muli %lane, %width : index
    fly.static_for %i = 0 to $ROUNDS {
      %i4 = arith.muli %i, %c4 : index
      %part = arith.addi %i4, %wave : index
      %base = arith.muli %part, %span : index
      %at = arith.addi %base, %own : index
      %x = $SWIZZLE
      %r = arith.divui %x, %bytes : index
      %k = arith.remui %x, %bytes : index
      %lr = arith.divui %base, %bytes : index
      %lk = arith.remui %base, %bytes : index
      fly.dma %a[%r, %k] to %l[%lr, %lk] : vector<$WIDTHxi8>, !fly.view<?x?xi8>, $L
    }
    fly.wait vm(0)
    fly.barrier $BARRIER
    %thread = gpu.thread_id x
    %row = arith.divui %thread, %c8 : index
    %chunk = arith.remui %thread, %c8 : index
    %col = arith.muli %chunk, %out : index
    %v = fly.read %l[%row, %col] : $L -> vector<$OUTxi8>
    fly.write %v, %c[%row, %col] in_bounds [true, true] : vector<$OUTxi8>, !fly.view<32x$ROWxi8>
    gpu.return
  })mlir";

void checkCopy(const char *chip, int width, bool swizzled,
               const char *barrier) {
  SCOPED_TRACE(std::string(chip) + " " + std::to_string(width) + " bytes " +
               barrier);
  std::string layout = "#fly.swizzle<3, 4, 3>";
  // Rows are whole widths.
  int rowBytes = width == 12 ? 96 : 128, bytes = 32 * rowBytes;
  std::string row = std::to_string(rowBytes);
  std::string view = "!fly.view<32x" + row + "xi8, lds";
  std::string text = fillIn(
      copyText, {{"L", view + (swizzled ? ", " + layout + ">" : ">")},
                 {"ROW", row},
                 {"OUT", std::to_string(rowBytes / 8)},
                 {"MULTIPLE", width == 12 ? "12" : "16"},
                 {"WIDTH", std::to_string(width)},
                 {"SPAN", std::to_string(64 * width)},
                 {"ROUNDS", std::to_string(bytes / (4 * 64 * width))},
                 {"SWIZZLE", swizzled ? "fly.swizzle %at by " + layout
                                      : "arith.addi %base, %own : index"},
                 {"BARRIER", barrier}});
  ConversionRun run(moduleOf(chip, text));
  ASSERT_EQ(run.errors, "");
  EXPECT_NE(run.assembly.find(width == 16   ? "buffer_load_dwordx4"
                              : width == 12 ? "buffer_load_dwordx3"
                                            : "buffer_load_dword "),
            std::string::npos);
  std::pair<int, int> shapes[] = {{32, rowBytes}, {29, 96}, {29, 48}};
  if (width != 12)
    shapes[2] = {1, 16};
  for (auto [rows, columns] : shapes) {
    std::vector<uint8_t> in(rows * columns);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = uint8_t(i * 37 + i / 256 * 11 + 1);
    uint64_t a = run.buffer(in);
    uint64_t c = run.buffer(std::vector<uint8_t>(bytes, 0xcc));
    ASSERT_EQ(run.launch({a, c, uint64_t(rows), uint64_t(columns)}), "");
    std::vector<uint8_t> got = run.read<uint8_t>(c, bytes);
    for (int r = 0; r < 32; ++r)
      for (int k = 0; k < rowBytes; ++k)
        ASSERT_EQ(int(got[r * rowBytes + k]),
                  r < rows && k < columns ? int(in[r * columns + k]) : 0)
            << rows << "x" << columns << " at " << r << "," << k;
  }
}

} // namespace

TEST(LdsCopy, FillsWhatTheReaderSees) {
  for (bool swizzled : {false, true}) {
    checkCopy("gfx942", 4, swizzled, "lds");
    checkCopy("gfx950", 4, swizzled, "bare");
    checkCopy("gfx950", 16, swizzled, "lds");
  }
  checkCopy("gfx950", 16, true, "all");
  for (const char *barrier : {"lds", "bare", "all"})
    checkCopy("gfx950", 12, /*swizzled=*/false, barrier);
}

namespace {

/// A wave reads a matrix of 64 rows through chunks that are transposed.
const char *transposeText = R"mlir(
  fly.lds.struct @S { a : !fly.view<64x$BYTESxi8, lds> }
  gpu.func @read(%A: !fly.ptr<i8>, %C: !fly.ptr<i8>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64, $BYTES] : !fly.view<64x$BYTESxi8>
    %c = fly.view %C[64, $CHUNK] : !fly.view<64x$CHUNKxi8>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64x$BYTESxi8, lds>
    %t = fly.lds.field %lds[a] {fly.unchecked} : !fly.lds<@S> -> $VIEW
    %c0 = arith.constant 0 : index
    %lane = fly.lane
    fly.static_for %i = 0 to $BYTES step 4 {
      %w = fly.read %a[%lane, %i] in_bounds [true, true] : !fly.view<64x$BYTESxi8> -> vector<4xi8>
      fly.write %w, %l[%lane, %i] : vector<4xi8>, !fly.view<64x$BYTESxi8, lds>
    }
    fly.barrier lds
    %cpr = arith.constant $PERROW : index
    %size = arith.constant $STEP : index
    %r = arith.divui %lane, %cpr : index
    %q = arith.remui %lane, %cpr : index
    %k = arith.muli %q, %size : index
    %v = fly.read_transposed %t[%r, %k] : $VIEW -> $TYPE
    %b = vector.bitcast %v : $TYPE to vector<$CHUNKxi8>
    $WRITES
    gpu.return
  })mlir";

/// Element `index` of `bits` bits.
unsigned bitsAt(const std::vector<uint8_t> &bytes, size_t bit, unsigned bits) {
  unsigned value = 0;
  for (unsigned i = 0; i < bits; ++i)
    value |= (bytes[(bit + i) / 8] >> ((bit + i) % 8) & 1u) << i;
  return value;
}

/// Chunks of `elements` elements of `bits` bits; 16 elements a row.
void checkTranspose(unsigned bits, unsigned elements, const char *view,
                    const char *type) {
  SCOPED_TRACE(type);
  unsigned rowBytes = 2 * bits, chunk = elements * bits / 8;
  unsigned perRow = 16 / elements;
  std::string writes;
  for (unsigned i = 0; i < chunk; i += 4) {
    std::string n = std::to_string(i);
    writes += "%s" + n + " = vector.extract_strided_slice %b {offsets = [" + n +
              "], sizes = [4], strides = [1]} : vector<" +
              std::to_string(chunk) + "xi8> to vector<4xi8>\n    %o" + n +
              " = arith.constant " + n + " : index\n    fly.write %s" + n +
              ", %c[%lane, %o" + n +
              "] in_bounds [true, true] : vector<4xi8>, "
              "!fly.view<64x" +
              std::to_string(chunk) + "xi8>\n    ";
  }
  std::string text = fillIn(
      transposeText, {{"BYTES", std::to_string(rowBytes)},
                      {"CHUNK", std::to_string(chunk)},
                      {"VIEW", view},
                      {"PERROW", std::to_string(perRow)},
                      {"STEP", std::to_string(bits < 8 ? chunk : elements)},
                      {"TYPE", type},
                      {"WRITES", writes}});
  ConversionRun run(moduleOf("gfx950", text));
  ASSERT_EQ(run.errors, "");
  std::vector<uint8_t> in(64 * rowBytes);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = uint8_t(i * 73 + i / 16 * 5 + 3);
  uint64_t a = run.buffer(in);
  uint64_t c = run.buffer(std::vector<uint8_t>(64 * chunk));
  ASSERT_EQ(run.launch({a, c}), "");
  std::vector<uint8_t> got = run.read<uint8_t>(c, 64 * chunk);
  // Sixteen lanes name 16 / perRow rows of 16 columns; lane q gets column q.
  unsigned rows = 16 / perRow;
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned e = 0; e < elements; ++e) {
      unsigned row = lane / 16 * rows + e, column = lane % 16;
      ASSERT_EQ(bitsAt(got, (lane * elements + e) * bits, bits),
                bitsAt(in, (row * 16 + column) * bits, bits))
          << "lane " << lane << " element " << e;
    }
}

} // namespace

TEST(ReadTransposed, GivesColumns) {
  checkTranspose(16, 4, "!fly.view<64x16xi16, lds>", "vector<4xi16>");
  checkTranspose(16, 4, "!fly.view<64x16xbf16, lds>", "vector<4xbf16>");
  checkTranspose(8, 8, "!fly.view<64x16xi8, lds>", "vector<8xi8>");
  checkTranspose(8, 8, "!fly.view<64x16xf8E4M3FN, lds>", "vector<8xf8E4M3FN>");
  checkTranspose(4, 16, "!fly.view<64x8xi8, lds>", "vector<16xi4>");
  checkTranspose(6, 16, "!fly.view<64x12xi8, lds>", "vector<16xi6>");
}

TEST(ReadTransposed, IsRefusedOnGfx942) {
  ConversionRun run(moduleOf("gfx942", R"mlir(
  fly.lds.struct @S { a : !fly.view<64x16xi16, lds> }
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64x16xi16, lds>
    %c0 = arith.constant 0 : index
    %v = fly.read_transposed %l[%c0, %c0] : !fly.view<64x16xi16, lds> -> vector<4xi16>
    gpu.return
  })mlir"));
  EXPECT_NE(run.errors.find("does not have: needs gfx950"), std::string::npos)
      << run.errors;
}
