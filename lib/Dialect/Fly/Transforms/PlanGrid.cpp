//===- PlanGrid.cpp - The launch contract and the walk of the grid --------===//
//
// Two things leave the IR here: what the host must know (it becomes the
// attribute fly.contract) and the grid as a parallel loop (it becomes
// arithmetic on the workgroup's number). The grid is one-dimensional, so that
// the order of the walk is ours and not the dispatcher's. The contract is made
// first; where the host cannot compute something from the arguments, that is
// one error and nothing has changed.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include "llvm/Support/MathExtras.h"

#include "HostExpression.h"
#include "IntegerFacts.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYPLANGRIDPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

static constexpr llvm::StringLiteral kPass = "fly-plan-grid";

/// Alignment of pointers that the passes rely on, in bytes.
static constexpr uint32_t kPointerAlignment = 16;
/// Byte offsets inside one tile are 32-bit and not negative.
static constexpr int64_t kOffsetLimit = int64_t(1) << 31;
/// A dispatch packet counts work items in 32 bits [AMD].
static constexpr int64_t kWorkItemLimit = int64_t(1) << 32;

//===----------------------------------------------------------------------===//
// Expressions that stay readable
//===----------------------------------------------------------------------===//

static bool isConstant(const Expr &expr, int64_t value) {
  return expr.kind() == Kind::Constant && expr.value() == value;
}

/// `lhs op rhs`, computed where both are small constants, without the neutral
/// terms of sums and products.
static Expr make(Kind kind, const Expr &lhs, const Expr &rhs) {
  if (kind == Kind::Add && isConstant(lhs, 0))
    return rhs;
  if (kind == Kind::Add && isConstant(rhs, 0))
    return lhs;
  if (kind == Kind::Mul && (isConstant(lhs, 0) || isConstant(rhs, 0)))
    return Expr::constant(0);
  if (kind == Kind::Mul && isConstant(lhs, 1))
    return rhs;
  if ((kind == Kind::Mul || kind == Kind::CeilDiv) && isConstant(rhs, 1))
    return lhs;
  Expr expr = Expr::binary(kind, lhs, rhs);
  if (lhs.kind() != Kind::Constant || rhs.kind() != Kind::Constant)
    return expr;
  llvm::Expected<int64_t> value =
      expr.evaluate([](llvm::StringRef) { return std::nullopt; });
  if (value)
    return Expr::constant(*value);
  llvm::consumeError(value.takeError()); // Overflow shows at the launch.
  return expr;
}

namespace {

/// Plans one kernel.
class GridPlanner {
public:
  GridPlanner(gpu::GPUFuncOp kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), host(kernel) {}

  LogicalResult run();
  unsigned getNumRequirements() const { return contract.requirements.size(); }

private:
  LogicalResult collect();
  LogicalResult planBlock();
  LogicalResult planArguments();
  LogicalResult planGrid();
  LogicalResult planRequirements();
  LogicalResult planTileOffsets();
  void planMemory(contract::Argument &argument, BlockArgument pointer);

  /// The expression, or an error at `op` about `what`.
  FailureOr<Expr> getExpr(Operation *op, OpFoldResult value, StringRef what);
  /// Strides of a view in elements; none where the host cannot compute them.
  std::optional<std::vector<Expr>> getStrides(ViewOp view);
  void require(Expr expr, std::string message);
  void lowerGrid();

  gpu::GPUFuncOp kernel;
  const arch::ArchInfo &chip;
  HostExpressions host;
  GridOp grid;
  GridOrder order = GridOrder::NFastest;
  SmallVector<Operation *> requirements;
  contract::LaunchContract contract;
};

} // namespace

