//===- FlyLayoutOps.td - Coordinates and offsets -----------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_LayoutOffsetOp : Fly_Op<"layout.offset", [Pure]> {
  let summary = "the offset that a layout gives to a coordinate";
  let description = [{
    One coordinate for each mode of the layout, or one for all of it; a
    coordinate of a mode with several extents counts through them, the first
    fastest. The result is in elements. A coordinate outside of its mode has no
    meaning.

    Constraints:
    - C1: as many coordinates as the layout has modes, or one.
    - C2: the layout is known: without `?`, its offsets from 0 to 2^31 - 1.

    Example:

    ```mlir
    func.func private @helper(%r: index, %c: index) {
      %o = fly.layout.offset #fly.layout<S<3,3,3> o 0 o (8,64):(64,1)> [%r, %c]
      return
    }
    ```
  }];
  let arguments = (ins Fly_MemoryLayoutAttr:$layout, Variadic<Index>:$coordinates);
  let results = (outs Index:$offset);
  let assemblyFormat = "qualified($layout) `[` $coordinates `]` attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fly_LayoutCoordinatesOp : Fly_Op<"layout.coordinates", [Pure]> {
  let summary = "the coordinates of an element of a layout's shape";
  let description = [{
    The counterpart of `fly.layout.offset` on the side of coordinates: the
    element number `flat` as one coordinate for each mode, the first mode
    fastest. From offsets to numbers leads the layout `right_inverse(...)`.

    Constraints:
    - C1: as many results as the layout has modes.
    - C2: the extents are known: without `?`, at most 2^31 - 1 elements.

    Example:

    ```mlir
    func.func private @helper(%flat: index) {
      %r, %c = fly.layout.coordinates #fly.layout<(4,8):(8,1)> of %flat : index, index
      return
    }
    ```
  }];
  let arguments = (ins Fly_MemoryLayoutAttr:$layout, Index:$flat);
  let results = (outs Variadic<Index>:$coordinates);
  let assemblyFormat = "qualified($layout) `of` $flat attr-dict `:` type($coordinates)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD
