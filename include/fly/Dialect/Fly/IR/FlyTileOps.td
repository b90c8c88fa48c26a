//===- FlyTileOps.td - Values that are tiles ---------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYTILEOPS_TD
#define FLY_DIALECT_FLY_IR_FLYTILEOPS_TD

include "fly/Dialect/Fly/IR/FlyViewOps.td"

def Fly_ConstantOp : Fly_Op<"constant", [Pure]> {
  let summary = "a tile of one constant";
  let description = [{
    Every element is the number, or `neg_inf`, `pos_inf`, `lowest` (the most
    negative finite value), `nan`. `arith.constant` cannot have an extent that
    is a name; this can.

    Constraints:
    - C1: a word needs a floating-point tile that has such a value; a number
      must fit the element type: integers exactly, floats after rounding.

    Example:

    ```mlir
    func.func private @helper() {
      %z = fly.constant 0.0 : tensor<64x32xf32>
      %l = fly.constant lowest : tensor<64xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr, StrAttr]>:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "custom<ConstantValue>($value) attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The value of one element as an attribute of the element type.
    ::mlir::TypedAttr getElementAttr();
  }];
}

def Fly_SplatOp : Fly_Op<"splat", [Pure]> {
  let summary = "a tile of one scalar";
  let description = [{
    Constraints:
    - C1: the scalar has the tile's element type.

    Example:

    ```mlir
    func.func private @helper(%s: f32) {
      %t = fly.splat %s : f32 -> tensor<64x32xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$scalar);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$scalar attr-dict `:` type($scalar) `->` type($result)";
  let hasVerifier = 1;
}

def Fly_BroadcastOp : Fly_Op<"broadcast", [Pure]> {
  let summary = "a tile repeated along a new dimension";
  let description = [{
    `broadcast %r along d` gives a tile of one rank more whose elements do not
    depend on coordinate `d`: along 1 turns a value a row into a tile of rows.

    Constraints:
    - C1: the result's shape without dimension `d` is the source's shape; the
      element types agree.

    Example:

    ```mlir
    func.func private @helper(%row: tensor<64xf32>) {
      %t = fly.broadcast %row along 1 : tensor<64xf32> -> tensor<64x32xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `along` custom<PlainInteger>($dim) attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Fly_DotOp : Fly_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>,
    Fly_ProductOpInterface]> {
  let summary = "matrix product of two tiles, added to a third";
  let description = [{
    `d[m, n] = acc[m, n] + sum over k of a[m, k] * b[n, k]`: B is given as
    N x K. Products and sums have at least the precision of the accumulator.
    With `xf32` the operands are first cut to 10 bits of mantissa, which some
    chips multiply faster.

    Constraints:
    - C1: A is M x K, B is N x K, the accumulator M x N, of rank 2.
    - C2: A and B are both f16, both bf16, both f32, both f64, both i8, or both
      8-bit floats (each of its own format); the accumulator is f32, f64 for
      f64, i32 for i8.
    - C3: `xf32` is for operands of f32.

    Example:

    ```mlir
    func.func private @helper(%a: tensor<64x32xbf16>, %b: tensor<128x32xbf16>, %c: tensor<64x128xf32>) {
      %d = fly.dot %a, %b, %c label "qk" : tensor<64x32xbf16>, tensor<128x32xbf16> -> tensor<64x128xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$acc,
                       UnitAttr:$xf32, OptionalAttr<StrAttr>:$label);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`xf32` $xf32^)? (`label` $label^)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fly_CastOp : Fly_Op<"cast", [Pure]> {
  let summary = "conversion of every element to another type";
  let description = [{
    A finite number beyond the result's range becomes its largest finite one with
    `overflow saturate`, infinity with `overflow ieee`, as `arith.truncf` does.
    Infinity and NaN stay; in a type without infinity it becomes NaN.

    `rounding rne`, the default, rounds to the nearest number, ties to even.
    `rounding sr` rounds up or down at random, up with the probability of the
    distance: the number is between two neighbours of the result's type, and
    `floor(2^32 * f) + r >= 2^32` takes the one farther from zero, where f is the
    part of the way there and r a 32-bit number made from the seed and the
    element's place. With i the row-major number of the element in its tile, all
    in 32 bits that wrap:

    ```text
    r = i * 0x9E3779B9 + seed
    r = (r ^ r >> 16) * 0x85EBCA6B;  r = (r ^ r >> 13) * 0xC2B2AE35;  r = r ^ r >> 16
    ```

    Tiles and iterations want seeds of their own. The result is the same in
    every layout, on the reference and on the device.

    Constraints:
    - C1: both tiles have the same shape and layout, and numeric elements.
    - C2: `sr` takes f32 to a narrower float with a sign, by a seed; nothing else
      has one.

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xf32>, %seed: i32) {
      %h = fly.cast %t overflow saturate : tensor<64x32xf32> -> tensor<64x32xf16>
      %r = fly.cast %t overflow saturate rounding sr seed %seed : tensor<64x32xf32> -> tensor<64x32xf8E4M3FN>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       DefaultValuedAttr<Fly_OverflowAttr, "::fly::Overflow::Ieee">:$overflow,
                       DefaultValuedAttr<Fly_RoundingAttr, "::fly::Rounding::Rne">:$rounding,
                       Optional<I32>:$seed);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`overflow` custom<OverflowKeyword>($overflow)^)? (`rounding` custom<RoundingKeyword>($rounding)^)?
    (`seed` $seed^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fly_ConvertLayoutOp : Fly_Op<"convert_layout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    Elements keep their values; where they live changes. Where each lane has
    what it needs, registers are renamed; everything else goes through LDS.
    `#fly.staged` layouts are tiles in LDS.

    Constraints:
    - C1: source and result differ in their encoding alone.

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>) {
      %s = fly.convert_layout %t : tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
        -> tensor<64x32xbf16, #fly.staged<"a", 0>>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fly_MapOp : Fly_Op<"map", [Pure]> {
  let summary = "elementwise code in infix";
  let description = [{
    Evaluates the expression for every element. Each name is bound to a tile of
    the result's shape, to a row tile (`rows`: one value a row), a column tile
    (`cols`: one value a column), or a scalar. Inputs widen to f32, the result
    is rounded once to the result's element type. Operators: `+ - * /`,
    comparison `< <= > >= == !=`, `c ? a : b`, unary minus, numbers, and the
    functions listed in docs/Guide/Map.md. `fly-instantiate` expands it to
    `fly.broadcast`, `arith` and `math`.

    Syntax:

    ```text
    %r = fly.map "expression" (name = %value, ...) attr-dict : (types) -> tile
    ```

    Constraints:
    - C1: the expression parses, and every name in it is bound; errors point
      into the string.
    - C2: a bound tile has the result's shape; a row tile its first extent, a
      column tile its second.

    Example:

    ```mlir
    func.func private @helper(%x: tensor<64x32xf32>, %b: tensor<32xf32>) {
      %o = fly.map "max(x + b, 0)" (x = %x, b = cols %b)
        : (tensor<64x32xf32>, tensor<32xf32>) -> tensor<64x32xbf16>
      return
    }
    ```
  }];
  let arguments = (ins StrAttr:$expression, Variadic<AnyType>:$inputs,
                       StrArrayAttr:$names, StrArrayAttr:$roles);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYTILEOPS_TD
