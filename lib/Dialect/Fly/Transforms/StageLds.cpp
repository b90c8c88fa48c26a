//===- StageLds.cpp - LDS buffers and barriers for staged tiles -----------===//
//
// Gives every staged tile (#fly.staged<label, slot>) a field of one LDS struct
// of the kernel, turns the conversions into stores and loads of that field,
// drops the staged values from loops and branches, and puts a barrier
// wherever lanes of different waves meet in a field:
//
//   write, then read      the data must have arrived        (RAW)
//   read, then overwrite  everybody must have read          (WAR)
//   write, then overwrite                                   (WAW)
//
// One barrier orders all fields, so it stands as late as possible and serves
// everything before it. Before anything is changed, a walk proves that every
// read sees the tile it names: the last one written to its slot.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

#include "PassRemark.h"

#define DEBUG_TYPE "fly-stage-lds"

namespace fly {
#define GEN_PASS_DEF_FLYSTAGELDSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static StagedAttr getStaged(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? dyn_cast_or_null<StagedAttr>(tile.getEncoding()) : StagedAttr();
}
/// A null value stands for a staged tile that was already dropped.
static bool isStaged(Value value) {
  return !value || getStaged(value.getType());
}

//===----------------------------------------------------------------------===//
// Proof: every read sees the last tile written to its slot
//===----------------------------------------------------------------------===//

namespace {
/// The tile that lies in each slot at a point of the program.
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
      loop->walk([&](ConvertLayoutOp write) {
        if (isStaged(write))
          contents[getStaged(write.getType())] = Value();
      });
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
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(run(block, contents)))
          return failure();
    return success();
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

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
class Staging {
public:
  explicit Staging(FunctionOpInterface kernel) : kernel(kernel) {}

  LogicalResult run();
  unsigned numFields = 0, numBarriers = 0;

private:
  LogicalResult collectFields();
  void createStruct();
  void rewriteConversions();
  void dropStagedValues();
  void insertBarriers();

  FunctionOpInterface kernel;
  /// The type of each slot's tile, in order of appearance.
  llvm::MapVector<Attribute, RankedTensorType> slots;
  llvm::MapVector<Attribute, Value> fields;
};
} // namespace

