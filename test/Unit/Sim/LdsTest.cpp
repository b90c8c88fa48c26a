//===- LdsTest.cpp - local data share -------------------------------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::KernelRun;
using fly::test::KernelShape;
using fly::test::prologue;

namespace {

static KernelShape withLds(unsigned bytes) {
  KernelShape shape;
  shape.ldsBytes = bytes;
  return shape;
}

/// Runs a body that stores per lane at v1 and gives the first `count` dwords.
static std::vector<uint32_t> runBody(const std::string &body, unsigned count,
                                     llvm::StringRef chip = "gfx942") {
  KernelRun run = KernelRun::ofBody(prologue + body, chip, withLds(8192));
  uint64_t out = run.buffer(count * 4);
  run.setArguments({out});
  EXPECT_EQ(run.launchError(), "");
  EXPECT_TRUE(run.guardsIntact());
  return run.read<uint32_t>(out, count);
}

TEST(Lds, TwoAddressForms) {
  // Elements of 4 and of 64 * 8 bytes.
  std::vector<uint32_t> values = runBody(R"(
  v_lshlrev_b32 v10, 3, v0
  v_add_u32 v2, 1000, v0
  v_add_u32 v3, 2000, v0
  ds_write2_b32 v10, v2, v3 offset0:1 offset1:0
  ds_write2st64_b64 v10, v[2:3], v[2:3] offset0:1 offset1:2
  s_waitcnt lgkmcnt(0)
  ds_read2_b32 v[4:5], v10 offset1:1
  ds_read2st64_b64 v[6:9], v10 offset0:2 offset1:1
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v11, 4, v0
  v_mov_b32 v12, v5
  global_store_dwordx4 v11, v[6:9], s[4:5]
  global_store_dword v1, v4, s[4:5] offset:1024
  global_store_dword v1, v12, s[4:5] offset:1280
)",
                                         384);
  for (unsigned i = 0; i != 64; ++i) {
    for (unsigned j = 0; j != 4; ++j)
      EXPECT_EQ(values[4 * i + j], (j % 2 ? 2000 : 1000) + i);
    EXPECT_EQ(values[256 + i], 2000 + i);
    EXPECT_EQ(values[320 + i], 1000 + i);
  }
}

TEST(Lds, NarrowAndWideForms) {
  std::vector<uint32_t> values = runBody(R"(
  v_mov_b32 v2, 0x8091a2b3
  v_lshlrev_b32 v10, 4, v0
  v_mov_b32 v3, v0
  v_mov_b32 v4, 5
  v_mov_b32 v5, 6
  ds_write_b128 v10, v[2:5]
  ds_write_b8 v10, v2 offset:4
  ds_write_b16_d16_hi v10, v2 offset:6
  s_waitcnt lgkmcnt(0)
  ds_read_i8 v6, v10 offset:3
  ds_read_u16 v7, v10 offset:2
  v_mov_b32 v8, -1
  ds_read_u16_d16_hi v8, v10
  ds_read_b96 v[12:14], v10 offset:4
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v11, 2, v10
  global_store_dword v10, v6, s[4:5]
  global_store_dword v10, v7, s[4:5] offset:4
  global_store_dword v10, v8, s[4:5] offset:8
  global_store_dword v10, v12, s[4:5] offset:12
)",
                                         256);
  for (unsigned i = 0; i != 64; ++i) {
    EXPECT_EQ(values[4 * i], 0xffffff80u);
    EXPECT_EQ(values[4 * i + 1], 0x8091u);
    EXPECT_EQ(values[4 * i + 2], 0xa2b3ffffu);
    EXPECT_EQ(values[4 * i + 3], 0x809100b3u);
  }
}

TEST(Lds, PermutesAndSwizzles) {
  std::vector<uint32_t> values = runBody(R"(
  v_add_u32 v2, 100, v0
  v_add_u32 v3, 1, v0
  v_lshlrev_b32 v3, 2, v3
  ds_bpermute_b32 v4, v3, v2
  ds_permute_b32 v5, v3, v2
  ds_swizzle_b32 v6, v2 offset:swizzle(SWAP,16)
  ds_swizzle_b32 v7, v2 offset:swizzle(QUAD_PERM,3,2,1,0)
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
  global_store_dword v1, v5, s[4:5] offset:256
  global_store_dword v1, v6, s[4:5] offset:512
  global_store_dword v1, v7, s[4:5] offset:768
)",
                                         256);
  for (unsigned i = 0; i != 64; ++i) {
    EXPECT_EQ(values[i], 100 + (i + 1) % 64);
    EXPECT_EQ(values[64 + i], 100 + (i + 63) % 64);
    EXPECT_EQ(values[128 + i], 100 + (i ^ 16));
    EXPECT_EQ(values[192 + i], 100 + (i ^ 3));
  }
}

TEST(Lds, BackwardPermuteGivesZeroForDisabledLanes) {
  std::vector<uint32_t> values = runBody(R"(
  v_add_u32 v2, 100, v0
  v_mov_b32 v4, 77
  v_xor_b32 v3, 4, v1
  s_mov_b32 exec_lo, 0x0000fff0
  s_mov_b32 exec_hi, -1
  v_mov_b32 v3, v1
  v_xor_b32 v3, 32, v3
  ds_bpermute_b32 v4, v3, v2
  s_mov_b64 exec, -1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                                         64);
  auto isActive = [](unsigned lane) {
    return lane >= 32 || (lane >= 4 && lane < 16);
  };
  for (unsigned i = 0; i != 64; ++i)
    EXPECT_EQ(values[i], !isActive(i)      ? 77u
                         : isActive(i ^ 8) ? 100 + (i ^ 8)
                                           : 0u)
        << i;
}

