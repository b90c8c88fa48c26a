//===- PingPong.cpp - Two groups of waves that take turns -----------------===//
//
// Of two waves on a SIMD one shall have the matrix unit while the other one
// reads and loads. A barrier alone keeps both in step, at the same work. So the
// second wave of each SIMD waits at one barrier more before the loop: it is a
// cluster behind from then on, and where clusters take turns, at the other
// kind. The first waves wait at one barrier more behind the loop, so that all
// have passed as many.
//
// Before the loop all waves meet, so that nothing from before it is still
// pending when they part. All barriers are bare: each memory cluster ends in
// the waits that fly-insert-waits puts in front of its barrier. Full fences
// keep LLVM from moving matrix instructions from cluster to cluster.
//
//===----------------------------------------------------------------------===//
#include "PingPong.h"

#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// Waves of the loop's workgroup; none where it does not say.
static std::optional<int64_t> getWaves(scf::ForOp loop) {
  auto kernel = loop->getParentOfType<gpu::GPUFuncOp>();
  auto waves =
      kernel
          ? kernel->getAttrOfType<IntegerAttr>(FlyDialect::getWavesAttrName())
          : IntegerAttr();
  if (!waves)
    return std::nullopt;
  return waves.getInt();
}

bool hotloop::hasTwoWavesASimd(scf::ForOp loop, const arch::ArchInfo &chip) {
  return getWaves(loop) == int64_t(2 * *chip.simdsPerCu);
}

FailureOr<Turns> hotloop::findTurns(scf::ForOp loop, const arch::ArchInfo &chip,
                                    std::string &why) {
  Turns turns;
  turns.early = *chip.simdsPerCu;
  std::optional<int64_t> waves = getWaves(loop);
  if (!hasTwoWavesASimd(loop, chip)) {
    why = llvm::formatv(
        "two waves on each of {0} SIMDs take turns, that is waves = {1}; the "
        "workgroup has {2}",
        turns.early, 2 * turns.early,
        waves ? std::to_string(*waves) : std::string("no 'fly.waves'"));
    return failure();
  }
  FailureOr<Clusters> clusters = formClusters(*loop.getBody(), chip, why);
  if (failed(clusters))
    return failure();
  // Its author's barrier says that all waves go round the loop alike.
  if (clusters->barriers.empty()) {
    why = "the loop has no barrier of its own, and waves that go round it "
          "unlike would wait for ever";
    return failure();
  }
  turns.clusters = std::move(*clusters);
  return turns;
}

static void emitBarrier(OpBuilder &builder, Location loc) {
  auto barrier = BarrierOp::create(builder, loc, BarrierKind::Bare);
  barrier->setAttr(staggeredAttrName, builder.getUnitAttr());
}

/// The end of a turn.
static void emitTurn(OpBuilder &builder, Location loc) {
  SchedBarrierOp::create(builder, loc);
  emitBarrier(builder, loc);
  SchedBarrierOp::create(builder, loc);
}

/// A barrier for the waves of one side of number `early` alone.
static void emitBarrierOf(OpBuilder &builder, Location loc,
                          arith::CmpIPredicate side, unsigned early) {
  Value wave = WaveOp::create(builder, loc, builder.getIndexType());
  Value first = arith::ConstantIndexOp::create(builder, loc, early);
  Value takesPart = arith::CmpIOp::create(builder, loc, side, wave, first);
  auto branch =
      scf::IfOp::create(builder, loc, takesPart, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitBarrier(builder, loc);
}

void hotloop::takeTurns(scf::ForOp loop, const Turns &turns) {
  const Clusters &clusters = turns.clusters;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  BarrierOp::create(builder, loc, BarrierKind::Bare);
  emitBarrierOf(builder, loc, arith::CmpIPredicate::uge, turns.early);

  for (BarrierOp barrier : clusters.barriers)
    barrier.erase();
  Operation *end = loop.getBody()->getTerminator();
  builder.setInsertionPoint(end);
  for (const Cluster &cluster : clusters.all) {
    bool isLast = &cluster == &clusters.all.back();
    // The matrix unit goes to those whose turn it is.
    if (cluster.mfmas)
      SetPrioOp::create(builder, loc, /*priority=*/1);
    for (Operation *op : cluster.ops)
      op->moveBefore(end);
    if (cluster.mfmas)
      SetPrioOp::create(builder, loc, /*priority=*/0);
    if (!isLast || !clusters.joinsRound)
      emitTurn(builder, loc);
  }

  builder.setInsertionPointAfter(loop);
  emitBarrierOf(builder, loc, arith::CmpIPredicate::ult, turns.early);
  loop->getParentOfType<gpu::GPUFuncOp>()->setAttr(
      staggeredAttrName, UnitAttr::get(loop.getContext()));
}
