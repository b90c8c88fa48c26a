//===- Passes.td - From explicit Fly IR to ROCDL -----------*- tablegen -*-===//

#ifndef FLY_CONVERSION_FLYTOROCDL_PASSES_TD
#define FLY_CONVERSION_FLYTOROCDL_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyConvertToROCDLPass : Pass<"fly-convert-to-rocdl"> {
  let summary = "lower explicit kernels to the llvm and rocdl dialects";
  let description = [{
    Turns every kernel of a `gpu.module` with a known target into an `llvm.func`
    that translates to LLVM IR. Before: explicit IR, per-lane vectors, views,
    LDS structs. After: llvm and rocdl ops alone.

    - Vectors of rank above 1 are register arrays: each inner vector becomes a
      value of its own, in loops too.
    - A read or write of a global view is a raw buffer access. Its byte offset
      is split into what depends on the lane (a vector register, computed
      outside loops), what is uniform (a scalar register), and a constant. An
      outside element is sent beyond the buffer's range, or, along the outermost
      dimension, is there already.
    - A field of an LDS struct becomes an LDS global with an alias scope of its
      own. Constant parts of an address that the swizzle leaves alone are folded
      into the instruction.
    - `fly.barrier lds` orders LDS alone: global loads stay in flight.

    Preconditions: no tile is left, views come from `fly.view` or
    `fly.lds.field`, view offsets are uniform, strides are not negative, and a
    kernel has `fly.waves` or a block size. It refuses anything else by name and
    then leaves the module as it was.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::vector::VectorDialect",
    "::mlir::ub::UBDialect"
  ];
  let statistics = [
    Statistic<"numBufferAccesses", "buffer-accesses", "buffer instructions made">,
    Statistic<"numLdsAccesses", "lds-accesses", "LDS instructions made">
  ];
}

#endif // FLY_CONVERSION_FLYTOROCDL_PASSES_TD
