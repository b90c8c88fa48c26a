//===- FlyMemoryOps.td - Scalars, gathered rows, atomics ---*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD

include "fly/Dialect/Fly/IR/FlyLdsOps.td"
include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_LoadScalarOp : Fly_Op<"load_scalar", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load of one element as a scalar";
  let description = [{
    The element at the coordinates, the same for the whole workgroup: it lives
    in a scalar register, and branches on it may hold barriers. Outside the
    view it reads as zero.

    Constraints:
    - C1: as many coordinates as the view has dimensions.
    - C2: the result has the view's element type.

    Example:

    ```mlir
    func.func private @helper(%v: !fly.view<?xi32>, %b: i32) {
      %q = fly.load_scalar %v[%b] : !fly.view<?xi32> -> i32
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$view, Variadic<I32>:$coordinates,
                       ArrayAttr:$static_coordinates);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $view `[` custom<MixedEntries>($coordinates, $static_coordinates) `]` attr-dict
    `:` qualified(type($view)) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
  }];
}

class Fly_RowsOp<string mnemonic>
    : Fly_Op<mnemonic, [AttrSizedOperandSegments,
                        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  code rowsDeclaration = [{
    /// Coordinates of the dimensions behind the rows.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
    /// Whether the tile is known to lie inside dimension `dim` of the view.
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

def Fly_GatherOp : Fly_RowsOp<"gather"> {
  let summary = "load of a tile whose rows are given by number";
  let description = [{
    Row `i` of the tile is row `rows[i]` of the view, from the coordinates in
    its other dimensions on. A row number outside the view gives a row of pad
    (zero by default), as do elements outside in another dimension and those
    whose mask is false. Rows are addressed in 64 bits: a view may be of any
    size.

    `fly-prove-access` sets `in_bounds`, a flag for each dimension of the view,
    of which that of the rows is never proved, and `align`: as on `fly.load`.

    Syntax:

    ```text
    %t = fly.gather %view rows(%rows) at [coordinate, ...] clause* attr-dict : view, rows (, mask)? -> tile

    clause ::= pad word | cache word | label "name" | mask %mask | in_bounds [flag, ...] | align n
    ```

    Constraints:
    - C1: `rows` is a tile of i32 of rank 1 with the tile's first extent.
    - C2: tile and view have one rank and element type; there is a coordinate
      for each dimension of the view but the first.
    - C3: the mask has the tile's shape and elements of i1.
    - C4: one `in_bounds` flag for each dimension of the view; `align` is at
      least 1.

    Example:

    ```mlir
    func.func private @helper(%x: !fly.view<?x?xf16>, %r: tensor<64xi32>, %k: i32) {
      %t = fly.gather %x rows(%r) at [%k] label "x" : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$view, AnyRankedTensor:$rows, Variadic<I32>:$coordinates,
                       Optional<AnyRankedTensor>:$mask, ArrayAttr:$static_coordinates,
                       DefaultValuedAttr<Fly_PadAttr, "::fly::Pad::Zero">:$pad,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<StrAttr>:$label,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let results = (outs AnyRankedTensor:$tile);
  let extraClassDeclaration = rowsDeclaration;
}

def Fly_ScatterOp : Fly_RowsOp<"scatter"> {
  let summary = "store of a tile to rows given by number";
  let description = [{
    Row `i` of the tile goes to row `rows[i]` of the view. Rows and elements
    outside the view, and those whose mask is false, are not written. Where two
    rows have one number, either is what memory holds. Attributes and
    constraints are those of `fly.gather`.

    Syntax:

    ```text
    fly.scatter %tile, %view rows(%rows) at [coordinate, ...] clause* attr-dict : tile, view, rows (, mask)?

    clause ::= cache word | label "name" | mask %mask | in_bounds [flag, ...] | align n
    ```

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xf16>, %y: !fly.view<?x?xf16>, %r: tensor<64xi32>) {
      fly.scatter %t, %y rows(%r) at [0] : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tile, Fly_ViewType:$view, AnyRankedTensor:$rows,
                       Variadic<I32>:$coordinates,
                       Optional<AnyRankedTensor>:$mask, ArrayAttr:$static_coordinates,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<StrAttr>:$label,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let extraClassDeclaration = rowsDeclaration;
}

def Fly_CopyOp : Fly_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile's copy from global memory to LDS, past the registers";
  let description = [{
    Fills the LDS view with the tile of its shape that begins at the coordinates
    of the global view; what is outside that view arrives as zero. Leading
    dimensions of the global view that the LDS view lacks have one index each.

    The lanes of the workgroup share the work in the order in which the bytes of
    the LDS view lie, since that is the only order in which the hardware writes
    them: lane after lane, each with the widest piece that the chip copies and
    that divides the tile among all threads. A swizzle of the LDS view moves
    what each lane reads, never where it writes.

    The op starts the copy. It is done behind a barrier, before which
    `fly-insert-waits` has each wave wait for what it copied and what is accessed
    behind it. `fly-prove-access` has set `in_bounds` and `align` on the load
    that the copy stands for.

    Constraints:
    - C1: from a view of global memory to one of LDS, of the same element, which
      is whole bytes; a coordinate for each dimension of the global view.
    - C2: the LDS view has static extents, lies row by row (as it is or through
      a swizzle), and has no more dimensions than the global view.
    - C3: one `in_bounds` flag for each dimension of the global view; `align` is
      at least 1.

    Example:

    ```mlir
    func.func private @helper(%a: !fly.view<?x?xbf16>, %l: !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>, %m: i32, %k: i32) {
      fly.copy %a[%m, %k] to %l align 8 : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$source, Variadic<I32>:$coordinates,
                       Fly_ViewType:$target, ArrayAttr:$static_coordinates,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let assemblyFormat = [{
    $source `[` custom<MixedEntries>($coordinates, $static_coordinates) `]` `to` $target
    (`cache` custom<CacheKeyword>($cache)^)? (`in_bounds` $in_bounds^)?
    (`align` custom<OptionalPlainInteger>($align)^)? attr-dict
    `:` qualified(type($source)) `,` qualified(type($target))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The view whose bounds count, as of loads.
    ::mlir::TypedValue<::fly::ViewType> getView() { return getSource(); }
    /// The tile that is copied, without a layout.
    ::mlir::RankedTensorType getTileType();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
    /// Whether the tile is known to lie inside dimension `dim` of the source.
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

def Fly_AtomicOp : Fly_Op<"atomic", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile combined into memory, element by element";
  let description = [{
    Each element of the tile is combined with its element of the view in one
    indivisible step. Elements outside the view, and those whose mask is false,
    touch nothing.

    Kinds: `add`, `max`, `min` (of floats and signed integers), `umax`, `umin`,
    `and`, `or`, `xor` (integers). Orders are LLVM's, and hold for the workgroup:
    `release` makes its stores above visible to whoever acquires an element,
    `acquire` makes visible below what others released.

    `fly-prove-access` sets `in_bounds` and `align`, as on `fly.store`.

    Constraints:
    - C1: coordinates, types and mask as for `fly.store`.
    - C2: the element type has the kind, and is of 32 or 64 bits, or f16 or
      bf16 for `add`. `xchg` gives the old value: it is for `fly.atomic_rmw`.
    - C3: one `in_bounds` flag for each dimension of the view; `align` is at
      least 1.

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xf32>, %c: !fly.view<?x?xf32>, %m: i32) {
      fly.atomic add %t, %c[%m, 0] relaxed agent : tensor<64x32xf32>, !fly.view<?x?xf32>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AtomicKindAttr:$kind, AnyRankedTensor:$tile, Fly_ViewType:$view,
                       Variadic<I32>:$coordinates, Optional<AnyRankedTensor>:$mask,
                       ArrayAttr:$static_coordinates, Fly_MemoryOrderAttr:$order,
                       Fly_MemoryScopeAttr:$scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align);
  let assemblyFormat = [{
    custom<AtomicKeyword>($kind) $tile `,` $view `[` custom<MixedEntries>($coordinates, $static_coordinates) `]`
    (`mask` $mask^)? (`in_bounds` $in_bounds^)? (`align` custom<OptionalPlainInteger>($align)^)?
    custom<OrderKeyword>($order) custom<ScopeKeyword>($scope) attr-dict
    `:` type($tile) `,` qualified(type($view)) (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
    /// Whether the tile is known to lie inside dimension `dim` of the view.
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

class Fly_ElementOfView<string value>
    : TypesMatchWith<value # " has the view's element type", "view", value,
                     "::mlir::cast<::fly::ViewType>($_self).getElementType()">;

def Fly_AtomicRmwOp : Fly_Op<"atomic_rmw", [
    Fly_ElementOfView<"value">, Fly_ElementOfView<"result">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "one atomic by the workgroup, with the old value";
  let description = [{
    Done once for the workgroup; every lane gets the old value, as a scalar, so
    all waves meet here. With `release` every store of this workgroup above is visible to whoever
    acquires it, with `acquire` what others released is visible below; `agent`
    crosses the L2 caches of the XCDs. An element outside the view is not
    touched, and the result is zero.

    Constraints:
    - C1: as many coordinates as the view has dimensions.
    - C2: value, result and the view's elements are one type of 32 or 64 bits,
      which has the kind.

    Example:

    ```mlir
    func.func private @helper(%one: i32, %cnt: !fly.view<?x?xi32>, %i: i32) {
      %old = fly.atomic_rmw add %one, %cnt[%i, 0] acq_rel agent : !fly.view<?x?xi32>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AtomicKindAttr:$kind, AnyType:$value, Fly_ViewType:$view,
                       Variadic<I32>:$coordinates, ArrayAttr:$static_coordinates,
                       Fly_MemoryOrderAttr:$order, Fly_MemoryScopeAttr:$scope);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<AtomicKeyword>($kind) $value `,` $view `[` custom<MixedEntries>($coordinates, $static_coordinates) `]`
    custom<OrderKeyword>($order) custom<ScopeKeyword>($scope) attr-dict `:` qualified(type($view))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
  }];
}

def Fly_FenceOp : Fly_Op<"fence", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "order of this workgroup's memory accesses";
  let description = [{
    LLVM's fence, for the accesses of the whole workgroup: those of any wave
    above it and those of any wave below, so all waves meet here. Orders are
    `acquire`, `release`, `acq_rel`, `seq_cst`.

    Constraints:
    - C1: the order is not `relaxed`, which orders nothing.

    Example:

    ```mlir
    func.func private @helper() {
      fly.fence release agent
      return
    }
    ```
  }];
  let arguments = (ins Fly_MemoryOrderAttr:$order, Fly_MemoryScopeAttr:$scope);
  let assemblyFormat = "custom<OrderKeyword>($order) custom<ScopeKeyword>($scope) attr-dict";
  let hasVerifier = 1;
}

def Fly_UpdateOp : Fly_VectorAccessOp<"update"> {
  let summary = "a lane's atomic on one element";
  let description = [{
    What one lane does of `fly.atomic`: combines its value with an element of
    global memory in one indivisible step, and gives the old value where that is
    asked for. An element outside the view is not touched; its old value is
    zero. Orders and scopes are LLVM's, for the accesses of this lane.

    Two neighbours of f16 or bf16 may be added at once, as a vector; the author
    answers for it that they lie in one dword and both inside or both outside.

    Constraints:
    - C1: as many coordinates as the view has dimensions, which is in global
      memory.
    - C2: the value is of the view's element type, which has the kind (see
      `fly.atomic`, `fly.atomic_rmw`), or for `add` a vector of two f16 or bf16
      along the view's contiguous dimension.
    - C3: the old value is of the value's type, which is no vector; `xchg` needs
      no other use of it.
    - C4: one `in_bounds` flag for each dimension of the view.

    Example:

    ```mlir
    func.func private @helper(%x: f32, %c: !fly.view<?x?xf32>, %r: index, %k: index) {
      fly.update add %x, %c[%r, %k] in_bounds [false, true] relaxed agent : f32, !fly.view<?x?xf32>
      %old = fly.update max %x, %c[%r, %k] relaxed agent : f32, !fly.view<?x?xf32> -> f32
      return
    }
    ```
  }];
  let arguments = (ins Fly_AtomicKindAttr:$kind, AnyType:$value, Fly_ViewType:$view,
                       Variadic<Index>:$coordinates, Fly_MemoryOrderAttr:$order,
                       Fly_MemoryScopeAttr:$scope,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs Optional<AnyType>:$old);
  let assemblyFormat = [{
    custom<AtomicKeyword>($kind) $value `,` $view `[` $coordinates `]` (`in_bounds` $in_bounds^)?
    custom<OrderKeyword>($order) custom<ScopeKeyword>($scope) attr-dict
    `:` type($value) `,` qualified(type($view)) (`->` type($old)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = vectorAccessDeclaration;
}

#endif // FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
