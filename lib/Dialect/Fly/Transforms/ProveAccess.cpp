//===- ProveAccess.cpp - What tile accesses need not check ----------------===//
//
// A tile that is known to lie inside its view needs no range checks, and one
// whose rows start at known multiples can be moved 16 bytes at a time. Both are
// proved here, while grid and requirements are still in the IR, and written on
// the access. Nothing is refused: what is not proved takes the careful path,
// and a remark prints the requirement that is missing.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

#include <map>

#include "PassRemark.h"
#include "TileAccess.h"

namespace fly {
#define GEN_PASS_DEF_FLYPROVEACCESSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-prove-access";

namespace {

class ProveAccess : public fly::impl::FlyProveAccessPassBase<ProveAccess> {
public:
  void runOnOperation() override;

private:
  template <typename OpT>
  void prove(OpT op, IntegerFacts &facts);
  bool proveDimension(const TileAccess &access, unsigned dim,
                      IntegerFacts &facts);
};

} // namespace

bool ProveAccess::proveDimension(const TileAccess &access, unsigned dim,
                                 IntegerFacts &facts) {
  using Inside = IntegerFacts::Inside;
  ViewOp view = access.view;
  if (access.isByNumber(dim))
    return false;
  OpFoldResult extent = view.getMixedExtents()[dim];
  int64_t tile = access.tileExtent(dim);
  Inside inside =
      facts.isInside(access.op, access.coordinates[dim], tile, extent);
  if (inside == Inside::Proved)
    return true;
  std::string why;
  if (inside == Inside::NeedsMultiple) {
    std::string name = describeValue(extent);
    if (getNumber(extent))
      why = "extent " + name + " is no multiple of " + std::to_string(tile);
    else
      why = "'fly.require_multiple " + name + " of " + std::to_string(tile) +
            "' would prove it";
  } else if (inside == Inside::NeedsAlignedOrigin) {
    why = "the coordinate is no known multiple of " + std::to_string(tile);
  } else {
    why = "nothing bounds the coordinate by the extent";
  }
  remarkMissed(access.op, kPass, "InBounds",
               access.describe() + " is not proved inside dimension " +
                   Twine(dim) + " of its view: " + why);
  return false;
}

/// Elements that every row of the tile starts at a multiple of, with a remark
/// where they are fewer than the widest access has.
static uint64_t proveAlignment(const TileAccess &access, IntegerFacts &facts) {
  RowAlignment rows = getRowAlignment(access, facts);
  if (!rows.shortfall.empty())
    remarkMissed(access.op, kPass, "Alignment", rows.shortfall);
  return rows.elements;
}

template <typename OpT>
void ProveAccess::prove(OpT op, IntegerFacts &facts) {
  std::optional<TileAccess> found = TileAccess::get(op);
  if (!found) {
    remarkMissed(op, kPass, "InBounds",
                 "nothing is proved: the view is not made in this kernel, or "
                 "the tile has names for extents (run fly-instantiate first)");
    return;
  }
  const TileAccess &access = *found;
  SmallVector<bool> inBounds;
  for (unsigned dim = 0; dim < access.rank(); ++dim) {
    bool proved = op.isInBounds(dim) || proveDimension(access, dim, facts);
    inBounds.push_back(proved);
    ++(proved ? numProved : numUnproved);
  }
  uint64_t align = proveAlignment(access, facts);
  if (std::optional<uint64_t> known = op.getAlign())
    align = std::max(align, *known);
  Builder builder(op.getContext());
  op.setInBoundsAttr(builder.getDenseBoolArrayAttr(inBounds));
  op.setAlignAttr(builder.getI64IntegerAttr(align));
}

/// Writes on sums and products of scalars that they do not wrap, where ranges
/// say so: grid and requirements, which they come from, are gone later.
static void markExactSums(gpu::GPUFuncOp kernel, IntegerFacts &facts) {
  auto flags = arith::IntegerOverflowFlagsAttr::get(
      kernel.getContext(), arith::IntegerOverflowFlags::nsw);
  kernel.walk([&](Operation *op) {
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) ||
        !isa<IntegerType>(op->getResult(0).getType()) ||
        cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap() ||
        facts.mayWrap(op))
      return;
    op->setAttr("overflowFlags", flags);
  });
}

void ProveAccess::runOnOperation() {
  getOperation()->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() || !hasTiles(kernel))
      return;
    IntegerFacts facts(kernel);
    markExactSums(kernel, facts);
    // What is known in a branch holds for all ops of its block alike.
    std::map<Block *, IntegerFacts> inBlock;
    auto factsAt = [&](Operation *op) -> IntegerFacts & {
      auto [it, isNew] = inBlock.try_emplace(op->getBlock(), facts);
      if (isNew)
        it->second = IntegerFacts(kernel, op);
      return it->second;
    };
    kernel.walk([&](LoadOp load) { prove(load, factsAt(load)); });
    kernel.walk([&](GatherOp load) { prove(load, factsAt(load)); });
    kernel.walk([&](StoreOp store) { prove(store, factsAt(store)); });
    kernel.walk([&](ScatterOp store) { prove(store, factsAt(store)); });
    kernel.walk([&](AtomicOp op) { prove(op, factsAt(op)); });
  });
}
