//===- Passes.h - Passes of the fly dialect ---------------------*- C++ -*-===//
//
// Declares create functions and options of the passes that Passes.td defines,
// and registerFlyPasses(), which makes them known by name.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace fly {

#define GEN_PASS_DECL
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
