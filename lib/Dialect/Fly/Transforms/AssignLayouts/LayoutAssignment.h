//===- LayoutAssignment.h - Layouts of one kernel ---------------*- C++ -*-===//
//
// The state of fly-assign-layouts for one kernel: classes of tiles that share a
// layout, the layouts that seeds have given them, and the uses that want
// another. Everything is decided before a type changes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_LAYOUTASSIGNMENT_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ASSIGNLAYOUTS_LAYOUTASSIGNMENT_H

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"

#include "Conversions.h"
#include "TileClasses.h"

namespace fly {
/// The assignment for one kernel.
class LayoutAssignment {
public:
  LayoutAssignment(mlir::FunctionOpInterface kernel, const arch::ArchInfo &chip,
                   Schedule resolved)
      : kernel(kernel), chip(chip), schedule(std::move(resolved)),
        classes(kernel), conversions(schedule.threads()) {}

  /// Decides on all layouts; changes nothing.
  mlir::LogicalResult plan();
  /// Gives the tiles their types and inserts the conversions.
  void apply();
  unsigned numTiles = 0;
  unsigned getNumConversions() const {
    return conversions.numConversions + numStaged;
  }

private:
  /// An error at `op` where the shape of `value` cannot have `layout`.
  mlir::LogicalResult verifyLayout(mlir::Operation *op, mlir::Value value,
                                   mlir::Attribute layout);
  /// Gives the class of `value` a layout unless it has one.
  mlir::LogicalResult seed(mlir::Operation *op, mlir::Value value,
                           mlir::Attribute layout);
  /// `use` reads its tile in `layout`, whatever its class has.
  void need(mlir::OpOperand &use, mlir::Attribute layout) {
    needs.push_back({&use, layout});
  }
  /// The op of `result` gives its tile in `layout`, whatever its class has.
  void give(mlir::OpResult result, mlir::Attribute layout) {
    gives.push_back({result, layout});
  }
  mlir::LogicalResult seedDots();
  mlir::FailureOr<std::optional<int64_t>>
  choosePack(ProductOpInterface product);
  mlir::LogicalResult seedLanes();
  mlir::LogicalResult seedOperand(ProductOpInterface dot,
                                  mlir::OpOperand &operand, OperandSide side,
                                  std::optional<int64_t> pack);
  /// `use` reads its tile in `layout`, which a load straight to registers
  /// gives. `what` names the operand in errors.
  mlir::LogicalResult seedRead(mlir::OpOperand &use, mlir::Attribute layout,
                               llvm::StringRef what);
  mlir::LogicalResult seedBitcasts();
  mlir::LogicalResult seedRepeats();
  mlir::LogicalResult seedTransposes();
  mlir::LogicalResult seedShapes();
  mlir::LogicalResult seedBroadcasts();
  mlir::LogicalResult seedReductions();
  mlir::LogicalResult checkScans();
  void seedStores();
  void seedRows();
  /// The layout in which a load, store, gather or scatter moves its tile.
  mlir::Attribute getMovedLayout(mlir::Operation *move, mlir::Value tile) {
    auto found = moved.find(move);
    return found == moved.end() ? getLayout(tile) : found->second;
  }
  /// The layout of the class of `value`; the copy layout where it has none.
  mlir::Attribute getLayout(mlir::Value value);
  /// The copy layout of the class of `value`, whatever it has.
  mlir::Attribute getOwnCopyLayout(mlir::Value value);
  bool isSeeded(mlir::Value value) {
    return layouts.contains(classes.leader(value));
  }
  /// Whether the class of `value` is loaded through LDS.
  bool isStaged(mlir::Value value);
  /// Whether uses of the class prefer some layout by themselves.
  bool hasPreference(mlir::Value value);
  /// Whether a class without a seed is as well served by `layout` as by its
  /// copy layout.
  bool accepts(mlir::Value value, mlir::Attribute layout);
  /// Gives the classes without a seed the copy layout; checks all tiles.
  mlir::LogicalResult complete();

  mlir::FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  Schedule schedule;
  TileClasses classes;
  LayoutConversions conversions;
  unsigned numStaged = 0;
  llvm::DenseMap<const void *, mlir::Attribute> layouts;
  /// Reductions along a dimension that waves share, with the number of parts.
  llvm::SmallVector<std::pair<ReduceOp, int64_t>> exchanges;
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Attribute>> needs;
  llvm::SmallVector<std::pair<mlir::OpResult, mlir::Attribute>> gives;
  /// Layouts that dots read and stores write, by use.
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Attribute>> reads;
  /// Layouts in which gathers and scatters want their row numbers, by use.
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Attribute>> rows;
  /// Layouts in which stores want their tiles, where the schedule says so.
  llvm::MapVector<mlir::Operation *, mlir::Attribute> moved;
};
} // namespace fly

#endif
