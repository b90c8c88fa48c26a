//===- LabelledOps.cpp - What a schedule can name in a kernel -------------===//
//
// Two walks: the first learns the labels that are written, the second gives
// free ones to ops that have none.
//
//===----------------------------------------------------------------------===//
#include "LabelledOps.h"

#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

#include "TileFlow.h"

using namespace mlir;
using namespace fly;

StringRef fly::kindName(LabelledOps::Kind kind) {
  static constexpr llvm::StringLiteral names[] = {"load", "dot", "store",
                                                  "loop"};
  return names[unsigned(kind)];
}

StringAttr fly::getWrittenLabel(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringAttr>(op)
      .Case<LoadOp, GatherOp, DotOp, DotScaledOp, StoreOp, ScatterOp,
            PipelineOp>([](auto labelled) { return labelled.getLabelAttr(); })
      .Default([](Operation *other) {
        return other->getAttrOfType<StringAttr>(FlyDialect::getLabelAttrName());
      });
}

static std::optional<LabelledOps::Kind> getKind(Operation *op) {
  using Kind = LabelledOps::Kind;
  if (isTileLoad(op))
    return Kind::Load;
  if (isa<ProductOpInterface>(op))
    return Kind::Dot;
  if (isa<StoreOp, ScatterOp>(op))
    return Kind::Store;
  if (isa<PipelineOp, scf::ForOp>(op))
    return Kind::Loop;
  return std::nullopt;
}

const LabelledOps::Group *LabelledOps::lookup(StringRef label) const {
  for (const auto &[name, group] : groups)
    if (name == label)
      return &group;
  return nullptr;
}

FailureOr<LabelledOps> LabelledOps::collect(FunctionOpInterface kernel) {
  LabelledOps result;
  auto add = [&](Operation *op, StringAttr label) -> LogicalResult {
    Kind kind = *getKind(op);
    if (label.getValue().empty())
      return op->emitOpError()
             << "has an empty label: leave it out, or name it "
                "for the schedule";
    if (llvm::is_contained(getGlobalScheduleKeys(), label.getValue()))
      return op->emitOpError() << "cannot have the label '" << label.getValue()
                               << "': schedules use that key for all of the "
                                  "kernel";
    Group &group =
        result.groups.try_emplace(label, Group{kind, {}}).first->second;
    if (group.kind != kind) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "has the label '" << label.getValue()
                                << "' of a " << kindName(group.kind)
                                << ": ops of two kinds cannot share an entry";
      diag.attachNote(group.ops.front()->getLoc()) << "the other op";
      return diag;
    }
    group.ops.push_back(op);
    result.labels[op] = label;
    return success();
  };
  WalkResult written = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringAttr label = getKind(op) ? getWrittenLabel(op) : StringAttr();
    return label && failed(add(op, label)) ? WalkResult::interrupt()
                                           : WalkResult::advance();
  });
  if (written.wasInterrupted())
    return failure();

  unsigned next[3] = {0, 0, 0};
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<Kind> kind = getKind(op);
    if (!kind || *kind == Kind::Loop || result.labels.contains(op))
      return;
    StringAttr label;
    do {
      label = StringAttr::get(op->getContext(),
                              kindName(*kind) + Twine(next[unsigned(*kind)]++));
    } while (result.groups.contains(label));
    (void)add(op, label); // A new label: nothing to refuse.
    result.given.push_back(op);
  });
  return result;
}

unsigned LabelledOps::apply() {
  for (Operation *op : given)
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, GatherOp, DotOp, DotScaledOp, StoreOp, ScatterOp>(
            [&](auto labelled) { labelled.setLabelAttr(labels.lookup(op)); });
  return given.size();
}
