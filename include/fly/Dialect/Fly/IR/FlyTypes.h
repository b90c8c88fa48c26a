//===- FlyTypes.h - Pointers, views and LDS handles -------------*- C++ -*-===//
#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_H
#define FLY_DIALECT_FLY_IR_FLYTYPES_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_H
