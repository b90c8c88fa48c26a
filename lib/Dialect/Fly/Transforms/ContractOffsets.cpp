//===- ContractOffsets.cpp - Offsets and coordinates of 32 bits -----------===//
//
// Later passes address in 32 bits, which the launch contract makes right: byte
// offsets from a tile's base stay below 2^31, and so do the sums that
// coordinates are made of, where nothing in the kernel bounds them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/SignProof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

#include "ContractPlanner.h"
#include "IntegerFacts.h"

using namespace mlir;
using namespace fly;
using contract::Expr;
using Kind = contract::Expr::Kind;

/// Byte offsets inside one tile are 32-bit and not negative.
static constexpr int64_t kOffsetLimit = int64_t(1) << 31;

/// Ops that a bound is followed through.
static constexpr unsigned kMaxDepth = 16;

/// Later passes put the tile's origin into a 64-bit base, except along the
/// contiguous dimension, where it stays part of the offset, and keep offsets in
/// 31 bits of bytes; the launch checks that they fit.
LogicalResult ContractPlanner::planTileOffset(Operation *access,
                                              Value viewValue,
                                              RankedTensorType tile,
                                              ArrayRef<OpFoldResult> origin) {
  auto view = viewValue.getDefiningOp<ViewOp>();
  if (!view || !tile.hasStaticShape())
    return success();
  auto refuse = [&](StringRef what) {
    InFlightDiagnostic diag =
        access->emitOpError()
        << "reaches a view whose " << what
        << " are not computed from kernel arguments alone, so the launch "
           "cannot check that offsets in a tile fit 31 bits";
    diag.attachNote(view.getLoc()) << "the view";
    return diag;
  };
  std::optional<std::vector<Expr>> strides = getStrides(view);
  if (!strides)
    return refuse("strides");
  unsigned picked = strides->size() - tile.getRank();
  std::optional<unsigned> contiguous = view.getType().getContiguousDim();
  auto preshuffle =
      dyn_cast_or_null<PreshuffleAttr>(view.getType().getLayout());
  // Elements from the base to behind the last one that a lane reaches.
  SmallVector<Expr> terms;
  for (int64_t dim = 0; dim < tile.getRank(); ++dim) {
    Expr extent = Expr::constant(tile.getDimSize(dim));
    bool isRow = contiguous == picked + dim;
    // The base stands at a block of rows; rows lie in all of its columns.
    if (preshuffle && isRow)
      continue;
    if (preshuffle && picked + dim + 2 == int64_t(strides->size()))
      extent = Expr::constant(
          1 + llvm::alignTo(tile.getDimSize(dim) + preshuffle.getRows() - 1,
                            preshuffle.getRows()));
    if (isRow && getNumber(origin[picked + dim]) != 0) {
      std::optional<Expr> whole =
          host.get(view.getMixedExtents()[picked + dim]);
      // Of an extent that the device makes, only where tiles begin is known.
      if (!whole)
        if (auto last = getUpper(origin[picked + dim], kMaxDepth))
          whole = foldBinary(Kind::Add, *last, extent);
      if (!whole)
        return refuse("extents");
      extent = foldBinary(Kind::Max, extent, *whole);
    }
    terms.push_back(
        isRow ? extent
              : foldBinary(Kind::Mul,
                           foldBinary(Kind::Sub, extent, Expr::constant(1)),
                           (*strides)[picked + dim]));
  }
  if (!contiguous || *contiguous < picked)
    terms.push_back(Expr::constant(1));
  // Elements below a byte count as whole ones: they are fewer.
  int64_t elementBytes = llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
  Expr bytes =
      foldBinary(Kind::Mul, addUp(terms), Expr::constant(elementBytes));
  if (bytes.kind() != Kind::Constant) {
    require(Expr::binary(Kind::Lt, bytes, Expr::constant(kOffsetLimit)),
            "rows of " + describeValue(view.getPtr()) +
                " are too long or too far apart: a tile spans 2 GiB");
    return success();
  }
  if (bytes.value() < kOffsetLimit)
    return success();
  return access->emitOpError()
         << "spans " << bytes.value() << " bytes with its tile, limit is "
         << kOffsetLimit - 1;
}

