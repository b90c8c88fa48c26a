//===- LabelledOps.h - What a schedule can name in a kernel -----*- C++ -*-===//
//
// Loads, dots, stores and loops of a kernel with their labels. Loads, dots and
// stores without one are given a free label, in the order of the kernel, so
// that the schedule can have an entry for each.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_LABELLEDOPS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_LABELLEDOPS_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"

namespace fly {

class LabelledOps {
public:
  enum class Kind : uint8_t { Load, Dot, Store, Loop };
  /// The ops of one label, all of one kind.
  struct Group {
    Kind kind;
    llvm::SmallVector<mlir::Operation *, 2> ops;
  };

  /// Collects them; changes nothing. One error where a label names ops of two
  /// kinds, or is a key that schedules use for something else.
  static mlir::FailureOr<LabelledOps> collect(mlir::FunctionOpInterface kernel);

  /// Sets the labels that were given; returns how many.
  unsigned apply();

  mlir::StringAttr label(mlir::Operation *op) const {
    return labels.lookup(op);
  }
  const Group *lookup(llvm::StringRef label) const;
  const llvm::MapVector<mlir::StringAttr, Group> &getGroups() const {
    return groups;
  }

private:
  llvm::MapVector<mlir::StringAttr, Group> groups;
  llvm::DenseMap<mlir::Operation *, mlir::StringAttr> labels;
  llvm::SmallVector<mlir::Operation *> given;
};

/// The label written on `op`, null if there is none.
mlir::StringAttr getWrittenLabel(mlir::Operation *op);

/// "load", "dot", "store", "loop".
llvm::StringRef kindName(LabelledOps::Kind kind);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_LABELLEDOPS_H
