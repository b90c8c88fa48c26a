//===- FlyLanesOps.td - A tile as its lanes hold it --------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYLANESOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLANESOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fly_LanesOp : Fly_Op<"lanes", [RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlock]> {
  let summary = "code on what each lane holds of tiles";
  let description = [{
    The region runs once a lane. Each of its arguments is what the lane holds of
    a tile in the stated layout, a vector with the shape of the layout's
    registers; what it yields is what the lane holds of the results, in the same
    layout. Other values from outside are scalars. `fly.lane` and `fly.wave` give
    the lane's numbers; where lanes hold copies of an element, all must yield
    the same for it.

    Tiles that come or go in other layouts are converted. The layout must fit the
    workgroup: each element is held by one of its threads at least. What lanes
    hold beyond a tile may be anything.

    In the region stand ops of `arith`, `math`, `scf` and `vector`, and
    `fly.lane`, `fly.wave` and `fly.static_for`; the reference executor knows
    `vector.extract`, `vector.insert`, `vector.broadcast` and
    `vector.from_elements` of `vector`.

    Syntax:

    ```text
    %r, ... = fly.lanes in layout (%held = %tile, ...) attr-dict : (tiles) -> tiles { ... }
    ```

    Constraints:
    - C1: the layout is distributed (blocked, mma, operand or slice), and holds
      the shape of each tile; tiles are static and have no encoding or the stated
      one.
    - C2: arguments and yielded values are vectors of the layout's registers and
      of the tiles' elements, one for each tile.
    - C3: the region has no side effect and no other tile.

    Example:

    ```mlir
    func.func private @swap_pairs(%t: tensor<16x64xf32>) -> tensor<16x64xf32> {
      %r = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t) : (tensor<16x64xf32>) -> tensor<16x64xf32> {
        %a = vector.extract %v[0, 0, 0] : f32 from vector<1x1x4xf32>
        %b = vector.extract %v[0, 0, 1] : f32 from vector<1x1x4xf32>
        %w = vector.insert %b, %v[0, 0, 0] : f32 into vector<1x1x4xf32>
        %x = vector.insert %a, %w[0, 0, 1] : f32 into vector<1x1x4xf32>
        fly.yield %x : vector<1x1x4xf32>
      }
      return %r : tensor<16x64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, AnyAttr:$layout);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYLANESOPS_TD
