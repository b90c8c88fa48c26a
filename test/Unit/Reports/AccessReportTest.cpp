//===- AccessReportTest.cpp - Banks and segments, against loops -----------===//
//
// Kernels at explicit level whose addresses have a closed form; banks and
// segments are counted here by plain loops over that form.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reports/Layout/LayoutReport.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"

#include <functional>
#include <map>
#include <set>

#include "gtest/gtest.h"

using namespace mlir;
using namespace fly::reports;
namespace arch = fly::arch;

namespace {
class AccessReportTest : public testing::Test {
protected:
  AccessReportTest() {
    DialectRegistry registry;
    fly::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The accesses of a kernel with this body; %l is an LDS field of the type,
  /// %lane and %wave are there.
  std::vector<AccessReport> report(StringRef field, StringRef body,
                                   unsigned wave = 0) {
    std::string text =
        ("gpu.module @m {\n"
         "  fly.lds.struct @S {f : " +
         field +
         "}\n"
         "  gpu.func @k(%p: !fly.ptr<bf16>, %M: i32, %N: i32, %v8: "
         "vector<8xbf16>, %f: f32) kernel {\n"
         "    %s = fly.lds.alloc : !fly.lds<@S>\n"
         "    %l = fly.lds.field %s[f] : !fly.lds<@S> -> " +
         field +
         "\n"
         "    %lane = fly.lane\n    %wave = fly.wave\n"
         "    %c0 = arith.constant 0 : index\n    %c4 = arith.constant 4 : "
         "index\n"
         "    %c8 = arith.constant 8 : index\n    %c16 = arith.constant 16 : "
         "index\n" +
         body + "    gpu.return\n  }\n}\n")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    std::vector<AccessReport> found;
    if (module)
      module->walk([&](gpu::GPUFuncOp kernel) {
        found = reportAccesses(kernel, *arch::ArchInfo::lookup("gfx942"), wave);
      });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// The most different dwords that lanes of one group touch on one of 32 banks.
unsigned worstBank(unsigned groupLanes, unsigned bytes,
                   const std::function<uint64_t(unsigned)> &addressOf) {
  unsigned worst = 0;
  for (unsigned first = 0; first < 64; first += groupLanes) {
    std::map<uint64_t, std::set<uint64_t>> banks;
    for (unsigned lane = first; lane < first + groupLanes; ++lane)
      for (unsigned byte = 0; byte < bytes; byte += 4) {
        uint64_t dword = (addressOf(lane) + byte) / 4;
        banks[dword % 32].insert(dword);
      }
    for (const auto &bank : banks)
      worst = std::max<unsigned>(worst, bank.second.size());
  }
  return worst;
}
} // namespace

TEST_F(AccessReportTest, CountsBankConflictsOfAColumn) {
  // Rows of 128 bytes: a column of floats is on one bank. 32 lanes a phase.
  std::vector<AccessReport> found = report(
      "!fly.view<64x32xf32, lds>",
      "    fly.write %f, %l[%lane, %c0] : f32, !fly.view<64x32xf32, lds>\n"
      "    %a = fly.read %l[%c0, %lane] : !fly.view<64x32xf32, lds> -> f32\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0].isRead);
  EXPECT_EQ(found[0].bytesPerLane, 4u);
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(found[0].addresses[lane], lane * 128);
  unsigned worst = worstBank(32, 4, [](unsigned lane) { return lane * 128; });
  EXPECT_EQ(worst, 32u);
  EXPECT_EQ(found[0].cost.degree, worst);
  EXPECT_EQ(found[1].cost.degree,
            worstBank(32, 4, [](unsigned lane) { return lane * 4; }));
  EXPECT_EQ(found[1].cost.conflictCycles, 0u);
}

TEST_F(AccessReportTest, SendsAddressesThroughTheSwizzle) {
  // 16-byte writes down a column of rows of 128 bytes, 8 lanes a phase: all on
  // the same banks without the swizzle, which XORs address bits 4..6 with the
  // row, 7..9.
  std::string body =
      "    fly.write %v8, %l[%lane, %c0] align 8 : vector<8xbf16>, ";
  for (bool swizzled : {false, true}) {
    std::string type = swizzled
                           ? "!fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>"
                           : "!fly.view<64x64xbf16, lds>";
    std::vector<AccessReport> found = report(type, body + type + "\n");
    ASSERT_EQ(found.size(), 1u);
    auto addressOf = [&](unsigned lane) -> uint64_t {
      return lane * 128 + (swizzled ? lane % 8 * 16 : 0);
    };
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(found[0].addresses[lane], addressOf(lane));
    EXPECT_EQ(found[0].cost.phases, 8u);
    EXPECT_EQ(found[0].cost.degree, worstBank(8, 16, addressOf));
    EXPECT_EQ(found[0].cost.degree, swizzled ? 1u : 8u);
  }
}

TEST_F(AccessReportTest, CountsSegmentsOfGlobalAccesses) {
  // 4 lanes a row of 32 elements: 16 rows of 64 bytes; narrow where nothing is
  // known of the alignment.
  std::string view = "    %g = fly.view %p[%M, %N] : !fly.view<?x?xbf16>\n"
                     "    %r = arith.divui %lane, %c4 : index\n"
                     "    %m = arith.remui %lane, %c4 : index\n"
                     "    %c = arith.muli %m, %c8 : index\n";
  auto read = [](StringRef align) {
    return ("    %a = fly.read %g[%r, %c] in_bounds [true, true] " + align +
            " : !fly.view<?x?xbf16> -> vector<8xbf16>\n")
        .str();
  };
  std::vector<AccessReport> wide =
      report("!fly.view<64x32xf32, lds>", view + read("align 8"));
  ASSERT_EQ(wide.size(), 1u);
  EXPECT_EQ(wide[0].bytesPerLane, 16u);
  EXPECT_EQ(wide[0].pieces, 1u);
  EXPECT_EQ(wide[0].segments, 16u);
  EXPECT_EQ(wide[0].longestSegment, 64u);
  EXPECT_EQ(wide[0].shortestSegment, 64u);
  EXPECT_EQ(wide[0].contiguousLanes, 4u);
  EXPECT_EQ(wide[0].bytes, 1024u);
  std::vector<AccessReport> narrow =
      report("!fly.view<64x32xf32, lds>", view + read("align 1"));
  ASSERT_EQ(narrow.size(), 1u);
  EXPECT_EQ(narrow[0].bytesPerLane, 2u);
  EXPECT_EQ(narrow[0].pieces, 8u);
  EXPECT_EQ(narrow[0].segments, 64u);
}

TEST_F(AccessReportTest, FollowsLayouts) {
  // Element (r, c) of the LDS field is at r % 2 + r / 2 * 32 + 2 * c; chunk c
  // of row r of a preshuffled block of 16 rows is the chunk c * 16 + r.
  std::string field =
      "!fly.view<8x16xf32, lds, #fly.layout<((2,4),16):((1,32),2)>>";
  std::vector<AccessReport> found = report(
      field,
      "    %r = arith.remui %lane, %c8 : index\n"
      "    %c = arith.divui %lane, %c8 : index\n"
      "    fly.write %f, %l[%r, %c] : f32, " +
          field +
          "\n"
          "    %g = fly.view %p[%M, %N] : !fly.view<?x?xbf16, "
          "#fly.preshuffle<16, "
          "64>>\n"
          "    %row = arith.remui %lane, %c16 : index\n"
          "    %chunk = arith.divui %lane, %c16 : index\n"
          "    %col = arith.muli %chunk, %c8 : index\n"
          "    %a = fly.read %g[%row, %col] in_bounds [true, true] align 8 : "
          "!fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> vector<8xbf16>\n");
  ASSERT_EQ(found.size(), 2u);
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned r = lane % 8, c = lane / 8;
    EXPECT_EQ(found[0].addresses[lane], 4 * (r % 2 + r / 2 * 32 + 2 * c));
    EXPECT_EQ(found[1].addresses[lane], 16 * lane);
  }
  EXPECT_EQ(found[1].segments, 1u);
  EXPECT_EQ(found[1].longestSegment, 1024u);
}

TEST_F(AccessReportTest, LeavesOutLanesThatABranchExcludes) {
  std::vector<AccessReport> found = report(
      "!fly.view<64x32xf32, lds>",
      "    %few = arith.cmpi ult, %lane, %c8 : index\n"
      "    %true = arith.constant true\n"
      "    %rest = arith.xori %few, %true : i1\n"
      "    scf.if %rest {\n"
      "      fly.write %f, %l[%c0, %lane] : f32, !fly.view<64x32xf32, lds>\n"
      "    } else {\n"
      "      fly.write %f, %l[%lane, %c0] : f32, !fly.view<64x32xf32, lds>\n"
      "    }\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].exec, ~uint64_t(0xff));
  EXPECT_EQ(found[1].exec, uint64_t(0xff));
  // Eight lanes on one bank.
  EXPECT_EQ(found[1].cost.degree, 8u);
}

TEST_F(AccessReportTest, CountsAccessesOfOneKind) {
  std::string body;
  for (int i = 0; i < 5; ++i)
    body += "    fly.write %f, %l[%wave, %lane] : f32, !fly.view<64x32xf32, "
            "lds>\n";
  std::vector<AccessReport> found =
      report("!fly.view<64x32xf32, lds>", body, /*wave=*/3);
  // Lines differ, so that each stands alone; their addresses are wave 3's.
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].addresses[1], 3u * 128 + 4);
}