FailureOr<Expr> GridPlanner::getExpr(Operation *op, OpFoldResult value,
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

void GridPlanner::require(Expr expr, std::string message) {
  for (const contract::Requirement &other : contract.requirements)
    if (!other.multipleOf && other.expr == expr)
      return;
  contract.requirements.push_back({expr, std::nullopt, std::move(message)});
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

LogicalResult GridPlanner::collect() {
  WalkResult walk = kernel.walk([&](Operation *op) {
    if (!isa<GridOp, RequireOp, RequireMultipleOp>(op))
      return WalkResult::advance();
    if (op->getParentOp() != kernel) {
      op->emitOpError() << "must be at the top level of the kernel: it holds "
                           "for the whole launch";
      return WalkResult::interrupt();
    }
    if (auto found = dyn_cast<GridOp>(op)) {
      if (grid) {
        InFlightDiagnostic diag = op->emitOpError()
                                  << "is the second grid of the kernel";
        diag.attachNote(grid.getLoc()) << "the first one";
        return WalkResult::interrupt();
      }
      grid = found;
    } else {
      requirements.push_back(op);
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult GridPlanner::planBlock() {
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

std::optional<std::vector<Expr>> GridPlanner::getStrides(ViewOp view) {
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
    strides[dim - 1] = make(Kind::Mul, *extent, strides[dim]);
  }
  return strides;
}

/// The one view of the pointer, or, where there are several or one has an
/// offset, a line of elements up to the last that any of them reaches.
void GridPlanner::planMemory(contract::Argument &argument,
                             BlockArgument pointer) {
  std::optional<contract::View> only;
  bool isLine = false;
  Expr reach = Expr::constant(0);
  auto fail = [&](Operation *op) {
    remarkMissed(op, kPass, "UnknownSize",
                 "the memory behind argument '" + Twine(argument.name) +
                     "' has an extent that the host cannot compute: a "
                     "launcher cannot allocate it or check its size");
  };
  for (Operation *user : pointer.getUsers()) {
    auto view = dyn_cast<ViewOp>(user);
    std::optional<std::vector<Expr>> strides;
    if (!view || !(strides = getStrides(view)))
      return fail(user);
    contract::View described;
    described.strides = *strides;
    Expr last = Expr::constant(0);
    for (auto [extent, stride] : llvm::zip(view.getMixedExtents(), *strides)) {
      std::optional<Expr> expr = host.get(extent);
      if (!expr)
        return fail(user);
      described.extents.push_back(*expr);
      Expr steps = make(Kind::Sub, *expr, Expr::constant(1));
      last = make(Kind::Add, last, make(Kind::Mul, steps, stride));
    }
    if (view.getOffset()) {
      std::optional<Expr> offset = host.get(view.getOffset());
      if (!offset)
        return fail(user);
      isLine |= !isConstant(*offset, 0);
      last = make(Kind::Add, last, *offset);
    }
    isLine |= only && (only->extents != described.extents ||
                       only->strides != described.strides);
    only = described;
    reach = make(Kind::Max, reach, make(Kind::Add, last, Expr::constant(1)));
  }
  if (!only)
    return;
  argument.view = isLine ? contract::View{{reach}, {Expr::constant(1)}} : *only;
}

LogicalResult GridPlanner::planArguments() {
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
      argument.workspace = bool(function.getArgAttr(index, "fly.workspace"));
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

LogicalResult GridPlanner::planGrid() {
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
    total = make(Kind::Mul, total, make(Kind::CeilDiv, *extent, *width));
  }
  contract.grid[0] = total;
  Expr items = make(Kind::Mul, total, Expr::constant(contract.block[0]));
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

LogicalResult GridPlanner::planRequirements() {
  for (Operation *op : requirements) {
    if (auto multiple = dyn_cast<RequireMultipleOp>(op)) {
      FailureOr<Expr> value = getExpr(op, multiple.getValue(), "its value");
      if (failed(value))
        return failure();
      auto number = dyn_cast<IntegerAttr>(multiple.getMultiple());
      if (!number)
        return op->emitOpError() << "has a name for its multiple: run "
                                    "fly-instantiate first";
      contract.requirements.push_back(
          {*value, Expr::constant(number.getInt()), ""});
      continue;
    }
    auto condition = cast<RequireOp>(op);
    FailureOr<Expr> expr =
        getExpr(op, condition.getCondition(), "its condition");
    if (failed(expr))
      return failure();
    require(*expr, condition.getMessage().str());
  }
  return success();
}

/// Later passes put the tile's origin into a 64-bit base and keep offsets
/// inside the tile in 31 bits of bytes; the launch checks that they fit.
LogicalResult GridPlanner::planTileOffsets() {
  auto plan = [&](Operation *op, Value viewValue, Type type) -> LogicalResult {
    auto view = viewValue.getDefiningOp<ViewOp>();
    auto tile = cast<RankedTensorType>(type);
    if (!view || !tile.hasStaticShape())
      return success();
    std::optional<std::vector<Expr>> strides = getStrides(view);
    if (!strides) {
      InFlightDiagnostic diag =
          op->emitOpError() << "reaches a view whose strides are not computed "
                               "from kernel arguments alone, so the launch "
                               "cannot check that offsets in a tile fit 31 "
                               "bits";
      diag.attachNote(view.getLoc()) << "the view";
      return diag;
    }
    unsigned picked = strides->size() - tile.getRank();
    // Strides of 1 give numbers; they are added up apart from the rest.
    Expr last = Expr::constant(0), numbers = Expr::constant(1);
    for (int64_t dim = 0; dim < tile.getRank(); ++dim) {
      Expr term = make(Kind::Mul, Expr::constant(tile.getDimSize(dim) - 1),
                       (*strides)[picked + dim]);
      Expr &sum = term.kind() == Kind::Constant ? numbers : last;
      sum = make(Kind::Add, sum, term);
    }
    int64_t elementBytes = llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
    Expr bytes = make(Kind::Mul, make(Kind::Add, last, numbers),
                      Expr::constant(elementBytes));
    if (bytes.kind() != Kind::Constant) {
      std::string name = describeValue(view.getPtr());
      require(Expr::binary(Kind::Lt, bytes, Expr::constant(kOffsetLimit)),
              "rows of " + name + " are too far apart: a tile spans 2 GiB");
      return success();
    }
    if (bytes.value() < kOffsetLimit)
      return success();
    return op->emitOpError()
           << "spans " << bytes.value() << " bytes with its tile, limit is "
           << kOffsetLimit - 1;
  };
  WalkResult walk = kernel.walk([&](Operation *op) {
    LogicalResult result = success();
    if (auto load = dyn_cast<LoadOp>(op))
      result = plan(op, load.getView(), load.getTile().getType());
    else if (auto store = dyn_cast<StoreOp>(op))
      result = plan(op, store.getView(), store.getTile().getType());
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

/// The workgroup's number becomes its coordinates in the grid of tiles, the
/// fastest dimension first, and those become origins.
void GridPlanner::lowerGrid() {
  OpBuilder builder(grid);
  Location loc = grid.getLoc();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(number));
  };
  auto materialize = [&](OpFoldResult value) {
    std::optional<int64_t> number = getNumber(value);
    return number ? constant(*number) : cast<Value>(value);
  };
  unsigned rank = grid.getNumResults();
  SmallVector<OpFoldResult> bounds = grid.getMixedBounds();
  SmallVector<OpFoldResult> steps = grid.getMixedSteps();
  Value id = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value rest =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
  for (unsigned i = 0; i < rank; ++i) {
    unsigned dim = order == GridOrder::NFastest ? rank - 1 - i : i;
    Value step = materialize(steps[dim]);
    Value coordinate = rest;
    if (i + 1 < rank) {
      // Bounds are below 2^31, so the sum fits 32 bits without a sign.
      std::optional<int64_t> width = getNumber(steps[dim]);
      Value last = width
                       ? constant(*width - 1)
                       : arith::SubIOp::create(builder, loc, step, constant(1));
      Value sum = builder.createOrFold<arith::AddIOp>(
          loc, materialize(bounds[dim]), last);
      Value count = builder.createOrFold<arith::DivUIOp>(loc, sum, step);
      coordinate = builder.createOrFold<arith::RemUIOp>(loc, rest, count);
      rest = builder.createOrFold<arith::DivUIOp>(loc, rest, count);
    }
    Value origin = builder.createOrFold<arith::MulIOp>(loc, coordinate, step);
    grid.getResult(dim).replaceAllUsesWith(origin);
  }
  grid.erase();
}

LogicalResult GridPlanner::run() {
  contract.kernel = kernel.getName().str();
  contract.chip = chip.name;
  if (failed(collect()) || failed(planBlock()) || failed(planArguments()) ||
      failed(planRequirements()) || failed(planGrid()) ||
      failed(planTileOffsets()))
    return failure();
  for (const auto &[value, expr] : host.getNonNegative())
    require(Expr::binary(Kind::Ge, expr, Expr::constant(0)),
            expr.str() + " must not be negative");
  kernel->setAttr(FlyDialect::getContractAttrName(),
                  makeContractAttr(kernel.getContext(), contract));
  if (grid)
    lowerGrid();
  for (Operation *op : requirements)
    op->erase();
  return success();
}

namespace {
class PlanGrid : public fly::impl::FlyPlanGridPassBase<PlanGrid> {
public:
  void runOnOperation() override {
    WalkResult walk = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel())
        return WalkResult::skip();
      return failed(plan(kernel)) ? WalkResult::interrupt()
                                  : WalkResult::skip();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult plan(gpu::GPUFuncOp kernel) {
    // Planned already, unless somebody gave it a grid again.
    bool hasGrid = false;
    kernel.walk([&](GridOp) { hasGrid = true; });
    if (kernel->hasAttr(FlyDialect::getContractAttrName()) && !hasGrid)
      return success();
    const arch::ArchInfo *chip = getArch(kernel);
    if (!chip)
      return failure();
    GridPlanner planner(kernel, *chip);
    if (failed(planner.run()))
      return failure();
    ++numKernels;
    numRequirements += planner.getNumRequirements();
    return success();
  }
};
} // namespace
