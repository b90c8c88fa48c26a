//===- VmemTest.cpp - vector memory ---------------------------------------===//

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::KernelRun;
using fly::test::KernelShape;
using fly::test::prologue;

namespace {

static std::vector<uint32_t> iota(size_t count, uint32_t first = 0) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i != count; ++i)
    values[i] = uint32_t(first + i);
  return values;
}

/// Builds the raw buffer resource of [s6:s7] with s20 bytes in s[12:15].
const char *const resource = R"(
  s_mov_b32 s12, s6
  s_and_b32 s13, s7, 0xffff
  s_mov_b32 s14, s8
  s_mov_b32 s15, 0x00027000
)";

TEST(Vmem, LoadsAndStoresEveryWidth) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_lshlrev_b32 v20, 4, v0
  global_load_dwordx4 v[4:7], v20, s[6:7]
  v_add_co_u32 v22, vcc, s6, v20
  v_mov_b32 v23, s7
  s_nop 0
  v_addc_co_u32 v23, vcc, 0, v23, vcc
  flat_load_dwordx3 v[8:10], v[22:23]
  global_load_ubyte v11, v[22:23], off offset:1
  global_load_sbyte v12, v[22:23], off offset:3
  global_load_sshort v13, v[22:23], off offset:2
  v_mov_b32 v14, 0
  global_load_short_d16_hi v14, v[22:23], off
  v_mov_b32 v15, -1
  global_load_ubyte_d16 v15, v[22:23], off offset:1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mul_u32_u24 v21, 48, v0
  global_store_dwordx4 v21, v[4:7], s[4:5]
  global_store_dwordx2 v21, v[8:9], s[4:5] offset:16
  global_store_dword v21, v11, s[4:5] offset:24
  global_store_dword v21, v12, s[4:5] offset:28
  global_store_dword v21, v13, s[4:5] offset:32
  global_store_dword v21, v14, s[4:5] offset:36
  global_store_dword v21, v15, s[4:5] offset:40
  global_store_byte v21, v12, s[4:5] offset:44
  global_store_short_d16_hi v21, v14, s[4:5] offset:46
)");
  std::vector<uint32_t> input(256);
  for (unsigned i = 0; i != 256; ++i)
    input[i] = 0x80907060u + i * 0x01010101u;
  uint64_t out = run.buffer(64 * 48), in = run.bufferOf(input);
  run.setArguments({out, in});
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 64 * 12);
  for (unsigned lane = 0; lane != 64; ++lane) {
    const uint32_t *row = &values[lane * 12];
    uint32_t first = input[lane * 4];
    for (unsigned i = 0; i != 4; ++i)
      EXPECT_EQ(row[i], input[lane * 4 + i]);
    EXPECT_EQ(row[4], input[lane * 4]);
    EXPECT_EQ(row[5], input[lane * 4 + 1]);
    EXPECT_EQ(row[6], (first >> 8) & 0xff);
    EXPECT_EQ(row[7], uint32_t(int32_t(first) >> 24));
    EXPECT_EQ(row[8], uint32_t(int32_t(first) >> 16));
    EXPECT_EQ(row[9], first << 16);
    EXPECT_EQ(row[10], 0xffff0000u | ((first >> 8) & 0xff));
    EXPECT_EQ(row[11] & 0xff, (first >> 24) & 0xff);
    EXPECT_EQ(row[11] >> 16, first & 0xffff);
  }
  EXPECT_TRUE(run.guardsIntact());
}

TEST(Vmem, DisabledLanesTouchNothing) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_cmp_gt_u32 vcc, 10, v0
  s_and_saveexec_b64 s[20:21], vcc
  v_mov_b32 v2, 7
  global_store_dword v1, v2, s[4:5]
)");
  uint64_t out = run.buffer(10 * 4);
  run.setArguments({out});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 10), std::vector<uint32_t>(10, 7));
  EXPECT_TRUE(run.guardsIntact());
}

