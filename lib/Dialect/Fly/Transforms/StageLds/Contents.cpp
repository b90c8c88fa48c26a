//===- Contents.cpp - Every read sees the tile it names -------------------===//
//
// A staged tile is a value, its slot a place. The walk keeps which tile lies in
// each slot at every point of the program and refuses reads of tiles that are
// gone. Of loops it knows scf.for, which may carry staged tiles; what any other
// op with regions writes is gone before, in and after it.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"

#include "StageLds.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

StagedAttr stage::getStaged(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? dyn_cast_or_null<StagedAttr>(tile.getEncoding()) : StagedAttr();
}

//===----------------------------------------------------------------------===//
// Who may have a staged tile
//===----------------------------------------------------------------------===//

/// Whether `op` may take the staged tile `operand`.
static bool mayTake(Operation *op, Value operand) {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return !isStaged(convert);
  if (isa<scf::YieldOp>(op))
    return isa<scf::ForOp, scf::IfOp>(op->getParentOp());
  return isa<scf::ForOp>(op);
}

/// Whether `op` may have staged tiles as results.
static bool mayGive(Operation *op) {
  return isa<ConvertLayoutOp, scf::ForOp, scf::IfOp>(op);
}

static LogicalResult verifyHolders(FunctionOpInterface kernel) {
  WalkResult walk = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isStaged(operand) && !mayTake(op, operand)) {
        op->emitOpError() << "takes a tile that lies in LDS, "
                          << getStaged(operand.getType())
                          << "; read it by fly.convert_layout first";
        return WalkResult::interrupt();
      }
    bool gives = !mayGive(op) && llvm::any_of(op->getResults(), isStaged);
    if (!isa<scf::ForOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          gives |= llvm::any_of(ValueRange(block.getArguments()), isStaged);
    if (!gives)
      return WalkResult::advance();
    op->emitOpError() << "gives a tile that lies in LDS; fly.convert_layout "
                         "makes them, scf.for and scf.if hand them on";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// What lies where
//===----------------------------------------------------------------------===//

namespace {
/// The tile that lies in each slot; a null value where it is unknown.
using SlotContents = llvm::MapVector<Attribute, Value>;

class ContentsProof {
public:
  LogicalResult run(Block &block, SlotContents &contents) {
    for (Operation &op : block)
      if (failed(visit(&op, contents)))
        return failure();
    return success();
  }

private:
  LogicalResult read(Operation *op, Value tile, const SlotContents &contents) {
    if (contents.lookup(getStaged(tile.getType())) == tile)
      return success();
    InFlightDiagnostic diag = op->emitOpError() << "reads a tile of LDS slot "
                                                << getStaged(tile.getType())
                                                << " that has been overwritten";
    diag.attachNote(tile.getLoc()) << "the tile it reads";
    return diag;
  }

  LogicalResult visit(Operation *op, SlotContents &contents) {
    for (Value operand : op->getOperands())
      if (isStaged(operand) && failed(read(op, operand, contents)))
        return failure();
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      if (isStaged(convert))
        contents[getStaged(convert.getType())] = convert;
      return success();
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // What the body writes is gone at its head, but for what it carries.
      forgetWrites(loop, contents);
      bind(loop.getRegionIterArgs(), contents);
      if (failed(run(*loop.getBody(), contents)))
        return failure();
      bind(loop.getResults(), contents);
      return success();
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      SlotContents before = contents;
      for (Region *region : branch.getRegions()) {
        SlotContents inner = before;
        if (!region->empty() && failed(run(region->front(), inner)))
          return failure();
        merge(contents, inner);
      }
      bind(branch.getResults(), contents);
      return success();
    }
    if (op->getNumRegions() == 0)
      return success();
    forgetWrites(op, contents);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        SlotContents inner = contents;
        if (failed(run(block, inner)))
          return failure();
      }
    return success();
  }

  static void forgetWrites(Operation *op, SlotContents &contents) {
    op->walk([&](ConvertLayoutOp write) {
      if (isStaged(write))
        contents[getStaged(write.getType())] = Value();
    });
  }
  static void bind(ValueRange tiles, SlotContents &contents) {
    for (Value tile : tiles)
      if (isStaged(tile))
        contents[getStaged(tile.getType())] = tile;
  }
  /// After a branch a slot holds a known tile only where both sides agree.
  static void merge(SlotContents &into, const SlotContents &other) {
    for (const auto &[slot, tile] : other) {
      auto [it, inserted] = into.insert({slot, tile});
      if (!inserted && it->second != tile)
        it->second = Value();
    }
  }
};
} // namespace

LogicalResult stage::verifyContents(FunctionOpInterface kernel) {
  if (failed(verifyHolders(kernel)))
    return failure();
  SlotContents contents;
  return ContentsProof().run(kernel.getFunctionBody().front(), contents);
}
