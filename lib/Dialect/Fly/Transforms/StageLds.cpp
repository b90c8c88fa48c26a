//===- StageLds.cpp - LDS buffers and barriers for staged tiles -----------===//
//
// Gives every staged tile (#fly.staged<label, slot>) a field of one LDS struct
// of the kernel, turns the conversions into stores and loads of that field, and
// drops the staged values from loops and branches. StageLds/Barriers.cpp then
// orders the lanes that meet, in the fields and in global memory.
//
// Before any kernel is changed, StageLds/Contents.cpp proves that every read
// sees the tile it names: the last one written to its slot. Refused are also
// two tiles of one label and slot that differ in type, and tiles in flow
// graphs.
//
//===----------------------------------------------------------------------===//
#include "StageLds/StageLds.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"

#include "Instantiated.h"
#include "PassRemark.h"

#define DEBUG_TYPE "fly-stage-lds"

namespace fly {
#define GEN_PASS_DEF_FLYSTAGELDSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// A null value stands for a staged tile that was already dropped.
static bool isStaged(Value value) {
  return !value || getStaged(value.getType());
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
class Staging {
public:
  explicit Staging(FunctionOpInterface kernel) : kernel(kernel) {}

  /// What may be refused; changes nothing.
  LogicalResult verify();
  void apply();
  unsigned numFields = 0, numBarriers = 0;

private:
  LogicalResult collectFields();
  void createStruct();
  void rewriteConversions();
  void dropStagedValues();

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

/// A field name: label and slot, so that no two slots have the same.
static std::string fieldName(StagedAttr slot) {
  return (slot.getBuffer() + "_" + Twine(slot.getSlot())).str();
}

void Staging::createStruct() {
  MLIRContext *context = kernel->getContext();
  SymbolTable symbols(kernel->getParentOp());
  OpBuilder builder(kernel);
  SmallVector<Attribute> names, types;
  for (auto &[slot, type] : slots) {
    names.push_back(builder.getStringAttr(fieldName(cast<StagedAttr>(slot))));
    types.push_back(TypeAttr::get(
        ViewType::get(type.getShape(), type.getElementType(), /*inLds=*/true)));
  }
  auto structOp = LdsStructOp::create(
      builder, kernel.getLoc(), (kernel.getName() + "_lds").str(),
      builder.getArrayAttr(names), builder.getArrayAttr(types));
  // Renames it where the author has a symbol of that name.
  StringAttr name = symbols.insert(structOp);
  builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
  auto lds =
      LdsAllocOp::create(builder, kernel.getLoc(),
                         LdsType::get(context, FlatSymbolRefAttr::get(name)));
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
    by.setUnsignedCmp(loop.getUnsignedCmp());
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
// The pass
//===----------------------------------------------------------------------===//

LogicalResult Staging::verify() {
  if (!kernel.getFunctionBody().hasOneBlock())
    return kernel->emitOpError() << "has tiles in a flow graph; control flow "
                                    "at tile level is scf";
  return success(succeeded(collectFields()) &&
                 succeeded(verifyContents(kernel)));
}

void Staging::apply() {
  if (!slots.empty()) {
    createStruct();
    rewriteConversions();
    dropStagedValues();
  }
  numBarriers = insertBarriers(kernel);
}

namespace {
struct FlyStageLdsPass : fly::impl::FlyStageLdsPassBase<FlyStageLdsPass> {
  using FlyStageLdsPassBase::FlyStageLdsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && hasTiles(function))
        kernels.push_back(function);
    });
    SmallVector<Staging> stagings;
    for (FunctionOpInterface kernel : kernels) {
      stagings.emplace_back(kernel);
      if (failed(checkIsInstantiated(kernel)) ||
          failed(stagings.back().verify()))
        return signalPassFailure();
    }
    for (auto [kernel, staging] : llvm::zip(kernels, stagings)) {
      staging.apply();
      numFields += staging.numFields;
      numBarriers += staging.numBarriers;
      if (staging.numFields || staging.numBarriers)
        remarkPassed(kernel, DEBUG_TYPE, "Staged",
                     Twine(staging.numFields) + " LDS fields, " +
                         Twine(staging.numBarriers) + " barriers");
    }
  }
};
} // namespace
