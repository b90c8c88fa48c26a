//===- ContractWork.cpp - What a kernel has to compute --------------------===//
//
// A product in loops and a grid does its multiply-adds as often as they turn.
// Where bounds are functions of the arguments, that is one product of extents;
// a bound that depends on where the tile lies in the grid, or on an outer loop,
// makes a sum over that counter. The last turn of a span counts by the share of
// it that lies inside, so that the operations are those of the problem and not
// of whole tiles.
//
// Branches: a condition that the host can compute selects; two branches that do
// the same, as the versions of a kernel, count once; what else memory decides
// may be done, so that the operations are at most so many.
//
//===----------------------------------------------------------------------===//
#include "ContractWork.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

#include "HostExpression.h"

using namespace mlir;
using namespace fly;
using contract::Counter;
using contract::DotWork;
using contract::Expr;
using Kind = contract::Expr::Kind;

namespace {
/// A dimension of the grid, a loop, or a condition around a product.
struct Around {
  /// Of a span; absent where the host cannot compute its bounds.
  std::optional<Counter> counter;
  /// Of a condition.
  std::optional<Expr> condition;
};

/// Operations of one product, and the types of its operands.
struct Product {
  Type a, b;
  int64_t flop = 0;
};

class WorkPlanner {
public:
  WorkPlanner(gpu::GPUFuncOp kernel, unsigned waves)
      : kernel(kernel), waves(waves), host(kernel) {}

  std::vector<DotWork> plan();

private:
  std::vector<DotWork> visit(Region &region);
  std::vector<DotWork> visit(Operation *op);
  std::vector<DotWork> visitBranch(scf::IfOp branch);
  std::vector<DotWork> visitLoop(Operation *loop);
  Around makeLoop(Operation *loop);
  Counter makeCounter(StringRef what, Expr from, Expr to, Expr by);
  DotWork makeWork(const Product &product) const;
  std::optional<Product> getProduct(Operation *op) const;

  gpu::GPUFuncOp kernel;
  unsigned waves;
  HostExpressions host;
  SmallVector<Around> around; ///< The outermost first.
  unsigned counters = 0;
};
} // namespace

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The operations of a product of tiles, or of a matrix instruction.
std::optional<Product> WorkPlanner::getProduct(Operation *op) const {
  // f32 that is multiplied with fewer bits; MLIR's name of that.
  Type tf32 = FloatTF32Type::get(op->getContext());
  return llvm::TypeSwitch<Operation *, std::optional<Product>>(op)
      .Case([&](ProductOpInterface dot) -> std::optional<Product> {
        auto lhs = cast<ShapedType>(dot.getLhs().get().getType()),
             rhs = cast<ShapedType>(dot.getRhs().get().getType());
        if (!lhs.hasStaticShape() || !rhs.hasStaticShape())
          return std::nullopt;
        auto plain = dyn_cast<DotOp>(*dot);
        bool isXf32 = plain && plain.getXf32();
        return Product{isXf32 ? tf32 : lhs.getElementType(),
                       isXf32 ? tf32 : rhs.getElementType(),
                       2 * lhs.getNumElements() * rhs.getDimSize(0)};
      })
      .Case([&](amdgpu::MFMAOp mfma) -> std::optional<Product> {
        Type a = getElementTypeOrSelf(mfma.getSourceA().getType()),
             b = getElementTypeOrSelf(mfma.getSourceB().getType());
        bool isXf32 = mfma.getReducePrecision() && a.isF32();
        return Product{isXf32 ? tf32 : a, isXf32 ? tf32 : b,
                       2 * int64_t(mfma.getM()) * mfma.getN() * mfma.getK() *
                           mfma.getBlocks() * waves};
      })
      .Case([&](amdgpu::ScaledMFMAOp mfma) -> std::optional<Product> {
        return Product{getElementTypeOrSelf(mfma.getSourceA().getType()),
                       getElementTypeOrSelf(mfma.getSourceB().getType()),
                       2 * int64_t(mfma.getM()) * mfma.getN() * mfma.getK() *
                           waves};
      })
      .Default(std::nullopt);
}

