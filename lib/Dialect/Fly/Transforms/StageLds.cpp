//===- StageLds.cpp - LDS buffers and barriers for staged tiles -----------===//
//
// Gives every staged tile (#fly.staged<label, slot>), every conversion, slice,
// concatenation and reshape that moves elements between lanes
// (StageLds/Exchanges.cpp) and every scan across waves its field of one LDS
// struct of the kernel, turns the conversions into stores and loads, and drops
// the staged values from loops and branches. What is not needed together shares
// a field (StageLds/Overlay.cpp). StageLds/Barriers.cpp then orders the lanes
// that meet, in the fields and in global memory.
//
// Before any kernel is changed, StageLds/Contents.cpp proves that every read
// sees the tile it names: the last one written to its slot. Refused are also
// two tiles of one label and slot that differ in type, tiles in flow graphs,
// and more bytes than the chip has.
//
//===----------------------------------------------------------------------===//
#include "StageLds/StageLds.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

#include "Instantiated.h"
#include "PassRemark.h"
#include "ScheduleBudget.h"
#include "StageLds/Exchanges.h"
#include "StageLds/Overlay.h"

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

/// Bytes from which on sharing saves more than its barrier costs: a wave's
/// registers of one access (64 lanes * 16 bytes), twice.
static constexpr int64_t kLeastShared =
    2 * arch::waveLanes * arch::widestAccessBytes;

/// Why the view of a field has another type: it is that of a tile of other
/// extents in the same bytes.
static constexpr llvm::StringLiteral kReshaped = "reshaped";

namespace {
class Staging {
public:
  explicit Staging(FunctionOpInterface kernel)
      : kernel(kernel), chip(lookupArchOrNull(kernel)),
        threads(stage::getThreads(kernel)) {
    if (threads == 0)
      threads = arch::maxWorkgroupThreads;
  }

  /// What may be refused; changes nothing.
  LogicalResult verify();
  void apply();
  int64_t getBytes() const { return stage::getBytes(buffers); }
  unsigned numFields = 0, numExchanges = 0, numBarriers = 0;

private:
  LogicalResult collectSlots();
  LogicalResult collectBuffers(bool compact, int64_t leastShared);
  LogicalResult checkBudget();
  LogicalResult layOut();
  void createStruct();
  void rewriteExchanges();
  void rewriteConversions();
  void dropStagedValues();

  FunctionOpInterface kernel;
  const arch::ArchInfo *chip;
  int64_t threads;
  /// The type of each slot's tile, in order of appearance.
  llvm::MapVector<Attribute, RankedTensorType> slots;
  Exchanges exchanges;
  /// Of the slots, the conversions and the scans, in this order; and a view of
  /// each.
  SmallVector<Buffer> buffers;
  SmallVector<Value> views;
  /// The view of each slot.
  llvm::MapVector<Attribute, Value> fields;
  /// Labels whose tiles go to LDS past the registers, and loads that became
  /// copies.
  llvm::StringSet<> asyncLabels;
  SmallVector<Operation *> copied;
};
} // namespace

LogicalResult Staging::collectSlots() {
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
  if (walk.wasInterrupted())
    return failure();
  if (slots.empty() || !kernel->hasAttr(FlyDialect::getScheduleAttrName()))
    return success();
  FailureOr<Schedule> schedule = Schedule::get(kernel);
  if (failed(schedule))
    return failure();
  for (const auto &[slot, type] : slots) {
    StringRef label = cast<StagedAttr>(slot).getBuffer();
    const OperandPolicy *policy = schedule->operand(label);
    if (policy && policy->isAsync)
      asyncLabels.insert(label);
  }
  return success();
}

/// A field name: label and slot, so that no two slots have the same.
static std::string fieldName(StagedAttr slot) {
  return (slot.getBuffer() + "_" + Twine(slot.getSlot())).str();
}

