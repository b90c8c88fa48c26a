//===- CarryProducts.cpp - Last products behind the barrier ---------------===//
//
// What problem: behind a barrier a wave reads the fragments of its first
// products, and waits for them. A wave that has its SIMD alone has nobody who
// multiplies meanwhile: 17 reads in front of each K tile of 256x256x64.
// What idea: fragments of the last step before the barrier are in registers. So
// its products may as well stand behind the barrier, which orders memory alone,
// and cover the reads there. The last ones of an iteration go round the loop:
// it carries their factors, and its sums without them. The first iteration has
// factors of 0, which change no sum, and behind the loop the products of the
// last one are added. What it costs is one step of products a loop.
//
// Sums may be slices of a vector that the loop carries, as tiles are, or what
// it carries themselves.
//
//===----------------------------------------------------------------------===//
#include "CarryProducts.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include "Stretches.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;
using amdgpu::MFMAOp;

namespace {

/// A product that goes round the loop.
struct Product {
  MFMAOp op;
  unsigned sum = 0; ///< Which of the values that the loop carries it adds to.
  /// The slice of it; empty where the product is all of it.
  SmallVector<int64_t> position;
  int64_t firstElement = 0;
};

/// Finds what may stand behind its barrier, and puts it there.
class Carrier {
public:
  explicit Carrier(scf::ForOp loop) : loop(loop) {}

  LogicalResult find(std::string &why);
  unsigned countRegisters();
  CarriedProducts carry();

private:
  LogicalResult findLast(std::string &why);
  bool findTakers(MFMAOp product);
  bool findSum(Product &product);
  bool hasKnownUses(unsigned sum);
  Value addSlice(OpBuilder &builder, Product &product, Value sum,
                 IRMapping &factors);
  Operation *findPlaceBehind();
  void carryRound();

  scf::ForOp loop;
  SmallVector<Operation *> barriers;
  /// The stretch of each op of the body: 0 is in front of the first barrier.
  llvm::DenseMap<Operation *, unsigned> stretches;
  /// Last products by their stretch.
  SmallVector<SmallVector<MFMAOp>> last;
  /// What takes them in stretches before the last one.
  llvm::DenseSet<Operation *> takers;
  SmallVector<Product> round;
  llvm::SetVector<Value> factors;
};

} // namespace

static unsigned countBits(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return unsigned((vector ? vector.getNumElements() : 1) *
                  getElementTypeOrSelf(type).getIntOrFloatBitWidth());
}

LogicalResult Carrier::findLast(std::string &why) {
  unsigned stretch = 0;
  for (Operation &op : *loop.getBody()) {
    if (isa<BarrierOp>(op)) {
      barriers.push_back(&op);
      ++stretch;
    }
    stretches[&op] = stretch;
  }
  last.resize(barriers.size() + 1);
  for (Operation &op : *loop.getBody()) {
    if (!isMatrixOp(&op))
      continue;
    unsigned own = stretches[&op];
    bool isLast = llvm::none_of(op.getUsers(), [&](Operation *user) {
      return isMatrixOp(user) && stretches.lookup(user) == own;
    });
    if (!isLast)
      continue;
    auto product = dyn_cast<MFMAOp>(op);
    if (!product) {
      why = "the matrix instructions have scales";
      return failure();
    }
    if (own != barriers.size() && !findTakers(product)) {
      why = "a sum is used before the next barrier";
      return failure();
    }
    last[own].push_back(product);
  }
  return success();
}

/// Finds what takes `product` in its stretch, which must go with it.
bool Carrier::findTakers(MFMAOp product) {
  SmallVector<Operation *> open = {product};
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers()) {
      if (stretches.lookup(user) != stretches[product])
        continue;
      if (isMatrixOp(user) || !isMemoryEffectFree(user) ||
          user->getNumRegions())
        return false;
      if (takers.insert(user).second)
        open.push_back(user);
    }
  return true;
}

