//===- OutputFileTest.cpp - Files are whole or absent ---------------------===//
#include "fly/Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace {

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("fly-output", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  std::string at(StringRef name) const {
    SmallString<128> path = directory;
    sys::path::append(path, name);
    return path.str().str();
  }
  static std::string read(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "<absent>";
  }
  /// The names in the directory, in no order.
  size_t countFiles() const {
    std::error_code code;
    size_t count = 0;
    for (sys::fs::directory_iterator it(directory, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }

  SmallString<128> directory;
};

TEST_F(OutputFileTest, WritesAndOverwrites) {
  std::string path = at("k.hsaco");
  EXPECT_FALSE(errorToBool(fly::writeOutputFile(path, "first, longer")));
  EXPECT_FALSE(errorToBool(fly::writeOutputFile(path, StringRef("\0x", 2))));
  EXPECT_EQ(read(path), std::string("\0x", 2));
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFileTest, KeepsLinks) {
  std::string target = at("target"), link = at("link");
  EXPECT_FALSE(errorToBool(fly::writeOutputFile(target, "old")));
  ASSERT_FALSE(sys::fs::create_link(target, link));
  EXPECT_FALSE(errorToBool(fly::writeOutputFile(link, "new")));
  EXPECT_EQ(read(target), "new");
  EXPECT_TRUE(sys::fs::is_symlink_file(link));
}

TEST_F(OutputFileTest, WritesDevicesInPlace) {
  for (StringRef device : {"/dev/null", "/dev/full"}) {
    if (!sys::fs::exists(device))
      GTEST_SKIP() << "no " << device.str();
    Error error = fly::writeOutputFile(device, "bytes");
    if (device == "/dev/full")
      EXPECT_EQ(toString(std::move(error)), "No space left on device");
    else
      EXPECT_FALSE(errorToBool(std::move(error)));
    sys::fs::file_status status;
    ASSERT_FALSE(sys::fs::status(device, status));
    EXPECT_EQ(status.type(), sys::fs::file_type::character_file);
  }
}

TEST_F(OutputFileTest, SaysWhyNot) {
  EXPECT_EQ(toString(fly::writeOutputFile(at("no/such/folder"), "x")),
            "No such file or directory; create the folder first");
  EXPECT_EQ(toString(fly::writeOutputFile(directory, "x")), "Is a directory");
  EXPECT_EQ(countFiles(), 0u);
}

} // namespace
