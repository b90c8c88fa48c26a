//===- ChecksTest.cpp - Records of a channel to messages ------------------===//
#include "fly/Contract/Checks.h"

#include "gtest/gtest.h"

using namespace fly::contract;

namespace {

/// A channel with room for `room` records.
class Channel {
public:
  explicit Channel(unsigned room)
      : words(channel::headerWords + room * channel::recordWords) {}

  void add(uint32_t site, uint32_t event, std::array<uint32_t, 3> workgroup,
           uint32_t value, uint32_t element, uint64_t bits) {
    unsigned at = channel::headerWords + words[0]++ * channel::recordWords;
    if (at + channel::recordWords > words.size())
      return;
    words[at + channel::Site] = site;
    words[at + channel::Event] = event;
    std::copy(workgroup.begin(), workgroup.end(),
              words.begin() + at + channel::Workgroup);
    words[at + channel::Value] = value;
    words[at + channel::Element] = element;
    words[at + channel::Low] = uint32_t(bits);
    words[at + channel::High] = uint32_t(bits >> 32);
  }

  std::vector<uint32_t> words;
};

const CheckedValue scalarBit{"i1", std::nullopt};
const CheckSite scalarAssert{
    true, "k.mlir:3:5", "a < b", 2, {scalarBit, {"i32", {}}, {"i32", {}}}};
const CheckSite tileAssert{
    true, "k.mlir:4:5", "sorted", 1, {{"i1", {{2, 4}}}, {"f16", {{2, 4}}}}};
const CheckSite tilePrint{
    false, "k.mlir:5:5", "x {} of {}", 1, {{"bf16", {{2, 2}}}, {"i64", {}}}};

TEST(Checks, NothingWasWritten) {
  auto report = readChannel({scalarAssert}, Channel(4).words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->failure, "");
  EXPECT_EQ(report->lost, 0u);
}

TEST(Checks, ScalarAssertShowsWhatItCompares) {
  Channel channel(4);
  channel.add(0, 0, {3, 7, 0}, 0, 0, 0);
  channel.add(0, 0, {3, 7, 0}, 1, 0, uint32_t(-5));
  channel.add(0, 0, {3, 7, 0}, 2, 0, 4);
  auto report = readChannel({scalarAssert}, channel.words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->failure,
            "k.mlir:3:5: error: assertion failed: \"a < b\" at "
            "workgroup (3, 7): values -5, 4");
}

TEST(Checks, TheFirstFailureIsTheOneOfTheProgramWhateverCameFirst) {
  Channel channel(8);
  channel.add(0, 2, {1, 0, 0}, 0, 5, 0);
  channel.add(0, 2, {1, 0, 0}, 1, 5, 0x3c00); // 1.0
  channel.add(0, 9, {0, 0, 0}, 0, 6, 0);
  channel.add(0, 9, {0, 0, 0}, 1, 6, 0xc000); // -2.0
  channel.add(0, 9, {0, 0, 0}, 0, 3, 0);
  channel.add(0, 9, {0, 0, 0}, 1, 3, 0x3800); // 0.5
  auto report = readChannel({tileAssert}, channel.words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->failure,
            "k.mlir:4:5: error: assertion failed: \"sorted\" at workgroup (0), "
            "element [0, 3]: values 0.5 (2 of 8 elements are false)");
}

TEST(Checks, LinesComeInTheOrderOfWorkgroupsAndEvents) {
  Channel channel(64);
  auto print = [&](uint32_t workgroup, uint32_t event, int64_t number) {
    for (uint32_t i = 4; i-- > 0;)
      channel.add(0, event, {workgroup, 0, 0}, 0, i, 0x3f80 + (i << 7));
    channel.add(0, event, {workgroup, 0, 0}, 1, 0, uint64_t(number));
  };
  print(2, 0, 1);
  print(0, 4, int64_t(1) << 40);
  print(0, 1, -1);
  auto report = readChannel({tilePrint}, channel.words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  std::string tile = "x 2x2 [[1, 2], [4, 8]] of ";
  EXPECT_EQ(report->lines, (std::vector<std::string>{
                               "workgroup (0): " + tile + "-1",
                               "workgroup (0): " + tile + "1099511627776",
                               "workgroup (2): " + tile + "1"}));
}

TEST(Checks, NothingIsPrintedBehindAFailure) {
  CheckSite line{false, "k.mlir:1:1", "here", 1, {}};
  Channel channel(8);
  channel.add(0, 3, {1, 0, 0}, 0, 0, 0);
  channel.add(0, 0, {0, 0, 0}, 0, 0, 0);
  channel.add(1, 1, {1, 0, 0}, 0, 0, 0);
  CheckSite bare{true, "k.mlir:2:1", "holds", 1, {scalarBit}};
  auto report = readChannel({line, bare}, channel.words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->lines, std::vector<std::string>{"workgroup (0): here"});
  EXPECT_EQ(report->failure,
            "k.mlir:2:1: error: assertion failed: \"holds\" at workgroup (1)");
}

TEST(Checks, LostRecordsAreCounted) {
  Channel channel(2);
  for (int i = 0; i < 5; ++i)
    channel.add(0, i, {0, 0, 0}, 0, 1, 0);
  auto report = readChannel({tilePrint}, channel.words);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->lost, 3u);
  EXPECT_EQ(report->lines.size(), 2u);
  EXPECT_EQ(report->lines[0], "workgroup (0): x 2x2 [[?, 0], [?, ?]] of ?");
}

TEST(Checks, RecordsWithoutASiteAreRefused) {
  auto read = [](uint32_t site, uint32_t value, uint32_t element) {
    Channel channel(1);
    channel.add(site, 0, {0, 0, 0}, value, element, 0);
    return readChannel({tilePrint}, channel.words);
  };
  auto isRead = [](llvm::Expected<CheckReport> report) {
    if (report)
      return true;
    llvm::consumeError(report.takeError());
    return false;
  };
  EXPECT_TRUE(isRead(read(0, 0, 3)));
  EXPECT_FALSE(isRead(read(1, 0, 0)));
  EXPECT_FALSE(isRead(read(0, 2, 0)));
  EXPECT_FALSE(isRead(read(0, 0, 4)));
  EXPECT_FALSE(isRead(read(0, 1, 1)));
}

} // namespace
