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

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
