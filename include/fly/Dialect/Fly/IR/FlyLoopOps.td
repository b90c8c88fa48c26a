//===- FlyLoopOps.td - Pipelines ---------------------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fly_YieldOp : Fly_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["::fly::PipelineOp", "::fly::ReduceOp", "::fly::ScanOp", "::fly::StaticForOp"]>]> {
  let summary = "values that a stage hands on";
  let description = [{
    A stage before the last yields what the later stages see as their
    arguments; the last stage yields the next values of the iter_args.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Fly_PipelineOp : Fly_Op<"pipeline", [AttrSizedOperandSegments,
    SingleBlockImplicitTerminator<"::fly::YieldOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a loop in stages that run ahead of each other";
  let description = [{
    Its meaning is the plain loop: for each `%k` from the lower bound to below
    the upper bound in steps, run `prefetch`, hand its values to `compute`,
    carry the values that `compute` yields. Its lowering runs `prefetch` of a
    later iteration before `compute` of this one, so `prefetch` writes nothing
    that others read and sees no iter_arg. The symbol is the loop's label in
    the schedule.

    The regions' arguments: `prefetch(k)`; `compute(k, prefetched..., iter_args...)`.
    Where `compute` uses its own copy of the induction variable, the printed
    form names it after `at`.

    Constraints:
    - C1: prefetch has no side effect on memory.
    - C2: what prefetch yields agrees with compute's arguments; what compute
      yields agrees with the iter_args and results.
    - C3: the step is a positive number, a name of a size, or a value.

    Example:

    ```mlir
    func.func private @helper(%a: !fly.view<?x?xf32>, %m: i32, %K: i32, %z: tensor<64x32xf32>) {
      %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : tensor<64x32xf32>
        prefetch {
          %t = fly.load %a[%m, %k] : !fly.view<?x?xf32> -> tensor<64x32xf32>
          fly.yield %t : tensor<64x32xf32>
        } compute(%t: tensor<64x32xf32>) {
          %n = arith.addf %s, %t : tensor<64x32xf32>
          fly.yield %n : tensor<64x32xf32>
        }
      return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$label,
                       Optional<I32>:$lower, Optional<I32>:$upper, Optional<I32>:$step,
                       ArrayAttr:$static_bounds, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$prefetch, SizedRegion<1>:$compute);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getMixedLower();
    ::mlir::OpFoldResult getMixedUpper();
    ::mlir::OpFoldResult getMixedStep();
    ::mlir::BlockArgument getPrefetchInductionVar() { return getPrefetch().getArgument(0); }
    ::mlir::BlockArgument getComputeInductionVar() { return getCompute().getArgument(0); }
    /// Compute's arguments that stand for prefetched values.
    ::mlir::Block::BlockArgListType getPrefetchedArgs() {
      return getCompute().getArguments().slice(1, getNumPrefetched());
    }
    ::mlir::Block::BlockArgListType getIterArgs() {
      return getCompute().getArguments().drop_front(1 + getNumPrefetched());
    }
    unsigned getNumPrefetched() { return getCompute().getNumArguments() - 1 - getInits().size(); }
    ::fly::YieldOp getPrefetchYield();
    ::fly::YieldOp getComputeYield();
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD
