//===- FlyTileOps.td - Ops on tiles, views and the grid ----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYTILEOPS_TD
#define FLY_DIALECT_FLY_IR_FLYTILEOPS_TD

include "fly/Dialect/Fly/IR/FlyAttrs.td"
include "fly/Dialect/Fly/IR/FlyTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fly_Op<string mnemonic, list<Trait> traits = []> : Op<Fly_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Sizes, preconditions, the grid
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Views and accesses
//===----------------------------------------------------------------------===//

def Fly_ViewOp : Fly_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a view of global memory";
  let description = [{
    Extents and strides are i32 values, numbers, or names of sizes; strides are
    in elements and default to row-major without gaps. `at` is an i64 offset in
    elements, added to the pointer in 64 bits. The extents also say how large
    the buffer is, so a launcher can allocate it.

    Syntax:

    ```text
    %v = fly.view %pointer[extent, ...] (strides [stride, ...])? (at %offset)? attr-dict : view
    ```

    Constraints:
    - C1: as many extents (and strides) as the view has dimensions.
    - C2: extents and strides agree with the static ones of the type.
    - C3: the pointer's element type is the view's; the view is not in LDS.
    - C4: a preshuffled view has no strides, and the numbers among its two last
      extents are multiples of the block. A launch in which one is not is
      refused.
    - C5: a view with `#fly.layout` has no strides; its layout says them.

    Example:

    ```mlir
    func.func private @helper(%p: !fly.ptr<bf16>, %M: i32, %K: i32, %ld: i32, %o: i64) {
      %a = fly.view %p[%M, %K] : !fly.view<?x?xbf16>
      %b = fly.view %p[%M, 64] strides [%ld, 1] at %o : !fly.view<?x64xbf16>
      return
    }
    ```
  }];
  let arguments = (ins Fly_PtrType:$ptr, Variadic<I32>:$extents, Variadic<I32>:$strides,
                       Optional<I64>:$offset, ArrayAttr:$static_extents,
                       OptionalAttr<ArrayAttr>:$static_strides);
  let results = (outs Fly_ViewType:$view);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedExtents();
    /// Strides as written; empty where the view is row-major without gaps.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
  }];
}

class Fly_AccessOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, traits # [AttrSizedOperandSegments]> {
  code accessDeclaration = [{
    /// Coordinates as values or attributes.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
    /// Whether dimension `dim` of the view is proved in range for every element.
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

def Fly_LoadOp : Fly_AccessOp<"load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load of a tile from a view";
  let description = [{
    Loads the tile whose first element is at the coordinates. Leading
    coordinates beyond the tile's rank pick one index. Elements outside the
    view, and those whose mask is false, read as the pad (zero by default).

    `in_bounds` (one flag a dimension of the view) and `align` (elements that
    the start of every row of the tile is a multiple of) are what
    `fly-prove-access` proved.

    Syntax:

    ```text
    %t = fly.load %view[coordinate, ...] clause* attr-dict : view (, mask)? -> tile

    clause ::= pad word | cache word | label "name" | mask %mask | in_bounds [flag, ...] | align n
    ```

    Constraints:
    - C1: as many coordinates as the view has dimensions, at least as many as
      the tile.
    - C2: the tile has the view's element type.
    - C3: the mask has the tile's shape and elements of i1.

    Example:

    ```mlir
    func.func private @helper(%a: !fly.view<?x?xbf16>, %m: i32, %k: i32) {
      %t = fly.load %a[%m, %k] pad zero label "a" : !fly.view<?x?xbf16> -> tensor<64x32xbf16>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$view, Variadic<I32>:$coordinates,
                       Optional<AnyRankedTensor>:$mask, ArrayAttr:$static_coordinates,
                       DefaultValuedAttr<Fly_PadAttr, "::fly::Pad::Zero">:$pad,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<StrAttr>:$label,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let results = (outs AnyRankedTensor:$tile);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = accessDeclaration;
}

def Fly_StoreOp : Fly_AccessOp<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "store of a tile to a view";
  let description = [{
    Stores the tile at the coordinates. Elements outside the view, and those
    whose mask is false, are not written. Attributes and constraints are those
    of `fly.load`.

    Syntax:

    ```text
    fly.store %tile, %view[coordinate, ...] clause* attr-dict : tile, view (, mask)?

    clause ::= cache word | label "name" | mask %mask | in_bounds [flag, ...] | align n
    ```

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xbf16>, %c: !fly.view<?x?xbf16>, %m: i32) {
      fly.store %t, %c[%m, 0] label "c" : tensor<64x32xbf16>, !fly.view<?x?xbf16>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tile, Fly_ViewType:$view, Variadic<I32>:$coordinates,
                       Optional<AnyRankedTensor>:$mask, ArrayAttr:$static_coordinates,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<StrAttr>:$label,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = accessDeclaration;
}

//===----------------------------------------------------------------------===//
// Tile values
//===----------------------------------------------------------------------===//

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
