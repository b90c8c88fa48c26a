//===- FlyScaledOps.td - Matrix products in MX formats -----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYSCALEDOPS_TD
#define FLY_DIALECT_FLY_IR_FLYSCALEDOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"

def Fly_DotScaledOp : Fly_Op<"dot_scaled", [Pure, AllTypesMatch<["acc", "result"]>,
    Fly_ProductOpInterface]> {
  let summary = "matrix product of two tiles in blocks with a scale each";
  let description = [{
    `d[m, n] = acc[m, n] + sum over k of a[m, k] * sa[m, k / 32] * b[n, k] * sb[n, k / 32]`:
    the MX formats of the OCP, with a power of two for each 32 elements of a row.
    Products and sums have at least the precision of the accumulator; a scale of
    NaN makes its products NaN.

    It becomes scaled matrix instructions, which gfx950 has; another chip is an
    error that says so.

    Constraints:
    - C1: A is M x K, B is N x K, the accumulator M x N, of rank 2.
    - C2: scales are M x K/32 and N x K/32 of f8E8M0FNU; K is a multiple of 32.
    - C3: A and B are f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN or f4E2M1FN, each of
      its own; the accumulator is f32.

    Example:

    ```mlir
    func.func private @helper(%a: tensor<64x128xf8E4M3FN>, %sa: tensor<64x4xf8E8M0FNU>,
                              %b: tensor<32x128xf4E2M1FN>, %sb: tensor<32x4xf8E8M0FNU>, %c: tensor<64x32xf32>) {
      %d = fly.dot_scaled %a scale %sa, %b scale %sb, %c label "qk"
        : tensor<64x128xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<32x128xf4E2M1FN>, tensor<32x4xf8E8M0FNU> -> tensor<64x32xf32>
      return
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$scale_a, AnyRankedTensor:$b,
                       AnyRankedTensor:$scale_b, AnyRankedTensor:$acc, OptionalAttr<StrAttr>:$label);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `scale` $scale_a `,` $b `scale` $scale_b `,` $acc (`label` $label^)? attr-dict
    `:` type($a) `,` type($scale_a) `,` type($b) `,` type($scale_b) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYSCALEDOPS_TD
