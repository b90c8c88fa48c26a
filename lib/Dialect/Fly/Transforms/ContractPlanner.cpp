//===- ContractPlanner.cpp - The launch contract of a kernel --------------===//
//
// Grid, block, arguments, memory and requirements as expressions over argument
// names. Beside what the author requires, the contract requires what later
// passes rely on. Refused: bounds, conditions and strides that depend on more
// than arguments, arguments that no launch can pass, tiles and grids beyond
// what 32 bits count.
//
//===----------------------------------------------------------------------===//
#include "ContractPlanner.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Names.h"

#include "llvm/Support/MathExtras.h"

#include "IntegerFacts.h"
#include "PassRemark.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

static constexpr llvm::StringLiteral kPass = "fly-plan-grid";

/// Alignment of pointers that the passes rely on, in bytes.
static constexpr uint32_t kPointerAlignment = arch::widestAccessBytes;
/// A dispatch packet counts work items in 32 bits [AMD].
static constexpr int64_t kWorkItemLimit = int64_t(1) << 32;

FailureOr<Expr> ContractPlanner::getExpr(Operation *op, OpFoldResult value,
                                         StringRef what) {
  if (std::optional<Expr> expr = host.get(value))
    return *expr;
  InFlightDiagnostic diag = op->emitOpError()
                            << what
                            << " must be computed from kernel arguments alone, "
                               "by integer arithmetic";
  if (Operation *culprit = host.getCulprit())
    diag.attachNote(culprit->getLoc())
        << "'" << culprit->getName() << "' has no form on the host";
  return diag;
}

void ContractPlanner::require(Expr expr, std::string message) {
  for (const contract::Requirement &other : contract.requirements)
    if (!other.multipleOf && other.expr == expr)
      return;
  contract.requirements.push_back({expr, std::nullopt, std::move(message)});
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

LogicalResult ContractPlanner::collect() {
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (auto found = dyn_cast<GridOp>(op))
      grid = found; // The verifier saw to it that there is one at most.
    if (!isa<RequireOp, RequireMultipleOp>(op))
      return WalkResult::advance();
    requirements.push_back(op);
    if (op->getParentOp() == kernel)
      return WalkResult::advance();
    op->emitOpError() << "must be at the top level of the kernel: it holds "
                         "for the whole launch";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult ContractPlanner::planBlock() {
  if (hasTiles(kernel)) {
    FailureOr<Schedule> schedule = Schedule::get(kernel);
    if (failed(schedule))
      return failure();
    order = schedule->gridOrder;
    contract.block[0] = schedule->threads();
    return success();
  }
  // An explicit kernel says how many waves it is written for.
  if (auto waves =
          kernel->getAttrOfType<IntegerAttr>(FlyDialect::getWavesAttrName())) {
    contract.block[0] = waves.getInt() * *chip.waveSize;
    return success();
  }
  if (std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize()) {
    for (auto [size, known] : llvm::zip(contract.block, *block))
      size = known;
    return success();
  }
  return kernel.emitOpError()
         << "has no tiles and no '" << FlyDialect::getWavesAttrName()
         << "', so nothing says how many waves a workgroup has";
}

//===----------------------------------------------------------------------===//
// Arguments and the memory behind them
//===----------------------------------------------------------------------===//

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// What the kernel does through `pointer`, also through views of it.
static contract::Access getAccess(Value pointer) {
  bool isRead = false, isWritten = false;
  SmallVector<Value> worklist = {pointer};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<ViewOp>(user))
        worklist.push_back(user->getResult(0));
      else if (isa<LoadOp, ReadOp>(user))
        isRead = true;
      else if (isa<StoreOp, WriteOp>(user))
        isWritten = true;
      else // Anything may happen.
        isRead = isWritten = true;
    }
  }
  if (isRead)
    return isWritten ? contract::Access::ReadWrite : contract::Access::Read;
  return isWritten ? contract::Access::Write : contract::Access::None;
}

