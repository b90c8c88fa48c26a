//===- FlyDialect.h - The fly dialect ---------------------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_H
#define FLY_DIALECT_FLY_IR_FLYDIALECT_H

#include "fly/Dialect/Fly/IR/FlyDialect.h.inc"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_H
