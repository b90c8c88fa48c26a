//===- FlyPackOps.td - Tiles of packed elements ------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYPACKOPS_TD
#define FLY_DIALECT_FLY_IR_FLYPACKOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_BitcastOp : Fly_Op<"bitcast", [Pure]> {
  let summary = "the bits of every row as elements of another type";
  let description = [{
    A row of the source, from its first element's lowest bit on, is cut into
    elements of the result's type: a byte is two elements of four bits, the low
    one first; three bytes are four elements of six bits. Nothing is converted.

    Constraints:
    - C1: source and result have the same rank, of at least 1, and the same
      extents but the last.
    - C2: their rows have the same number of bits.
    - C3: elements are integers or floats.

    Example:

    ```mlir
    func.func private @helper(%bytes: tensor<64x64xi8>) {
      %t = fly.bitcast %bytes : tensor<64x64xi8> -> tensor<64x128xf4E2M1FN>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Fly_RepeatOp : Fly_Op<"repeat", [Pure]> {
  let summary = "every element of a tile several times in a row";
  let description = [{
    `repeat %s by f along d` gives a tile with f times the extent along d, in
    which f neighbours have one element of the source:
    `result[.., i, ..] = s[.., i / f, ..]`. A scale for each 32 weights of a row
    becomes a scale for each weight.

    Constraints:
    - C1: `along` is a dimension of the source, `by` at least 1.
    - C2: the result has the source's element type and extents, along `d`
      multiplied by f.

    Example:

    ```mlir
    func.func private @helper(%scale: tensor<64x4xf16>) {
      %t = fly.repeat %scale by 32 along 1 : tensor<64x4xf16> -> tensor<64x128xf16>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$factor, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `by` custom<PlainInteger>($factor) `along` custom<PlainInteger>($dim) attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYPACKOPS_TD
