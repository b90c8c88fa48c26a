//===- MarkedKernels.cpp - kernels whose bad lines are marked -------------===//

#include "MarkedKernels.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

#include "Assemble.h"
#include "gtest/gtest.h"

using namespace llvm;

static std::string codeOf(const fly::test::MarkedKernel &kernel) {
  return formatv(R"(
  .globl {0}
  .p2align 8
  .type {0},@function
{0}:
{1}
  s_endpgm
.Lend_{0}:
  .size {0}, .Lend_{0}-{0}
  .section .rodata,"a"
  .p2align 6
  .amdhsa_kernel {0}
  .amdhsa_group_segment_fixed_size 32768
  .amdhsa_kernarg_size 64
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 512
  .amdhsa_accum_offset 256
  .amdhsa_next_free_sgpr 100
  .end_amdhsa_kernel
  .text
)",
                 kernel.name, kernel.body);
}

static std::string metadataOf(const fly::test::MarkedKernel &kernel,
                              const fly::test::MarkedLaunch &launch) {
  return formatv("  - .name: {0}\n"
                 "    .symbol: {0}.kd\n"
                 "    .kernarg_segment_size: 64\n"
                 "    .kernarg_segment_align: 8\n"
                 "    .group_segment_fixed_size: 32768\n"
                 "    .private_segment_fixed_size: 0\n"
                 "    .max_flat_workgroup_size: {1}\n"
                 "    .reqd_workgroup_size: [{1}, 1, 1]\n"
                 "    .wavefront_size: 64\n"
                 "    .sgpr_count: 100\n"
                 "    .vgpr_count: 512\n",
                 kernel.name, launch.workgroupSize);
}

std::string fly::test::assembleKernels(const std::vector<MarkedKernel> &kernels,
                                       StringRef chip, std::string &message,
                                       const MarkedLaunch &launch) {
  std::string text =
      formatv("  .amdgcn_target \"amdgcn-amd-amdhsa--{0}\"\n  .text\n", chip);
  std::string metadata;
  for (const MarkedKernel &kernel : kernels) {
    text += codeOf(kernel);
    metadata += metadataOf(kernel, launch);
  }
  text += formatv("  .amdgpu_metadata\n---\namdhsa.kernels:\n{0}"
                  "amdhsa.target: amdgcn-amd-amdhsa--{1}\n"
                  "amdhsa.version:\n  - 1\n  - 2\n...\n"
                  "  .end_amdgpu_metadata\n",
                  metadata, chip);
  return assembleText(text, chip, message);
}

/// The marked lines of a body, without their mark.
static std::vector<std::string> markedLines(StringRef body) {
  std::vector<std::string> marked;
  SmallVector<StringRef> lines;
  body.split(lines, '\n');
  for (StringRef line : lines) {
    auto [text, mark] = line.split("//");
    if (mark.trim() == "BAD")
      marked.push_back(text.trim().str());
  }
  return marked;
}

void fly::test::expectMarked(const std::vector<MarkedKernel> &kernels,
                             StringRef chip, verify::Rule rule,
                             const MarkedLaunch &launch) {
  std::string message;
  std::string object = assembleKernels(kernels, chip, message, launch);
  ASSERT_FALSE(object.empty()) << message;
  Expected<verify::ObjectVerdict> verdict = verify::verifyObject(object);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  ASSERT_EQ(verdict->kernels.size(), kernels.size());
  for (size_t i = 0; i != kernels.size(); ++i) {
    std::vector<std::string> found;
    std::string details;
    for (const verify::Finding &finding : verdict->kernels[i].findings) {
      if (finding.rule != rule)
        continue;
      if (found.empty() || found.back() != finding.place.text)
        found.push_back(finding.place.text);
      details += verify::describe(finding) + "\n";
    }
    std::vector<std::string> marked = markedLines(kernels[i].body);
    EXPECT_EQ(found, marked) << chip.str() << " " << kernels[i].name << "\n"
                             << details;
    if (marked.empty())
      EXPECT_EQ(verdict->kernels[i].of(rule), verify::Verdict::Proved)
          << chip.str() << " " << kernels[i].name;
  }
}
