//===- Metadata.h - kernels of the msgpack note -----------------*- C++ -*-===//

#ifndef FLY_LIB_ISA_METADATA_H
#define FLY_LIB_ISA_METADATA_H

#include "fly/Isa/CodeObject.h"

namespace fly::isa {

/// What the NT_AMDGPU_METADATA note says: kernels without descriptors, and
/// `amdhsa.target`.
struct Metadata {
  std::string target;
  std::vector<Kernel> kernels;
};

/// Reads the msgpack document of an AMDGPU metadata note.
llvm::Expected<Metadata> parseMetadata(llvm::ArrayRef<uint8_t> note);

} // namespace fly::isa

#endif // FLY_LIB_ISA_METADATA_H
