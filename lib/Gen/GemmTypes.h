//===- GemmTypes.h - Element types of generated GEMMs -----------*- C++ -*-===//
#ifndef FLY_LIB_GEN_GEMMTYPES_H
#define FLY_LIB_GEN_GEMMTYPES_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Gen/Gemm.h"

namespace fly::gen {

/// The types of a kernel, as MLIR spells them.
struct GemmTypes {
  std::string a, b;
  /// Of the accumulator: f32, f64 or i32.
  std::string acc;
  std::string out;
  /// Of the bias: the output's, f32 where that is no float.
  std::string bias;
  /// The dot cuts its operands to xf32.
  bool isXf32 = false;
  /// Operands have a scale for each 32 elements.
  bool isMx = false;

  /// Weights of 4 bits, multiplied as A's type.
  bool isInt4() const { return b == "i4"; }

  bool isOutAcc() const { return out == acc; }
};

/// Reads `--in` and `--out` for a chip: `bf16`, or one type for each operand,
/// `fp8,bf8`. fp8 and bf8 are the chip's E4M3 and E5M2.
llvm::Expected<GemmTypes> parseGemmTypes(const GemmOptions &options,
                                         const arch::ArchInfo &chip);

} // namespace fly::gen

#endif // FLY_LIB_GEN_GEMMTYPES_H
