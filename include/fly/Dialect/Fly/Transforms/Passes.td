//===- Passes.td - Passes of the fly dialect ---------------*- tablegen -*-===//
//
// One definition a pass, in the order of the pipeline. Every pass runs on the
// gpu.module it is given or on every gpu.module nested in its root, leaves the
// IR untouched where it refuses, and says in a remark what it did.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD

include "fly/Dialect/Fly/Transforms/KernelPasses.td"
include "fly/Dialect/Fly/Transforms/TilePasses.td"
include "fly/Dialect/Fly/Transforms/LanePasses.td"

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
