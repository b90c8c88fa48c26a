//===- ForeignObjectsTest.cpp - no false alarm on other compilers' code ---===//
//
// What Triton and clang emit is right: it runs on hardware. Nothing of it may
// be reported, and nothing left open but calls.
//
//===----------------------------------------------------------------------===//

#include "fly/Verify/Verify.h"

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace fly;

static std::string problemsOf(const std::string &object) {
  auto verdict = verify::verifyObject(object);
  if (!verdict)
    return llvm::toString(verdict.takeError());
  EXPECT_FALSE(verdict->kernels.empty());
  std::string problems;
  for (const verify::KernelVerdict &kernel : verdict->kernels)
    for (const verify::Finding &finding : kernel.findings)
      problems += kernel.name + ": " + verify::describe(finding) + "\n";
  return problems;
}

TEST(ForeignObjects, Triton) {
  for (const char *name :
       {"gfx942_gemm_bf16_128x128x64_w4_s3.s",
        "gfx942_gemm_bf16_256x256x64_w8_s2.s",
        "gfx942_gemm_fp8fnuz_64x256x128_w4_s2.s", "gfx942_softmax_2048.s",
        "gfx950_gemm_bf16_128x256x64_w4_s2.s",
        "gfx950_gemm_bf16_256x256x64_w8_s2.s",
        "gfx950_gemm_fp8_128x256x128_w4_s2.s", "gfx950_softmax_2048.s"}) {
    std::string message;
    std::string object = test::assembleObject(name, message);
    ASSERT_FALSE(object.empty()) << message;
    EXPECT_EQ(problemsOf(object), "") << name;
  }
}

TEST(ForeignObjects, Clang) {
  const std::pair<const char *, const char *> kernels[] = {
      {"Tiles.hip", "gfx950"},
      {"Workgroups.cl", "gfx942"},
  };
  for (auto [name, chip] : kernels) {
    std::string message;
    std::string object = test::compileKernel(name, chip, "-O2", message);
    ASSERT_FALSE(object.empty()) << message;
    EXPECT_EQ(problemsOf(object), "") << name << " " << chip;
  }
}
