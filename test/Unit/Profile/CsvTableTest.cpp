//===- CsvTableTest.cpp - Tables that are whole, and those that are not ---===//
#include "fly/Profile/CsvTable.h"

#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
/// Reads "Name" and "Count", and the optional "Share", of a file.
struct Reading {
  std::vector<std::string> names;
  std::vector<uint64_t> counts, lines;
  std::vector<double> shares;
  std::string error;
};

Reading readText(StringRef text, const CsvOptions &options = {}) {
  ScratchFolder scratch;
  std::string path = scratch.write("t.csv", text);
  Reading reading;
  static constexpr CsvColumn columns[] = {
      {"Name", true}, {"Count", true}, {"Share", false}};
  llvm::Error error = readCsvTable(
      path, columns, "collect again",
      [&](const CsvRow &row) -> llvm::Error {
        reading.lines.push_back(row.line());
        reading.names.push_back(row.text(0).str());
        auto count = row.number(1);
        if (!count)
          return count.takeError();
        reading.counts.push_back(**count);
        auto share = row.real(2);
        if (!share)
          return share.takeError();
        if (*share)
          reading.shares.push_back(**share);
        return llvm::Error::success();
      },
      options);
  reading.error = message(std::move(error));
  return reading;
}
} // namespace

TEST(CsvTable, FindsColumnsByName) {
  Reading reading = readText("Share,Count,\"Name\",More\n"
                             "0.5,7,\"f<int, 2>\",x\n"
                             ",18446744073709551615,\"say \"\"hi\"\"\",y\n");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.names,
            (std::vector<std::string>{"f<int, 2>", "say \"hi\""}));
  EXPECT_EQ(reading.counts, (std::vector<uint64_t>{7, UINT64_MAX}));
  EXPECT_EQ(reading.shares, std::vector<double>{0.5});
}

TEST(CsvTable, TakesLineBreaksMarksAndCommentsOfOtherSystems) {
  Reading reading = readText("\xef\xbb\xbf# made \"by hand\nName,Count\r\n\r\n"
                             "#a,b\r\n\"two\nlines\",1\r\nplain,2\r\n");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.names, (std::vector<std::string>{"two\nlines", "plain"}));
  EXPECT_EQ(reading.lines, (std::vector<uint64_t>{5, 7}));
}

TEST(CsvTable, NamesWhatIsMissing) {
  EXPECT_TRUE(contains(readText("Name,Cuont\na,1\n").error,
                       "t.csv': line 1: no column Count; found: 'Name', "
                       "'Cuont'"));
  EXPECT_TRUE(contains(readText("Name,Count,Name\na,1,b\n").error,
                       "line 1: the column 'Name' stands twice"));
  EXPECT_TRUE(contains(readText("").error, "is empty, expected a header"));
  EXPECT_TRUE(contains(readText("# only this\n").error, "is empty"));
  EXPECT_TRUE(contains(readText("Name,Count\n").error,
                       "has a header and no row; collect again"));
}

TEST(CsvTable, NamesTheCellThatIsWrong) {
  EXPECT_TRUE(contains(readText("Name,Count\na,1\nb,-2\n").error,
                       "line 3, column 'Count': expected a whole number from "
                       "0 to 2^64-1, found '-2'"));
  EXPECT_TRUE(contains(readText("Name,Count\na,18446744073709551616\n").error,
                       "found '18446744073709551616'"));
  EXPECT_TRUE(contains(readText("Name,Count\na,1.0\n").error, "found '1.0'"));
  EXPECT_TRUE(contains(readText("Name,Count\na,\n").error,
                       "line 2, column 'Count': is empty"));
  for (StringRef share : {"nan", "inf", "1e999", "x", "0x"})
    EXPECT_TRUE(contains(
        readText(("Name,Count,Share\na,1," + share + "\n").str()).error,
        "column 'Share': expected a finite number"));
}

TEST(CsvTable, RefusesWhatIsCut) {
  EXPECT_TRUE(contains(readText("Name,Count\na,1\nb\n").error,
                       "line 3: 1 cells, expected 2 as in the header"));
  EXPECT_TRUE(contains(readText("Name,Count\na,1\nb,12").error,
                       "line 3: the last row does not end with a line break"));
  EXPECT_TRUE(contains(readText("Name,Count\na,1\n\"b").error,
                       "a quote is not closed at the end of the file"));
  // A quote that is closed ends a cell for sure.
  Reading quoted = readText("Count,Name\n1,\"a\"");
  EXPECT_EQ(quoted.error, "");
  CsvOptions options;
  options.allowOpenEnd = true;
  Reading open = readText("Name,Count\nb,12", options);
  EXPECT_EQ(open.error, "");
  EXPECT_EQ(open.counts, std::vector<uint64_t>{12});
}

TEST(CsvTable, RefusesWhatIsNoTable) {
  EXPECT_TRUE(contains(readText("Name,Count\na,b\"c\n").error,
                       "line 2: a quote inside of a cell"));
  EXPECT_TRUE(contains(readText(StringRef("\xff\xfeN\0", 4)).error,
                       "is UTF-16 text, expected UTF-8"));
  CsvOptions options;
  options.maxRowBytes = 100;
  EXPECT_TRUE(contains(
      readText("Name,Count\n\"" + std::string(200, 'x') + "\",1\n", options)
          .error,
      "line 2: the row has more than 100 bytes"));
  EXPECT_TRUE(contains(message(readCsvTable("/no/such.csv", {}, "",
                                            [](const CsvRow &) {
                                              return llvm::Error::success();
                                            })),
                       "'/no/such.csv': cannot be read"));
  ScratchFolder scratch;
  EXPECT_TRUE(contains(message(readCsvHeader(scratch.path()).takeError()),
                       "is a folder, expected a file"));
}