/// A counter whose name no argument and no other counter has.
Counter WorkPlanner::makeCounter(StringRef what, Expr from, Expr to, Expr by) {
  std::string name = what.str() + "." + std::to_string(counters++);
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    if (getArgumentName(kernel, index) == name)
      name += "_";
  return {std::move(name), std::move(from), std::move(to), std::move(by)};
}

static bool names(const Expr &expr, StringRef name) {
  return llvm::is_contained(expr.argumentNames(), name);
}

/// What lies between both bounds, 0 where they are exchanged.
static Expr getExtent(const Counter &counter) {
  Expr extent = isNumber(counter.from, 0)
                    ? counter.to
                    : Expr::binary(Kind::Sub, counter.to, counter.from);
  // A negative size is refused by the launch; differences may well be.
  if (extent.kind() == Kind::Argument)
    return extent;
  return foldBinary(Kind::Max, extent, Expr::constant(0));
}

DotWork WorkPlanner::makeWork(const Product &product) const {
  DotWork work;
  work.a = spell(product.a);
  work.b = spell(product.b);
  int64_t above = product.flop, below = 1;
  SmallVector<Expr> factors, divisors;
  auto multiply = [](const Expr &by, int64_t &number,
                     SmallVectorImpl<Expr> &rest) {
    int64_t product;
    if (by.kind() == Kind::Constant &&
        !llvm::MulOverflow(number, by.value(), product))
      number = product;
    else
      rest.push_back(by);
  };
  for (size_t i = 0; i < around.size(); ++i) {
    if (around[i].condition)
      continue;
    if (!around[i].counter)
      return work;
    const Counter &counter = *around[i].counter;
    bool isNamed =
        llvm::any_of(llvm::drop_begin(around, i + 1), [&](const Around &inner) {
          if (inner.condition)
            return names(*inner.condition, counter.name);
          return inner.counter && (names(inner.counter->from, counter.name) ||
                                   names(inner.counter->to, counter.name) ||
                                   names(inner.counter->by, counter.name));
        });
    if (!isNamed) {
      multiply(getExtent(counter), above, factors);
      multiply(counter.by, below, divisors);
      continue;
    }
    work.over.push_back(counter);
    if (isNumber(counter.by, 1))
      continue;
    Expr rest =
        Expr::binary(Kind::Sub, counter.to, Expr::argument(counter.name));
    multiply(Expr::binary(Kind::Min, counter.by, rest), above, factors);
    multiply(counter.by, below, divisors);
  }
  // Steps that are the product's own sizes cancel.
  int64_t common = std::gcd(above, below);
  above /= common ? common : 1;
  below /= common ? common : 1;
  auto getProduct = [](int64_t number, ArrayRef<Expr> factors) {
    Expr product = Expr::constant(number);
    for (const Expr &factor : factors)
      product = foldBinary(Kind::Mul, product, factor);
    return product;
  };
  Expr flop = getProduct(above, factors), divisor = getProduct(below, divisors);
  if (!isNumber(divisor, 1))
    flop = foldBinary(Kind::FloorDiv, flop, divisor);
  for (const Around &each : llvm::reverse(around))
    if (each.condition)
      flop = Expr::select(*each.condition, flop, Expr::constant(0));
  work.flop = flop;
  return work;
}

