//===- Passes.h - From explicit Fly IR to ROCDL -----------------*- C++ -*-===//
//
// The pass that ends Fly's part of the pipeline; Passes.td describes it.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_CONVERSION_FLYTOROCDL_PASSES_H
#define FLY_CONVERSION_FLYTOROCDL_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace fly {

#define GEN_PASS_DECL
#include "fly/Conversion/FlyToROCDL/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Conversion/FlyToROCDL/Passes.h.inc"

} // namespace fly

#endif // FLY_CONVERSION_FLYTOROCDL_PASSES_H
