//===- FlyMathOps.td - Functions that math does not have ---*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYMATHOPS_TD
#define FLY_DIALECT_FLY_IR_FLYMATHOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Dialect/Arith/IR/ArithOpsInterfaces.td"

def Fly_ActivateOp : Fly_Op<"activate", ElementwiseMappable.traits # [
    Pure, SameOperandsAndResultType, DeclareOpInterfaceMethods<ArithFastMathInterface>]> {
  let summary = "activation function of every element";
  let description = [{
    - `sigmoid`: 1 / (1 + exp(-x))
    - `silu`: x sigmoid(x)
    - `gelu_tanh`: 0.5 x (1 + tanh(0.7978845608 x (1 + 0.044715 x^2)))
    - `gelu_erf`: 0.5 x (1 + erf(x / sqrt(2)))

    Written with the ops of `math`, such formulas lose their digits where the
    factor cancels and give NaN at minus infinity; here the result is right
    everywhere, and at minus infinity the limit, -0 (sigmoid: 0). Works on tiles
    and, at the explicit level, on vectors and scalars. `fly.map` makes it of
    its functions of these names, `fly-expand-math` makes arithmetic of it;
    docs/Guide/Math.md has the error bounds. With `fastmath<afn>` it is the
    shortest sequence around the exponential's instruction.

    Constraints:
    - C1: elements are f32, f16 or bf16; the result has the operand's type.

    Example:

    ```mlir
    func.func private @helper(%t: tensor<64x32xbf16>, %s: f32) {
      %o = fly.activate gelu_erf %t : tensor<64x32xbf16>
      %g = fly.activate sigmoid %s fastmath<afn> : f32
      return
    }
    ```
  }];
  let arguments = (ins Fly_ActivationAttr:$kind,
                       TypeOrValueSemanticsContainer<AnyTypeOf<[F32, F16, BF16]>, "f32, f16 or bf16">:$operand,
                       DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs TypeOrValueSemanticsContainer<AnyTypeOf<[F32, F16, BF16]>, "f32, f16 or bf16">:$result);
  let assemblyFormat = [{
    custom<ActivationKeyword>($kind) $operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYMATHOPS_TD
