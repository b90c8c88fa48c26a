//===- LdsPlaces.h - Which LDS is accessed, and until when ------*- C++ -*-===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_INSERTWAITS_LDSPLACES_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_INSERTWAITS_LDSPLACES_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fly::waits {

/// What a view of LDS lies in: a field, a union of them, or bytes of an object
/// that fields share. Null: anywhere.
mlir::Attribute getPlace(mlir::Value view);

/// Places that are accessed.
struct LdsPlaces {
  bool anywhere = false;
  llvm::SetVector<mlir::Attribute> places;

  void add(mlir::Attribute place);
  void join(const LdsPlaces &other);
  /// Whether `place` may be one of them.
  bool meets(mlir::Attribute place) const;
  bool operator==(const LdsPlaces &other) const {
    return anywhere == other.anywhere && places.size() == other.places.size() &&
           llvm::all_of(places, [&](mlir::Attribute place) {
             return other.places.contains(place);
           });
  }
};

/// Ops that touch no LDS although they have effects.
bool leavesLdsAlone(mlir::Operation *op);
/// Copies from global memory to LDS, which vmcnt counts.
bool copiesToLds(mlir::Operation *op);
/// The places that `op`, an op without regions, accesses.
LdsPlaces getAccessed(mlir::Operation *op);

/// What is accessed behind each barrier, on any way to the next one.
class AccessesAhead {
public:
  /// Looks at all of `body`.
  explicit AccessesAhead(mlir::Block &body) { before(body, LdsPlaces()); }
  const LdsPlaces &operator[](BarrierOp barrier) { return behind[barrier]; }

private:
  /// What is accessed from there to the next barrier.
  LdsPlaces before(mlir::Block &block, LdsPlaces after);
  LdsPlaces before(mlir::Operation *op, LdsPlaces after);

  llvm::DenseMap<mlir::Operation *, LdsPlaces> behind;
};

} // namespace fly::waits

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INSERTWAITS_LDSPLACES_H
