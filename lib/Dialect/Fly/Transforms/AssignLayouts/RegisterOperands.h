//===- RegisterOperands.h - Operands that are in registers ------*- C++ -*-===//
//
// A dot whose first operand is computed, as the probabilities of attention are,
// can take it as the lanes hold it: a matrix product does not change when both
// operands permute K alike, so the packs of K that a lane has of each
// micro-step may be as long as the runs that it holds.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_REGISTEROPERANDS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_REGISTEROPERANDS_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include <optional>

namespace fly {

/// The longest pack with which `dot`, whose accumulator has the layout
/// `parent`, takes its first operand as lanes hold it in `layout`: no element
/// changes lanes, and the chip has an instruction for such packs. None where
/// there is no such pack.
std::optional<int64_t> findRegisterPack(DotOp dot, MmaAttr parent,
                                        mlir::Attribute layout,
                                        const arch::ArchInfo &chip,
                                        int64_t threads);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_REGISTEROPERANDS_H