/// The bounds of a loop. Its body may name its counter.
Around WorkPlanner::makeLoop(Operation *loop) {
  std::optional<Expr> from, to, by;
  SmallVector<Value> inductions;
  if (auto pipeline = dyn_cast<PipelineOp>(loop)) {
    from = host.get(pipeline.getMixedLower());
    to = host.get(pipeline.getMixedUpper());
    by = host.get(pipeline.getMixedStep());
    for (Region &region : loop->getRegions())
      if (region.getNumArguments())
        inductions.push_back(region.getArgument(0));
  } else if (auto like = dyn_cast<LoopLikeOpInterface>(loop)) {
    if (auto bound = like.getSingleLowerBound())
      from = host.get(*bound);
    if (auto bound = like.getSingleUpperBound())
      to = host.get(*bound);
    if (auto step = like.getSingleStep())
      by = host.get(*step);
    if (auto induction = like.getSingleInductionVar())
      inductions.push_back(*induction);
  }
  if (!from || !to || !by)
    return {};
  Counter counter = makeCounter("turn", *from, *to, *by);
  for (Value induction : inductions)
    host.define(induction, Expr::argument(counter.name));
  return {std::move(counter), std::nullopt};
}

std::vector<DotWork> WorkPlanner::visitLoop(Operation *loop) {
  around.push_back(makeLoop(loop));
  std::vector<DotWork> all;
  for (Region &region : loop->getRegions())
    llvm::append_range(all, visit(region));
  around.pop_back();
  return all;
}

std::vector<DotWork> WorkPlanner::visitBranch(scf::IfOp branch) {
  std::optional<Expr> condition = host.get(branch.getCondition());
  auto take = [&](Region &region, bool isThen) {
    if (condition) {
      Expr zero = Expr::constant(0);
      around.push_back(
          {std::nullopt,
           isThen ? *condition : Expr::binary(Kind::Eq, *condition, zero)});
    }
    std::vector<DotWork> work = visit(region);
    if (condition)
      around.pop_back();
    return work;
  };
  unsigned before = counters;
  std::vector<DotWork> all = take(branch.getThenRegion(), true);
  // Equal branches count equally.
  unsigned behind = std::exchange(counters, before);
  std::vector<DotWork> others = take(branch.getElseRegion(), false);
  counters = std::max(counters, behind);
  if (!condition && all == others)
    return all;
  llvm::append_range(all, others);
  for (DotWork &work : all)
    work.isAtMost |= !condition && work.flop;
  return all;
}

std::vector<DotWork> WorkPlanner::visit(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch);
  if (isa<PipelineOp, LoopLikeOpInterface>(op))
    return visitLoop(op);
  std::vector<DotWork> all;
  for (Region &region : op->getRegions())
    llvm::append_range(all, visit(region));
  // Which of its regions run is known to nobody here.
  if (isa<RegionBranchOpInterface>(op))
    for (DotWork &work : all)
      work.isAtMost = work.flop.has_value();
  return all;
}

std::vector<DotWork> WorkPlanner::visit(Region &region) {
  // Products of one block are done together.
  llvm::MapVector<std::pair<Type, Type>, int64_t> products;
  std::vector<DotWork> all, inner;
  for (Operation &op : region.getOps()) {
    if (!isa<ProductOpInterface, amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op))
      llvm::append_range(inner, visit(&op));
    else if (std::optional<Product> product = getProduct(&op))
      products[{product->a, product->b}] += product->flop;
  }
  for (auto &[types, flop] : products)
    all.push_back(makeWork({types.first, types.second, flop}));
  llvm::append_range(all, inner);
  return all;
}

std::vector<DotWork> WorkPlanner::plan() {
  kernel.walk([&](GridOp grid) {
    for (auto [bound, step, origin] : llvm::zip_equal(
             grid.getMixedBounds(), grid.getMixedSteps(), grid.getResults())) {
      std::optional<Expr> to = host.get(bound), by = host.get(step);
      if (!to || !by) {
        around.push_back({});
        continue;
      }
      Counter counter = makeCounter("tile", Expr::constant(0), *to, *by);
      host.define(origin, Expr::argument(counter.name));
      around.push_back({std::move(counter), std::nullopt});
    }
  });
  return visit(kernel.getBody());
}

std::vector<DotWork> fly::planWork(gpu::GPUFuncOp kernel, unsigned waves) {
  return WorkPlanner(kernel, waves).plan();
}
