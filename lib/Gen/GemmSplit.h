//===- GemmSplit.h - GEMMs whose workgroups share K -------------*- C++ -*-===//
//
// What problem: a GEMM with few tiles of C and a long K leaves most compute
// units idle.
// What idea: workgroups share the K of a tile. How their parts come together is
// algorithm, so it is text of the kernel: here is what stands around its loop.
// What it refuses: forms and numbers that do not exist.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_GEN_GEMMSPLIT_H
#define FLY_LIB_GEN_GEMMSPLIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace fly::gen {

/// How the parts of a tile come together.
struct GemmSplit {
  enum class Form : uint8_t {
    None,      ///< One workgroup a tile.
    Last,      ///< The last workgroup to arrive adds up: deterministic.
    TwoKernel, ///< A second kernel adds up: deterministic.
    Atomic,    ///< Each adds to C, which holds zeros before.
    Stream,    ///< Stream-K: workers share all tiles' K; deterministic.
  };
  Form form = Form::None;
  /// Parts of K, or workers.
  int64_t parts = 1;
  /// The type of a part: the accumulator's, f32, i32 or f64.
  std::string type = "f32";
  /// Tiles are of products of a batch, %z of %batch; not with Stream.
  bool isBatched = false;

  /// Reads "4", "4:last", "4:two-kernel", "4:atomic", and the number of workers
  /// of stream-K; one of both may be empty.
  static llvm::Expected<GemmSplit>
  parse(llvm::StringRef split, llvm::StringRef stream, llvm::StringRef type);

  /// The epilogue is in a second kernel.
  bool isTwoKernels() const { return form == Form::TwoKernel; }
  /// "SPLIT = 4", as an entry of the schedule's sizes; empty for None.
  std::string size() const;
  /// What the text says of the order of sums; empty for None.
  llvm::StringRef promise() const;
  /// Types and arguments that the kernel has more.
  std::string types() const;
  std::string arguments() const;
  /// What stands before the loop: %zero, the grid, and the bounds %lo and %hi
  /// of K; without a split they are 0 and %K.
  std::string before() const;
  std::string bounds() const;
  /// What stands behind the loop, up to the epilogue of `result()`.
  std::string after() const;
  /// What stands behind the epilogue.
  std::string close() const;
  /// Spaces that the loop and the epilogue are indented by beyond a kernel's.
  unsigned loopIndent() const { return form == Form::Stream ? 2 : 0; }
  unsigned epilogueIndent() const;
  /// The value that the epilogue takes; empty where the kernel has none.
  llvm::StringRef result() const;
  /// What stands in the second kernel before the epilogue of %sum.
  std::string sum() const;

private:
  /// Text with the type of parts, how they are added, and zero, in place of
  /// $type, $add and $zero; and what a batch adds to ranks, extents and
  /// coordinates in place of $rank, $batch and $at.
  std::string instantiate(llvm::StringRef text) const;
};

} // namespace fly::gen

#endif // FLY_LIB_GEN_GEMMSPLIT_H