/// Finds what `product`, of the last stretch, adds to.
bool Carrier::findSum(Product &product) {
  Value result = product.op.getDestD();
  if (!result.hasOneUse())
    return false;
  OpOperand *use = &*result.use_begin();
  if (auto apart = dyn_cast<vector::ToElementsOp>(use->getOwner())) {
    vector::FromElementsOp together;
    for (auto [i, element] : llvm::enumerate(apart.getElements())) {
      if (!element.hasOneUse())
        return false;
      OpOperand &part = *element.use_begin();
      auto maker = dyn_cast<vector::FromElementsOp>(part.getOwner());
      if (i == 0) {
        together = maker;
        product.firstElement = part.getOperandNumber();
      }
      if (!maker || maker != together ||
          part.getOperandNumber() != product.firstElement + i)
        return false;
    }
    VectorType whole = together.getType();
    auto slice = cast<VectorType>(result.getType());
    int64_t rank = whole.getRank() - slice.getRank();
    if (rank < 0 || !together->hasOneUse() ||
        whole.getShape().drop_front(rank) != slice.getShape() ||
        product.firstElement % slice.getNumElements() != 0)
      return false;
    if (rank)
      product.position =
          delinearize(product.firstElement / slice.getNumElements(),
                      computeStrides(whole.getShape().take_front(rank)));
    use = &*together->use_begin();
  }
  if (!isa<scf::YieldOp>(use->getOwner()))
    return false;
  product.sum = use->getOperandNumber();
  return loop.getRegionIterArg(product.sum).getType() == use->get().getType();
}

/// Whether the value that the loop carries is only taken apart into the slices
/// that products add to, or by them, and behind the first barrier.
bool Carrier::hasKnownUses(unsigned sum) {
  BlockArgument carried = loop.getRegionIterArg(sum);
  bool isWhole = llvm::any_of(round, [&](const Product &product) {
    return product.sum == sum && product.position.empty();
  });
  return llvm::all_of(carried.getUsers(), [&](Operation *user) {
    if (isWhole)
      return stretches.lookup(user) != 0;
    auto extract = dyn_cast<vector::ExtractOp>(user);
    return extract && extract.getDynamicPosition().empty() &&
           llvm::all_of(extract->getUsers(),
                        [&](Operation *taker) {
                          return stretches.lookup(taker) != 0;
                        }) &&
           llvm::any_of(round, [&](const Product &product) {
             return product.sum == sum &&
                    product.position == extract.getStaticPosition();
           });
  });
}

LogicalResult Carrier::find(std::string &why) {
  if (failed(findLast(why)))
    return failure();
  if (barriers.empty() || last.back().empty()) {
    why = "an iteration does not end with matrix instructions behind a barrier";
    return failure();
  }
  if (llvm::any_of(*loop.getBody(), [&](Operation &op) {
        return isMatrixOp(&op) && stretches[&op] == 0;
      })) {
    why = "an iteration begins with matrix instructions, without a barrier";
    return failure();
  }
  for (MFMAOp op : last.back()) {
    Product product;
    product.op = op;
    if (!findSum(product)) {
      why = "what a last product adds to is not what the loop carries";
      return failure();
    }
    round.push_back(product);
    for (Value factor : {op.getSourceA(), op.getSourceB()})
      if (!loop.isDefinedOutsideOfLoop(factor))
        factors.insert(factor);
  }
  for (const Product &product : round)
    if (!hasKnownUses(product.sum)) {
      why = "the loop uses its sums otherwise, too";
      return failure();
    }
  return success();
}

unsigned Carrier::countRegisters() {
  constexpr unsigned registerBits = 32;
  unsigned registers = 0;
  for (Value factor : factors)
    registers +=
        unsigned(llvm::divideCeil(countBits(factor.getType()), registerBits));
  return registers;
}

/// The product of `mapped` factors, added to its slice of `sum`.
Value Carrier::addSlice(OpBuilder &builder, Product &product, Value sum,
                        IRMapping &mapped) {
  Value slice = sum;
  if (!product.position.empty())
    slice = vector::ExtractOp::create(builder, product.op.getLoc(), sum,
                                      product.position);
  auto clone = cast<MFMAOp>(builder.clone(*product.op, mapped));
  clone.getDestCMutable().assign(slice);
  return clone.getDestD();
}

