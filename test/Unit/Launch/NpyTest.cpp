//===- NpyTest.cpp - NumPy's array files ----------------------------------===//
#include "fly/Launch/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::launch;

namespace {
class Npy : public ::testing::Test {
protected:
  Npy() {
    llvm::SmallString<64> file;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fly-npy", "npy", file));
    path = file.str().str();
  }
  ~Npy() override { llvm::sys::fs::remove(path); }

  void write(llvm::StringRef contents) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << contents;
    ASSERT_FALSE(error);
  }
  /// The message without the file's name in front.
  std::string readError(Buffer &buffer) {
    llvm::StringRef text(message = llvm::toString(readNpyInto(buffer, path)));
    text.consume_front("'" + path + "': ");
    return text.str();
  }

  std::string path, message;
};

Buffer makeBuffer(llvm::StringRef type, llvm::ArrayRef<int64_t> extents) {
  Shape shape = Shape::contiguous(extents);
  return Buffer("A", llvm::cantFail(ElementType::parse(type)), shape,
                shape.size());
}

std::string header(llvm::StringRef dictionary) {
  std::string text = "\x93NUMPY\x01";
  text += '\0';
  text += char(dictionary.size());
  text += '\0';
  return text + dictionary.str();
}
} // namespace

TEST_F(Npy, RoundTripsEveryType) {
  for (llvm::StringRef type :
       {"bf16", "f16", "f32", "f64", "f8E4M3FN", "i8", "i32", "i64"}) {
    Buffer out = makeBuffer(type, {3, 4}), in = makeBuffer(type, {3, 4});
    for (uint64_t i = 0; i < out.bytes(); ++i)
      out.data()[i] = uint8_t(i * 37 + 1);
    ASSERT_EQ(llvm::toString(writeNpy(out, path)), "");
    ASSERT_EQ(readError(in), "") << type.str();
    EXPECT_EQ(std::memcmp(in.data(), out.data(), in.bytes()), 0) << type.str();
  }
}

TEST_F(Npy, HeaderIsAsNumPyWritesIt) {
  Buffer buffer = makeBuffer("bf16", {3, 4});
  ASSERT_EQ(llvm::toString(writeNpy(buffer, path)), "");
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  ASSERT_TRUE(bool(file));
  llvm::StringRef text = (*file)->getBuffer();
  EXPECT_TRUE(text.contains(
      "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), }"));
  size_t headerEnd = text.find('\n') + 1;
  EXPECT_EQ(headerEnd % 64, 0u);
  EXPECT_EQ(text.size() - headerEnd, 24u);
}

TEST_F(Npy, ReadsVersionTwoAndOneDimension) {
  std::string dictionary =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  std::string text = "\x93NUMPY\x02";
  text += '\0';
  text += char(dictionary.size());
  text += std::string(3, '\0');
  write(text + dictionary + std::string("\x00\x00\x80\x3f\x00\x00\x00\x40", 8));
  Buffer buffer = makeBuffer("f32", {2});
  ASSERT_EQ(readError(buffer), "");
  EXPECT_EQ(buffer.value(0), 1.0);
  EXPECT_EQ(buffer.value(1), 2.0);
}

TEST_F(Npy, StridedBuffersKeepTheirGaps) {
  Buffer source = makeBuffer("i32", {2, 2});
  for (int i = 0; i < 4; ++i)
    source.type().storeBits(source.data(), i, i + 1);
  ASSERT_EQ(llvm::toString(writeNpy(source, path)), "");
  Shape shape;
  shape.extents = {2, 2};
  shape.strides = {3, 1};
  Buffer buffer("A", source.type(), shape, shape.span());
  buffer.data()[2 * 4] = 9;
  ASSERT_EQ(readError(buffer), "");
  EXPECT_EQ(buffer.value(2), 3);
  EXPECT_EQ(buffer.data()[2 * 4], 9);
}

TEST_F(Npy, FourBitCodesTravelTwoAByte) {
  Buffer buffer = makeBuffer("f4E2M1FN", {2, 4});
  ASSERT_EQ(llvm::toString(writeNpy(buffer, path)), "");
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  ASSERT_TRUE(bool(file));
  EXPECT_TRUE((*file)->getBuffer().contains("'shape': (2, 2)"));
  EXPECT_EQ(readError(buffer), "");
}

TEST_F(Npy, NamesBothShapesAndTheFix) {
  ASSERT_EQ(llvm::toString(writeNpy(makeBuffer("f32", {4, 3}), path)), "");
  Buffer buffer = makeBuffer("f32", {3, 4});
  EXPECT_EQ(readError(buffer),
            "has shape (4, 3); buffer 'A' of f32 3x4 needs shape (3, 4) and "
            "type float32; save a.reshape((3, 4))");
  Buffer larger = makeBuffer("f32", {5, 4});
  EXPECT_EQ(readError(larger),
            "has shape (4, 3); buffer 'A' of f32 5x4 needs shape (5, 4) and "
            "type float32; is it transposed?");
}

TEST_F(Npy, NamesBothTypesAndTheFix) {
  ASSERT_EQ(llvm::toString(writeNpy(makeBuffer("f32", {3, 4}), path)), "");
  Buffer bf16 = makeBuffer("bf16", {3, 4});
  EXPECT_EQ(readError(bf16),
            "has type '<f4' and shape (3, 4); buffer 'A' of bf16 3x4 needs "
            "shape (3, 4) and type uint16 (raw bits of bf16); save "
            "(a.astype('float32').view('uint32') >> 16).astype('uint16'), "
            "exact where the values are bf16");
  Buffer half = makeBuffer("f16", {3, 4});
  EXPECT_NE(readError(half).find("save a.astype('float16')"),
            std::string::npos);
}

TEST_F(Npy, RefusesWhatItCannotRead) {
  Buffer buffer = makeBuffer("f32", {2});
  write("hello, this is text");
  EXPECT_EQ(readError(buffer),
            "is not a .npy file (it does not start with the magic \\x93NUMPY); "
            "write it by numpy.save");
  write(header("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }"));
  EXPECT_NE(readError(buffer).find("big-endian"), std::string::npos);
  write(header("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }"));
  EXPECT_NE(readError(buffer).find("ascontiguousarray"), std::string::npos);
  write(header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"));
  EXPECT_EQ(readError(buffer), "ends after 0 bytes of data, its shape needs 2 "
                               "entries of 4 bytes; save it again");
  llvm::sys::fs::remove(path);
  EXPECT_EQ(readError(buffer), "cannot be read: No such file or directory");
}