LogicalResult Staging::collectFields() {
  WalkResult walk = kernel->walk<WalkOrder::PreOrder>([&](ConvertLayoutOp op) {
    if (!isStaged(op))
      return WalkResult::advance();
    auto type = cast<RankedTensorType>(op.getType());
    auto [it, inserted] = slots.insert({type.getEncoding(), type});
    if (!inserted && it->second != type) {
      op.emitOpError() << "stages " << type << " where the slot holds "
                       << it->second
                       << ": labels of different tiles must "
                          "differ";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// A field name: label and slot; characters that are no identifier become _.
static std::string fieldName(StagedAttr slot) {
  std::string name = slot.getBuffer().str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name + "_" + std::to_string(slot.getSlot());
}

void Staging::createStruct() {
  MLIRContext *context = kernel->getContext();
  OpBuilder builder(kernel);
  std::string name = (kernel.getName() + "_lds").str();
  SmallVector<Attribute> names, types;
  for (auto &[slot, type] : slots) {
    names.push_back(builder.getStringAttr(fieldName(cast<StagedAttr>(slot))));
    types.push_back(TypeAttr::get(
        ViewType::get(type.getShape(), type.getElementType(), /*inLds=*/true)));
  }
  LdsStructOp::create(builder, kernel.getLoc(), name,
                      builder.getArrayAttr(names), builder.getArrayAttr(types));
  builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
  auto lds = LdsAllocOp::create(
      builder, kernel.getLoc(),
      LdsType::get(context, FlatSymbolRefAttr::get(context, name)));
  for (auto [index, slot] : llvm::enumerate(slots))
    fields[slot.first] = LdsFieldOp::create(
        builder, kernel.getLoc(),
        cast<ViewType>(cast<TypeAttr>(types[index]).getValue()), lds,
        cast<StringAttr>(names[index]));
  numFields = slots.size();
}

void Staging::rewriteConversions() {
  SmallVector<ConvertLayoutOp> writes, reads;
  kernel->walk([&](ConvertLayoutOp op) {
    if (isStaged(op.getSource()))
      reads.push_back(op);
    else if (isStaged(op))
      writes.push_back(op);
  });
  auto makeCoordinates = [](OpBuilder &builder, unsigned rank) {
    return builder.getArrayAttr(
        SmallVector<Attribute>(rank, builder.getI64IntegerAttr(0)));
  };
  // A tile at the origin of a view of its own shape is inside and aligned.
  auto allInside = [](OpBuilder &builder, unsigned rank) {
    return builder.getDenseBoolArrayAttr(SmallVector<bool>(rank, true));
  };
  for (ConvertLayoutOp op : reads) {
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(op.getType());
    unsigned rank = type.getRank();
    auto load = LoadOp::create(
        builder, op.getLoc(), type, fields[getStaged(op.getSource().getType())],
        ValueRange{}, Value(), makeCoordinates(builder, rank), Pad::Zero,
        Cache::Default, StringAttr(), allInside(builder, rank), IntegerAttr());
    op.replaceAllUsesWith(load.getResult());
    op.erase();
  }
  for (ConvertLayoutOp op : writes) {
    OpBuilder builder(op);
    unsigned rank = cast<RankedTensorType>(op.getType()).getRank();
    StoreOp::create(builder, op.getLoc(), op.getSource(),
                    fields[getStaged(op.getType())], ValueRange{}, Value(),
                    makeCoordinates(builder, rank), Cache::Default,
                    StringAttr(), allInside(builder, rank), IntegerAttr());
  }
}

/// Operands of `op` that are no staged tiles.
static SmallVector<Value> withoutStaged(ValueRange values) {
  return llvm::to_vector(
      llvm::make_filter_range(values, [](Value v) { return !isStaged(v); }));
}

/// Rebuilds loops and branches without their staged values. Staged values have
/// no other users left once the conversions are rewritten.
void Staging::dropStagedValues() {
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) &&
        llvm::any_of(op->getResults(), isStaged))
      ops.push_back(op);
  });
  auto replaceResults = [](Operation *op, Operation *by) {
    unsigned next = 0;
    for (Value result : op->getResults())
      if (!isStaged(result))
        result.replaceAllUsesWith(by->getResult(next++));
  };
  // Terminators first: they are the last users inside.
  for (Operation *op : ops)
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *terminator = block.getTerminator();
        terminator->setOperands(withoutStaged(terminator->getOperands()));
      }
  // Outer ops first: their staged results are the users of inner ones.
  for (Operation *op : llvm::reverse(ops)) {
    OpBuilder builder(op);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      SmallVector<Type> types =
          llvm::map_to_vector(withoutStaged(branch.getResults()),
                              [](Value value) { return value.getType(); });
      auto by =
          scf::IfOp::create(builder, op->getLoc(), types, branch.getCondition(),
                            /*withElseRegion=*/false);
      by.getThenRegion().takeBody(branch.getThenRegion());
      by.getElseRegion().takeBody(branch.getElseRegion());
      by->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      replaceResults(op, by);
      op->dropAllDefinedValueUses();
      op->erase();
      continue;
    }
    auto loop = cast<scf::ForOp>(op);
    auto by = scf::ForOp::create(builder, op->getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(),
                                 withoutStaged(loop.getInitArgs()));
    by->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (!by.getBody()->empty())
      by.getBody()->back().erase();
    SmallVector<Value> arguments = {by.getInductionVar()};
    unsigned next = 0;
    // A staged argument has no user: its reads name the field now.
    for (BlockArgument argument : loop.getRegionIterArgs())
      arguments.push_back(isStaged(argument) ? Value()
                                             : by.getRegionIterArg(next++));
    for (auto [argument, value] :
         llvm::zip(loop.getBody()->getArguments(), arguments))
      if (value)
        argument.replaceAllUsesWith(value);
      else
        argument.dropAllUses();
    by.getBody()->getOperations().splice(by.getBody()->end(),
                                         loop.getBody()->getOperations());
    replaceResults(op, by);
    op->dropAllDefinedValueUses();
    op->erase();
  }
  SmallVector<Operation *> dead;
  kernel->walk([&](ConvertLayoutOp op) {
    if (isStaged(op))
      dead.push_back(op);
  });
  for (Operation *op : dead) {
    op->dropAllDefinedValueUses();
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

namespace {
/// What has happened to each field since the last barrier.
struct Pending {
  llvm::SmallDenseSet<Value> written, read;

  bool mergeFrom(const Pending &other) {
    size_t before = written.size() + read.size();
    written.insert(other.written.begin(), other.written.end());
    read.insert(other.read.begin(), other.read.end());
    return written.size() + read.size() != before;
  }
};

/// Walks the kernel in program order; inserts barriers only where `insert`.
class BarrierWalk {
public:
  unsigned inserted = 0;

  void visit(Block &block, Pending &pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op, pending, insert);
  }

private:
  static Value fieldOf(Value view) {
    return view.getDefiningOp<LdsFieldOp>() ? view : Value();
  }

  void barrierBefore(Operation *op, Pending &pending, bool insert) {
    pending = {};
    if (!insert)
      return;
    OpBuilder builder(op);
    BarrierOp::create(builder, op->getLoc(), BarrierKind::Lds);
    ++inserted;
  }

  void visit(Operation *op, Pending &pending, bool insert) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (Value field = fieldOf(load.getView())) {
        if (pending.written.contains(field))
          barrierBefore(op, pending, insert);
        pending.read.insert(field);
      }
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (Value field = fieldOf(store.getView())) {
        if (pending.written.contains(field) || pending.read.contains(field))
          barrierBefore(op, pending, insert);
        pending.written.insert(field);
      }
    } else if (auto barrier = dyn_cast<BarrierOp>(op)) {
      if (barrier.getKind() != BarrierKind::Bare)
        pending = {};
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // The state at the loop's head: from outside, or from its own end.
      Pending head = pending;
      while (true) {
        Pending end = head;
        visit(*loop.getBody(), end, /*insert=*/false);
        if (!head.mergeFrom(end))
          break;
      }
      pending = head;
      Pending end = head;
      visit(*loop.getBody(), end, insert);
      pending.mergeFrom(end);
    } else {
      Pending before = pending;
      for (Region &region : op->getRegions())
        for (Block &block : region) {
          Pending inner = before;
          visit(block, inner, insert);
          pending.mergeFrom(inner);
        }
    }
  }
};
} // namespace

void Staging::insertBarriers() {
  BarrierWalk walk;
  Pending pending;
  walk.visit(kernel.getFunctionBody().front(), pending, /*insert=*/true);
  numBarriers = walk.inserted;
}

LogicalResult Staging::run() {
  if (failed(collectFields()))
    return failure();
  if (slots.empty())
    return success();
  SlotContents contents;
  ContentsProof proof;
  if (failed(proof.run(kernel.getFunctionBody().front(), contents)))
    return failure();
  createStruct();
  rewriteConversions();
  dropStagedValues();
  insertBarriers();
  return success();
}

namespace {
struct FlyStageLdsPass : fly::impl::FlyStageLdsPassBase<FlyStageLdsPass> {
  using FlyStageLdsPassBase::FlyStageLdsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        kernels.push_back(function);
    });
    for (FunctionOpInterface kernel : kernels) {
      Staging staging(kernel);
      if (failed(staging.run()))
        return signalPassFailure();
      numFields += staging.numFields;
      numBarriers += staging.numBarriers;
      if (staging.numFields)
        remarkPassed(kernel, DEBUG_TYPE, "Staged",
                     Twine(staging.numFields) + " LDS fields, " +
                         Twine(staging.numBarriers) + " barriers");
    }
  }
};
} // namespace
