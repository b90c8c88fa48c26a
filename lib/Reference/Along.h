//===- Along.h - Kinds of combination on elements ---------------*- C++ -*-===//
#ifndef FLY_LIB_REFERENCE_ALONG_H
#define FLY_LIB_REFERENCE_ALONG_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Support/ElementType.h"

#include "Elementwise.h"

namespace fly::reference {

/// Two elements combined by a kind, integers wrapped to the type.
Element combine(ReduceKind kind, ElementType type, Element a, Element b);

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_ALONG_H
