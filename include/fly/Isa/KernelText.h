//===- KernelText.h - assembly of a whole kernel around a body --*- C++ -*-===//
//
// What problem: micro-kernels are a few instructions, and what makes a code
// object of them is thirty lines of descriptor and metadata.
// What idea: the text around a body, for any assembler.
//
// Example:
//   std::string text = isa::wrapKernel("  s_nop 0\n", "gfx942");
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ISA_KERNELTEXT_H
#define FLY_ISA_KERNELTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::isa {

/// What a kernel needs.
struct KernelShape {
  unsigned kernargBytes = 64; ///< Pointers and 64-bit values, in order.
  unsigned ldsBytes = 0;
  unsigned scratchBytes = 0;
  unsigned vgprs = 64;
  unsigned accumOffset = 64;
  /// Scalar registers; the metadata add VCC and its kin.
  unsigned sgprs = 64, extraSgprs = 0;
  unsigned preloadDwords = 0;
  bool dynamicStack = false;
  bool idsYz = false;          ///< Work-item and workgroup ids of y and z.
  bool keepsDenormals = false; ///< Of f32.
};

/// Assembly of a kernel "k" with the given body: s[0:1] is the kernarg
/// pointer, the workgroup id follows the user SGPRs, v0 the work-item id.
/// Arguments are `kernargBytes` / 8 values of 8 bytes.
std::string wrapKernel(llvm::StringRef body, llvm::StringRef chip,
                       const KernelShape &shape = KernelShape());

} // namespace fly::isa

#endif // FLY_ISA_KERNELTEXT_H
