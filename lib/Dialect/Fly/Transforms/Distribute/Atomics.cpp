//===- Atomics.cpp - Tiles combined into memory ---------------------------===//
//
// Every element of the tile goes to memory once: where several lanes hold it,
// the first of them does it. Neighbours of f16 and bf16 that lie in one dword
// are added as a pair, for which the chips have an instruction; a lone one
// becomes a loop of compare-and-swap on its dword.
//
// The order of the op is that of the workgroup: fences of all waves stand
// before and behind, and the elements between them have no order.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <set>

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

/// Elements of 16 bits that one atomic adds to, at multiples of as many.
static constexpr int64_t pairElements = 2;

bool LaneAccess::canAddPairs(AtomicKind kind) const {
  Type element = tile.getElementType();
  return kind == AtomicKind::Add && (element.isF16() || element.isBF16()) &&
         group % pairElements == 0 && getAlign().getInt() % pairElements == 0;
}

/// Runs `emit` where `condition` holds, which may be null.
static void emitIf(OpBuilder &builder, Location loc, Value condition,
                   function_ref<void()> emit) {
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto branch =
        scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  emit();
}

/// The conjunction of two conditions, each of which may be null.
static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

void LaneAccess::updateElements(unsigned index, Value value, Value mask,
                                const Update &what) {
  SmallVector<Value> first = getCoordinates(index);
  for (int64_t i = 0; i < group; ++i) {
    Value wanted;
    if (mask)
      wanted = vector::ExtractOp::create(builder, loc, mask, i);
    emitIf(builder, loc, wanted, [&] {
      UpdateOp::create(builder, loc, Type(), what.kind,
                       vector::ExtractOp::create(builder, loc, value, i),
                       getView(index), shift(first, i), MemoryOrder::Relaxed,
                       what.scope, getInBounds(index));
    });
  }
}

void LaneAccess::update(unsigned index, Value value, Value mask,
                        const Update &what) {
  OpBuilder::InsertionGuard guard(builder);
  Value mine = both(builder, loc, what.isOwner, getExists(index));
  emitIf(builder, loc, mine, [&] {
    if (!canAddPairs(what.kind))
      return updateElements(index, value, mask, what);
    // Pairs where all of the group is wanted and inside; its first and last
    // elements tell.
    SmallVector<Value> at = getCoordinates(index);
    unsigned dim = *window.type.getContiguousDim();
    Value all;
    if (mask)
      for (int64_t i = 0; i < group; ++i)
        all = both(builder, loc, all,
                   vector::ExtractOp::create(builder, loc, mask, i));
    if (!getInBounds(index).asArrayRef()[dim]) {
      Value end = shift(at, group - 1)[dim];
      Value extent = toIndexExtent(dim);
      all = both(builder, loc, all,
                 arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       end, extent));
    }
    auto addPairs = [&] {
      for (int64_t i = 0; i < group; i += pairElements)
        UpdateOp::create(builder, loc, Type(), what.kind,
                         vector::ExtractStridedSliceOp::create(
                             builder, loc, value, ArrayRef<int64_t>{i},
                             ArrayRef<int64_t>{pairElements},
                             ArrayRef<int64_t>{1}),
                         getView(index), shift(at, i), MemoryOrder::Relaxed,
                         what.scope, getInBounds(index));
    };
    if (!all)
      return addPairs();
    auto branch = scf::IfOp::create(builder, loc, all, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    addPairs();
    builder.setInsertionPointToStart(branch.elseBlock());
    updateElements(index, value, mask, what);
  });
}

Value LaneAccess::toIndexExtent(unsigned dim) {
  OpFoldResult extent =
      getView(0).getDefiningOp<ViewOp>().getMixedExtents()[dim];
  if (auto number = dyn_cast<Attribute>(extent))
    return arith::ConstantIndexOp::create(builder, loc,
                                          cast<IntegerAttr>(number).getInt());
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    cast<Value>(extent));
}

/// The order of the fence before, or behind, an op of this order.
static std::optional<MemoryOrder> getFenceOrder(MemoryOrder order,
                                                bool before) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return std::nullopt;
  case MemoryOrder::Acquire:
    return before ? std::nullopt : std::optional(MemoryOrder::Acquire);
  case MemoryOrder::Release:
    return before ? std::optional(MemoryOrder::Release) : std::nullopt;
  case MemoryOrder::AcqRel:
    return before ? MemoryOrder::Release : MemoryOrder::Acquire;
  case MemoryOrder::SeqCst:
    return MemoryOrder::SeqCst;
  }
  llvm_unreachable("an order without a side");
}

LogicalResult Distributor::distribute(AtomicOp op) {
  Location loc = op.getLoc();
  FailureOr<Window> window = makeWindow(op);
  if (failed(window))
    return failure();
  if (window->type.getInLds())
    return op.emitOpError() << "is on a view of LDS: atomics of tiles are "
                               "lowered for global memory";
  RankedTensorType tile = tileType(op.getTile());
  LaneAccess access(builder, loc, coordinates, *window, tile);
  LaneMap map = distribute::getLaneMap(tile);
  // What a lane holds twice would be combined twice.
  std::set<SmallVector<int64_t, 2>> tails(map.tails.begin(), map.tails.end());
  if (tails.size() != map.tails.size())
    return op.emitOpError() << "has a tile in " << tile.getEncoding()
                            << ", of which lanes hold elements twice";
  Update what{op.getKind(), op.getScope(), coordinates.getOwner(map, loc)};
  auto fence = [&](bool before) {
    if (auto order = getFenceOrder(op.getOrder(), before))
      FenceOp::create(builder, loc, *order, op.getScope());
  };
  fence(/*before=*/true);
  forEachGroup(op, access, [&](unsigned index, Value values, Value mask) {
    access.update(index, values, mask, what);
  });
  fence(/*before=*/false);
  return success();
}
