//===- StaggerSidesTest.cpp - What stands on the sides of a branch --------===//
//
// Waves part, pass barriers and waits of their own, and meet again: how far
// they are apart then, and what is finished.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/STLExtras.h"

#include "StaggeredKernels.h"
#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

TEST(StaggerSides, LeadChangesInALoop) {
  std::string again = R"(
  s_cmp_eq_u32 s4, 0
  s_cbranch_scc0 1b)";
  // Each round parts the waves and joins them: two barriers between what is
  // written and what is read.
  std::string round = std::string(partWaves) + R"(
  ds_write_b32 v1, v10
  s_waitcnt lgkmcnt(0)
  s_barrier
  s_barrier
  ds_read_b32 v11, v2
  s_waitcnt lgkmcnt(0)
  s_barrier)" + joinWaves;
  // Waves of one side get farther ahead with each round: no lead is enough.
  std::string farther = std::string(partWaves) + "  s_barrier";
  auto kernels =
      verdictsOfStaggered({"1:" + round + again, "1:" + farther + again});
  EXPECT_TRUE(kernels[0].findings.empty());
  EXPECT_EQ(kernels[0].of(verify::Rule::Barriers), verify::Verdict::Proved);
  EXPECT_EQ(kernels[0].of(verify::Rule::LdsOrder), verify::Verdict::Proved);
  EXPECT_TRUE(kernels[1].findings.empty());
  EXPECT_EQ(kernels[1].of(verify::Rule::Barriers), verify::Verdict::NotProved);
}

/// As many barriers.
static std::string barriers(unsigned count) {
  std::string text;
  while (count--)
    text += "\n  s_barrier";
  return text;
}

/// A lane writes, waves from number 4 on take the first side and the others the
/// second, and it reads what another wave wrote.
static std::string sides(const std::string &front, const std::string &first,
                         const std::string &second, const std::string &behind) {
  return "\n  ds_write_b32 v1, v10" + front +
         "\n  s_cmp_lt_u32 s8, 4\n  s_cbranch_scc1 1f" + first +
         "\n  s_branch 2f\n1:" + second + "\n2:" + behind +
         "\n  ds_read_b32 v11, v2";
}
static constexpr const char *finishAccess = "\n  s_waitcnt lgkmcnt(0)";

TEST(StaggerSides, WaitsOnTheSides) {
  // A wait of one side alone is none for the waves of the other. Those of both
  // count from behind the barriers of the sides.
  std::string barrier = barriers(1), both = finishAccess + barrier;
  auto kernels = verdictsOfStaggered(
      {sides("", both, barrier, barrier), sides("", barrier, both, barrier),
       sides("", barrier, barrier, barrier), sides("", both, both, barrier)});
  for (const verify::KernelVerdict &kernel : kernels)
    EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Proved);
  for (unsigned i : {0, 1, 2})
    EXPECT_EQ(kernels[i].of(verify::Rule::LdsOrder), verify::Verdict::Violated);
  EXPECT_EQ(kernels[3].of(verify::Rule::LdsOrder), verify::Verdict::Proved);
}

TEST(StaggerSides, BothSidesPassBarriers) {
  auto passing = [](unsigned late, unsigned early) {
    return sides(finishAccess, barriers(late), barriers(early), "");
  };
  // Equal sides leave nobody ahead, however many they have. Numbers beyond what
  // a lead may be, and beyond what its type holds, among them.
  constexpr unsigned counts[] = {1, 5, 8, 9, 255, 256, 300};
  std::vector<std::string> bodies;
  for (unsigned count : counts)
    bodies.push_back(passing(count, count));
  for (auto [count, kernel] :
       llvm::zip_equal(counts, verdictsOfStaggered(bodies))) {
    EXPECT_TRUE(kernel.findings.empty()) << count;
    EXPECT_EQ(kernel.of(verify::Rule::Barriers), verify::Verdict::Proved)
        << count;
    EXPECT_EQ(kernel.of(verify::Rule::LdsOrder), verify::Verdict::Proved)
        << count;
  }
  // Unequal ones are counted from the fewest. 256 more are not as many, nor are
  // leads followed that far.
  auto kernels = verdictsOfStaggered({passing(12, 9), passing(257, 1)});
  EXPECT_EQ(kernels[0].of(verify::Rule::Barriers), verify::Verdict::Violated);
  ASSERT_EQ(kernels[0].findings.size(), 1u);
  EXPECT_EQ(kernels[0].findings.front().actual,
            "3 more by wave 4, 3 more by wave 5, 3 more by wave 6, 3 more by "
            "wave 7");
  EXPECT_TRUE(kernels[1].findings.empty());
  EXPECT_EQ(kernels[1].of(verify::Rule::Barriers), verify::Verdict::NotProved);
}

TEST(StaggerSides, FarApart) {
  // Eight barriers apart, what one wave wrote is there for another one behind
  // nine. Farther apart they are not followed.
  auto apart = [](unsigned lead, unsigned between) {
    return "\n  s_cmp_lt_u32 s8, 4\n  s_cbranch_scc1 8f" + barriers(lead) +
           "\n8:\n  ds_write_b32 v1, v10\n  s_waitcnt lgkmcnt(0)" +
           barriers(between) + "\n  ds_read_b32 v11, v2" +
           "\n  s_cmp_gt_u32 s8, 3\n  s_cbranch_scc1 9f" + barriers(lead) +
           "\n9:";
  };
  auto kernels = verdictsOfStaggered({apart(8, 9), apart(8, 8), apart(9, 10)});
  EXPECT_EQ(kernels[0].of(verify::Rule::LdsOrder), verify::Verdict::Proved);
  EXPECT_EQ(kernels[1].of(verify::Rule::LdsOrder), verify::Verdict::Violated);
  ASSERT_EQ(kernels[1].findings.size(), 1u);
  EXPECT_EQ(kernels[1].findings.front().expected,
            "9 barriers in between, since waves are staggered");
  EXPECT_EQ(kernels[1].findings.front().actual, "8");
  EXPECT_TRUE(kernels[2].findings.empty());
  EXPECT_EQ(kernels[2].of(verify::Rule::Barriers), verify::Verdict::NotProved);
}
