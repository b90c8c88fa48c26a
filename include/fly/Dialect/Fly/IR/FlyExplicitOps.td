//===- FlyExplicitOps.td - Unrolling, copies to LDS, transposing reads -*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYEXPLICITOPS_TD
#define FLY_DIALECT_FLY_IR_FLYEXPLICITOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fly_StaticForOp : Fly_Op<"static_for", [
    SingleBlockImplicitTerminator<"::fly::YieldOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a loop that is unrolled before anything else";
  let description = [{
    Its index is a constant in each copy of the body, so that it may pick
    registers of a register array. Bounds and step are numbers or names of sizes
    of the schedule. `fly-instantiate` unrolls it and folds what has become
    constant; a kernel of more than 100000 ops after that is refused.

    Syntax:

    ```text
    %r, ... = fly.static_for %i = lower to upper (step n)? (iter_args(%s = %init, ...))? attr-dict (: types)? { ... }
    ```

    Constraints:
    - C1: bounds and step are numbers or names; the step is positive.
    - C2: the body takes the index and the iter_args, and yields the next ones.

    Example:

    ```mlir
    func.func private @sum(%a: vector<4x4xf32>, %zero: vector<4xf32>) -> vector<4xf32> {
      %r = fly.static_for %i = 0 to 4 iter_args(%s = %zero) : vector<4xf32> {
        %x = vector.extract %a[%i] : vector<4xf32> from vector<4x4xf32>
        %t = arith.addf %s, %x : vector<4xf32>
        fly.yield %t : vector<4xf32>
      }
      return %r : vector<4xf32>
    }
    ```
  }];
  let arguments = (ins ArrayAttr:$static_bounds, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getInductionVar() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getIterArgs() { return getBody().getArguments().drop_front(1); }
    ::fly::YieldOp getYield();
    /// Lower bound, upper bound and step; none while one has a name.
    std::optional<std::array<int64_t, 3>> getNumbers();
    /// How often a loop of these numbers runs.
    static uint64_t getTripCount(const std::array<int64_t, 3> &numbers);
  }];
}

def Fly_DmaOp : Fly_Op<"dma", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a lane's copy from global memory to LDS, past the registers";
  let description = [{
    Each lane names the elements that it copies, as in `fly.read`; what is
    outside the view arrives as zero. Where they go is not the lane's choice:
    the LDS coordinates are the same for the whole wave, and lane `l` writes
    `l` times the width behind them, in bytes **as they lie**: a swizzle of the
    LDS view does not move them. To fill a swizzled view, each lane copies the
    element that belongs at its place: `fly.swizzle` says which.

    The copy is done when `vm` has counted it (`fly.wait vm(0)`), and visible to
    other waves after a barrier behind that.

    Constraints:
    - C1: the source is a view of global memory, the destination one of LDS, of
      the same element; one coordinate a dimension.
    - C2: `type` is the element, or a vector of rank 1 of it along the source's
      contiguous dimension, of 1, 2, 4, 12 or 16 bytes. gfx942 copies up to 4
      bytes a lane, gfx950 12 and 16 too (`fly-check-legal` asks the chip).
    - C3: a vector is inside or outside as a whole: proved, or said by
      `in_bounds` or `whole` (checked where it is lowered).

    Example:

    ```mlir
    func.func private @copy(%a: !fly.view<?x?xi8>, %l: !fly.view<64x128xi8, lds>,
                            %r: index, %c: index, %base: index, %zero: index) {
      fly.dma %a[%r, %c] to %l[%base, %zero] whole : vector<4xi8>, !fly.view<?x?xi8>, !fly.view<64x128xi8, lds>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$source, Variadic<Index>:$coordinates,
                       Fly_ViewType:$target, Variadic<Index>:$target_coordinates,
                       TypeAttr:$type,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align,
                       UnitAttr:$flat, UnitAttr:$whole);
  let assemblyFormat = [{
    $source `[` $coordinates `]` `to` $target `[` $target_coordinates `]`
    (`cache` custom<CacheKeyword>($cache)^)? (`flat` $flat^)? (`in_bounds` $in_bounds^)?
    (`whole` $whole^)? (`align` custom<OptionalPlainInteger>($align)^)? attr-dict
    `:` $type `,` qualified(type($source)) `,` qualified(type($target))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The view whose bounds count, as of reads.
    ::mlir::TypedValue<::fly::ViewType> getView() { return getSource(); }
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

def Fly_ReadTransposedOp : Fly_Op<"read_transposed", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an LDS read that transposes within 16 lanes";
  let description = [{
    Each lane names a chunk of contiguous elements in LDS, as many as the result
    has. The chunks of 16 neighbouring lanes are a matrix that arrives
    transposed: with `n` elements a chunk, element `e` of lane `q` of the group
    comes from the chunk of lane `e * 16 / n + q / n`, element `q % n` of it. So
    a wave reads operands of a matrix instruction from LDS in which K does not
    run along the rows. All lanes of the wave take part. Only gfx950 has it
    (`fly-check-legal` asks the chip). Elements of 4 or 6 bits are read through
    a view of `i8`.

    Constraints:
    - C1: a view in LDS; one coordinate a dimension; a contiguous dimension.
    - C2: the result is a vector of 4 elements of 16 bits or of 8 elements of 8
      bits, of the view's element; or, of a view of i8, of 16 elements of 4 or of
      6 bits.

    Example:

    ```mlir
    func.func private @read(%l: !fly.view<64x64xbf16, lds>, %r: index, %c: index) {
      %v = fly.read_transposed %l[%r, %c] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$view, Variadic<Index>:$coordinates);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $view `[` $coordinates `]` attr-dict `:` qualified(type($view)) `->` type($value)
  }];
  let hasVerifier = 1;
}

def Fly_SwizzleOp : Fly_Op<"swizzle", [Pure]> {
  let summary = "where a byte of a swizzled LDS view lies";
  let description = [{
    The byte offset in `layout`'s order of the byte whose offset would be
    `offset` without it. Where S >= M the permutation is its own inverse, so it
    also says which byte lies at an offset: what a `fly.dma` to there copies.

    Constraints:
    - C1: S >= M, so that both readings are the same.

    Example:

    ```mlir
    func.func private @swizzle(%offset: index) -> index {
      %x = fly.swizzle %offset by #fly.swizzle<3, 4, 3>
      return %x : index
    }
    ```
  }];
  let arguments = (ins Index:$offset, Fly_SwizzleAttr:$layout);
  let results = (outs Index:$result);
  let assemblyFormat = "$offset `by` qualified($layout) attr-dict";
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYEXPLICITOPS_TD
