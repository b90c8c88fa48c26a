//===- AlgebraTest.cpp - Known results and refusals of the algebra --------===//
#include "fly/Layout/Algebra.h"

#include "LayoutCases.h"

using namespace fly::layout;

static std::string compose(llvm::StringRef a, llvm::StringRef b) {
  return text(composition(layoutOf(a), layoutOf(b)));
}
static std::string complementText(llvm::StringRef layout,
                                  llvm::StringRef size) {
  return text(complement(layoutOf(layout), tupleOf(size).leaf()));
}
static std::string coalesceText(llvm::StringRef layout) {
  return text(coalesce(layoutOf(layout)));
}
static std::string right(llvm::StringRef layout) {
  return text(rightInverse(layoutOf(layout)));
}
static std::string left(llvm::StringRef layout) {
  return text(leftInverse(layoutOf(layout)));
}

TEST(Coalesce, MergesNeighbours) {
  EXPECT_EQ(coalesceText("(2,(1,6)):(1,(6,2))"), "12:1");
  EXPECT_EQ(coalesceText("(4,3):(3,1)"), "(4,3):(3,1)");
  EXPECT_EQ(coalesceText("(1,1):(7,9)"), "1:0");
  EXPECT_EQ(coalesceText("(2,3):(0,0)"), "6:0");
  EXPECT_EQ(coalesceText("(2,3):(-1,-2)"), "6:-1");
  EXPECT_EQ(coalesceText("(4,?M,2):(1,4,4*?M)"), "8*?M:1");
  EXPECT_EQ(coalesceText("(4,?M,2):(1,4,4*?N)"), "(4*?M,2):(1,4*?N)");
}

TEST(Coalesce, WorksByMode) {
  Layout layout = layoutOf("(2,(1,6)):(1,(6,2))");
  EXPECT_EQ(text(coalesce(layout, tupleOf("(1,1)"))), "(2,6):(1,2)");
  EXPECT_EQ(text(coalesce(layout, tupleOf("(0,(0,0))"))),
            "(2,(1,6)):(1,(0,2))");
  EXPECT_EQ(text(coalesce(layout, tupleOf("1"))), "12:1");
  EXPECT_EQ(text(coalesce(layout, tupleOf("(1,1,1)"))),
            "error: coalesce of '(2,(1,6)):(1,(6,2))' by '(1,1,1)': expected "
            "at most 2 modes, got 3");
}

TEST(Composition, GivesKnownResults) {
  EXPECT_EQ(compose("(6,9):(19,69)", "(6,3):(3,1)"), "((2,3),3):((57,69),19)");
  EXPECT_EQ(compose("(6,2):(8,2)", "(4,3):(3,1)"), "((2,2),3):((24,2),8)");
  EXPECT_EQ(compose("20:2", "(5,4):(4,1)"), "(5,4):(8,2)");
  EXPECT_EQ(compose("(10,2):(16,4)", "(5,4):(1,5)"), "(5,(2,2)):(16,(80,4))");
  EXPECT_EQ(compose("(6,9):(19,69)", "(4,1):(0,5)"), "(4,1):(0,0)");
  // Beyond the end, the last mode goes on.
  EXPECT_EQ(compose("(2,2):(1,10)", "8:1"), "(2,4):(1,10)");
  EXPECT_EQ(compose("8:3", "(2,2):(-1,4)"), "(2,2):(-3,12)");
  // All of it lies in the first mode, whatever divides.
  EXPECT_EQ(compose("(7,2):(1,100)", "2:5"), "2:5");
}

TEST(Composition, NamesWhatDoesNotDivide) {
  EXPECT_EQ(compose("(6,9):(19,69)", "3:4"),
            "error: composition of '(6,9):(19,69)' with '3:4': stride 4 left "
            "of '3:4' at '6:19': expected a divisor or a multiple of 6, got 4");
  EXPECT_EQ(compose("(6,9):(19,69)", "(2,9):(1,2)"), "(2,(3,3)):(19,(38,69))");
  EXPECT_EQ(compose("(6,9):(19,69)", "8:2"),
            "error: composition of '(6,9):(19,69)' with '8:2': extent 16 left "
            "of '8:2' at '6:19': expected a divisor or a multiple of 6, got "
            "16");
  EXPECT_EQ(compose("(6,9):(19,69)", "2:-1"),
            "error: composition of '(6,9):(19,69)' with '2:-1': stride -1: "
            "expected at least 0, unless the outer layout coalesces to one "
            "mode");
}

