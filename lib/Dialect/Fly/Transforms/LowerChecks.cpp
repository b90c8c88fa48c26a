//===- LowerChecks.cpp - Asserts and prints become records, or go ---------===//
//
// A kernel that runs on a chip has no console. Where checks are asked for, it
// gets a hidden last argument, the channel, and every fly.assert and fly.print
// becomes a fly.record to it; what the records mean is written on the kernel
// for the launch contract (docs/Rationale/Checks.md). Where they are not, both
// ops go, and the kernel has nothing of them.
//
// Runs while the grid is still in the IR, since messages name a workgroup by
// its coordinates. Refuses checks in a stage that runs ahead of its loop, whose
// order would not be the program's, and checks in kernels without tiles.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Checks.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include "PassRemark.h"

#define DEBUG_TYPE "fly-lower-checks"

namespace fly {
#define GEN_PASS_DEF_FLYLOWERCHECKSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static bool isCheck(Operation *op) { return isa<AssertOp, PrintOp>(op); }

/// "kernel.mlir:12:5" where the place in a file is known.
static std::string describeLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (file)
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    os << "<unknown>";
  return text;
}

namespace {
/// Rewrites the checks of one kernel.
class CheckLowering {
public:
  CheckLowering(gpu::GPUFuncOp kernel, ArrayRef<Operation *> checks)
      : kernel(kernel), checks(checks), builder(kernel.getContext()) {}

  /// What may be refused; changes nothing.
  LogicalResult verify();
  void apply();

private:
  void addChannel();
  void findWorkgroup();
  /// What a check records, the condition of an assert first.
  SmallVector<Value> getValues(Operation *check);
  contract::CheckSite describe(Operation *check, ArrayRef<Value> values);

  gpu::GPUFuncOp kernel;
  ArrayRef<Operation *> checks;
  OpBuilder builder;
  Value channel;
  SmallVector<Value> workgroup;
};
} // namespace

LogicalResult CheckLowering::verify() {
  for (Operation *check : checks) {
    if (!hasTiles(kernel))
      return check->emitOpError()
             << "is compiled in kernels on tiles alone, and this one has none";
    for (Value value : getValues(check)) {
      Type type = getElementTypeOrSelf(value.getType());
      if (!type.isIndex() && type.getIntOrFloatBitWidth() > 64)
        return check->emitOpError()
               << "has a value of " << type
               << ", and records hold numbers of at most 64 bits";
    }
  }
  return success();
}

void CheckLowering::addChannel() {
  bool prints = llvm::any_of(
      checks, [](Operation *check) { return isa<PrintOp>(check); });
  int32_t records = prints ? contract::channel::printRecords
                           : contract::channel::assertRecords;
  int32_t words =
      contract::channel::headerWords + records * contract::channel::recordWords;
  Type i32 = builder.getI32Type();
  auto type = PtrType::get(kernel.getContext(), i32);
  unsigned index = kernel.getNumArguments();
  NamedAttrList attributes;
  attributes.set(FlyDialect::getNameAttrName(),
                 builder.getStringAttr(contract::channelArgument));
  attributes.set(FlyDialect::getWorkspaceAttrName(), builder.getUnitAttr());
  (void)cast<FunctionOpInterface>(kernel.getOperation())
      .insertArgument(index, type,
                      attributes.getDictionary(kernel.getContext()),
                      kernel.getLoc());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  channel = ViewOp::create(
      builder, kernel.getLoc(),
      ViewType::get({words}, i32, /*inLds=*/false, Attribute()),
      kernel.getBody().front().getArgument(index), ValueRange(), ValueRange(),
      Value(), builder.getArrayAttr({builder.getI64IntegerAttr(words)}),
      ArrayAttr());
}

