//===- Unroll.cpp - Loops of constant bounds, unrolled --------------------===//
//
// fly.static_for is how hand-written kernels step through register arrays: in
// each copy of the body the index is a constant. Inner loops are unrolled
// first, so that each body is copied in its final form. Then what has become
// constant is folded, in program order: positions of vector.extract and
// vector.insert become static, on which the lowering relies.
//
// Refused, before anything changes: kernels that would be of more ops than
// later passes can work through.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/FoldUtils.h"

#include "llvm/Support/MathExtras.h"

#include "Instantiate.h"

using namespace mlir;
using namespace fly;

/// Ops of a kernel after unrolling. A fat hand-written GEMM has some thousands;
/// with this many the passes take seconds, and no instruction cache holds it.
static constexpr uint64_t kMostOps = 100000;

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

namespace {

/// Counts the ops that a kernel will have.
class UnrolledOps {
public:
  explicit UnrolledOps(const Sizes &sizes) : sizes(sizes) {}

  /// Saturates.
  uint64_t count(Operation *op);
  /// The first loop found that is above the bound by itself.
  Operation *tooLarge = nullptr;

private:
  uint64_t countBody(Operation *op);
  std::array<int64_t, 3> getNumbers(StaticForOp loop);

  const Sizes &sizes;
  llvm::DenseMap<Operation *, uint64_t> helpers;
};

} // namespace

std::array<int64_t, 3> UnrolledOps::getNumbers(StaticForOp loop) {
  std::array<int64_t, 3> numbers;
  for (auto [number, bound] :
       llvm::zip_equal(numbers, loop.getStaticBounds())) {
    auto name = dyn_cast<StringAttr>(bound);
    number = name ? *sizes.lookup(name) : cast<IntegerAttr>(bound).getInt();
  }
  return numbers;
}

uint64_t UnrolledOps::countBody(Operation *op) {
  uint64_t ops = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        ops = llvm::SaturatingAdd(ops, count(&inner));
  return ops;
}

uint64_t UnrolledOps::count(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    Operation *helper =
        SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
    if (auto known = helpers.find(helper); known != helpers.end())
      return known->second;
    uint64_t ops = countBody(helper);
    helpers[helper] = ops;
    return ops;
  }
  uint64_t ops = countBody(op);
  auto loop = dyn_cast<StaticForOp>(op);
  if (!loop)
    return llvm::SaturatingAdd(ops, uint64_t(1));
  ops = llvm::SaturatingMultiply(ops,
                                 StaticForOp::getTripCount(getNumbers(loop)));
  if (ops > kMostOps && !tooLarge)
    tooLarge = op;
  return ops;
}

LogicalResult fly::checkUnrolledSize(gpu::GPUFuncOp kernel,
                                     const Sizes &sizes) {
  UnrolledOps counter(sizes);
  uint64_t ops = counter.count(kernel);
  if (ops <= kMostOps)
    return success();
  Operation *at = counter.tooLarge ? counter.tooLarge : kernel;
  InFlightDiagnostic diag = at->emitOpError() << "makes a kernel of ";
  if (ops == std::numeric_limits<uint64_t>::max())
    diag << "more than 2^64";
  else
    diag << ops;
  diag << " ops, at most " << kMostOps
       << " are unrolled and inlined: use scf.for for the outer loops";
  if (at != kernel)
    diag.attachNote(kernel.getLoc()) << "in this kernel";
  return diag;
}

//===----------------------------------------------------------------------===//
// The change
//===----------------------------------------------------------------------===//

static void unroll(StaticForOp loop) {
  OpBuilder builder(loop);
  std::array<int64_t, 3> numbers = *loop.getNumbers();
  uint64_t trips = StaticForOp::getTripCount(numbers);
  SmallVector<Value> carried(loop.getInits());
  for (uint64_t trip = 0; trip < trips; ++trip) {
    IRMapping mapping;
    Value index = arith::ConstantIndexOp::create(
        builder, loop.getLoc(), numbers[0] + int64_t(trip) * numbers[2]);
    mapping.map(loop.getInductionVar(), index);
    mapping.map(loop.getIterArgs(), carried);
    for (Operation &op : loop.getBody().front().without_terminator())
      builder.clone(op, mapping);
    carried.clear();
    for (Value value : loop.getYield().getOperands())
      carried.push_back(mapping.lookupOrDefault(value));
  }
  loop->replaceAllUsesWith(carried);
  loop.erase();
}

unsigned fly::unrollStaticLoops(gpu::GPUFuncOp kernel) {
  SmallVector<StaticForOp> loops;
  kernel.walk([&](StaticForOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, unroll);
  return loops.size();
}

void fly::foldConstants(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  OperationFolder folder(kernel.getContext());
  // A folded op is erased; nothing else is.
  for (Operation *op : ops)
    if (op->getNumRegions() == 0)
      (void)folder.tryToFold(op);
}