TEST(Composition, RefusesSumsThatCarry) {
  // 6 and 2 are within the first mode, 8 is not: A(8) is not A(6) + A(2).
  EXPECT_EQ(compose("(8,2):(2,192)", "(2,6):(6,1)"),
            "error: composition of '(8,2):(2,192)' with '(2,6):(6,1)': the "
            "modes of the inner layout together leave '8:2': expected a sum "
            "below 8, got 11");
  EXPECT_EQ(compose("(8,2):(2,192)", "(2,2):(6,1)"), "(2,2):(12,2)");
  EXPECT_EQ(compose("(8*?M,2):(2,192)", "(2,?M):(1,1)"),
            "error: composition of '(8*?M,2):(2,192)' with '(2,?M):(1,1)': "
            "whether the modes of the inner layout together stay within "
            "'8*?M:2' depends on unknown values: '?M' must be static");
}

TEST(Composition, CarriesUnknownValues) {
  EXPECT_EQ(compose("(?M,?K):(?K,1)", "128:1"),
            "error: composition of '(?M,?K):(?K,1)' with '128:1': extent 128 "
            "left of '128:1' at '?M:?K': '?M' must be static, since whether "
            "128 and ?M divide each other depends on it");
  EXPECT_EQ(compose("?M:?K", "(128,ceil(?M/128)):(1,128)"),
            "(128,ceil(?M/128)):(?K,128*?K)");
  EXPECT_EQ(compose("(4*?M,?N):(1,?L)", "(4,?M):(?M,1)"), "(4,?M):(?M,1)");
  EXPECT_EQ(compose("(4*?M,?N):(1,?L)", "?N:4*?M"), "?N:?L");
  // Right for M = 4, but not for M = 2, where 3 + 3 * 2 is beyond 4 * 2.
  EXPECT_EQ(compose("(4*?M,8):(1,?L)", "(4,4):(1,?M)"),
            "error: composition of '(4*?M,8):(1,?L)' with '(4,4):(1,?M)': "
            "whether the modes of the inner layout together stay within "
            "'4*?M:1' depends on unknown values: '?M' must be static");
}

TEST(Complement, GivesKnownResults) {
  EXPECT_EQ(complementText("(3,2):(2,1)", "12"), "2:6");
  EXPECT_EQ(complementText("4:1", "24"), "6:4");
  EXPECT_EQ(complementText("6:4", "24"), "4:1");
  EXPECT_EQ(complementText("4:2", "24"), "(2,3):(1,8)");
  EXPECT_EQ(complementText("(2,2):(1,6)", "24"), "(3,2):(2,12)");
  EXPECT_EQ(complementText("(4,6):(1,4)", "24"), "1:0");
  EXPECT_EQ(complementText("(4,3):(0,1)", "24"), "8:3");
  // A tiler with holes.
  EXPECT_EQ(complementText("(2,3,6):(7,14,1)", "756"), "18:42");
  // The last copy reaches beyond.
  EXPECT_EQ(complementText("4:1", "10"), "3:4");
}

TEST(Complement, RefusesWhatInterleaves) {
  EXPECT_EQ(complementText("(2,2):(2,3)", "12"),
            "error: complement of '(2,2):(2,3)': its modes overlap or "
            "interleave: expected a stride of at least 4, got 3");
  EXPECT_EQ(complementText("2:-1", "12"),
            "error: complement of '2:-1': stride -1: expected at least 0");
  EXPECT_EQ(complementText("2:1", "0"),
            "error: complement of '2:1' in 0: expected a size of at least 1");
}

TEST(Complement, CarriesUnknownValues) {
  EXPECT_EQ(complementText("128:1", "?M"), "ceil(?M/128):128");
  EXPECT_EQ(complementText("8:?K", "16*?K"), "(?K,2):(1,8*?K)");
  EXPECT_EQ(complementText("(4,8):(8*?K,1)", "?M"),
            "(?K,ceil(?M/32*?K)):(8,32*?K)");
  EXPECT_EQ(complementText("(4,8):(?K,1)", "?M"),
            "error: complement of '(4,8):(?K,1)': whether stride '?K' divides "
            "by the extent '8' before it depends on unknown values: '?K' must "
            "be static");
  EXPECT_EQ(complementText("(4,8):(?K,3)", "?M"),
            "error: complement of '(4,8):(?K,3)': which of the strides '?K' "
            "and '3' is greater depends on unknown values: '?K' must be "
            "static");
}

