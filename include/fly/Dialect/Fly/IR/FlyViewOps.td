//===- FlyViewOps.td - Views, loads and stores of tiles ----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYVIEWOPS_TD
#define FLY_DIALECT_FLY_IR_FLYVIEWOPS_TD

include "fly/Dialect/Fly/IR/FlyGridOps.td"

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

#endif // FLY_DIALECT_FLY_IR_FLYVIEWOPS_TD