LogicalResult Staging::collectBuffers(bool compact, int64_t leastShared) {
  FailureOr<Exchanges> found = collectExchanges(kernel, chip, threads, compact);
  if (failed(found))
    return failure();
  exchanges = std::move(*found);
  buffers.clear();
  llvm::MapVector<Attribute, unsigned> ofSlot;
  for (auto &[slot, type] : slots) {
    ofSlot[slot] = buffers.size();
    buffers.push_back({fieldName(cast<StagedAttr>(slot)),
                       ViewType::get(type.getShape(), type.getElementType(),
                                     /*inLds=*/true),
                       {},
                       /*mayShare=*/false,
                       std::nullopt,
                       {}});
  }
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                             SmallVector<Value>(op->getResults())))
      if (StagedAttr slot = getStaged(value.getType()))
        buffers[ofSlot[slot]].users.push_back(op);
  });
  llvm::StringSet<> names;
  for (const Buffer &buffer : buffers)
    names.insert(buffer.name);
  auto add = [&](StringRef what, ViewType type, Operation *user) {
    std::string name;
    for (unsigned number = 0;; ++number) {
      name = (what + Twine(number)).str();
      if (names.insert(name).second)
        break;
    }
    buffers.push_back(
        {name, type, {user}, /*mayShare=*/true, std::nullopt, {}});
  };
  for (const Exchange &exchange : exchanges.moves)
    add("exchange", exchange.field, exchange.op);
  for (const ScanExchange &scan : exchanges.scans)
    for (ViewType type : scan.fields)
      add("scan", type, scan.op);
  overlay(kernel, buffers, leastShared);
  return success();
}

LogicalResult Staging::checkBudget() {
  Budget budget;
  SmallVector<Buffer> shared;
  std::string names;
  for (const Buffer &buffer : buffers) {
    std::string text;
    llvm::raw_string_ostream(text) << buffer.name << ": " << buffer.type;
    if (!buffer.offset) {
      budget.add(text, stage::getBytes(buffer));
      continue;
    }
    shared.push_back(buffer);
    names += (names.empty() ? "over each other: " : "; ") + text;
  }
  if (!shared.empty())
    budget.add(names, stage::getBytes(shared));
  return checkLdsBudget(kernel, *chip, budget,
                        exchanges.moves.empty()
                            ? "smaller tiles"
                            : "smaller tiles, or layouts that agree: a tile is "
                              "exchanged where its uses want it in different "
                              "lanes");
}

/// Bytes first, where they are scarce: small buffers share too, then rows are
/// not padded.
LogicalResult Staging::layOut() {
  for (auto [compact, leastShared] :
       {std::pair(false, kLeastShared), {false, int64_t(0)}, {true, 0}}) {
    if (failed(collectBuffers(compact, leastShared)))
      return failure();
    if (!chip || !chip->lds.bytes || getBytes() <= int64_t(*chip->lds.bytes))
      return success();
  }
  return checkBudget();
}

void Staging::createStruct() {
  MLIRContext *context = kernel->getContext();
  SymbolTable symbols(kernel->getParentOp());
  OpBuilder builder(kernel);
  SmallVector<Attribute> names, types;
  SmallVector<int64_t> offsets;
  for (const Buffer &buffer : buffers) {
    names.push_back(builder.getStringAttr(buffer.name));
    types.push_back(TypeAttr::get(buffer.type));
    offsets.push_back(buffer.offset.value_or(-1));
  }
  bool isShared = llvm::any_of(
      buffers, [](const Buffer &buffer) { return bool(buffer.offset); });
  auto structOp = LdsStructOp::create(
      builder, kernel.getLoc(),
      builder.getStringAttr(kernel.getName() + "_lds"),
      builder.getArrayAttr(names), builder.getArrayAttr(types),
      /*overlaid=*/UnitAttr(),
      isShared ? builder.getDenseI64ArrayAttr(offsets) : DenseI64ArrayAttr());
  // Renames it where the author has a symbol of that name.
  StringAttr name = symbols.insert(structOp);
  builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
  auto lds =
      LdsAllocOp::create(builder, kernel.getLoc(),
                         LdsType::get(context, FlatSymbolRefAttr::get(name)));
  for (const Buffer &buffer : buffers) {
    views.push_back(LdsFieldOp::create(builder, kernel.getLoc(), buffer.type,
                                       lds,
                                       builder.getStringAttr(buffer.name)));
    std::string under = llvm::join(
        llvm::map_range(buffer.under,
                        [&](unsigned other) { return buffers[other].name; }),
        ", ");
    if (!under.empty())
      remarkPassed(buffer.users.front(), DEBUG_TYPE, "Overlaid",
                   Twine(buffer.bytes()) + " bytes lie over " + under +
                       ": not needed at the time");
  }
  for (auto [index, slot] : llvm::enumerate(slots))
    fields[slot.first] = views[index];
  numFields = names.size();
}

namespace {
/// A tile inside of a view.
struct Place {
  Place(OpBuilder &builder, ArrayRef<int64_t> at)
      : coordinates(builder.getI64ArrayAttr(at)),
        inside(
            builder.getDenseBoolArrayAttr(SmallVector<bool>(at.size(), true))) {
  }
  ArrayAttr coordinates;
  DenseBoolArrayAttr inside;
};
} // namespace

