//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Reads and writes .npy files (format versions 1 to 3, little-endian, C
// order). Types that NumPy lacks travel as unsigned integers of the same width
// with the raw bits: bf16 as uint16, fp8 as uint8, fp4 as uint8 with two codes
// a byte, the low nibble first.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_NPY_H
#define FLY_LAUNCH_NPY_H

#include "fly/Launch/Buffer.h"

namespace fly::launch {

/// A .npy file in memory.
struct NpyArray {
  std::string descr; ///< As in the header: "<f4", "|u1".
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<uint8_t> bytes;
};

/// Reads a file's bytes. Errors say what about the format is not supported.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef contents,
                                  llvm::StringRef path);

/// Reads `path` into the logical elements of the buffer; gaps between rows are
/// left alone. The error of a wrong shape or type names both and the fix.
llvm::Error readNpyInto(Buffer &buffer, llvm::StringRef path);

/// The element type and shape of a .npy file, for buffers that get theirs from
/// it. Unsigned integers are what NumPy says, not bf16.
llvm::Expected<std::pair<ElementType, Shape>> peekNpy(llvm::StringRef path);

/// Writes the logical elements of the buffer.
llvm::Error writeNpy(const Buffer &buffer, llvm::StringRef path);

} // namespace fly::launch

#endif // FLY_LAUNCH_NPY_H