std::optional<std::vector<Expr>> ContractPlanner::getStrides(ViewOp view) {
  std::vector<Expr> strides;
  SmallVector<OpFoldResult> written = view.getMixedStrides();
  if (!written.empty()) {
    for (OpFoldResult stride : written) {
      std::optional<Expr> expr = host.get(stride);
      if (!expr)
        return std::nullopt;
      strides.push_back(*expr);
    }
    return strides;
  }
  // Row-major without gaps.
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  strides.assign(extents.size(), Expr::constant(1));
  for (size_t dim = extents.size() - 1; dim > 0; --dim) {
    std::optional<Expr> extent = host.get(extents[dim]);
    if (!extent)
      return std::nullopt;
    strides[dim - 1] = foldBinary(Kind::Mul, *extent, strides[dim]);
  }
  return strides;
}

std::optional<contract::View> ContractPlanner::getView(ViewOp view) {
  std::optional<std::vector<Expr>> strides = getStrides(view);
  if (!strides)
    return std::nullopt;
  contract::View result;
  result.strides = std::move(*strides);
  for (OpFoldResult extent : view.getMixedExtents()) {
    std::optional<Expr> expr = host.get(extent);
    if (!expr)
      return std::nullopt;
    result.extents.push_back(*expr);
  }
  return result;
}

/// Elements from the pointer to the last one of `view`, at `offset`.
static Expr getReach(const contract::View &view, const Expr &offset) {
  SmallVector<Expr> terms = {Expr::constant(1), offset};
  for (auto [extent, stride] : llvm::zip(view.extents, view.strides))
    terms.push_back(foldBinary(
        Kind::Mul, foldBinary(Kind::Sub, extent, Expr::constant(1)), stride));
  return addUp(terms);
}

/// The one view of the pointer, or, where there are several or one has an
/// offset, a line of elements up to the last that any of them reaches.
void ContractPlanner::planMemory(contract::Argument &argument,
                                 BlockArgument pointer) {
  SmallVector<contract::View> views;
  SmallVector<Expr> reaches;
  bool isLine = false;
  Operation *unknown = nullptr;
  // In the order of the kernel, since the order of uses is arbitrary.
  kernel.walk([&](Operation *op) {
    if (!llvm::is_contained(op->getOperands(), pointer))
      return;
    auto viewOp = dyn_cast<ViewOp>(op);
    std::optional<contract::View> view;
    std::optional<Expr> offset = Expr::constant(0);
    if (viewOp)
      view = getView(viewOp);
    if (viewOp && viewOp.getOffset())
      offset = host.get(viewOp.getOffset());
    if (!view || !offset) {
      unknown = unknown ? unknown : op;
      return;
    }
    isLine |= !isNumber(*offset, 0);
    isLine |= !views.empty() && (views.front().extents != view->extents ||
                                 views.front().strides != view->strides);
    Expr reach = getReach(*view, *offset);
    if (!llvm::is_contained(reaches, reach))
      reaches.push_back(reach);
    views.push_back(std::move(*view));
  });
  if (unknown)
    return remarkMissed(
        unknown, kPass, "UnknownSize",
        "the memory behind argument '" + Twine(argument.name) +
            "' has an extent that the host cannot compute: a launcher cannot "
            "allocate it or check its size");
  if (views.empty())
    return;
  argument.view = views.front();
  if (!isLine)
    return;
  Expr last = Expr::constant(0); // Empty views reach nothing.
  for (const Expr &reach : reaches)
    last = Expr::binary(Kind::Max, last, reach);
  argument.view = contract::View{{last}, {Expr::constant(1)}};
}

