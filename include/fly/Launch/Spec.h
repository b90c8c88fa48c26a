//===- Spec.h - What an argument holds, as text -----------------*- C++ -*-===//
//
// The language of `NAME=SPEC` on the command line: a scalar (`17`, `f32:1.5`)
// or the contents of a buffer (`rand:1`, `bf16[16x32]=@a.npy`). Random
// contents are small integers, which every element type holds exactly, so that
// a GEMM of them is exact; they are the same on every host.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_SPEC_H
#define FLY_LAUNCH_SPEC_H

#include "fly/Launch/Buffer.h"

#include <optional>

namespace fly::launch {

/// A parsed SPEC.
struct Spec {
  enum class Kind : uint8_t {
    Scalar,   ///< `number`, or `integer` where it is one.
    Zeros,    ///< zeros
    Fill,     ///< fill:V
    Iota,     ///< iota: 0, 1, 2, ...
    Rand,     ///< rand:SEED, integers of -4..4
    Normal,   ///< normal:SEED, mean 0, deviation 1
    Bytes,    ///< bytes:0x38
    File,     ///< @file.npy
    PatternA, ///< pattern:a, the A matrix of the public test cases
    PatternB, ///< pattern:b, their B matrix
  };
  Kind kind = Kind::Scalar;
  /// Given as `TYPE:` of a scalar or `TYPE[...]=` of a buffer.
  std::optional<ElementType> type;
  /// Given as `TYPE[D0xD1...]=`.
  std::optional<llvm::SmallVector<int64_t, 4>> extents;
  double number = 0;
  int64_t integer = 0;
  bool isInteger = false;
  uint64_t seed = 0;
  std::string path;
  /// `shuffle:` before the contents: a matrix that is put in the order of
  /// #fly.preshuffle<16, 64>.
  bool isShuffled = false;
  /// The text it was parsed from, for messages.
  std::string text;

  static llvm::Expected<Spec> parse(llvm::StringRef text);
};

/// The bits of a scalar argument of `type`; errors if the value does not fit.
llvm::Expected<uint64_t> scalarBits(const Spec &spec, ElementType type,
                                    llvm::StringRef name);

/// Writes the contents that `spec` describes into the buffer. Errors of .npy
/// files name the expected and the actual shape and type.
llvm::Error fillBuffer(Buffer &buffer, const Spec &spec);

} // namespace fly::launch

#endif // FLY_LAUNCH_SPEC_H
