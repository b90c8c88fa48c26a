//===- Passes.td - Passes of the fly dialect ---------------*- tablegen -*-===//
//
// One definition a pass, in the order of the pipeline. Every pass runs on the
// gpu.module it is given or on every gpu.module nested in its root, leaves the
// IR untouched where it refuses, and says in a remark what it did.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyInstantiatePass : Pass<"fly-instantiate"> {
  let summary = "give names their numbers, inline helpers, expand fly.map";
  let description = [{
    Reads `sizes` of the kernel's `#fly.schedule` and writes them where the
    source has names: `tensor<?x?xf32, #fly.tile<BM, BN>>` becomes
    `tensor<128x256xf32>`, `fly.size BM` a constant, `step BK` a number. Private
    functions that kernels call are inlined and removed; `fly.map` becomes
    `fly.broadcast`, `arith` and `math` on f32, rounded once to the type of its
    result. Ops of dialects that the tile level does not know are refused by
    name here, so that no later pass meets them.

    Kernels without names, calls and maps are left as they are.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"numNames", "names", "Number of names replaced by numbers">,
    Statistic<"numInlined", "inlined", "Number of helper calls inlined">,
    Statistic<"numMaps", "maps", "Number of fly.map ops expanded">
  ];
}

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
