//===- KernelText.cpp - assembly of a whole kernel around a body ----------===//
#include "fly/Isa/KernelText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

std::string fly::isa::wrapKernel(StringRef body, StringRef chip,
                                 const KernelShape &shape) {
  std::string args;
  for (unsigned offset = 0; offset + 8 <= shape.kernargBytes; offset += 8)
    args += formatv("      - .name: a{0}\n        .offset: {1}\n        .size: "
                    "8\n        .value_kind: by_value\n",
                    offset / 8, offset);
  std::string preload =
      shape.preloadDwords
          ? formatv("  .amdhsa_user_sgpr_kernarg_preload_length {0}\n"
                    "  .amdhsa_user_sgpr_kernarg_preload_offset 0\n",
                    shape.preloadDwords)
                .str()
          : std::string();
  std::string text =
      formatv(R"(
  .amdgcn_target "amdgcn-amd-amdhsa--{0}"
  .text
  .globl k
  .p2align 8
  .type k,@function
k:
{1}
  s_endpgm
.Lend:
  .size k, .Lend-k
  .rodata
  .p2align 6
  .amdhsa_kernel k
  .amdhsa_group_segment_fixed_size {2}
  .amdhsa_private_segment_fixed_size {3}
  .amdhsa_kernarg_size {4}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y {5}
  .amdhsa_system_sgpr_workgroup_id_z {5}
  .amdhsa_system_vgpr_workitem_id {6}
  .amdhsa_next_free_vgpr {7}
  .amdhsa_accum_offset {8}
  .amdhsa_next_free_sgpr {9}
  .amdhsa_enable_private_segment {10}
  .amdhsa_uses_dynamic_stack {12}
  .amdhsa_float_denorm_mode_32 {13}
{11}  .end_amdhsa_kernel
)",
              chip, body, shape.ldsBytes, shape.scratchBytes,
              shape.kernargBytes, shape.idsYz ? 1 : 0, shape.idsYz ? 2 : 0,
              shape.vgprs, shape.accumOffset, shape.sgprs,
              shape.scratchBytes ? 1 : 0, preload, shape.dynamicStack ? 1 : 0,
              shape.keepsDenormals ? 3 : 0)
          .str();
  text += formatv(R"(
  .amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
{0}    .kernarg_segment_size: {1}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {2}
    .private_segment_fixed_size: {3}
    .max_flat_workgroup_size: 1024
    .wavefront_size: 64
    .sgpr_count: {4}
    .vgpr_count: {5}
amdhsa.target: amdgcn-amd-amdhsa--{6}
amdhsa.version:
  - 1
  - 2
...
  .end_amdgpu_metadata
)",
                  args, shape.kernargBytes, shape.ldsBytes, shape.scratchBytes,
                  shape.sgprs + shape.extraSgprs, shape.vgprs, chip)
              .str();
  return text;
}