static Value loadTile(OpBuilder &builder, Location loc, RankedTensorType type,
                      Value field, ArrayRef<int64_t> at) {
  Place place(builder, at);
  return LoadOp::create(builder, loc, type, field, ValueRange{}, Value(),
                        place.coordinates, Pad::Zero, Cache::Default,
                        StringAttr(), place.inside, IntegerAttr())
      .getResult();
}

static void storeTile(OpBuilder &builder, Location loc, Value tile, Value field,
                      ArrayRef<int64_t> at) {
  Place place(builder, at);
  StoreOp::create(builder, loc, tile, field, ValueRange{}, Value(),
                  place.coordinates, Cache::Default, StringAttr(), place.inside,
                  IntegerAttr());
}

/// The coordinates of a tile that fills its field.
static SmallVector<int64_t, 2> getStart(Type tile) {
  return SmallVector<int64_t, 2>(cast<RankedTensorType>(tile).getRank(), 0);
}

void Staging::rewriteExchanges() {
  unsigned next = slots.size();
  for (const Exchange &exchange : exchanges.moves) {
    Operation *op = exchange.op;
    if (chip)
      remarkExchange(exchange, *chip);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value field = views[next++];
    // Where a tile lies in it, seen as the tile has its extents.
    auto see = [&](const FieldTile &tile) -> Value {
      if (tile.view == exchange.field)
        return field;
      auto as = field.getDefiningOp<LdsFieldOp>();
      OpBuilder beside(as);
      auto view = LdsFieldOp::create(beside, as.getLoc(), tile.view,
                                     as.getLds(), as.getFieldAttr());
      view->setAttr(FlyDialect::getUncheckedAttrName(),
                    builder.getStringAttr(kReshaped));
      return view;
    };
    for (const FieldTile &source : exchange.sources)
      storeTile(builder, loc, op->getOperand(source.operand), see(source),
                source.at);
    op->getResult(0).replaceAllUsesWith(loadTile(
        builder, loc, cast<RankedTensorType>(op->getResult(0).getType()),
        see(exchange.result), exchange.result.at));
    op->erase();
    ++numExchanges;
  }
  for (const ScanExchange &exchange : exchanges.scans) {
    ScanOp op = exchange.op;
    op.getScratchMutable().assign(
        ArrayRef(views).slice(next, exchange.fields.size()));
    next += exchange.fields.size();
    ++numExchanges;
  }
}

void Staging::rewriteConversions() {
  SmallVector<ConvertLayoutOp> writes, reads;
  kernel->walk([&](ConvertLayoutOp op) {
    if (isStaged(op.getSource()))
      reads.push_back(op);
    else if (isStaged(op))
      writes.push_back(op);
  });
  for (ConvertLayoutOp op : reads) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(loadTile(
        builder, op.getLoc(), cast<RankedTensorType>(op.getType()),
        fields[getStaged(op.getSource().getType())], getStart(op.getType())));
    op.erase();
  }
  for (ConvertLayoutOp op : writes) {
    StagedAttr slot = getStaged(op.getType());
    Value field = fields[slot];
    if (asyncLabels.contains(slot.getBuffer()) && turnIntoCopy(op, field)) {
      copied.push_back(op.getSource().getDefiningOp());
      continue;
    }
    OpBuilder builder(op);
    storeTile(builder, op.getLoc(), op.getSource(), field,
              getStart(op.getType()));
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
  llvm::append_range(dead, copied);
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
  return success(succeeded(collectSlots()) &&
                 succeeded(verifyContents(kernel)) && succeeded(layOut()));
}

void Staging::apply() {
  if (!buffers.empty()) {
    createStruct();
    rewriteExchanges();
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
    std::vector<Staging> stagings;
    for (FunctionOpInterface kernel : kernels) {
      stagings.emplace_back(kernel);
      if (failed(checkIsInstantiated(kernel)) ||
          failed(stagings.back().verify()))
        return signalPassFailure();
    }
    for (auto [kernel, staging] : llvm::zip(kernels, stagings)) {
      staging.apply();
      numFields += staging.numFields;
      numExchanges += staging.numExchanges;
      numBarriers += staging.numBarriers;
      if (staging.numFields || staging.numBarriers)
        remarkPassed(kernel, DEBUG_TYPE, "Staged",
                     Twine(staging.numFields) + " LDS fields of " +
                         Twine(staging.getBytes()) + " bytes, " +
                         Twine(staging.numBarriers) + " barriers");
    }
  }
};
} // namespace
