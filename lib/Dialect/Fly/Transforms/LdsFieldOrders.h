//===- LdsFieldOrders.h - Orders of bytes for LDS fields --------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDORDERS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDORDERS_H

#include <tuple>

#include "LdsFieldCost.h"

namespace fly {

/// A field's type with an order of its bytes, and what its accesses cost.
struct FieldOrder {
  ViewType field;
  LdsFieldCost cost;

  /// What decides between two orders: cycles, then address registers where
  /// there are more than a kernel has to spare, then bytes.
  std::tuple<unsigned, unsigned, int64_t> rank() const;
  /// "swizzle<3, 4, 3>", "rows 72 elements apart", "rows".
  std::string describe() const;
  /// "288 -> 96 cycles a wave and tile, conflict degree 4 -> 1, ..."
  std::string describeAgainst(const FieldOrder &linear) const;
};

/// The field as it is.
FieldOrder getOrder(const arch::ArchInfo &chip, ViewType field,
                    llvm::ArrayRef<LdsTileAccess> accesses);

/// Whether every element of a field has bytes of its own, inside the field: by
/// enumeration.
bool isOneToOne(ViewType field);

/// The XOR of 16-byte chunks within rows that is best for these accesses of a
/// linear field of rank 2, the narrowest of equals; no field where rows are no
/// power of two of chunks.
FieldOrder findXor(const arch::ArchInfo &chip, ViewType linear,
                   llvm::ArrayRef<LdsTileAccess> accesses);

/// The distance of rows that is best, with whole 16-byte chunks between them;
/// the smallest of equals.
FieldOrder findPadding(const arch::ArchInfo &chip, ViewType linear,
                       llvm::ArrayRef<LdsTileAccess> accesses);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LDSFIELDORDERS_H
