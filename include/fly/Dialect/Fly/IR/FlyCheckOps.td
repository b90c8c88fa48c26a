//===- FlyCheckOps.td - Asserts and prints of a kernel -----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD
#define FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_AssertOp : Fly_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "a condition that must hold while the kernel runs";
  let description = [{
    Stops the run with the message where the scalar, or an element of the tile,
    is false.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

    Constraints:
    - C1: the condition is an i1 or a tile of i1.

    Example:

    ```mlir
    func.func private @helper(%ok: i1) {
      fly.assert %ok, "expert id must not be negative" : i1
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def Fly_PrintOp : Fly_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "scalars and tiles printed while the kernel runs";
  let description = [{
    Prints one line: the text with each `{}` replaced by the next value. A tile
    is printed with its extents and its elements, row by row.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

    Constraints:
    - C1: the text has as many `{}` as there are values, which are scalars or
      tiles of numbers.

    Example:

    ```mlir
    func.func private @helper(%i: i32, %t: tensor<4xf32>) {
      fly.print "row {}: {}", %i, %t : i32, tensor<4xf32>
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Variadic<AnyType>:$values);
  // The comma keeps the values apart from a line that follows: a list of
  // operands without anything before it would take `%x = ...` for its first.
  let assemblyFormat = "$text (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD
