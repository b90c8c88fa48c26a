//===- FlyDialect.cpp - Registration of the fly dialect -------------------===//
//
// Adds the dialect's ops, types and attributes, and checks the discardable
// attributes that it owns on ops of other dialects.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

#include "fly/Dialect/Fly/IR/FlyDialect.cpp.inc"

void fly::FlyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"
      >();
  registerTypes();
  registerAttributes();
}

LogicalResult fly::FlyDialect::verifyOperationAttribute(Operation *op,
                                                        NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == getScheduleAttrName()) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "cannot carry '" << name << "': it belongs on a kernel";
    if (!isa<ScheduleAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects '" << name << "' to be a #fly.schedule, got "
             << attr.getValue();
    return success();
  }
  if (name == getWavesAttrName() || name == getWavesPerEuAttrName()) {
    auto count = dyn_cast<IntegerAttr>(attr.getValue());
    if (!count || !count.getType().isSignlessInteger(32) ||
        count.getInt() < 1 || count.getInt() > arch::maxWorkgroupWaves)
      return op->emitOpError()
             << "expects '" << name << "' to be an i32 from 1 to "
             << arch::maxWorkgroupWaves << ", got " << attr.getValue();
    return success();
  }
  if (name == getLabelAttrName() && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError() << "expects '" << name << "' to be a string, got "
                             << attr.getValue();
  return success();
}