/// The barrier behind the loop, if nobody takes a sum before it, else the loop.
Operation *Carrier::findPlaceBehind() {
  Operation *barrier = loop->getNextNode();
  while (barrier && !isa<BarrierOp>(barrier))
    barrier = barrier->getNextNode();
  if (!barrier)
    return loop;
  for (const Product &product : round)
    for (Operation *user : loop.getResult(product.sum).getUsers()) {
      Operation *own = loop->getBlock()->findAncestorOpInBlock(*user);
      if (!own || own->isBeforeInBlock(barrier))
        return loop;
    }
  return barrier;
}

void Carrier::carryRound() {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> zeros;
  for (Value factor : factors)
    zeros.push_back(arith::ConstantOp::create(
        rewriter, loop.getLoc(),
        cast<TypedAttr>(rewriter.getZeroAttr(factor.getType()))));
  SmallVector<Value> inside;
  scf::ForOp before = loop;
  loop = cast<scf::ForOp>(*before.replaceWithAdditionalYields(
      rewriter, zeros, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
        inside.assign(arguments.begin(), arguments.end());
        return SmallVector<Value>(factors.begin(), factors.end());
      }));
  IRMapping head, behind;
  for (auto [factor, argument, result] : llvm::zip_equal(
           factors, inside, loop.getResults().take_back(factors.size()))) {
    head.map(factor, argument);
    behind.map(factor, result);
  }
  // Behind the loop: a sum with its last products, for all who take it. They
  // stand behind the next barrier where they may, and cover reads there, too.
  rewriter.setInsertionPointAfter(findPlaceBehind());
  llvm::SmallMapVector<unsigned, SmallVector<Product *>, 4> sums;
  for (Product &product : round)
    sums[product.sum].push_back(&product);
  for (auto &[index, products] : sums) {
    Value sum = loop.getResult(index), whole;
    SmallVector<OpOperand *> uses(llvm::make_pointer_range(sum.getUses()));
    if (products.front()->position.empty()) {
      whole = addSlice(rewriter, *products.front(), sum, behind);
    } else {
      auto all = vector::ToElementsOp::create(rewriter, loop.getLoc(), sum);
      SmallVector<Value> elements(all.getElements());
      for (Product *product : products) {
        auto parts = vector::ToElementsOp::create(
            rewriter, loop.getLoc(), addSlice(rewriter, *product, sum, behind));
        llvm::copy(parts.getElements(),
                   elements.begin() + product->firstElement);
      }
      whole = vector::FromElementsOp::create(rewriter, loop.getLoc(),
                                             sum.getType(), elements);
    }
    for (OpOperand *use : uses)
      use->set(whole);
  }
  // In it: the products of the iteration before behind the first barrier.
  rewriter.setInsertionPointAfter(barriers.front());
  for (Product &product : round) {
    BlockArgument sum = loop.getRegionIterArg(product.sum);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : sum.getUses()) {
      auto extract = dyn_cast<vector::ExtractOp>(use.getOwner());
      if (product.position.empty())
        uses.push_back(&use);
      else if (extract && extract.getStaticPosition() ==
                              ArrayRef<int64_t>(product.position))
        for (OpOperand &taken : extract->getUses())
          uses.push_back(&taken);
    }
    Value added = addSlice(rewriter, product, sum, head);
    for (OpOperand *use : uses)
      use->set(added);
  }
  for (Product &product : round)
    rewriter.replaceOp(product.op, product.op.getDestC());
}

CarriedProducts Carrier::carry() {
  CarriedProducts result;
  result.registers = countRegisters();
  for (const auto &products : last)
    result.products += products.size();
  // Products and what takes them are met in the order of the program.
  SmallVector<Operation *> places = barriers;
  for (auto &products : ArrayRef(last).drop_back())
    takers.insert(products.begin(), products.end());
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody()))
    if (takers.contains(&op)) {
      Operation *&place = places[stretches[&op]];
      op.moveAfter(place);
      place = &op;
      takers.erase(&op);
    }
  if (!round.empty())
    carryRound();
  result.loop = loop;
  return result;
}

FailureOr<CarriedProducts> hotloop::carryProducts(scf::ForOp loop,
                                                  unsigned mostRegisters,
                                                  std::string &why) {
  Carrier carrier(loop);
  if (failed(carrier.find(why)))
    return failure();
  unsigned registers = carrier.countRegisters();
  if (registers > mostRegisters) {
    why = "the factors of the last products take " + std::to_string(registers) +
          " registers";
    return failure();
  }
  return carrier.carry();
}
