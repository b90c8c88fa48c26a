//===- Fields.cpp - Which bytes of LDS hold what --------------------------===//
//
// One buffer for each slot, exchange and scan; those that are not needed
// together share bytes where that saves enough. Small buffers share too, and
// rows lose their padding, where bytes are scarce.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "llvm/ADT/StringExtras.h"

#include "../PassRemark.h"
#include "../ScheduleBudget.h"
#include "Staging.h"

#define DEBUG_TYPE "fly-stage-lds"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// Bytes from which on sharing saves more than its barrier costs: a wave's
/// registers of one access (64 lanes * 16 bytes), twice.
static constexpr int64_t kLeastShared =
    2 * arch::waveLanes * arch::widestAccessBytes;

Staging::Staging(FunctionOpInterface kernel)
    : kernel(kernel), chip(lookupArchOrNull(kernel)),
      threads(stage::getThreads(kernel)) {
  // What LDS is like is known of chips that there is code for.
  if (chip && !chip->canCompile)
    chip = nullptr;
  if (threads == 0)
    threads = arch::maxWorkgroupThreads;
}

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
