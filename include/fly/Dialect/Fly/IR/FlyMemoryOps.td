//===- FlyMemoryOps.td - Scalars, gathered rows, atomics ---*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_LoadScalarOp : Fly_Op<"load_scalar", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "load of one element as a scalar";
  let description = [{
    The element at the coordinates, the same for the whole workgroup: it lives
    in a scalar register, and branches on it may hold barriers. Outside the
    view it reads as zero.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

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
  }];
}

def Fly_GatherOp : Fly_RowsOp<"gather"> {
  let summary = "load of a tile whose rows are given by number";
  let description = [{
    Row `i` of the tile is row `rows[i]` of the view, from the coordinates in
    its other dimensions on. A row number outside the view gives a row of pad
    (zero by default), as do elements outside in another dimension and those
    whose mask is false.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

    Constraints:
    - C1: `rows` is a tile of i32 of rank 1 with the tile's first extent.
    - C2: tile and view have one rank and element type; there is a coordinate
      for each dimension of the view but the first.
    - C3: the mask has the tile's shape and elements of i1.

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
                       OptionalAttr<StrAttr>:$label);
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

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

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
                       OptionalAttr<StrAttr>:$label);
  let extraClassDeclaration = rowsDeclaration;
}

def Fly_AtomicOp : Fly_Op<"atomic", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile combined into memory, element by element";
  let description = [{
    Each element of the tile is combined with its element of the view in one
    indivisible step. Elements outside the view, and those whose mask is false,
    touch nothing.

    Kinds: `add`, `max`, `min` (of floats and signed integers), `umax`, `umin`,
    `and`, `or`, `xor` (integers). Orders are LLVM's.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

    Constraints:
    - C1: coordinates, types and mask as for `fly.store`.
    - C2: the element type has the kind, and is of 32 or 64 bits, or f16 or
      bf16 for `add`. `xchg` gives the old value: it is for `fly.atomic_rmw`.

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
                       Fly_MemoryScopeAttr:$scope);
  let assemblyFormat = [{
    custom<AtomicKeyword>($kind) $tile `,` $view `[` custom<MixedEntries>($coordinates, $static_coordinates) `]`
    (`mask` $mask^)? custom<OrderKeyword>($order) custom<ScopeKeyword>($scope) attr-dict
    `:` type($tile) `,` qualified(type($view)) (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedCoordinates();
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
    Done once for the workgroup; every lane gets the old value, as a scalar.
    With `release` every store of this workgroup above is visible to whoever
    acquires it, with `acquire` what others released is visible below; `agent`
    crosses the L2 caches of the XCDs. An element outside the view is not
    touched, and the result is zero.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

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
    LLVM's fence, for the accesses of the whole workgroup. Orders are
    `acquire`, `release`, `acq_rel`, `seq_cst`.

    No pass lowers it: compiling a kernel with it is an error that says so, the
    reference executor runs it.

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

#endif // FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