/// Each dword is checked on its own; soffset counts.
TEST(Vmem, BufferChecksEachDword) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  v_lshlrev_b32 v20, 4, v0
  s_movk_i32 s16, 8
  buffer_load_dwordx4 v[4:7], v20, s[12:15], s16 offen offset:4
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v20, v[4:7], s[4:5]
)");
  // 100 bytes: lane 5 reads bytes 92..107, of which two dwords are inside.
  uint64_t out = run.buffer(1024), in = run.bufferOf(iota(25, 100));
  run.setArguments({out, in, 100});
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  std::vector<uint32_t> values = run.read<uint32_t>(out, 256);
  uint64_t outside = 0;
  for (unsigned i = 0; i != 256; ++i) {
    unsigned element = i + 3;
    EXPECT_EQ(values[i], element < 25 ? 100 + element : 0) << i;
    outside += element >= 25;
  }
  EXPECT_EQ(result->bufferReadsOutOfRange, outside);
}

TEST(Vmem, BufferDropsWritesOutside) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  v_mov_b32 v2, 9
  v_mov_b32 v3, 10
  v_lshlrev_b32 v20, 3, v0
  buffer_store_dwordx2 v[2:3], v20, s[12:15], 0 offen
  buffer_store_short v2, off, s[12:15], 0 offset:300
)");
  uint64_t out = run.buffer(256), data = run.buffer(36);
  run.setArguments({out, data, 36});
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(run.read<uint32_t>(data, 9),
            (std::vector<uint32_t>{9, 10, 9, 10, 9, 10, 9, 10, 9}));
  EXPECT_EQ(result->bufferWritesDropped, 64 * 2 - 9 + 64u);
  EXPECT_TRUE(run.guardsIntact());
}

/// Offsets between 2^31 and 2^32 are unsigned.
TEST(Vmem, BufferReachesBehindTwoGigabytes) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  v_mov_b32 v20, 0x80000004
  v_mov_b32 v21, 0xc0000000
  buffer_load_dword v4, v20, s[12:15], 0 offen
  buffer_load_dword v5, v21, s[12:15], 0 offen
  s_mov_b64 exec, 1
  buffer_store_dword v20, v21, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
  v_mov_b32 v6, 0
  global_store_dwordx2 v6, v[4:5], s[4:5]
)");
  uint64_t bytes = 0xc0000000;
  auto sparse = run.simulator->memory().allocate(bytes, "sparse");
  ASSERT_TRUE(bool(sparse)) << llvm::toString(sparse.takeError());
  float value = 1.5f;
  std::memcpy(run.simulator->memory().host(*sparse + 0x80000004, 4), &value, 4);
  uint64_t out = run.buffer(8);
  run.setArguments({out, *sparse, bytes});
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(run.read<float>(out, 2), (std::vector<float>{1.5f, 0.0f}));
  EXPECT_EQ(result->bufferWritesDropped, 1u);
  EXPECT_EQ(result->bufferReadsOutOfRange, 64u);
}

TEST(Vmem, StructuredBufferChecksTheIndex) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_mov_b32 s12, s6
  s_and_b32 s13, s7, 0xffff
  s_or_b32 s13, s13, 0x00080000
  s_movk_i32 s14, 5
  s_mov_b32 s15, 0x00027000
  buffer_load_dword v2, v0, s[12:15], 0 idxen offset:4
  s_waitcnt vmcnt(0)
  global_store_dword v1, v2, s[4:5]
)");
  uint64_t out = run.buffer(256), in = run.bufferOf(iota(10, 50));
  run.setArguments({out, in});
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
  for (unsigned i = 0; i != 64; ++i)
    EXPECT_EQ(values[i], i < 5 ? 51 + 2 * i : 0);
}

/// A stride without an index (compilers set it for cache swizzling) leaves a
/// raw buffer that is counted in bytes.
TEST(Vmem, StrideWithoutIndexIsRaw) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  s_mov_b32 s12, s6
  s_and_b32 s13, s7, 0xffff
  s_or_b32 s13, s13, 0x40080000
  s_movk_i32 s14, 40
  s_mov_b32 s15, 0x00027000
  buffer_load_dword v2, v1, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
  global_store_dword v1, v2, s[4:5]
)");
  uint64_t out = run.buffer(256), in = run.bufferOf(iota(10, 50));
  run.setArguments({out, in});
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 64);
  for (unsigned i = 0; i != 64; ++i)
    EXPECT_EQ(values[i], i < 10 ? 50 + i : 0);
}