TEST(Lds, Atomics) {
  std::vector<uint32_t> values = runBody(R"(
  v_mov_b32 v10, 0
  v_mov_b32 v11, 0
  v_mov_b32 v12, 0
  v_mov_b32 v13, 0
  ds_write_b128 v10, v[10:13]
  v_mov_b32 v3, 2.0
  s_waitcnt lgkmcnt(0)
  ds_add_rtn_u32 v2, v10, v0
  ds_max_u32 v10, v0 offset:4
  ds_add_f32 v10, v3 offset:8
  ds_inc_u32 v10, v3 offset:12
  v_mov_b32 v4, 64
  v_mov_b32 v5, 9
  ds_cmpst_rtn_b32 v6, v10, v4, v5 offset:12
  s_waitcnt lgkmcnt(0)
  ds_read_b128 v[20:23], v10
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
  global_store_dwordx4 v10, v[20:23], s[4:5] offset:256
  global_store_dword v10, v6, s[4:5] offset:272
)",
                                         69);
  uint32_t expected = 0;
  for (unsigned i = 0; i != 64; ++i) {
    EXPECT_EQ(values[i], expected);
    expected += i;
  }
  EXPECT_EQ(values[64], 2016u);
  EXPECT_EQ(values[65], 63u);
  EXPECT_EQ(values[66], 0x43000000u); // 128.0
  EXPECT_EQ(values[67], 9u);
  // All lanes write the same address; the last lane saw the new value.
  EXPECT_EQ(values[68], 9u);
}

/// A row-major tile in LDS comes out by columns: the matrix operand of B.
TEST(Lds, TransposingReadGfx950) {
  // Element (row, column) of each 4 x 16 tile of 16-bit elements holds
  // 256 * tile + 16 * row + column; lane q of a tile reads row q / 4, columns
  // 4 * (q % 4) onwards.
  std::vector<uint32_t> values = runBody(R"(
  v_lshlrev_b32 v10, 3, v0
  v_lshlrev_b32 v2, 2, v0
  v_and_b32 v3, 60, v2
  v_lshrrev_b32 v4, 4, v0
  v_lshl_add_u32 v3, v4, 8, v3
  v_add_u32 v5, 1, v3
  v_lshl_or_b32 v6, v5, 16, v3
  v_add_u32 v7, 0x20002, v6
  ds_write_b64 v10, v[6:7]
  s_waitcnt lgkmcnt(0)
  ds_read_b64_tr_b16 v[8:9], v10
  s_waitcnt lgkmcnt(0)
  global_store_dwordx2 v10, v[8:9], s[4:5]
)",
                                         128, "gfx950");
  for (unsigned lane = 0; lane != 64; ++lane)
    for (unsigned e = 0; e != 4; ++e) {
      uint32_t element = (values[2 * lane + e / 2] >> (16 * (e % 2))) & 0xffff;
      EXPECT_EQ(element, 256 * (lane / 16) + 16 * e + lane % 16)
          << "lane " << lane << ", element " << e;
    }
}

TEST(Lds, TransposingReadNeedsAllLanes) {
  KernelRun run = KernelRun::ofBody(R"(
  s_mov_b64 exec, 0xffff
  v_mov_b32 v1, 0
  ds_read_b64_tr_b16 v[2:3], v1
)",
                                    "gfx950", withLds(1024));
  ASSERT_FALSE(run.failed()) << run.message;
  run.setArguments({});
  EXPECT_NE(run.launchError().find("needs all lanes enabled"),
            std::string::npos);
}

TEST(Lds, BoundsAreChecked) {
  const char *body = R"(
  v_mov_b32 v2, 0x10000
  v_mov_b32 v3, 5
  ds_write_b32 v2, v3
  ds_read_b32 v4, v2
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)";
  KernelRun run =
      KernelRun::ofBody(std::string(prologue) + body, "gfx942", withLds(512));
  uint64_t out = run.buffer(256);
  run.setArguments({out});
  std::string text = run.launchError();
  EXPECT_NE(text.find("LDS write of 4 bytes at 65536, the workgroup has 512 "
                      "bytes"),
            std::string::npos)
      << text;
  // Hardware drops the write and reads 0.
  run.params.options.checks.remove(sim::Check::Bounds);
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->ldsOutOfRange, 128u);
  EXPECT_EQ(run.read<uint32_t>(out, 64), std::vector<uint32_t>(64, 0));
}

/// Compilers fold offsets onto negative addresses: sums wrap at 32 bits.
TEST(Lds, AddressesWrap) {
  std::vector<uint32_t> values = runBody(R"(
  v_mov_b32 v2, 1234
  ds_write_b32 v1, v2
  v_subrev_u32 v3, 16, v1
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v4, v3 offset:16
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v4, s[4:5]
)",
                                         64);
  EXPECT_EQ(values, std::vector<uint32_t>(64, 1234));
}

TEST(Lds, DynamicLdsIsAllocated) {
  KernelRun run = KernelRun::ofBody(R"(
  v_mov_b32 v1, 0xfffc
  ds_write_b32 v1, v0
)");
  run.setArguments({});
  run.params.dynamicLdsBytes = 65536;
  EXPECT_EQ(run.launchError(), "");
}

} // namespace
