//===- TimingCachesTest.cpp - who hits the L2 of an XCD -------------------===//
//
// Workgroups that read a panel of A and one of B each, as those of a GEMM do,
// one a compute unit. Which panels comes from a table, so that the order of
// the tiles is the test's. What an L2 that holds all of it misses is counted
// here by sets of addresses; the model must agree to the block.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <functional>
#include <set>

#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using namespace fly::sim;

namespace {

constexpr unsigned xcds = 8, cusPerXcd = 38, panelBytes = 8192;
/// What is replayed: two workgroups for each compute unit.
constexpr unsigned recorded = 2 * xcds * cusPerXcd;

const char *const panels = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v1, 4, v0
  s_lshl_b32 s10, s2, 3
  s_waitcnt lgkmcnt(0)
  s_add_u32 s8, s8, s10
  s_addc_u32 s9, s9, 0
  s_load_dwordx2 s[12:13], s[8:9], 0x0
  s_waitcnt lgkmcnt(0)
  v_add_u32 v2, s12, v1
  v_add_u32 v3, s13, v1
  s_movk_i32 s11, 0x0
loop:
  global_load_dwordx4 v[4:7], v2, s[4:5]
  global_load_dwordx4 v[8:11], v3, s[6:7]
  v_add_u32 v2, 0x400, v2
  v_add_u32 v3, 0x400, v3
  s_add_u32 s11, s11, 1
  s_cmp_lg_u32 s11, 8
  s_cbranch_scc1 loop
  s_waitcnt vmcnt(0)
)";

struct Tile {
  unsigned row = 0, column = 0;
};
struct Grid {
  unsigned rows = 0, columns = 0;
  unsigned total() const { return rows * columns; }
};
using Order = std::function<Tile(unsigned id, Grid grid)>;

/// Along a row of tiles first.
Tile rowMajor(unsigned id, Grid grid) {
  return {id / grid.columns, id % grid.columns};
}

/// Each XCD a contiguous part of a walk over groups of eight rows, along their
/// columns. (facts of the preshuffle GEMM: XCD remap)
Tile remapped(unsigned id, Grid grid) {
  unsigned each = grid.total() / xcds, rest = grid.total() % xcds;
  unsigned xcd = id % xcds;
  unsigned position = xcd * each + std::min(xcd, rest) + id / xcds;
  unsigned inGroup = 8 * grid.columns, first = position / inGroup * 8;
  unsigned height = std::min(grid.rows - first, 8u);
  return {first + position % inGroup % height, position % inGroup / height};
}

struct Counted {
  uint64_t requests = 0, distinct = 0;
};

struct PanelRun {
  KernelRun run;
  uint64_t a, b, table;

  PanelRun(Grid grid, const Order &order)
      : run(KernelRun::ofBody(panels, "gfx942", shape())) {
    a = run.buffer(size_t(grid.rows) * panelBytes);
    b = run.buffer(size_t(grid.columns) * panelBytes);
    std::vector<uint32_t> offsets;
    for (unsigned id = 0; id != grid.total(); ++id) {
      Tile tile = order(id, grid);
      offsets.push_back(tile.row * panelBytes);
      offsets.push_back(tile.column * panelBytes);
    }
    table = run.bufferOf(offsets);
    run.setArguments({a, b, table});
    run.params.workgroups = {grid.total(), 1, 1};
    run.params.options.checks = CheckSet();
    run.params.options.timing.enabled = true;
    run.params.options.timing.recordedOnly = true;
  }
  /// All of a compute unit's LDS: one workgroup each.
  static KernelShape shape() {
    KernelShape shape;
    shape.ldsBytes = 65536;
    return shape;
  }
  /// What the recorded workgroups ask the L2s for, and what of it is asked for
  /// the first time by an XCD.
  Counted count(Grid grid, const Order &order) const {
    Counted counted;
    for (unsigned xcd = 0; xcd != xcds; ++xcd) {
      std::set<uint64_t> blocks;
      for (unsigned id = xcd; id < std::min(recorded, grid.total());
           id += xcds) {
        Tile tile = order(id, grid);
        blocks.insert((table + uint64_t(id) * 8) / 64);
        for (unsigned at = 0; at != panelBytes; at += 64) {
          blocks.insert((a + uint64_t(tile.row) * panelBytes + at) / 64);
          blocks.insert((b + uint64_t(tile.column) * panelBytes + at) / 64);
        }
        counted.requests += 1 + 2 * panelBytes / 64;
        counted.requests += 2; // The arguments, by two instructions.
      }
      counted.distinct += blocks.size() + 1;
    }
    return counted;
  }
  std::shared_ptr<const TimingResult> time() {
    auto result = run.launch();
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return result ? result->timing : nullptr;
  }
};

