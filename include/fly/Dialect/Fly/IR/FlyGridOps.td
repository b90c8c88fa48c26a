//===- FlyGridOps.td - Sizes, preconditions, the grid ------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYGRIDOPS_TD
#define FLY_DIALECT_FLY_IR_FLYGRIDOPS_TD

include "fly/Dialect/Fly/IR/FlyAttrs.td"
include "fly/Dialect/Fly/IR/FlyTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fly_Op<string mnemonic, list<Trait> traits = []> : Op<Fly_Dialect, mnemonic, traits>;

def Fly_SizeOp : Fly_Op<"size", [Pure]> {
  let summary = "value of a named size";
  let description = [{
    The number that the schedule gives to the name, as an i32 scalar.
    `fly-instantiate` replaces it by a constant.

    Example:

    ```mlir
    gpu.module @sizes [#rocdl.target<chip = "gfx942">] {
      gpu.func @k() kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64}>} {
        %bm = fly.size BM
        gpu.return
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Keyword>($name) attr-dict";
}

def Fly_RequireOp : Fly_Op<"require"> {
  let summary = "precondition of a launch";
  let description = [{
    The launch is refused with `message` where the condition is false. The
    condition is computed from kernel arguments alone; it is part of the launch
    contract and passes may rely on it.
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Fly_RequireMultipleOp : Fly_Op<"require_multiple"> {
  let summary = "precondition: an argument is a multiple of a number";
  let description = [{
    The launch is refused where `value` is not a multiple of `multiple` (a
    number or the name of a size). Alignment and tails are proved from it.

    Constraints:
    - C1: the multiple is a number from 1 to 2^31 - 1 or a name.

    Example:

    ```mlir
    func.func private @helper(%K: i32) {
      fly.require_multiple %K of 64
      return
    }
    ```
  }];
  let arguments = (ins I32:$value, AnyAttrOf<[I64Attr, StrAttr]>:$multiple);
  let assemblyFormat = "$value `of` custom<SizeValue>($multiple) attr-dict";
  let hasVerifier = 1;
}

def Fly_IsAlignedOp : Fly_Op<"is_aligned", [Pure]> {
  let summary = "whether a pointer is a multiple of so many bytes";
  let description = [{
    The same for the whole launch. In the first region of an `scf.if` on it, and
    on comparisons of remainders with 0 beside it, accesses may be as wide as it
    allows: `fly-version-kernels` writes it where a schedule has
    `versions = auto`, and authors may. The reference executor has no addresses;
    for it every pointer is aligned.

    Constraints:
    - C1: bytes are a power of two, at most 2^31.

    Example:

    ```mlir
    func.func private @helper(%p: !fly.ptr<f32>) -> i1 {
      %wide = fly.is_aligned %p to 16 : !fly.ptr<f32>
      return %wide : i1
    }
    ```
  }];
  let arguments = (ins Fly_PtrType:$ptr, I64Attr:$bytes);
  let results = (outs I1:$result);
  let assemblyFormat = "$ptr `to` custom<PlainInteger>($bytes) attr-dict `:` qualified(type($ptr))";
  let hasVerifier = 1;
}

def Fly_GridOp : Fly_Op<"grid", [AttrSizedOperandSegments]> {
  let summary = "the grid as a parallel loop over workgroups";
  let description = [{
    One workgroup for each point of the box `[0, bound)` in steps; the results
    are this workgroup's origins. Bounds are computed from kernel arguments
    alone. The order of the walk is schedule (`grid`) and never changes the
    meaning. Bounds and steps are values, numbers, or names of sizes.

    Syntax:

    ```text
    %m, ... = fly.grid to (bound, ...) step (step, ...) attr-dict
    ```

    Constraints:
    - C1: one to three dimensions, as many steps as bounds and results.
    - C2: steps are positive numbers or names.
    - C3: one grid a kernel, at the top level of its body.

    Example:

    ```mlir
    func.func private @helper(%M: i32, %N: i32) {
      %m, %n = fly.grid to (%M, %N) step (128, 256)
      return
    }
    ```
  }];
  let arguments = (ins Variadic<I32>:$bounds, Variadic<I32>:$steps,
                       ArrayAttr:$static_bounds, ArrayAttr:$static_steps);
  let results = (outs Variadic<I32>:$origins);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bounds as values or attributes (IntegerAttr, or StringAttr for a name).
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedBounds();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSteps();
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYGRIDOPS_TD