TEST(Complement, SaysWhetherATilerCovers) {
  auto covers = [](llvm::StringRef layout, const Int &size) {
    llvm::Error error = checkCovers(layoutOf(layout), size);
    return error ? message(std::move(error)) : "covers";
  };
  EXPECT_EQ(covers("4:2", 24), "covers");
  EXPECT_EQ(covers("(3,2):(2,1)", 12), "covers");
  EXPECT_EQ(covers("(2,3,6):(7,14,1)", 756),
            "error: '(2,3,6):(7,14,1)' leaves holes or overlaps in 756: stride "
            "7 of '2:7' is not known to divide by the extent 6 before it");
  EXPECT_EQ(covers("4:1", 10),
            "error: repetitions of '4:1' reach beyond 10, which is not known "
            "to divide by 4");
  EXPECT_EQ(covers("4:1", tupleOf("?M").leaf()),
            "error: repetitions of '4:1' reach beyond ?M, which is not known "
            "to divide by 4");
  EXPECT_EQ(covers("4:1", tupleOf("8*?M").leaf()), "covers");
}

TEST(Inverse, GivesKnownResults) {
  EXPECT_EQ(right("(4,8):(8,1)"), "(8,4):(4,1)");
  EXPECT_EQ(right("(4,8):(1,5)"), "4:1");
  EXPECT_EQ(right("4:2"), "1:0");
  EXPECT_EQ(right("(2,4):(0,1)"), "4:2");
  // The second leaf reaches nothing new.
  EXPECT_EQ(right("(2,2,4):(1,1,2)"), "(2,4):(1,4)");
  EXPECT_EQ(right("(?M,8):(8,1)"), "(8,?M):(?M,1)");
  EXPECT_EQ(left("(4,8):(8,1)"), "(8,4):(4,1)");
  EXPECT_EQ(left("(4,8):(1,5)"), "(5,8):(1,4)");
  EXPECT_EQ(left("4:2"), "(2,4):(0,1)");
  EXPECT_EQ(left("(2,2):(13,1)"), "(13,2):(2,1)");
  EXPECT_EQ(left("1:5"), "1:0");
}

TEST(Inverse, RefusesWhatHasNone) {
  EXPECT_EQ(left("(2,4):(0,1)"), "error: left inverse of '(2,4):(0,1)': it is "
                                 "not injective: '2:0' repeats one index");
  EXPECT_EQ(left("(4,4):(1,2)"),
            "error: left inverse of '(4,4):(1,2)': it is not injective: "
            "expected a stride of at least 4 after '4:1', got 2");
  EXPECT_EQ(left("(2,2):(3,7)"),
            "error: left inverse of '(2,2):(3,7)': expected a stride that 3 "
            "divides after '2:3', got 7");
  EXPECT_EQ(right("2:-1"),
            "error: right inverse of '2:-1': stride -1: expected at least 0");
  EXPECT_EQ(left("(?M,2):(1,8)"),
            "error: left inverse of '(?M,2):(1,8)': whether '?M:1' ends before "
            "stride 8 depends on unknown values: '?M' must be static");
}

TEST(Algebra, ReportsOverflow) {
  EXPECT_EQ(compose("2:4611686018427387904", "2:4"),
            "error: the product of 4 and 4611686018427387904 overflows 64 "
            "bits");
  EXPECT_EQ(compose("2:4611686018427387904", "(2,2):(0,1)"),
            "(2,2):(0,4611686018427387904)");
  EXPECT_EQ(compose("2:4611686018427387904", "3:1"),
            "error: the indices of '3:4611686018427387904' overflow 64 bits at "
            "3:4611686018427387904");
  EXPECT_EQ(complementText("4611686018427387904:2", "5"),
            "error: complement of '4611686018427387904:2' in 5: the product "
            "of 4611686018427387904 and 2 overflows 64 bits");
}
