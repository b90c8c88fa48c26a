//===- Distributor.h - Tiles to lanes, one kernel ---------------*- C++ -*-===//
//
// Part of fly-distribute: the state of one kernel's rewrite, and what each kind
// of op becomes. Windows.cpp moves views, Accesses.cpp reads and writes tiles,
// Copies.cpp copies them to LDS, Rows.cpp those whose rows are given by number,
// Atomics.cpp combines them, Dots.cpp emits matrix instructions, Along.cpp
// reductions, Scan.cpp scans, Values.cpp everything computed in place,
// Registers.cpp what only renames registers; Distribute.cpp walks control flow.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H

#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringSet.h"

#include <memory>

#include "../TileFlow.h"
#include "LaneAccess.h"

namespace fly::distribute {

/// The position of flat element `index` in an array of this shape.
llvm::SmallVector<int64_t> positionOf(llvm::ArrayRef<int64_t> shape,
                                      int64_t index);
/// Puts a group of contiguous elements into a register array.
mlir::Value insertGroup(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value group, mlir::Value array,
                        llvm::ArrayRef<int64_t> position);
/// Takes `length` contiguous elements out of a register array.
mlir::Value extractGroup(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value array, llvm::ArrayRef<int64_t> position,
                         int64_t length);

/// The registers `moves` of `source`, as an array of this type.
mlir::Value renameRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value source, llvm::ArrayRef<unsigned> moves,
                            mlir::VectorType type);

/// Rewrites one kernel.
class Distributor {
public:
  /// `threads` of the workgroup.
  Distributor(mlir::FunctionOpInterface kernel, const arch::ArchInfo &chip,
              int64_t threads)
      : kernel(kernel), chip(chip), threads(threads),
        builder(kernel.getContext()), entry(new mlir::Block),
        coordinates(*entry, threads) {}
  Distributor(const Distributor &) = delete;
  /// Removes the new body unless it was committed.
  ~Distributor();

  /// Labels of the schedule whose first pack is carried round the loop.
  llvm::StringSet<> carried;
  /// Writes the new body behind the old one.
  mlir::LogicalResult run();
  /// Puts the new body in the place of the old one.
  void commit();
  unsigned numTiles = 0;

private:
  mlir::LogicalResult distributeBlock(mlir::Block &from);
  mlir::LogicalResult distribute(mlir::Operation *op);
  mlir::LogicalResult distribute(LoadOp op);
  mlir::LogicalResult distribute(StoreOp op);
  mlir::LogicalResult distribute(CopyOp op);
  mlir::LogicalResult distribute(GatherOp op);
  mlir::LogicalResult distribute(ScatterOp op);
  mlir::LogicalResult distribute(AtomicOp op);
  mlir::LogicalResult distribute(RecordOp op);
  mlir::LogicalResult distribute(ProductOpInterface op);
  mlir::LogicalResult distribute(ConstantOp op);
  mlir::LogicalResult distribute(SplatOp op);
  mlir::LogicalResult distribute(BroadcastOp op);
  mlir::LogicalResult distribute(BitcastOp op);
  mlir::LogicalResult distribute(RepeatOp op);
  mlir::LogicalResult distribute(CastOp op);
  mlir::LogicalResult distribute(ConvertLayoutOp op);
  mlir::LogicalResult distribute(TransposeOp op);
  mlir::LogicalResult distribute(IotaOp op);
  mlir::LogicalResult distribute(ReduceOp op);
  mlir::LogicalResult distribute(ScanOp op);
  mlir::LogicalResult distribute(LanesOp op);
  mlir::LogicalResult distributeElementwise(mlir::Operation *op);
  // Packed.cpp
  /// Whether the op widens integers below a byte.
  static bool widensPacked(mlir::Operation *op);
  mlir::LogicalResult distributePacked(mlir::Operation *op);
  /// Slices, concatenations and reshapes.
  mlir::LogicalResult distributeShape(mlir::Operation *op);
  /// Loops and branches: the same op on register arrays.
  mlir::LogicalResult distributeRegions(mlir::Operation *op);

