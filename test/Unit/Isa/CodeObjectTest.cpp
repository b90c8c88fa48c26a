//===- CodeObjectTest.cpp - loading good and damaged objects --------------===//

#include "fly/Isa/CodeObject.h"

#include "fly/Isa/Decoder.h"

#include <random>

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::isa::CodeObject;

namespace {

static std::string softmaxBytes() {
  std::string message;
  std::string bytes = test::assembleObject("gfx942_softmax_2048.s", message);
  EXPECT_FALSE(bytes.empty()) << message;
  return bytes;
}

static std::string messageOf(llvm::StringRef bytes) {
  auto object = CodeObject::load(bytes, "input");
  if (object)
    return "";
  return llvm::toString(object.takeError());
}

TEST(CodeObject, ReadsKernelOfForeignObject) {
  auto object = CodeObject::load(softmaxBytes());
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->chip(), "gfx942");
  ASSERT_EQ(object->kernels().size(), 1u);
  const isa::Kernel &kernel = object->kernels()[0];
  EXPECT_EQ(kernel.name, "softmax");
  EXPECT_EQ(kernel.entry % 256, 0u);
  EXPECT_GT(kernel.descriptor.preloadDwords(), 0u);
  EXPECT_EQ(kernel.wavefrontSize, 64u);
  // softmax(x, y, stride, n, scratch, scratch).
  std::vector<uint32_t> sizes;
  for (const isa::KernelArgument &argument : kernel.arguments)
    if (!argument.isHidden())
      sizes.push_back(argument.size);
  EXPECT_EQ(sizes, (std::vector<uint32_t>{8, 8, 4, 4, 8, 8}));
}

TEST(CodeObject, KeepsNamesOffsetsAndHiddenKinds) {
  std::string message;
  std::string text = test::wrapKernel("", "gfx950");
  // A second list in the style of a HIP compiler.
  size_t at = text.find("      - .name: a1");
  ASSERT_NE(at, std::string::npos);
  size_t end = text.find("    .kernarg_segment_size");
  text.replace(at, end - at,
               "      - .offset: 8\n        .size: 4\n        .value_kind: "
               "hidden_block_count_x\n"
               "      - .offset: 12\n        .size: 2\n        .value_kind: "
               "hidden_group_size_x\n"
               "      - .offset: 16\n        .size: 8\n        .value_kind: "
               "hidden_hostcall_buffer\n");
  std::string bytes = test::assembleText(text, "gfx950", message);
  auto object = CodeObject::load(bytes);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError()) << message;
  EXPECT_EQ(object->chip(), "gfx950");
  const auto &arguments = object->kernels()[0].arguments;
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].name, "a0");
  EXPECT_FALSE(arguments[0].isHidden());
  EXPECT_EQ(arguments[1].kind, isa::ArgumentKind::HiddenBlockCountX);
  EXPECT_EQ(arguments[2].kind, isa::ArgumentKind::HiddenGroupSizeX);
  EXPECT_EQ(arguments[2].offset, 12u);
  EXPECT_EQ(arguments[3].kind, isa::ArgumentKind::HiddenNull);
}

TEST(CodeObject, RejectsWhatIsNoCodeObject) {
  EXPECT_EQ(messageOf(""), "input: not a 64-bit little-endian ELF file");
  EXPECT_EQ(messageOf(std::string(4096, 'x')),
            "input: not a 64-bit little-endian ELF file");
}

TEST(CodeObject, NamesTheWrongProcessor) {
  std::string bytes = softmaxBytes();
  bytes[48] = 0x41; // e_flags: another machine.
  EXPECT_NE(messageOf(bytes).find("expected one of: gfx942, gfx950"),
            std::string::npos);
}

TEST(CodeObject, RejectsEveryTruncation) {
  std::string bytes = softmaxBytes();
  // The section headers lie at the end, so no shorter file is complete.
  for (size_t size = 0; size < bytes.size(); size += size < 1024 ? 1 : 61)
    EXPECT_FALSE(messageOf(llvm::StringRef(bytes).take_front(size)).empty())
        << size;
}

/// Damage must give an error or a consistent object, never a crash. What still
/// loads is decoded as well.
TEST(CodeObject, SurvivesSeededBitFlips) {
  const std::string original = softmaxBytes();
  std::mt19937 random(20240607);
  unsigned rejected = 0, loaded = 0;
  for (unsigned round = 0; round != 3000; ++round) {
    std::string bytes = original;
    unsigned flips = 1 + random() % 4;
    for (unsigned i = 0; i != flips; ++i) {
      // Half of the flips hit the headers, where every bit matters.
      size_t range =
          random() % 2 ? std::min<size_t>(bytes.size(), 2048) : bytes.size();
      bytes[random() % range] ^= char(1u << (random() % 8));
    }
    auto object = CodeObject::load(bytes);
    if (!object) {
      EXPECT_FALSE(llvm::toString(object.takeError()).empty());
      ++rejected;
      continue;
    }
    ++loaded;
    if (loaded % 16 == 0) {
      auto program = isa::Program::decode(*object);
      ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    }
  }
  EXPECT_GT(rejected, 100u);
  EXPECT_GT(loaded, 100u);
}

TEST(CodeObject, SurvivesRandomWordsInHeaders) {
  const std::string original = softmaxBytes();
  std::mt19937 random(77);
  unsigned rejected = 0;
  const uint32_t extremes[] = {0,           1,           0x7fffffffu,
                               0x80000000u, 0xffffffffu, 0xfffffff8u};
  for (unsigned round = 0; round != 3000; ++round) {
    std::string bytes = original;
    size_t range = round % 2 ? 1024 : bytes.size() - 4;
    size_t at = random() % (range / 4) * 4;
    uint32_t word = extremes[random() % 6];
    std::memcpy(&bytes[at], &word, 4);
    auto object = CodeObject::load(bytes);
    if (object)
      continue;
    EXPECT_FALSE(llvm::toString(object.takeError()).empty());
    ++rejected;
  }
  EXPECT_GT(rejected, 100u);
}

} // namespace
