//===- FlyReduceOps.td - Ops along a dimension of a tile ---*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYREDUCEOPS_TD
#define FLY_DIALECT_FLY_IR_FLYREDUCEOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_IotaOp : Fly_Op<"iota", [Pure]> {
  let summary = "a tile of coordinates";
  let description = [{
    Every element is its coordinate along dimension `dim`, plus `from` where it
    is given: with the origin of a tile, coordinates in the view.

    Constraints:
    - C1: elements are i32, and the tile has the dimension.

    Example:

    ```mlir
    func.func private @helper(%n: i32) {
      %col = fly.iota from %n along 1 : tensor<64x32xi32>
      return
    }
    ```
  }];
  let arguments = (ins Optional<I32>:$from, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "(`from` $from^)? `along` custom<PlainInteger>($dim) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Fly_TransposeOp : Fly_Op<"transpose", [Pure]> {
  let summary = "a tile with its dimensions in another order";
  let description = [{
    Dimension `d` of the result is dimension `permutation[d]` of the source.

    By itself it moves nothing: a lane's registers of the source are those of
    the result in `#fly.transposed` of its layout. Where the uses of source and
    result want layouts of their own, `fly-assign-layouts` adds the
    `fly.convert_layout` that moves elements, through LDS.

    Constraints:
    - C1: the permutation names each dimension of the source once; extents and
      element types agree.

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xf32>) {
      %u = fly.transpose %t [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

class Fly_AlongOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, !listconcat([RecursiveMemoryEffects, RecursivelySpeculatable,
                                    IsolatedFromAbove], traits)> {
  let regions = (region AnyRegion:$combiner);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  code alongDeclaration = [{
    /// Whether the combiner is written out, for several operands or a kind that
    /// has no name.
    bool hasCombiner() { return !getCombiner().empty(); }
  }];
}

def Fly_ReduceOp : Fly_AlongOp<"reduce"> {
  let summary = "a tile combined along one dimension";
  let description = [{
    Combines all elements along dimension `dim`, which the result lacks: by a
    kind, or by a region over several tiles at once.

    Kinds: `add`, `mul`; `max`, `min` (of floats: a NaN loses against a number,
    of integers: signed, not of i1); `max_nan`, `min_nan` (a NaN wins); `umax`, `umin`,
    `and`, `or`, `xor` (integers).

    The region takes one element of each tile, then another of each, and yields
    their combination, one for each tile. It must be associative and
    commutative: in which order elements meet follows from the layout, so sums
    of floats depend on the schedule, and on it alone.

    With `parts n` the dimension is not removed but shrinks to `n` elements,
    each the combination of another part of it: what each wave has of a row
    before waves exchange. Which elements make a part follows from the layout.

    Syntax:

    ```text
    %r, ... = fly.reduce kind? %tile, ... along d (parts n)? attr-dict : types -> types combiner?

    combiner ::= combine(%a: type, ...) { ... }
    ```

    Constraints:
    - C1: a kind needs one tile and element types that have it; without a kind
      there is a region.
    - C2: results have their sources' shapes without dimension `dim` (with an
      extent of `n` there), and their element types; sources have one shape.
    - C3: the region takes and yields elements as said, and is pure.

    Example:

    ```mlir
    func.func private @helper(%x: tensor<64x32xf32>, %i: tensor<64x32xi32>) {
      %m = fly.reduce max %x along 1 : tensor<64x32xf32> -> tensor<64xf32>
      %v, %at = fly.reduce %x, %i along 1 : tensor<64x32xf32>, tensor<64x32xi32>
          -> (tensor<64xf32>, tensor<64xi32>)
          combine(%a: f32, %ai: i32, %b: f32, %bi: i32) {
        %gt = arith.cmpf ogt, %a, %b : f32
        %eq = arith.cmpf oeq, %a, %b : f32
        %lt = arith.cmpi slt, %ai, %bi : i32
        %tie = arith.andi %eq, %lt : i1
        %first = arith.ori %gt, %tie : i1
        %r = arith.select %first, %a, %b : f32
        %ri = arith.select %first, %ai, %bi : i32
        fly.yield %r, %ri : f32, i32
      }
      return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sources,
                       OptionalAttr<Fly_ReduceKindAttr>:$kind, I64Attr:$dim,
                       OptionalAttr<I64Attr>:$parts);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let extraClassDeclaration = alongDeclaration;
}

def Fly_ScanOp : Fly_AlongOp<"scan", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "running combination along one dimension";
  let description = [{
    Element `i` of the result combines elements `0..i` along dimension `dim`;
    with `exclusive` elements `0..i-1`, and the first one is what the kind has
    as its neutral element; with `reverse` the dimension runs backwards. Kinds
    and region are those of `fly.reduce`; the region need not be commutative,
    its first elements are those of the lower coordinate (the higher one with
    `reverse`).

    Which elements a lane combines first follows from the layout: sums of floats
    depend on the schedule, and on it alone. Narrow floats combine in f32 by a
    kind, and each result is rounded once.

    `scratch` are views of LDS through which waves that share the dimension
    exchange what each has combined, one for each tile: a row for each part of
    the dimension, a column for each coordinate of the other one. `fly-stage-lds`
    gives them.

    Syntax:

    ```text
    %r, ... = fly.scan kind? %tile, ... along d clause* attr-dict : types -> types combiner?

    clause   ::= exclusive | reverse | scratch(%view, ... : types)
    combiner ::= combine(%a: type, ...) { ... }
    ```

    Constraints:
    - C1: a kind needs one tile and element types that have it; without a kind
      there is a region, and the scan is not exclusive.
    - C2: results have their sources' types; sources have one shape.
    - C3: the region takes and yields elements as said, and is pure.
    - C4: scratch views lie in LDS and have rank 2; there are none, or one for
      each tile.

    Example:

    ```mlir
    func.func private @helper(%x: tensor<64x32xi32>) {
      %p = fly.scan add %x along 1 exclusive : tensor<64x32xi32> -> tensor<64x32xi32>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sources,
                       Variadic<Fly_ViewType>:$scratch,
                       OptionalAttr<Fly_ReduceKindAttr>:$kind, I64Attr:$dim,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let extraClassDeclaration = alongDeclaration;
}

#endif // FLY_DIALECT_FLY_IR_FLYREDUCEOPS_TD
