//===- FuzzTest.cpp - damaged programs end in bounded time ----------------===//
//
// Bits of a kernel's code and of its descriptor are flipped. Whatever the wave
// then does, the launch gives a result or an error; the host is not harmed.
// Run it under the sanitizers to get its full worth.
//
//===----------------------------------------------------------------------===//

#include <random>

#include "ClangTarget.h"
#include "KernelRun.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::KernelRun;

namespace {

struct Range {
  size_t begin = 0, end = 0;
};

/// Where a run of bytes lies in the file.
static Range findInFile(const std::string &file,
                        llvm::ArrayRef<uint8_t> bytes) {
  size_t at = llvm::StringRef(file).find(llvm::StringRef(
      reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  return {at, at + bytes.size()};
}

class Fuzz : public testing::TestWithParam<const char *> {};

TEST_P(Fuzz, DamagedCodeEndsInBoundedTime) {
  std::string message;
  const std::string original = test::assembleObject(GetParam(), message);
  auto object = isa::CodeObject::load(original);
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  const isa::Kernel &kernel = object->kernels()[0];
  Range code =
      findInFile(original, object->bytesAt(kernel.entry, kernel.codeSize));
  Range descriptor =
      findInFile(original, object->bytesAt(kernel.descriptorAddress, 64));
  ASSERT_LT(code.end, original.size());
  std::mt19937 random(4711);
  unsigned faults = 0, finished = 0, refused = 0;
  for (unsigned round = 0; round != 300; ++round) {
    std::string bytes = original;
    unsigned flips = 1 + random() % 8;
    for (unsigned i = 0; i != flips; ++i)
      bytes[code.begin + random() % (code.end - code.begin)] ^=
          char(1u << (random() % 8));
    if (round % 4 == 0)
      bytes[descriptor.begin + random() % 64] ^= char(1u << (random() % 8));
    KernelRun run;
    auto program = run.simulator->load(bytes);
    if (!program) {
      EXPECT_FALSE(llvm::toString(program.takeError()).empty());
      ++refused;
      continue;
    }
    run.params.program = *program;
    uint64_t a = run.buffer(1 << 16), b = run.buffer(1 << 16),
             c = run.buffer(1 << 16);
    if (kernel.name == "gemm")
      run.setArguments({a, b, c, 64, 64, 128, 128, 128, 64, 0, 0});
    else
      run.setArguments({a, b, 2048, 2048, 0, 0});
    run.params.workgroupSize = {256, 1, 1};
    run.params.dynamicLdsBytes = 65536;
    run.params.options.maxInstructionsPerWave = 100000;
    run.params.options.checks =
        round % 2 ? sim::CheckSet::all() : sim::CheckSet();
    std::string error = run.launchError();
    ++(error.empty() ? finished : faults);
  }
  EXPECT_GT(faults, 20u);
  EXPECT_GT(finished, 20u);
  EXPECT_EQ(faults + finished + refused, 300u);
}

INSTANTIATE_TEST_SUITE_P(Triton, Fuzz,
                         testing::Values("gfx942_softmax_2048.s",
                                         "gfx950_gemm_bf16_128x256x64_w4_s2.s"),
                         test::fileName);

} // namespace
