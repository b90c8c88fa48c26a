//===- ReportPageTest.cpp - Reports as pages ------------------------------===//
#include "fly/Reports/Page/ReportPage.h"

#include "gtest/gtest.h"

using namespace fly::reports;
using llvm::json::Array;
using llvm::json::Object;

namespace {

std::string pageOf(llvm::json::Value report) {
  ReportPage page;
  page.title = "Title";
  page.subtitle = "of <this>";
  page.report = std::move(report);
  page.text = "line 1\nline <2>\x1b[31m";
  std::string text;
  llvm::raw_string_ostream os(text);
  writePage(os, page);
  return text;
}

bool has(const std::string &page, llvm::StringRef part) {
  return llvm::StringRef(page).contains(part);
}

TEST(ReportPage, SpellsWhatWouldNotBeSeen) {
  EXPECT_EQ(toHtml("a<b>&\"'c"), "a&lt;b&gt;&amp;&quot;&apos;c");
  EXPECT_EQ(toHtml("a\nb\tc"), "a\\x0ab\\x09c");
  EXPECT_EQ(toHtml("a\nb\tc", /*keepLines=*/true), "a\nb\tc");
  EXPECT_EQ(toHtml("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(toHtml(llvm::StringRef("\0", 1)), "\\x00");
  // U+0085, U+202E and U+FEFF; U+00E9 and U+4E2D are letters.
  EXPECT_EQ(toHtml("\xc2\x85"), "\\u{85}");
  EXPECT_EQ(toHtml("x\xe2\x80\xaey"), "x\\u{202e}y");
  EXPECT_EQ(toHtml("\xef\xbb\xbf"), "\\u{feff}");
  EXPECT_EQ(toHtml("\xc3\xa9\xe4\xb8\xad"), "\xc3\xa9\xe4\xb8\xad");
  // Bytes that are no UTF-8 become U+FFFD.
  EXPECT_EQ(toHtml("a\xff"), "a\xef\xbf\xbd");
}

TEST(ReportPage, EscapesEveryTextOfAReport) {
  std::string page = pageOf(Object{
      {"name", "<script>alert(1)</script>"},
      {"rows", Array{Object{{"text", "</code><b>\x01"}, {"odd<key", 1}}}},
      {"map", Object{{"<i>", Object{{"value_of", 3}}}}}});
  EXPECT_FALSE(has(page, "<script"));
  EXPECT_FALSE(has(page, "<b>"));
  EXPECT_FALSE(has(page, "<i>"));
  EXPECT_FALSE(has(page, "\x1b"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_TRUE(has(page, "<code>&lt;/code&gt;&lt;b&gt;\\x01</code>"));
  EXPECT_TRUE(has(page, "odd&lt;key"));
  EXPECT_TRUE(has(page, "<code>&lt;i&gt;</code>"));
  EXPECT_TRUE(has(page, "line 1\nline &lt;2&gt;\\x1b[31m"));
}

TEST(ReportPage, KeepsNumbersWhole) {
  std::string page = pageOf(Object{{"large", uint64_t(1) << 63},
                                   {"negative", -1234567},
                                   {"real", 0.1 + 0.2},
                                   {"stall_share", 0.25},
                                   {"unknown_number", nullptr},
                                   {"address", 8432},
                                   {"tile", Array{128, 64}}});
  EXPECT_TRUE(has(page, "<data value=\"9223372036854775808\">"
                        "9,223,372,036,854,775,808</data>"));
  EXPECT_TRUE(has(page, "<data value=\"-1234567\">-1,234,567</data>"));
  EXPECT_TRUE(has(page, "<data value=\"0.30000000000000004\">0.3</data>"));
  EXPECT_TRUE(has(page, "<data value=\"0.25\">25.0 %</data>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">unknown number</th><td>"
                        "<span class=\"faint\">–</span>"));
  EXPECT_TRUE(has(page, "<data value=\"8432\">0x20f0</data>"));
  EXPECT_TRUE(has(page, "<data value=\"128\">128</data>, "
                        "<data value=\"64\">64</data>"));
}

TEST(ReportPage, MakesAColumnOfEachMember) {
  // The second row has no `next`, the first no `note`.
  std::string page = pageOf(Object{
      {"rows",
       Array{Object{{"resource", "VGPR"},
                    {"next", Object{{"fewer", 4}, {"waves", 3}}}},
             Object{{"resource", "LDS"}, {"next", nullptr}, {"note", "n"}}}}});
  EXPECT_TRUE(has(page, "<th scope=\"col\">resource</th><th scope=\"col\">note"
                        "</th><th scope=\"col\" class=\"number\">next: fewer"
                        "</th><th scope=\"col\" class=\"number\">next: waves"
                        "</th></tr>"));
  EXPECT_TRUE(has(page, "<tr><td>VGPR</td><td></td><td class=\"number\">"
                        "<data value=\"4\">4</data></td>"));
}

TEST(ReportPage, HasAPartForEachKernel) {
  Array kernels;
  for (const char *name : {"first", "second"})
    kernels.push_back(
        Object{{"name", name}, {"figures", Array{Object{{"value", 1}}}}});
  for (llvm::json::Value report :
       {llvm::json::Value(Array(kernels)),
        llvm::json::Value(Object{{"kernels", Array(kernels)}})}) {
    std::string page = pageOf(report);
    EXPECT_TRUE(has(page, "<section><h2>first</h2>"));
    EXPECT_TRUE(has(page, "<section><h2>second</h2>"));
    EXPECT_TRUE(has(page, "<h3>figures</h3>"));
  }
  // Kernels of numbers alone are rows of one table.
  std::string page =
      pageOf(Object{{"kernels", Array{Object{{"name", "k"}, {"calls", 2}}}}});
  EXPECT_TRUE(has(page, "<section><h2>kernels</h2>"));
}

} // namespace
