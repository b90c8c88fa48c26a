//===- StaggeredKernels.cpp - waves that are a barrier apart --------------===//

#include "StaggeredKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"

#include "gtest/gtest.h"

using namespace fly::test;
using namespace fly;

static constexpr const char *preamble = R"(
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x400, v1
  v_xor_b32_e32 v5, 0x100, v1
  v_lshrrev_b32_e32 v4, 6, v0
  s_nop 0
  v_readfirstlane_b32 s8, v4
  s_lshl_b32 s9, s8, 8
  s_mov_b32 m0, s9
)";
const char *const fly::test::partWaves = R"(
  s_cmp_lt_u32 s8, 4
  s_cbranch_scc1 8f
  s_barrier
8:
)";
const char *const fly::test::joinWaves = R"(
  s_cmp_gt_u32 s8, 3
  s_cbranch_scc1 9f
  s_barrier
9:
)";

void fly::test::expectStaggered(const std::vector<MarkedKernel> &kernels) {
  std::vector<std::string> bodies;
  std::vector<MarkedKernel> whole;
  for (const MarkedKernel &kernel : kernels)
    bodies.push_back(std::string(preamble) + partWaves + kernel.body +
                     joinWaves);
  for (size_t i = 0; i != kernels.size(); ++i)
    whole.push_back({kernels[i].name, bodies[i].c_str()});
  MarkedLaunch launch;
  launch.workgroupSize = 512;
  expectMarked(whole, "gfx942", verify::Rule::LdsOrder, launch);
}

std::vector<verify::KernelVerdict>
fly::test::verdictsOfStaggered(const std::vector<std::string> &bodies) {
  std::vector<std::string> names, whole;
  std::vector<MarkedKernel> kernels;
  for (auto [index, body] : llvm::enumerate(bodies)) {
    names.push_back("k" + std::to_string(index));
    whole.push_back(std::string(preamble) + body);
  }
  for (size_t i = 0; i != bodies.size(); ++i)
    kernels.push_back({names[i].c_str(), whole[i].c_str()});
  MarkedLaunch launch;
  launch.workgroupSize = 512;
  std::string message;
  std::string object = assembleKernels(kernels, "gfx942", message, launch);
  EXPECT_FALSE(object.empty()) << message;
  auto verdict = verify::verifyObject(object);
  if (!verdict)
    ADD_FAILURE() << llvm::toString(verdict.takeError());
  std::vector<verify::KernelVerdict> result(bodies.size());
  if (verdict && verdict->kernels.size() == bodies.size())
    result = std::move(verdict->kernels);
  return result;
}
