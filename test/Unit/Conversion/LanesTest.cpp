//===- LanesTest.cpp - Exchanges between lanes, by value ------------------===//
//
// Every lane holds a number of its own; what it gets must be that of the lane
// that the op's definition names.
//
//===----------------------------------------------------------------------===//
#include <functional>
#include <gtest/gtest.h>

#include "ConversionRun.h"
#include "ExplicitText.h"

using namespace fly::test;

namespace {

constexpr int undefined = -1;

/// Number of a lane.
int64_t numberOf(int lane, int bits) {
  auto number = int64_t(uint64_t(lane * 3 + 1) * 0x0101010101010101);
  return bits == 64 ? number : number & ((int64_t(1) << bits) - 1);
}

/// `op` makes %y (and perhaps %ok) of %x, of type `type`; lane l must get the
/// number of lane `source(l)`.
void check(const char *chip, const std::string &op, const char *type, int bits,
           const std::function<int(int)> &source, bool hasValid = false) {
  SCOPED_TRACE(std::string(chip) + " " + op);
  std::string valid = hasValid ? "" : "%ok = arith.constant true\n    ";
  std::string text = fillIn(
      R"mlir(
  gpu.func @k(%A: !fly.ptr<$T>, %C: !fly.ptr<$T>, %V: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64] : !fly.view<64x$T>
    %c = fly.view %C[64] : !fly.view<64x$T>
    %v = fly.view %V[64] : !fly.view<64xi32>
    %lane = fly.lane
    %x = fly.read %a[%lane] : !fly.view<64x$T> -> $T
    $OP
    $VALID%w = arith.extui %ok : i1 to i32
    fly.write %y, %c[%lane] : $T, !fly.view<64x$T>
    fly.write %w, %v[%lane] : i32, !fly.view<64xi32>
    gpu.return
  })mlir",
      {{"OP", op}, {"VALID", valid}, {"T", type}});
  ConversionRun run(moduleOf(chip, text));
  ASSERT_EQ(run.errors, "");
  size_t bytes = bits / 8;
  std::vector<uint8_t> in(64 * bytes);
  for (int lane = 0; lane < 64; ++lane) {
    int64_t number = numberOf(lane, bits);
    std::memcpy(&in[lane * bytes], &number, bytes);
  }
  uint64_t a = run.buffer(in), c = run.buffer(std::vector<uint8_t>(in.size()));
  uint64_t v = run.buffer(std::vector<int32_t>(64, 7));
  ASSERT_EQ(run.launch({a, c, v}), "");
  std::vector<uint8_t> got = run.read<uint8_t>(c, in.size());
  std::vector<int32_t> ok = run.read<int32_t>(v, 64);
  for (int lane = 0; lane < 64; ++lane) {
    int64_t number = 0;
    std::memcpy(&number, &got[lane * bytes], bytes);
    int from = source(lane);
    if (from != undefined)
      EXPECT_EQ(number, numberOf(from, bits)) << "lane " << lane;
    EXPECT_EQ(ok[lane], hasValid ? from != undefined : 1) << "lane " << lane;
  }
}

std::string shuffle(const char *mode, int offset, int width, const char *type) {
  return fillIn("%o = arith.constant $OFFSET : i32\n    %n = arith.constant "
                "$WIDTH : i32\n    %y, %ok = gpu.shuffle $MODE %x, %o, %n : $T",
                {{"OFFSET", std::to_string(offset)},
                 {"WIDTH", std::to_string(width)},
                 {"MODE", mode},
                 {"T", type}});
}

} // namespace

TEST(Lanes, ShufflesInEveryMode) {
  struct Mode {
    const char *name;
    std::function<int(int place, int offset)> from;
  };
  const Mode modes[] = {{"xor", [](int p, int o) { return p ^ o; }},
                        {"up", [](int p, int o) { return p - o; }},
                        {"down", [](int p, int o) { return p + o; }},
                        {"idx", [](int, int o) { return o; }}};
  for (const Mode &mode : modes)
    for (auto [offset, width] :
         {std::pair{5, 64}, {4, 64}, {3, 16}, {20, 32}}) {
      auto source = [&, offset = offset, width = width](int lane) {
        int from = mode.from(lane % width, offset);
        return from >= 0 && from < width ? lane / width * width + from
                                         : undefined;
      };
      check("gfx942", shuffle(mode.name, offset, width, "i32"), "i32", 32,
            source, /*hasValid=*/true);
    }
}

TEST(Lanes, ShufflesValuesOfEveryWidth) {
  for (auto [type, bits] :
       {std::pair{"i8", 8}, {"i16", 16}, {"f16", 16}, {"f32", 32}, {"i64", 64}})
    for (int offset : {6, 32}) {
      auto from = [=](int lane) { return lane ^ offset; };
      check("gfx950", shuffle("xor", offset, 64, type), type, bits, from, true);
    }
}

TEST(Lanes, DppWithinRows) {
  struct Kind {
    const char *text;
    std::function<int(int)> from;
  };
  // A lane whose source is outside of its row keeps the old value, its own.
  auto inRow = [](int lane, int from) {
    return from / 16 == lane / 16 && from >= 0 ? from : lane;
  };
  const Kind kinds[] = {
      {"quad_perm ([1 : i32, 0 : i32, 3 : i32, 2 : i32])",
       [](int l) { return l ^ 1; }},
      {"row_shl (3 : i32)", [&](int l) { return inRow(l, l + 3); }},
      {"row_shr (2 : i32)", [&](int l) { return inRow(l, l - 2); }},
      {"row_ror (5 : i32)",
       [](int l) { return l / 16 * 16 + (l % 16 + 11) % 16; }},
      {"row_mirror", [](int l) { return l ^ 15; }},
      {"row_half_mirror", [](int l) { return l ^ 7; }},
  };
  for (const Kind &kind : kinds)
    for (const char *chip : {"gfx942", "gfx950"})
      check(chip, std::string("%y = amdgpu.dpp %x %x ") + kind.text + " : i32",
            "i32", 32, kind.from);
}

TEST(Lanes, SwizzlesWithin32) {
  auto from = [](int lane) {
    return lane / 32 * 32 + (((lane % 32 & 27) | 2) ^ 9);
  };
  check("gfx942", "%y = amdgpu.swizzle_bitmode %x 27 2 9 : i32", "i32", 32,
        from);
  check("gfx950", "%y = amdgpu.swizzle_bitmode %x 27 2 9 : i16", "i16", 16,
        from);
}

TEST(Lanes, SwapsRowsOnGfx950) {
  for (int row : {16, 32})
    check("gfx950",
          "%y = amdgpu.permlane_swap %x " + std::to_string(row) + " : i32",
          "i32", 32, [=](int lane) { return lane ^ row; });
  ConversionRun run(moduleOf("gfx942", R"mlir(
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %x = arith.constant 1 : i32
    %y = amdgpu.permlane_swap %x 16 : i32
    gpu.return
  })mlir"));
  EXPECT_NE(run.errors.find("does not have: needs gfx950"), std::string::npos)
      << run.errors;
}

TEST(Lanes, ReadsTheFirstLane) {
  check("gfx942", "%y = rocdl.readfirstlane %x : i32", "i32", 32,
        [](int) { return 0; });
}
