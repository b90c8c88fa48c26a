//===- Barriers.cpp - Tile accesses stay in program order -----------------===//
//
// A tile access is made by all lanes of the workgroup, each for its elements;
// lanes of different waves meet where memory is written and then read, read and
// then written, or written twice. A barrier stands as late as possible, before
// the access that would come too early, and serves everything before it: `lds`
// for fields, `all` for global memory.
//
// No barrier is needed where each lane meets only itself: the same tile of a
// view in a layout that gives every element to one lane; or nobody, in tiles
// apart. Of accesses other than fly.load and fly.store only the view is known,
// by their effects, so they meet everything in it.
//
// In a kernel with copies past the registers the barriers for fields are bare:
// others make LLVM wait for every copy, also for those of which nothing is read
// yet. fly-insert-waits puts the waits that a bare barrier needs.
//
// Loops are walked until nothing new comes round; a branch is uniform, so each
// of its sides may hold barriers of its own.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/MapVector.h"

#include "../Aliasing.h"
#include "StageLds.h"

using namespace mlir;
using namespace fly;

namespace {
/// A tile access since the last barrier that orders it.
struct TileAccess {
  Value view;
  /// Where the tile lies in the view, and its type with the layout; no value
  /// where that was in another iteration and is not the same place now.
  SmallVector<OpFoldResult, 2> coordinates;
  RankedTensorType tile;
  bool isWrite = false;
  /// Made by the first lane of the workgroup alone.
  bool byFirst = false;

  bool inLds() const { return cast<ViewType>(view.getType()).getInLds(); }
  bool operator==(const TileAccess &other) const {
    return view == other.view && coordinates == other.coordinates &&
           tile == other.tile && isWrite == other.isWrite &&
           byFirst == other.byFirst;
  }
};

/// The accesses that no barrier has ordered yet.
using Pending = SmallVector<TileAccess>;

/// Walks a kernel in program order; inserts barriers only where told so.
class BarrierWalk {
public:
  /// `threads` of the workgroup, 0 where they are not known; the kind of the
  /// barriers for LDS.
  BarrierWalk(int64_t threads, BarrierKind ldsKind)
      : threads(threads), ldsKind(ldsKind) {}
  unsigned inserted = 0;

  void visit(Block &block, Pending &pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op, pending, insert);
  }

private:
  void visit(Operation *op, Pending &pending, bool insert);
  void visitAccess(Operation *op, TileAccess access, Pending &pending,
                   bool insert);
  void visitEffects(Operation *op, Pending &pending, bool insert);
  void visitLoop(Operation *op, Pending &pending, bool insert);
  bool mustOrder(const TileAccess &first, const TileAccess &second) const;
  bool isHeldOnce(Attribute layout) const;

  int64_t threads;
  BarrierKind ldsKind;
};
} // namespace

static bool merge(Pending &into, const Pending &other) {
  size_t before = into.size();
  for (const TileAccess &access : other)
    if (!llvm::is_contained(into, access))
      into.push_back(access);
  return into.size() != before;
}

/// A barrier of this kind has been passed.
static void clear(Pending &pending, BarrierKind kind) {
  if (kind == BarrierKind::Bare)
    return;
  llvm::erase_if(pending, [&](const TileAccess &access) {
    return kind == BarrierKind::All || access.inLds();
  });
}

/// Whether each element of a tile is held by one lane of the workgroup.
bool BarrierWalk::isHeldOnce(Attribute layout) const {
  if (auto transposed = dyn_cast_or_null<TransposedAttr>(layout))
    return isHeldOnce(transposed.getParent());
  if (auto mma = dyn_cast_or_null<MmaAttr>(layout))
    return mma.getWaves()[0] * mma.getWaves()[1] * arch::waveLanes == threads;
  auto blocked = dyn_cast_or_null<BlockedAttr>(layout);
  // Threads beyond the layout's repeat elements.
  return blocked && llvm::product_of(blocked.getThreads()) == threads;
}

/// Whether both are places of one view that have nothing in common.
static bool areApart(const TileAccess &first, const TileAccess &second) {
  if (first.view != second.view || !first.tile || !second.tile ||
      first.coordinates.size() != size_t(first.tile.getRank()) ||
      second.coordinates.size() != size_t(second.tile.getRank()) ||
      first.tile.getRank() != second.tile.getRank())
    return false;
  for (unsigned d = 0; d < first.coordinates.size(); ++d) {
    auto a = getConstantIntValue(first.coordinates[d]);
    auto b = getConstantIntValue(second.coordinates[d]);
    if (a && b &&
        (*a + first.tile.getDimSize(d) <= *b ||
         *b + second.tile.getDimSize(d) <= *a))
      return true;
  }
  return false;
}

bool BarrierWalk::mustOrder(const TileAccess &first,
                            const TileAccess &second) const {
  if ((!first.isWrite && !second.isWrite) ||
      !mayAlias(first.view, second.view) || areApart(first, second))
    return false;
  if (first.byFirst && second.byFirst)
    return false;
  bool samePlace = !first.inLds() && first.view == second.view &&
                   first.tile == second.tile && first.tile &&
                   first.coordinates == second.coordinates;
  return !samePlace || !isHeldOnce(second.tile.getEncoding());
}

