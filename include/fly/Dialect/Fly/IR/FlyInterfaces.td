//===- FlyInterfaces.td - Interfaces of the fly dialect ----*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
#define FLY_DIALECT_FLY_IR_FLYINTERFACES_TD

include "mlir/IR/OpBase.td"

def Fly_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    A distributed layout of a tile. It answers with a `LaneMap`: for each
    dimension a sum of terms of wave, lane and thread (the base), and for each
    register element a static offset (the tail).
  }];
  let methods = [
    InterfaceMethod<"The map of a tile of this shape; the shape must verify.",
      "::fly::LaneMap", "getLaneMap", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Emits an error if a tile of this shape cannot have the layout.",
      "::llvm::LogicalResult", "verifyShape",
      (ins "::llvm::ArrayRef<int64_t>":$shape,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>
  ];
}

def Fly_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    A matrix product of tiles, accumulated: `result = acc + lhs * rhs^T`, with lhs
    of M x K and rhs of N x K.
  }];
  let methods = [
    InterfaceMethod<"The tile of M x K.", "::mlir::OpOperand &", "getLhs", (ins), [{}],
      [{ return $_op.getAMutable(); }]>,
    InterfaceMethod<"The tile of N x K.", "::mlir::OpOperand &", "getRhs", (ins), [{}],
      [{ return $_op.getBMutable(); }]>,
    InterfaceMethod<"The tile that is added to.", "::mlir::OpOperand &", "getAccumulator", (ins), [{}],
      [{ return $_op.getAccMutable(); }]>,
    InterfaceMethod<"The label in the schedule, null if there is none.", "::mlir::StringAttr", "getProductLabel",
      (ins), [{}], [{ return $_op.getLabelAttr(); }]>
  ];
}

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
