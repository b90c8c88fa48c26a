//===- FlyLoopOps.td - Pipelines ---------------------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fly_YieldOp : Fly_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["::fly::PipelineOp", "::fly::ReduceOp", "::fly::ScanOp", "::fly::LanesOp",
                 "::fly::StaticForOp"]>]> {
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
    the upper bound in steps, run `prefetch`, hand its values to the next stage,
    and so on to `compute`, and carry the values that `compute` yields. Its
    lowering runs stages of later iterations before `compute` of this one, so
    stages before `compute` write nothing that others read and see no iter_arg.
    The symbol is the loop's label in the schedule.

    Most loops have two stages, `prefetch` and `compute`; between them there may
    be any number of `stage` regions. Each but the last runs `ahead` of it by a
    number of iterations, by default as many as there are stages behind it.

    The regions' arguments: `prefetch(k)`; `stage(k, values of the stage before...)`;
    `compute(k, values of the stage before..., iter_args...)`. Where `compute` or
    a `stage` uses its own copy of the induction variable, the printed form names
    it after `at`. What a later stage needs of an earlier one is handed on by
    those between.

    Syntax:

    ```text
    %r, ... = fly.pipeline @label? %k = lower to upper step n (iter_args(%s = %init, ...))? attr-dict (: types)?
        prefetch (ahead n)? { ... }
        stage*
        compute(%handed: type, ...) (at %k)? { ... }

    stage ::= stage(%handed: type, ...) (at %k)? (ahead n)? { ... }
    ```

    Constraints:
    - C1: stages before compute have no side effect on memory.
    - C2: what a stage yields agrees with the next one's arguments; what compute
      yields agrees with the iter_args and results.
    - C3: the step is a positive number, a name of a size, or a value.
    - C4: there is an `ahead` for each stage but the last, or none; they fall from
      stage to stage, and the last is 1 at least.

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
      %q = fly.pipeline %k = 0 to %K step 32 iter_args(%s = %z) : tensor<64x32xf32>
        prefetch ahead 3 {
          %t = fly.load %a[%m, %k] : !fly.view<?x?xf32> -> tensor<64x32xf32>
          fly.yield %t : tensor<64x32xf32>
        } stage(%t: tensor<64x32xf32>) ahead 1 {
          %e = math.exp2 %t : tensor<64x32xf32>
          fly.yield %e : tensor<64x32xf32>
        } compute(%e: tensor<64x32xf32>) {
          %n = arith.addf %s, %e : tensor<64x32xf32>
          fly.yield %n : tensor<64x32xf32>
        }
      return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$label,
                       Optional<I32>:$lower, Optional<I32>:$upper, Optional<I32>:$step,
                       ArrayAttr:$static_bounds, OptionalAttr<DenseI64ArrayAttr>:$ahead,
                       Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$prefetch, SizedRegion<1>:$compute,
                        VariadicRegion<SizedRegion<1>>:$middles);
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
    /// All stages in the order in which an iteration runs them.
    ::llvm::SmallVector<::mlir::Region *, 3> getStages();
    /// Iterations that each stage runs ahead of the last, which has 0.
    ::llvm::SmallVector<int64_t, 3> getDistances();
    /// The position of a region in getStages().
    unsigned getStageOf(::mlir::Region *region);
    /// What a stage is handed by the one before it; none for the first.
    ::mlir::Block::BlockArgListType getHandedArgs(unsigned stage);
    /// What a stage yields.
    ::mlir::ValueRange getYielded(unsigned stage);
    /// The value that a stage before yields for this argument of a stage; null
    /// for induction variables, iter_args and others' arguments.
    ::mlir::Value getHandedValue(::mlir::BlockArgument argument);
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYLOOPOPS_TD
