//===- FlyOps.h - The ops of the fly dialect --------------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FLYOPS_H
#define FLY_DIALECT_FLY_IR_FLYOPS_H

#include "fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>

// Generated code includes nothing itself: it comes last.
// clang-format off
#include "fly/Dialect/Fly/IR/FlyOpInterfaces.h.inc"
// clang-format on

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOps.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYOPS_H