TEST(Vmem, ScratchIsPerLane) {
  KernelShape shape;
  shape.scratchBytes = 64;
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_mov_b32 v5, 8
  scratch_store_dword v5, v0, off offset:4
  s_movk_i32 s16, 12
  scratch_load_dword v2, off, s16
  v_mov_b32 v8, 12
  s_mov_b64 s[18:19], src_private_base
  v_mov_b32 v9, s19
  flat_load_dword v3, v[8:9]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_add_u32 v2, v2, v3
  global_store_dword v1, v2, s[4:5]
)",
                                    "gfx942", shape);
  uint64_t out = run.buffer(512);
  run.setArguments({out});
  run.params.workgroupSize = {128, 1, 1};
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 128);
  for (unsigned i = 0; i != 128; ++i)
    EXPECT_EQ(values[i], 2 * i);

  KernelRun over = KernelRun::ofBody(
      "  v_mov_b32 v5, 64\n  scratch_store_dword v5, v0, off\n", "gfx942",
      shape);
  over.setArguments({});
  EXPECT_NE(over.launchError().find(
                "scratch write of 4 bytes at 64, a lane has 64 bytes"),
            std::string::npos);
}

/// Where the compiler does not know the depth, a lane gets a stack.
TEST(Vmem, DynamicStackHasRoom) {
  KernelShape shape;
  shape.scratchBytes = 16;
  const char *body =
      "  s_movk_i32 s32, 4096\n  scratch_store_dword off, v0, s32\n";
  KernelRun fixed = KernelRun::ofBody(body, "gfx942", shape);
  fixed.setArguments({});
  EXPECT_NE(fixed.launchError(), "");
  shape.dynamicStack = true;
  KernelRun dynamic = KernelRun::ofBody(body, "gfx942", shape);
  dynamic.setArguments({});
  EXPECT_EQ(dynamic.launchError(), "");
}

TEST(Vmem, FlatReachesLds) {
  KernelShape shape;
  shape.ldsBytes = 512;
  KernelRun run = KernelRun::ofBody(std::string(prologue) + R"(
  v_add_u32 v2, 100, v0
  ds_write_b32 v1, v2 offset:256
  s_mov_b64 s[18:19], src_shared_base
  v_mov_b32 v9, s19
  v_add_u32 v8, 0x100, v1
  flat_load_dword v3, v[8:9]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v1, v3, s[4:5]
)",
                                    "gfx942", shape);
  uint64_t out = run.buffer(256);
  run.setArguments({out});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 64), iota(64, 100));
}

TEST(Vmem, AtomicsActInLaneOrder) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  v_mov_b32 v5, 0
  v_mov_b32 v6, 1.0
  global_atomic_add v2, v5, v0, s[6:7] sc0
  global_atomic_umax v5, v0, s[6:7] offset:4
  global_atomic_add_f32 v5, v6, s[6:7] offset:8
  v_mov_b32 v10, v0
  v_mov_b32 v11, 63
  v_mov_b32 v20, 12
  buffer_atomic_cmpswap v[10:11], v20, s[12:15], 0 offen sc0
  v_mov_b32 v12, -1
  v_mov_b32 v13, 0
  global_atomic_add_x2 v5, v[12:13], s[6:7] offset:16
  v_mov_b32 v7, 0x3c003f80
  global_atomic_pk_add_f16 v5, v7, s[6:7] offset:24
  v_mov_b32 v7, 0x3f804000
  global_atomic_pk_add_bf16 v5, v7, s[6:7] offset:28
  s_waitcnt vmcnt(0)
  global_store_dword v1, v2, s[4:5]
  global_store_dword v1, v10, s[4:5] offset:256
)");
  ASSERT_FALSE(run.failed()) << run.message;
  uint64_t out = run.buffer(512);
  uint64_t data =
      run.bufferOf(std::vector<uint32_t>{1000, 5, 0, 63, 0, 0, 0, 0});
  run.setArguments({out, data, 32});
  run.params.options.threads = 4;
  auto result = run.launch();
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  // Returned values depend on order, so one thread runs the kernel.
  EXPECT_EQ(result->threadsUsed, 1u);
  std::vector<uint32_t> cells = run.read<uint32_t>(data, 8);
  EXPECT_EQ(cells[0], 1000 + 63 * 32u);
  EXPECT_EQ(cells[1], 63u);
  float sum;
  std::memcpy(&sum, &cells[2], 4);
  EXPECT_EQ(sum, 64.0f);
  // Lane 0 swaps 63 for 0; after that no lane compares equal to 63.
  EXPECT_EQ(cells[3], 0u);
  EXPECT_EQ(cells[4], 0xffffffc0u);
  EXPECT_EQ(cells[5], 63u);
  EXPECT_EQ(cells[6] >> 16, 0x5400u); // 64.0
  EXPECT_EQ(cells[7], 0x42804300u);   // 64.0 and 128.0
  std::vector<uint32_t> old = run.read<uint32_t>(out, 128);
  uint32_t expected = 1000;
  for (unsigned i = 0; i != 64; ++i) {
    EXPECT_EQ(old[i], expected);
    expected += i;
    EXPECT_EQ(old[64 + i], i == 0 ? 63u : 0u);
  }
}

