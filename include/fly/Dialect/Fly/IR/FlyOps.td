//===- FlyOps.td - All ops of the fly dialect --------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYOPS_TD

include "fly/Dialect/Fly/IR/FlyGridOps.td"
include "fly/Dialect/Fly/IR/FlyViewOps.td"
include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "fly/Dialect/Fly/IR/FlyLayoutOps.td"
include "fly/Dialect/Fly/IR/FlyLoopOps.td"
include "fly/Dialect/Fly/IR/FlyExplicitOps.td"
include "fly/Dialect/Fly/IR/FlyLdsOps.td"
include "fly/Dialect/Fly/IR/FlySchedOps.td"
include "fly/Dialect/Fly/IR/FlyProgramOps.td"
include "fly/Dialect/Fly/IR/FlyReduceOps.td"
include "fly/Dialect/Fly/IR/FlyMathOps.td"
include "fly/Dialect/Fly/IR/FlyPackOps.td"
include "fly/Dialect/Fly/IR/FlyMemoryOps.td"
include "fly/Dialect/Fly/IR/FlyCheckOps.td"
include "fly/Dialect/Fly/IR/FlyLanesOps.td"
include "fly/Dialect/Fly/IR/FlyScaledOps.td"

#endif // FLY_DIALECT_FLY_IR_FLYOPS_TD
