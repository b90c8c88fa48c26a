//===- NarrowFloats.cpp - Conversions of 8-bit floats ---------------------===//
//
// The chip converts pairs of f32 to two 8-bit floats and back, to nearest even;
// what is beyond the range becomes infinity or NaN, as the format has it. f16
// and bf16 go through f32, which holds them exactly. Refused before, by
// fly-check-legal: f64, which would be rounded twice, and the other chip's
// formats.
//
//===----------------------------------------------------------------------===//
#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

LogicalResult fly::lowerNarrowFloats(gpu::GPUFuncOp kernel,
                                     amdgpu::Chipset chipset) {
  RewritePatternSet patterns(kernel.getContext());
  // Saturation is written out where a program asks for it.
  arith::populateArithToAMDGPUConversionPatterns(
      patterns, /*convertFP8Arithmetic=*/true, /*saturateFP8Truncf=*/false,
      /*allowPackedF16Rtz=*/false, /*supportsScaledExtTrunc=*/false, chipset);
  SmallVector<Operation *> casts;
  kernel.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      casts.push_back(op);
  });
  return applyOpPatternsGreedily(casts, std::move(patterns));
}