  template <typename OpT>
  mlir::FailureOr<Window> makeWindow(OpT op);
  /// The window of a gather or scatter: a view for each row that a lane holds.
  template <typename OpT>
  mlir::FailureOr<Window> makeRowWindow(OpT op);
  /// The view of row `number`, an i32, alone.
  mlir::Value makeRowView(ViewOp view, mlir::Value number);
  /// Whether each lane holds the same rows of both.
  bool hasSameRows(const LaneMap &tile, const LaneMap &rows) const;
  // Records.cpp
  mlir::Value isMine(const LaneMap &map, mlir::RankedTensorType tile,
                     unsigned reg, mlir::Location loc);
  mlir::Value makeCoordinate(const LaneMap &map, unsigned dim, unsigned reg,
                             mlir::Location loc);
  mlir::Value makeElementNumber(const LaneMap &map, mlir::RankedTensorType tile,
                                unsigned reg, mlir::Location loc);
  /// Reads the tile; what the mask leaves out is pad.
  template <typename OpT>
  mlir::LogicalResult readTileOf(OpT op, const Window &window);
  /// Writes the tile of a store or scatter.
  template <typename OpT>
  mlir::LogicalResult writeTileOf(OpT op, const Window &window);
  /// Calls `visit(group, values, mask)` for each group of the tile of `op`.
  template <typename OpT>
  void forEachGroup(
      OpT op, const LaneAccess &access,
      llvm::function_ref<void(unsigned, mlir::Value, mlir::Value)> visit);
  /// The origin of a tile in an LDS field; an error where it may be outside.
  mlir::LogicalResult placeInField(mlir::Operation *op,
                                   llvm::ArrayRef<mlir::OpFoldResult> origin,
                                   Window &window);
  /// The view with its base at the origin of the dimensions in `moved`, and
  /// without the leading ones that `type` lacks.
  mlir::Value moveBase(ViewOp view, llvm::ArrayRef<mlir::OpFoldResult> origin,
                       llvm::ArrayRef<bool> moved,
                       llvm::ArrayRef<bool> inBounds, ViewType type);
  /// The row as an index in its block, null where 0; `row` becomes the block's
  /// first one.
  mlir::Value takeRowInBlock(mlir::OpFoldResult &row, PreshuffleAttr layout,
                             mlir::Location loc);
  /// What of the coordinate lies before the view's start, from `-extent` to 0,
  /// as an index; `coordinate` becomes what does not.
  mlir::Value takeBefore(mlir::OpFoldResult &coordinate, int64_t extent,
                         mlir::Location loc);
  mlir::Value getWideStride(ViewOp view, unsigned dim);
  mlir::FailureOr<mlir::Value> makePad(mlir::Operation *op, Pad pad,
                                       mlir::VectorType type);
  // Masks.cpp
  mlir::LogicalResult distribute(mlir::arith::SelectOp op);
  /// A part of a mask, made of the parts that `group` gives of what the mask is
  /// made of, or of the mask itself.
  mlir::Value makeMask(mlir::Value mask,
                       llvm::function_ref<mlir::Value(mlir::Value)> group);
  mlir::Value readTile(LaneAccess &access, mlir::RankedTensorType tile,
                       mlir::Location loc);
  /// The registers of a tile whose elements are those of a smaller one: `place`
  /// turns the offsets of an element into those of its source. Null where a
  /// source is in no register.
  mlir::Value
  spread(mlir::Value source, const LaneMap &from, const LaneMap &to,
         mlir::VectorType type,
         llvm::function_ref<void(llvm::SmallVector<int64_t, 2> &)> place,
         mlir::Location loc);
  /// Whether the load is read piece by piece where its one user, a dot, is.
  bool isReadByDot(LoadOp op);
  /// Whether the first pack that a dot reads by this load is carried.
  bool carriesFirstPack(LoadOp load) const;
  // Dots.cpp
  struct DotOperand;
  mlir::LogicalResult prepareOperand(mlir::Value operand, DotOperand &result);
  /// The packs of `count` micro-steps from `first` on, one behind the other.
  mlir::Value joinPacks(DotOperand &operand, int64_t block, int64_t first,
                        int64_t count, mlir::Location loc);
  /// A lane's part of an operand of a matrix instruction, a register of scales
  /// (null without), and which of them is its own.
  struct MatrixFactor {
    mlir::Value values, scales;
    unsigned scale = 0;
  };
  /// The matrix instruction of that row.
  mlir::Value multiply(const arch::MfmaRow &row, MatrixFactor x, MatrixFactor y,
                       mlir::Value c, mlir::Location loc);
  /// The pack at `position` of the operand of a dot: its reads, or a part of
  /// its registers. `isCarried`: its first read is carried round the loop.
  mlir::Value getFragment(LaneAccess *access, mlir::Value registers,
                          llvm::ArrayRef<int64_t> position,
                          llvm::ArrayRef<int64_t> shape, bool isCarried,
                          mlir::Location loc);

  mlir::Value lookup(mlir::Value value) {
    return mapping.lookupOrDefault(value);
  }
  mlir::Value toIndex(mlir::Value value, mlir::Location loc) {
    return mlir::arith::IndexCastOp::create(builder, loc,
                                            builder.getIndexType(), value);
  }
  mlir::Value materialize(mlir::OpFoldResult value, mlir::Location loc) {
    if (auto dynamic = mlir::dyn_cast<mlir::Value>(value))
      return lookup(dynamic);
    return mlir::arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(
            mlir::cast<mlir::IntegerAttr>(mlir::cast<mlir::Attribute>(value))
                .getInt()));
  }
  mlir::Value toI64(mlir::Value value, mlir::Location loc) {
    return mlir::arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                                        value);
  }

  mlir::FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  int64_t threads;
  mlir::OpBuilder builder;
  /// The new body; ours until it stands in the kernel.
  std::unique_ptr<mlir::Block> entry;
  mlir::Block *fresh = nullptr;
  LaneCoordinates coordinates;
  mlir::IRMapping mapping;
};

} // namespace fly::distribute

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_DISTRIBUTE_DISTRIBUTOR_H