/// What an extent or stride of a view must be a multiple of.
LogicalResult ContractPlanner::requireUnit(ViewOp view, OpFoldResult number,
                                           int64_t unit, StringRef what) {
  FailureOr<Expr> expr = getExpr(view, number, what);
  if (failed(expr))
    return failure();
  bool isKnown = llvm::any_of(
      contract.requirements, [&](const contract::Requirement &other) {
        return other.multipleOf && other.multipleOf->kind() == Kind::Constant &&
               other.multipleOf->value() % unit == 0 && other.expr == *expr;
      });
  if (!isKnown && expr->kind() != Kind::Constant)
    contract.requirements.push_back({*expr, Expr::constant(unit), ""});
  return success();
}

/// Rows and columns of a preshuffled view are whole blocks; rows of elements
/// below a byte are whole bytes.
LogicalResult ContractPlanner::planBlocks(ViewOp view) {
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  unsigned bits = view.getType().getElementType().getIntOrFloatBitWidth();
  if (auto layout =
          dyn_cast_or_null<PreshuffleAttr>(view.getType().getLayout())) {
    constexpr llvm::StringLiteral what = "its extent, preshuffled,";
    if (failed(requireUnit(view, extents[extents.size() - 2], layout.getRows(),
                           what)) ||
        failed(
            requireUnit(view, extents.back(), layout.getColumns(bits), what)))
      return failure();
    return success();
  }
  // The fewest elements that are whole bytes.
  int64_t unit = 8 / std::gcd(8u, bits);
  if (unit == 1 || bits == 1)
    return success();
  SmallVector<OpFoldResult> numbers = view.getMixedStrides();
  if (!numbers.empty())
    numbers.pop_back();
  numbers.push_back(extents.back());
  for (OpFoldResult number : numbers) {
    std::optional<int64_t> constant = getNumber(number);
    if (constant && *constant % unit != 0)
      return view.emitOpError() << "has rows of " << *constant << " "
                                << view.getType().getElementType()
                                << ", which are no whole bytes: "
                                << "use a multiple of " << unit;
    if (failed(requireUnit(view, number, unit, "the length of its rows")))
      return failure();
  }
  return success();
}

