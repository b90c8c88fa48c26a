//===- FlyDialect.h - The fly dialect ---------------------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_H
#define FLY_DIALECT_FLY_IR_FLYDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

// Generated code includes nothing itself: it comes last.
// clang-format off
#include "fly/Dialect/Fly/IR/FlyDialect.h.inc"
// clang-format on

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_H
