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

/// What is accessed behind each barrier, on any way to the next one; behind
/// staggered ones to the next but one, which other waves have then passed.
class AccessesAhead {
public:
  /// Looks at all of `body`.
  explicit AccessesAhead(mlir::Block &body) { before(body, Ahead()); }
  const LdsPlaces &operator[](BarrierOp barrier) { return behind[barrier]; }

private:
  /// What is accessed from some place on.
  struct Ahead {
    LdsPlaces toNext;   ///< Before the next barrier.
    LdsPlaces toSecond; ///< Between that and the one behind it.

    void join(const Ahead &other) {
      toNext.join(other.toNext);
      toSecond.join(other.toSecond);
    }
    bool operator==(const Ahead &other) const {
      return toNext == other.toNext && toSecond == other.toSecond;
    }
  };
  Ahead before(mlir::Block &block, Ahead after);
  Ahead before(mlir::Operation *op, Ahead after);

  llvm::DenseMap<mlir::Operation *, LdsPlaces> behind;
};

} // namespace fly::waits

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INSERTWAITS_LDSPLACES_H