/// The destination is M0 + offset + 4 * lane, whatever the address.
TEST(Vmem, CopiesToLds) {
  KernelShape shape;
  shape.ldsBytes = 2048;
  const std::string body = std::string(prologue) + resource + R"(
  v_sub_u32 v20, 63, v0
  v_lshlrev_b32 v20, 2, v20
  s_movk_i32 m0, 512
  s_nop 0
  buffer_load_dword v20, s[12:15], 0 offen offset:4 lds
  s_movk_i32 m0, 1024
  s_nop 0
  global_load_lds_dword v20, s[6:7]
  s_waitcnt vmcnt(0)
  ds_read_b32 v2, v1 offset:516
  ds_read_b32 v3, v1 offset:1024
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]
  global_store_dword v1, v3, s[4:5] offset:256
)";
  KernelRun run = KernelRun::ofBody(body, "gfx942", shape);
  ASSERT_FALSE(run.failed()) << run.message;
  uint64_t out = run.buffer(512), in = run.bufferOf(iota(64, 10));
  run.setArguments({out, in, 256});
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 128);
  for (unsigned i = 0; i != 64; ++i) {
    // Outside the resource zeros are written.
    EXPECT_EQ(values[i], i == 0 ? 0u : 10 + 64 - i) << i;
    EXPECT_EQ(values[64 + i], 10 + 63 - i) << i;
  }
}

TEST(Vmem, CopiesSixteenBytesToLdsOnGfx950) {
  KernelShape shape;
  shape.ldsBytes = 2048;
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  v_lshlrev_b32 v20, 4, v0
  s_movk_i32 m0, 1024
  s_nop 0
  buffer_load_dwordx4 v20, s[12:15], 0 offen lds
  s_waitcnt vmcnt(0)
  ds_read_b128 v[4:7], v20 offset:1024
  s_waitcnt lgkmcnt(0)
  global_store_dwordx4 v20, v[4:7], s[4:5]
)",
                                    "gfx950", shape);
  ASSERT_FALSE(run.failed()) << run.message;
  uint64_t out = run.buffer(1024), in = run.bufferOf(iota(256, 1));
  run.setArguments({out, in, 1000});
  ASSERT_EQ(run.launchError(), "");
  std::vector<uint32_t> values = run.read<uint32_t>(out, 256);
  for (unsigned i = 0; i != 256; ++i)
    EXPECT_EQ(values[i], i < 250 ? i + 1 : 0);
}

TEST(Vmem, ScalarLoadsOfEveryWidth) {
  KernelRun run = KernelRun::ofBody(std::string(prologue) + resource + R"(
  s_movk_i32 s21, 8
  s_load_dwordx16 s[32:47], s[6:7], s21 offset:0x4
  s_buffer_load_dwordx2 s[24:25], s[12:15], 0x3c
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v2, s32
  v_mov_b32 v3, s47
  v_mov_b32 v4, s24
  v_mov_b32 v5, s25
  v_mov_b32 v6, 0
  global_store_dwordx4 v6, v[2:5], s[4:5]
)");
  ASSERT_FALSE(run.failed()) << run.message;
  uint64_t out = run.buffer(16), in = run.bufferOf(iota(32));
  run.setArguments({out, in, 64});
  ASSERT_EQ(run.launchError(), "");
  EXPECT_EQ(run.read<uint32_t>(out, 4), (std::vector<uint32_t>{3, 18, 15, 0}));
}

} // namespace
