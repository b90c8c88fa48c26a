//===- FlyCheckOps.td - Asserts and prints of a kernel -----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD
#define FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_AssertOp : Fly_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "a condition that must hold while the kernel runs";
  let description = [{
    The run fails with the message where the scalar, or an element of the tile,
    is false. The reference executor stops there; a compiled kernel goes on, and
    has the check in it only where checks were asked for (docs/Rationale/Checks.md).

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
    is printed with its extents and its elements, row by row. A compiled kernel
    prints only where checks were asked for (docs/Rationale/Checks.md).

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

def Fly_RecordOp : Fly_Op<"record", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "values of a check, written to the kernel's channel";
  let description = [{
    What `fly-lower-checks` makes of `fly.assert` and `fly.print`: a record for
    the host, told apart by the number of its site. Of an assert, each element
    whose condition is false gives a record with that element of each value; of
    a print, which has no condition, each element of each value.

    Constraints:
    - C1: the channel is a view of rank 1 of i32 in global memory.
    - C2: the condition is an i1 or a tile of i1; values beside it are scalars
      or tiles of its shape.
    - C3: values are numbers or tiles of numbers, of at most 64 bits.
    - C4: at most three coordinates of the workgroup; the site is not negative.

    Example:

    ```mlir
    func.func private @helper(%c: !fly.view<?xi32>, %ok: tensor<4xi1>, %x: tensor<4xi32>, %m: i32) {
      fly.record 0 to %c : !fly.view<?xi32> at(%m) unless %ok : tensor<4xi1> values %x : tensor<4xi32>
      return
    }
    ```
  }];
  let arguments = (ins I32Attr:$site, Fly_ViewType:$channel, Variadic<I32>:$workgroup,
                       Optional<AnyType>:$condition, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    custom<Count>($site) `to` $channel `:` qualified(type($channel)) `at` `(` $workgroup `)`
    (`unless` $condition^ `:` type($condition))? (`values` $values^ `:` type($values))? attr-dict
  }];
  let hasVerifier = 1;
}

def Fly_EventOp : Fly_Op<"event", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "number of checks that this wave has come to before";
  let description = [{
    0 where it runs first in a kernel, then 1, and so on, in the order in which
    the wave comes to any `fly.event`. Control flow is that of the workgroup, so
    all waves count alike: the number puts records of different waves in the
    order of the program.

    Example:

    ```mlir
    func.func private @helper() {
      %n = fly.event
      return
    }
    ```
  }];
  let results = (outs I32:$number);
  let assemblyFormat = "attr-dict";
}

#endif // FLY_DIALECT_FLY_IR_FLYCHECKOPS_TD