/// The share of what compute unit 0 of each XCD asks for that it has to fetch,
/// were each of those that share a panel first as often as the others.
double expectedSampleMisses(Grid grid, const Order &order) {
  double misses = 0, panels = 0;
  for (unsigned xcd = 0; xcd != xcds; ++xcd) {
    std::set<unsigned> rows, columns; // Of earlier rounds.
    for (unsigned round = 0; round != 2; ++round) {
      std::vector<Tile> tiles;
      for (unsigned cu = 0; cu != cusPerXcd; ++cu)
        if (unsigned id = (round * cusPerXcd + cu) * xcds + xcd;
            id < grid.total())
          tiles.push_back(order(id, grid));
      if (tiles.empty())
        continue;
      Tile sample = tiles.front();
      auto shares = [&](unsigned Tile::*member, std::set<unsigned> &known) {
        panels += 1;
        if (!known.count(sample.*member))
          misses +=
              1.0 /
              double(std::count_if(tiles.begin(), tiles.end(), [&](Tile tile) {
                return tile.*member == sample.*member;
              }));
        for (Tile tile : tiles)
          known.insert(tile.*member);
      };
      shares(&Tile::row, rows);
      shares(&Tile::column, columns);
    }
  }
  return misses / panels;
}

} // namespace

TEST(TimingCaches, MissWhatAnXcdAsksForFirst) {
  for (Grid grid : {Grid{76, 57}, Grid{32, 16}, Grid{27, 27}, Grid{5, 40}})
    for (const Order &order : {Order(rowMajor), Order(remapped)}) {
      PanelRun run(grid, order);
      std::shared_ptr<const TimingResult> timing = run.time();
      ASSERT_TRUE(timing) << run.run.message;
      Counted counted = run.count(grid, order);
      EXPECT_EQ(timing->traffic.workgroups, std::min(recorded, grid.total()));
      EXPECT_EQ(timing->traffic.requests + timing->traffic.l1Hits,
                counted.requests);
      EXPECT_EQ(timing->traffic.requests - timing->traffic.l2Hits,
                counted.distinct)
          << grid.rows << " x " << grid.columns;
    }
}

// Which of those that share a block fetches it must not depend on where they
// stand in the order of dispatch: compute unit 0 of an XCD is the sample, and
// misses what it shares with n others once in n + 1 times.
TEST(TimingCaches, SampleFetchesItsShare) {
  for (Grid grid : {Grid{76, 57}, Grid{16, 19}, Grid{16, 16}, Grid{27, 27}})
    for (const Order &order : {Order(rowMajor), Order(remapped)}) {
      PanelRun run(grid, order);
      std::shared_ptr<const TimingResult> timing = run.time();
      ASSERT_TRUE(timing) << run.run.message;
      const TimingCounters &sample = timing->counters;
      EXPECT_NEAR(double(sample.l2Misses) /
                      double(sample.l2Hits + sample.l2Misses),
                  expectedSampleMisses(grid, order), 0.08)
          << grid.rows << " x " << grid.columns;
    }
}