/// The coordinates of the workgroup, from the origins of the grid.
void CheckLowering::findWorkgroup() {
  GridOp grid;
  kernel.walk([&](GridOp op) { grid = op; });
  if (!grid)
    return;
  builder.setInsertionPointAfter(grid);
  for (auto [origin, mixed] :
       llvm::zip(grid.getOrigins(), grid.getMixedSteps())) {
    Value step = dyn_cast<Value>(mixed);
    if (!step)
      step = arith::ConstantOp::create(
          builder, grid.getLoc(),
          builder.getI32IntegerAttr(
              cast<IntegerAttr>(cast<Attribute>(mixed)).getInt()));
    workgroup.push_back(
        arith::DivUIOp::create(builder, grid.getLoc(), origin, step));
  }
}

SmallVector<Value> CheckLowering::getValues(Operation *check) {
  if (auto print = dyn_cast<PrintOp>(check))
    return llvm::to_vector(print.getValues());
  Value condition = cast<AssertOp>(check).getCondition();
  SmallVector<Value> values = {condition};
  if (Operation *compare = condition.getDefiningOp();
      isa_and_nonnull<arith::CmpIOp, arith::CmpFOp>(compare))
    llvm::append_range(values, compare->getOperands());
  return values;
}

contract::CheckSite CheckLowering::describe(Operation *check,
                                            ArrayRef<Value> values) {
  contract::CheckSite site;
  auto assertOp = dyn_cast<AssertOp>(check);
  site.isAssert = bool(assertOp);
  site.location = describeLocation(check->getLoc());
  site.text =
      (assertOp ? assertOp.getMessage() : cast<PrintOp>(check).getText()).str();
  site.workgroupRank = workgroup.size();
  for (Value value : values) {
    contract::CheckedValue &checked = site.values.emplace_back();
    llvm::raw_string_ostream(checked.type)
        << getElementTypeOrSelf(value.getType());
    if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
      checked.extents = std::vector<int64_t>(tile.getShape());
  }
  return site;
}

void CheckLowering::apply() {
  addChannel();
  findWorkgroup();
  std::vector<contract::CheckSite> sites;
  for (auto [number, check] : llvm::enumerate(checks)) {
    builder.setInsertionPoint(check);
    SmallVector<Value> values = getValues(check);
    for (Value &value : values)
      if (value.getType().isIndex())
        value = arith::IndexCastOp::create(builder, check->getLoc(),
                                           builder.getI64Type(), value);
    sites.push_back(describe(check, values));
    // The condition says which elements; that it is false is known.
    bool isAssert = isa<AssertOp>(check);
    RecordOp::create(builder, check->getLoc(),
                     builder.getI32IntegerAttr(number), channel, workgroup,
                     isAssert ? values.front() : Value(),
                     ArrayRef(values).drop_front(isAssert));
    check->erase();
  }
  kernel->setAttr(FlyDialect::getChecksAttrName(),
                  makeChecksAttr(kernel.getContext(), sites));
}

namespace {
struct LowerChecks : fly::impl::FlyLowerChecksPassBase<LowerChecks> {
  using FlyLowerChecksPassBase::FlyLowerChecksPassBase;

  void runOnOperation() override {
    SmallVector<std::pair<gpu::GPUFuncOp, SmallVector<Operation *>>> kernels;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      SmallVector<Operation *> checks;
      kernel.walk([&](Operation *op) {
        if (isCheck(op))
          checks.push_back(op);
      });
      if (!checks.empty())
        kernels.push_back({kernel, checks});
    });
    for (auto &[kernel, checks] : kernels)
      if (keep && failed(CheckLowering(kernel, checks).verify()))
        return signalPassFailure();
    for (auto &[kernel, checks] : kernels) {
      numChecks += checks.size();
      if (keep)
        CheckLowering(kernel, checks).apply();
      else
        for (Operation *check : checks)
          check->erase();
      remarkPassed(kernel, DEBUG_TYPE, "Checks",
                   Twine(checks.size()) +
                       (keep ? " checks write to the channel"
                             : " checks are not compiled: nobody asked"));
    }
  }
};
} // namespace
