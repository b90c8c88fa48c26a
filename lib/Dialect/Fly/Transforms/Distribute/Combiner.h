//===- Combiner.h - How reductions and scans combine ------------*- C++ -*-===//
//
// Part of fly-distribute: elements of lanes combined by a kind or by a region,
// and handed to another lane.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_COMBINER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_COMBINER_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

namespace fly::distribute {

/// Combines elements, one of each tile at a time.
class Combiner {
public:
  using Elements = llvm::SmallVector<mlir::Value, 2>;

  /// By `kind`, or by `region` where there is none.
  Combiner(mlir::OpBuilder &builder, mlir::Location loc,
           std::optional<ReduceKind> kind, mlir::Region &region)
      : builder(builder), loc(loc), kind(kind), region(region) {}

  /// The type that an element combines in: by a kind narrow floats in f32,
  /// narrow integers in i32.
  mlir::Type wideType(mlir::Type type);
  mlir::Value widen(mlir::Value value);
  mlir::Value narrow(mlir::Value value, mlir::Type type);
  /// The combination of `a`, which come first, and `b`.
  Elements combine(const Elements &a, const Elements &b);
  /// What the kind has as its neutral element of `type`, widened.
  mlir::Value makeNeutral(mlir::Type type);
  /// What changes nothing when the kind combines it with an element of `type`,
  /// a NaN included, widened.
  mlir::Value makeIgnored(mlir::Type type);

private:
  template <typename OpT>
  mlir::Value make(mlir::Value a, mlir::Value b) {
    return OpT::create(builder, loc, a, b);
  }
  mlir::Value combineByKind(mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::optional<ReduceKind> kind;
  mlir::Region &region;
};

/// The value of the lane whose number differs in `bit`.
mlir::Value exchangeLanes(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned bit);

} // namespace fly::distribute

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_COMBINER_H
