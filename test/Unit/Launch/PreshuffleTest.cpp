//===- PreshuffleTest.cpp - Weights in the order of a matrix unit ---------===//
//
// Places are compared with the five dimensions of the published layout, (rows /
// 16, bytes / 64, 4 chunks, 16 rows, 16 bytes); the way back restores every
// bit.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/Preshuffle.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::launch;

namespace {
Buffer makeMatrix(llvm::StringRef type, llvm::ArrayRef<int64_t> extents) {
  Shape shape = Shape::contiguous(extents);
  Buffer buffer("w", llvm::cantFail(ElementType::parse(type)), shape,
                shape.size());
  for (uint64_t i = 0; i < buffer.bytes(); ++i)
    buffer.data()[i] = uint8_t(i * 131 + i / 251);
  return buffer;
}
} // namespace

TEST(Preshuffle, PutsBytesWhereTheLayoutHasThem) {
  for (llvm::StringRef type : {"f4E2M1FN", "i8", "bf16", "f32", "f64"}) {
    unsigned bits = llvm::cantFail(ElementType::parse(type)).bits();
    int64_t columns = 192 * 8 / bits, rows = 48, bytes = 192;
    Buffer buffer = makeMatrix(type, {rows, columns});
    std::vector<uint8_t> plain(buffer.data(), buffer.data() + buffer.bytes());
    ASSERT_EQ(llvm::toString(preshuffle(buffer, {})), "");
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t byte = 0; byte < bytes; ++byte) {
        int64_t dims[] = {row / 16, byte / 64, byte / 16 % 4, row % 16,
                          byte % 16};
        int64_t extents[] = {rows / 16, bytes / 64, 4, 16, 16};
        int64_t place = 0;
        for (unsigned d = 0; d < 5; ++d)
          place = place * extents[d] + dims[d];
        ASSERT_EQ(buffer.data()[place], plain[row * bytes + byte])
            << type.str() << " row " << row << " byte " << byte;
      }
    ASSERT_EQ(llvm::toString(unshuffle(buffer, {})), "");
    EXPECT_TRUE(std::equal(plain.begin(), plain.end(), buffer.data()))
        << type.str();
    EXPECT_EQ(llvm::toString(buffer.checkGuards()), "");
  }
}

TEST(Preshuffle, TakesMatricesOneBehindTheOther) {
  Buffer both = makeMatrix("i8", {2, 16, 128});
  std::vector<uint8_t> plain(both.data(), both.data() + both.bytes());
  ASSERT_EQ(llvm::toString(preshuffle(both, {})), "");
  Buffer second = makeMatrix("i8", {16, 128});
  std::copy(plain.begin() + 2048, plain.end(), second.data());
  ASSERT_EQ(llvm::toString(preshuffle(second, {})), "");
  EXPECT_TRUE(
      std::equal(second.data(), second.data() + 2048, both.data() + 2048));
}

TEST(Preshuffle, RefusesPartsOfBlocks) {
  Buffer rows = makeMatrix("i8", {24, 64});
  EXPECT_EQ(
      llvm::toString(preshuffle(rows, {})),
      "buffer 'w' of i8 24x64 cannot be shuffled: blocks have 16 rows and "
      "64 columns, choose multiples of both");
  Buffer columns = makeMatrix("bf16", {16, 48});
  EXPECT_NE(llvm::toString(preshuffle(columns, {})), "");
  Buffer odd = makeMatrix("f6E2M3FN", {16, 64});
  EXPECT_EQ(llvm::toString(preshuffle(odd, {})),
            "buffer 'w' of f6E2M3FN 16x64 cannot be shuffled: chunks of 16 "
            "bytes hold no whole elements");
}