void BarrierWalk::visitAccess(Operation *op, TileAccess access,
                              Pending &pending, bool insert) {
  if (llvm::any_of(pending, [&](const TileAccess &first) {
        return mustOrder(first, access);
      })) {
    BarrierKind kind = access.inLds() ? BarrierKind::Lds : BarrierKind::All;
    clear(pending, kind);
    if (insert) {
      OpBuilder builder(op);
      BarrierOp::create(builder, op->getLoc(),
                        kind == BarrierKind::Lds ? ldsKind : kind);
      ++inserted;
    }
  }
  merge(pending, {access});
}

/// What `op` does to views by its effects, each view once: an atomic reads and
/// writes in one step.
void BarrierWalk::visitEffects(Operation *op, Pending &pending, bool insert) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::MapVector<Value, bool> isWritten;
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (Value view = effect.getValue(); view && isa<ViewType>(view.getType()))
      isWritten[view] |= isa<MemoryEffects::Write>(effect.getEffect());
  for (auto [view, isWrite] : isWritten)
    visitAccess(op, {view, {}, {}, isWrite, isa<AtomicRmwOp>(op)}, pending,
                insert);
}

/// An op whose regions may run any number of times.
void BarrierWalk::visitLoop(Operation *op, Pending &pending, bool insert) {
  auto isOutside = [&](Value value) {
    return !op->isAncestor(value.getParentBlock()->getParentOp());
  };
  // What comes round is the same place only if nothing of it is made inside.
  auto fromLastTrip = [&](Pending accesses) {
    for (TileAccess &access : accesses) {
      bool same = isOutside(access.view);
      for (OpFoldResult at : access.coordinates)
        same &= !isa<Value>(at) || isOutside(cast<Value>(at));
      if (!same) {
        access.coordinates.clear();
        access.tile = {};
      }
    }
    return accesses;
  };
  Pending head = pending;
  auto visitRegions = [&](bool insertNow) {
    Pending ends;
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Pending inner = head;
        visit(block, inner, insertNow);
        merge(ends, inner);
      }
    return ends;
  };
  while (merge(head, fromLastTrip(visitRegions(/*insertNow=*/false))))
    ;
  merge(head, fromLastTrip(visitRegions(insert)));
  pending = std::move(head);
}

void BarrierWalk::visit(Operation *op, Pending &pending, bool insert) {
  if (auto load = dyn_cast<LoadOp>(op))
    return visitAccess(op,
                       {load.getView(), load.getMixedCoordinates(),
                        cast<RankedTensorType>(load.getTile().getType()),
                        /*isWrite=*/false},
                       pending, insert);
  if (auto store = dyn_cast<StoreOp>(op))
    return visitAccess(op,
                       {store.getView(), store.getMixedCoordinates(),
                        cast<RankedTensorType>(store.getTile().getType()),
                        /*isWrite=*/true},
                       pending, insert);
  if (auto barrier = dyn_cast<BarrierOp>(op))
    return clear(pending, barrier.getKind());
  if (isa<FenceOp>(op))
    return clear(pending, BarrierKind::All);
  if (auto atomic = dyn_cast<AtomicRmwOp>(op)) {
    // All waves meet before it where it releases, behind it where it acquires.
    MemoryOrder order = atomic.getOrder();
    if (order != MemoryOrder::Relaxed && order != MemoryOrder::Acquire)
      clear(pending, BarrierKind::All);
    visitEffects(op, pending, insert);
    if (order != MemoryOrder::Relaxed && order != MemoryOrder::Release)
      clear(pending, BarrierKind::All);
    return;
  }
  // A combiner touches no memory.
  if (op->getNumRegions() == 0 || isa<ReduceOp, ScanOp>(op))
    return visitEffects(op, pending, insert);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return visitLoop(op, pending, insert);
  Pending ends;
  for (Region *region : branch.getRegions()) {
    Pending inner = pending;
    if (!region->empty())
      visit(region->front(), inner, insert);
    merge(ends, inner);
  }
  pending = std::move(ends);
}

int64_t stage::getThreads(FunctionOpInterface kernel) {
  auto schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  auto waves = schedule ? dyn_cast_or_null<ArrayAttr>(schedule.get("waves"))
                        : ArrayAttr();
  int64_t threads = waves ? arch::waveLanes : 0;
  for (Attribute side : waves ? waves.getValue() : ArrayRef<Attribute>()) {
    auto count = dyn_cast<IntegerAttr>(side);
    threads *= count ? count.getInt() : 0;
  }
  return threads;
}

unsigned stage::insertBarriers(FunctionOpInterface kernel) {
  bool copies = kernel->walk([](CopyOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
  BarrierWalk walk(getThreads(kernel),
                   copies ? BarrierKind::Bare : BarrierKind::Lds);
  Pending pending;
  walk.visit(kernel.getFunctionBody().front(), pending, /*insert=*/true);
  return walk.inserted;
}
