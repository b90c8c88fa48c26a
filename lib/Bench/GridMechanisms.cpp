//===- GridMechanisms.cpp - orders of workgroups over the XCDs ------------===//
//
// AMD says that contiguous tiles on a die raise the hit rate of its L2. What an
// L2 has to fetch is counted by hand: of the tiles that are on a die together
// the distinct rows of A and rows of B. With 32 workgroups on each of 8 dies:
//
//   64 rows of 64 tiles of 128x256        rows columns   hits of A and B
//     in turn: every eighth column           4       8   79 %
//     xcd alone: along one row               1      32   32 %
//     groups of 8 rows alone: one of them    1      32   32 %
//     both                                   8       4   83 %
//   76 rows of 57 tiles of 192x256
//     in turn: 57 is no multiple of 8        5      32   36 %
//     xcd alone                              1      32   42 %
//     groups of 8 rows alone                 1      32   42 %
//     both                                   8       4   82 %
//
// So either alone takes from a power of two what a die has there already; the
// row says that this is not what AMD says. Results are stores that no L2 has,
// a few points less on both sides.
//
//===----------------------------------------------------------------------===//
#include "MechanismPairs.h"

using namespace fly;
using namespace fly::bench;
using gen::GemmOptions;

namespace {

/// A grid, and the points that each order gains by the count above.
struct CountedGrid {
  const char *tile;
  GemmShape shape;
  KnownGain xcd, groups, both;
};

} // namespace

void fly::bench::addGridPairs(std::vector<MechanismPair> &pairs) {
  const CountedGrid grids[] = {
      {"128x256x64",
       {8192, 16384, 1024},
       hurtsBy(
           47, 47,
           "by counting 79 to 32 %: here the model contradicts [AMD], which "
           "says that contiguous tiles on a die raise it"),
       hurtsBy(47, 47, "by counting 79 to 32 %"),
       helpsBy(4, 4,
               "contiguous tiles on a die raise it [AMD]; by counting 79 "
               "to 83 %")},
      {"192x256x64",
       {14592, 14592, 1024},
       helpsBy(6, 6,
               "contiguous tiles on a die raise it [AMD]; by counting 36 "
               "to 42 %"),
       helpsBy(6, 6, "by counting 36 to 42 %"),
       helpsBy(46, 46,
               "contiguous tiles on a die raise it [AMD]; by counting "
               "36 to 82 %")},
  };
  for (const CountedGrid &grid : grids) {
    GemmOptions options = makeGemm(arch::Chip::Gfx950, "bf16", grid.tile);
    GemmVariant inTurn =
        withSchedule(options, {"grid.xcd=off", "grid.order=n_fastest"});
    auto add = [&](const char *name, const KnownGain &known,
                   std::vector<std::string> schedule) {
      pairs.push_back({name, known, grid.shape, inTurn,
                       withSchedule(options, std::move(schedule)),
                       Measure::L2Hits, 1});
    };
    add("workgroups by XCD alone", grid.xcd,
        {"grid.xcd=on", "grid.order=n_fastest"});
    add("workgroups in groups of 8 rows alone", grid.groups,
        {"grid.xcd=off", "grid.order=grouped(8)"});
    add("workgroups by XCD, in groups of 8 rows", grid.both,
        {"grid.xcd=on", "grid.order=grouped(8)"});
  }
}
