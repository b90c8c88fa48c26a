//===- ParserTest.cpp - Text forms, and where they are wrong --------------===//
#include "LayoutCases.h"

using namespace fly::layout;

TEST(LayoutParser, ReadsWhatIsPrinted) {
  for (const char *form :
       {"1:0", "((2,3),3):((57,69),19)", "(8,128):(1,16)", "(4):(-1)",
        "(4,?M,ceil(?M/128)):(1,?K*?M,-2*?K)", "3:9223372036854775"})
    EXPECT_EQ(text(parseLayout(form)), form);
  for (const char *form : {"_", "<_,16:1,<2:1,_>>", "(2,3):(1,2)"})
    EXPECT_EQ(text(parseTiler(form)), form);
  for (const char *form : {"S<3,4,3>", "S<0,0,0>", "S<2,1,-3>"})
    EXPECT_EQ(text(parseSwizzle(form)), form);
  for (const char *form :
       {"S<3,4,3> o 0 o (8,64):(64,1)", "(4,8):(8,1) o -2 o 8:1"})
    EXPECT_EQ(text(parseComposedLayout(form)), form);
}

TEST(LayoutParser, SkipsSpaceAndSimplifies) {
  EXPECT_EQ(text(parseLayout(" ( 2 , ?M * 4 ) : ( 1 , 2 ) ")),
            "(2,4*?M):(1,2)");
  EXPECT_EQ(text(parseTiler("< 16 , _ >")), "<16:1,_>");
  EXPECT_EQ(text(parseIntTuple("ceil(256*?M/128)")), "2*?M");
}

TEST(LayoutParser, LocatesErrors) {
  auto layout = [](llvm::StringRef form) { return text(parseLayout(form)); };
  EXPECT_EQ(layout(""),
            "error: column 1: expected an integer, '?' or '(', got the end");
  EXPECT_EQ(layout("(2,3"),
            "error: column 5: expected ',' or ')', got the end");
  EXPECT_EQ(layout("(2,3)"),
            "error: column 6: expected ':' and a stride, got the end");
  EXPECT_EQ(layout("(2,)"),
            "error: column 4: expected an integer, '?' or '(', got ')'");
  EXPECT_EQ(layout("2:1x"),
            "error: column 4: expected the end of the text, got 'x'");
  EXPECT_EQ(layout("?:1"), "error: column 2: expected the name of an unknown "
                           "value after '?', got ':'");
  EXPECT_EQ(layout("2:99999999999999999999"),
            "error: column 3: expected an integer of 64 bits, got "
            "99999999999999999999");
  EXPECT_EQ(layout("  (2,3):(1,(2,3))"),
            "error: column 3: stride '(1,(2,3))' does not nest like shape "
            "'(2,3)'");
  EXPECT_EQ(layout("4294967296*4294967296:1"),
            "error: column 1: the product of 4294967296 and 4294967296 "
            "overflows 64 bits");
  EXPECT_EQ(layout("ceil(?M/0):1"),
            "error: column 5: expected values of at least 1, got ?M and 0");
  EXPECT_EQ(layout("ceil ?M:1"),
            "error: column 6: expected '(' after 'ceil', got '?'");
  EXPECT_EQ(layout("2:-"), "error: column 4: expected an integer, got the end");
  EXPECT_EQ(text(parseTiler("<4,(2,3)>")),
            "error: column 9: expected ':' and a stride, got '>'");
  EXPECT_EQ(text(parseTiler("<4")),
            "error: column 3: expected ',' or '>', got the end");
  EXPECT_EQ(text(parseSwizzle("S<3,4>")),
            "error: column 6: expected ',', got '>'");
  EXPECT_EQ(text(parseComposedLayout("S<1,2,3> o 4:1")),
            "error: column 13: expected 'o' and a layout, got ':'");
}

TEST(LayoutParser, GivesTheOffsetOfAnError) {
  size_t offset = 0;
  EXPECT_FALSE(maybe(parseLayout("(2,,3):1", &offset)));
  EXPECT_EQ(offset, 3u);
}

TEST(LayoutParser, BoundsNesting) {
  std::string deep(100000, '(');
  EXPECT_EQ(text(parseLayout(deep)),
            "error: column 66: expected at most 64 levels of nesting");
  std::string ceil;
  for (int i = 0; i < 10000; ++i)
    ceil += "ceil(";
  EXPECT_EQ(text(parseIntTuple(ceil)),
            "error: column 326: expected at most 64 levels of nesting");
  EXPECT_EQ(text(parseTiler(std::string(100000, '<'))),
            "error: column 66: expected at most 64 levels of nesting");
}

TEST(LayoutParser, TakesAnyTextWithoutHarm) {
  Cases cases(301);
  const std::string alphabet = "((()))::,,123-?M*/So<>_ ceil(";
  for (int i = 0; i < 20000; ++i) {
    std::string any;
    for (int64_t n = cases.number(0, 16); n > 0; --n)
      any += alphabet[cases.number(0, alphabet.size() - 1)];
    SCOPED_TRACE(any);
    if (auto layout = maybe(parseLayout(any)))
      ASSERT_EQ(text(parseLayout(layout->str())), layout->str());
    if (auto tiler = maybe(parseTiler(any)))
      ASSERT_EQ(text(parseTiler(tiler->str())), tiler->str());
    if (auto composed = maybe(parseComposedLayout(any)))
      ASSERT_EQ(text(parseComposedLayout(composed->str())), composed->str());
  }
}
