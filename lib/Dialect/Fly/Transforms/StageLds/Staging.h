//===- Staging.h - The LDS of one kernel ------------------------*- C++ -*-===//
//
// The state of fly-stage-lds for one kernel: its slots, exchanges and buffers.
// Fields.cpp decides which bytes they have, Rewrites.cpp turns conversions into
// accesses, DropStaged.cpp takes the staged values out of the control flow.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGING_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGING_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#include "Exchanges.h"
#include "Overlay.h"
#include "StageLds.h"

namespace fly::stage {

/// Gives the staged tiles of one kernel their LDS.
class Staging {
public:
  explicit Staging(mlir::FunctionOpInterface kernel);

  /// What may be refused; changes nothing.
  mlir::LogicalResult verify();
  void apply();
  int64_t getBytes() const { return stage::getBytes(buffers); }
  unsigned numFields = 0, numExchanges = 0, numBarriers = 0;

private:
  mlir::LogicalResult collectSlots();
  mlir::LogicalResult collectBuffers(bool compact, int64_t leastShared);
  mlir::LogicalResult checkBudget();
  mlir::LogicalResult layOut();
  void createStruct();
  void rewriteExchanges();
  void rewriteConversions();
  void dropStagedValues();

  mlir::FunctionOpInterface kernel;
  const arch::ArchInfo *chip;
  int64_t threads;
  /// The type of each slot's tile, in order of appearance.
  llvm::MapVector<mlir::Attribute, mlir::RankedTensorType> slots;
  Exchanges exchanges;
  /// Of the slots, the conversions and the scans, in this order; and a view of
  /// each.
  llvm::SmallVector<Buffer> buffers;
  llvm::SmallVector<mlir::Value> views;
  /// The view of each slot.
  llvm::MapVector<mlir::Attribute, mlir::Value> fields;
  /// Labels whose tiles go to LDS past the registers, and loads that became
  /// copies.
  llvm::StringSet<> asyncLabels;
  llvm::SmallVector<mlir::Operation *> copied;
};

} // namespace fly::stage

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_STAGELDS_STAGING_H