LogicalResult ContractPlanner::planTileOffsets() {
  WalkResult walk = kernel.walk([&](Operation *op) {
    LogicalResult result = success();
    if (auto view = dyn_cast<ViewOp>(op)) {
      planLaneView(view);
      result = planBlocks(view);
    }
    if (auto load = dyn_cast<LoadOp>(op))
      result = planTileOffset(op, load.getView(),
                              cast<RankedTensorType>(load.getTile().getType()),
                              load.getMixedCoordinates());
    else if (auto store = dyn_cast<StoreOp>(op))
      result = planTileOffset(op, store.getView(),
                              cast<RankedTensorType>(store.getTile().getType()),
                              store.getMixedCoordinates());
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// The bound of `value` where it is what a while loop hands to its body: the
/// loop goes on while the value is below it.
static Value getWhileBound(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp())
                  : scf::WhileOp();
  if (!loop || argument.getOwner() != loop.getAfterBody())
    return {};
  auto condition = loop.getConditionOp();
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  bool isBelow =
      compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
      compare.getLhs() == condition.getArgs()[argument.getArgNumber()];
  return isBelow ? compare.getRhs() : Value();
}

std::optional<Expr> ContractPlanner::getUpper(OpFoldResult value,
                                              unsigned depth) {
  if (depth == 0)
    return std::nullopt;
  if (std::optional<Expr> expr = host.get(value))
    return expr;
  auto operand = dyn_cast<Value>(value);
  if (!operand)
    return std::nullopt;
  auto below = [&](OpFoldResult bound) -> std::optional<Expr> {
    std::optional<Expr> upper = getUpper(bound, depth - 1);
    if (upper)
      upper = foldBinary(Kind::Sub, *upper, Expr::constant(1));
    return upper;
  };
  if (auto loop = getLoop(operand))
    return below((*loop)[1]);
  if (Value bound = getWhileBound(operand))
    return below(bound);
  Operation *op = operand.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto combine = [&](Kind kind) -> std::optional<Expr> {
    std::optional<Expr> lhs = getUpper(op->getOperand(0), depth - 1);
    std::optional<Expr> rhs = getUpper(op->getOperand(1), depth - 1);
    if (!lhs || !rhs)
      return std::nullopt;
    return foldBinary(kind, *lhs, *rhs);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Expr>>(op)
      .Case([&](GridOp grid) {
        return below(
            grid.getMixedBounds()[cast<OpResult>(operand).getResultNumber()]);
      })
      .Case([&](arith::AddIOp) { return combine(Kind::Add); })
      .Case([&](arith::MulIOp) { return combine(Kind::Mul); })
      .Case([&](arith::MinSIOp) { return combine(Kind::Min); })
      .Case([&](arith::MaxSIOp) { return combine(Kind::Max); })
      // At most the dividend.
      .Case<arith::DivUIOp, arith::DivSIOp, arith::ShRUIOp, arith::ShRSIOp,
            arith::ExtSIOp, arith::IndexCastOp>(
          [&](auto) { return getUpper(op->getOperand(0), depth - 1); })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [&](auto) { return below(op->getOperand(1)); })
      .Default(std::nullopt);
}

/// Whether a negative value of the argument could mean nothing: it is an extent
/// of a view or a bound of the grid.
static bool isExtent(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    auto isAmong = [&](OperandRange operands) {
      return llvm::is_contained(operands, use.get());
    };
    if (auto view = dyn_cast<ViewOp>(use.getOwner()))
      return isAmong(view.getExtents());
    auto grid = dyn_cast<GridOp>(use.getOwner());
    return grid && isAmong(grid.getBounds());
  });
}

/// What the sign of coordinates rests on: sums that do not wrap, arguments that
/// are not negative. The launch is refused where they do or are.
void ContractPlanner::planCoordinates() {
  llvm::SetVector<Operation *> sums;
  IntegerFacts facts(kernel);
  auto collect = [&](ArrayRef<OpFoldResult> coordinates) {
    for (OpFoldResult coordinate : coordinates) {
      auto value = dyn_cast<Value>(coordinate);
      SmallVector<Operation *> needed;
      SmallVector<BlockArgument> arguments;
      // What is negative in spite of that is refused where it matters.
      if (!value || !isNonNegative(value, &needed, &arguments) ||
          !llvm::all_of(arguments, [&](BlockArgument argument) {
            return isExtent(argument) || facts.range(argument).low >= 0;
          }))
        continue;
      sums.insert(needed.begin(), needed.end());
      nonNegative.insert(arguments.begin(), arguments.end());
    }
  };
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, StoreOp, AtomicOp, GatherOp, ScatterOp>(
            [&](auto access) { collect(access.getMixedCoordinates()); });
  });
  for (BlockArgument argument : nonNegative)
    if (facts.range(argument).low < 0)
      if (std::optional<Expr> expr = host.get(argument))
        require(Expr::binary(Kind::Ge, *expr, Expr::constant(0)),
                expr->str() + " must not be negative");
  for (Operation *op : sums) {
    std::optional<Expr> upper;
    if (isa<arith::AddIOp, arith::MulIOp>(op) &&
        op->getResult(0).getType().isInteger(32))
      upper = getUpper(op->getResult(0), kMaxDepth);
    if (!upper)
      continue;
    if (upper->kind() == Kind::Constant && upper->value() >= kOffsetLimit)
      continue;
    if (upper->kind() != Kind::Constant)
      require(Expr::binary(Kind::Lt, *upper, Expr::constant(kOffsetLimit)),
              "a coordinate of a tile, up to " + upper->str() +
                  ", must stay below 2^31");
    exactSums.push_back(op);
  }
}