LogicalResult ContractPlanner::planArguments() {
  uint32_t offset = 0;
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  for (BlockArgument value : kernel.getFunctionBody().getArguments()) {
    // Buffers that gpu.func declares itself are no arguments of the launch.
    unsigned index = value.getArgNumber();
    if (index >= kernel.getNumArguments())
      break;
    contract::Argument argument;
    argument.name = getArgumentName(function, index);
    for (const contract::Argument &other : contract.arguments)
      if (other.name == argument.name)
        return kernel.emitOpError()
               << "has two arguments of the name '" << argument.name << "'";
    if (auto pointer = dyn_cast<PtrType>(value.getType())) {
      argument.kind = contract::ArgumentKind::Pointer;
      argument.type = printType(pointer.getElementType());
      argument.size = 8;
      argument.alignment = kPointerAlignment;
      argument.access = getAccess(value);
      argument.workspace =
          bool(function.getArgAttr(index, FlyDialect::getWorkspaceAttrName()));
      planMemory(argument, value);
    } else if (value.getType().isSignlessIntOrFloat()) {
      argument.type = printType(value.getType());
      unsigned bits = value.getType().getIntOrFloatBitWidth();
      argument.size = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
    } else {
      return mlir::emitError(value.getLoc())
             << "argument '" << argument.name << "' of kernel '"
             << kernel.getName() << "' has type " << value.getType()
             << ", which cannot be passed at a launch; pass !fly.ptr or a "
                "number";
    }
    argument.offset = llvm::alignTo(offset, argument.size);
    offset = argument.offset + argument.size;
    contract.arguments.push_back(std::move(argument));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Grid and requirements
//===----------------------------------------------------------------------===//

LogicalResult ContractPlanner::planGrid() {
  contract.grid = {Expr::constant(1), Expr::constant(1), Expr::constant(1)};
  if (!grid) {
    remarkPassed(kernel, kPass, "Grid",
                 "the kernel has no fly.grid: the contract says one workgroup");
    return success();
  }
  Expr total = Expr::constant(1);
  for (auto [bound, step] :
       llvm::zip(grid.getMixedBounds(), grid.getMixedSteps())) {
    FailureOr<Expr> extent = getExpr(grid, bound, "its bound");
    if (failed(extent))
      return failure();
    FailureOr<Expr> width = getExpr(grid, step, "its step");
    if (failed(width))
      return failure();
    if (width->kind() != Kind::Constant)
      require(Expr::binary(Kind::Gt, *width, Expr::constant(0)),
              "a step of the grid must be positive");
    total = foldBinary(Kind::Mul, total,
                       foldBinary(Kind::CeilDiv, *extent, *width));
  }
  contract.grid[0] = total;
  Expr items = foldBinary(Kind::Mul, total, Expr::constant(contract.block[0]));
  if (items.kind() != Kind::Constant)
    require(Expr::binary(Kind::Lt, items, Expr::constant(kWorkItemLimit)),
            "the grid has 2^32 work items or more");
  else if (items.value() >= kWorkItemLimit)
    return grid.emitOpError() << "has " << items.value()
                              << " work items, limit is " << kWorkItemLimit - 1;
  remarkPassed(grid, kPass, "Grid",
               "workgroups: " + total.str() + ", order " +
                   (order == GridOrder::NFastest ? "n_fastest" : "m_fastest"));
  return success();
}

LogicalResult ContractPlanner::planRequirements() {
  for (Operation *op : requirements) {
    if (auto multiple = dyn_cast<RequireMultipleOp>(op)) {
      FailureOr<Expr> value = getExpr(op, multiple.getValue(), "its value");
      if (failed(value))
        return failure();
      auto number = dyn_cast<IntegerAttr>(multiple.getMultiple());
      if (!number)
        return op->emitOpError() << "has a name for its multiple: run "
                                    "fly-instantiate first";
      if (value->kind() != Kind::Constant)
        contract.requirements.push_back(
            {*value, Expr::constant(number.getInt()), ""});
      else if (value->value() % number.getInt() != 0)
        return op->emitOpError() << "can never hold: " << value->value()
                                 << " is not a multiple of " << number.getInt();
      continue;
    }
    auto condition = cast<RequireOp>(op);
    FailureOr<Expr> expr =
        getExpr(op, condition.getCondition(), "its condition");
    if (failed(expr))
      return failure();
    if (expr->kind() != Kind::Constant)
      require(*expr, condition.getMessage().str());
    else if (expr->value() == 0)
      return op->emitOpError() << "can never hold: " << condition.getMessage();
  }
  return success();
}

LogicalResult ContractPlanner::plan() {
  contract.kernel = kernel.getName().str();
  contract.chip = chip.name;
  if (failed(collect()) || failed(planBlock()) || failed(planArguments()) ||
      failed(planRequirements()) || failed(planGrid()) ||
      failed(planTileOffsets()))
    return failure();
  planCoordinates();
  for (const auto &[value, expr] : host.getNonNegative())
    require(Expr::binary(Kind::Ge, expr, Expr::constant(0)),
            expr.str() + " must not be negative");
  return success();
}
