//===- Loads.cpp - Through LDS or registers ------------------------------===//
//
// Operands of dots that a pipeline prefetches go through LDS, all else to
// registers, unless the schedule says otherwise. Refused: LDS for tiles that no
// dot reads or that do not run ahead, an XOR of rows that are no power of two.
//
//===----------------------------------------------------------------------===//
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

static int64_t getTileBytes(RankedTensorType type) {
  return llvm::divideCeil(
      uint64_t(type.getNumElements()) * type.getElementTypeBitWidth(), 8);
}

int64_t LoadPlan::tileBytes() const {
  int64_t bytes = 0;
  for (Operation *op : ops)
    bytes = std::max(bytes, getTileBytes(getTileType(op->getResult(0))));
  return bytes;
}

LogicalResult ScheduleResolver::collectLoads() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Load)
      continue;
    LoadPlan &load = loads[label];
    load.label = label;
    for (Operation *op : group.ops) {
      load.ops.push_back(op);
      auto pipeline = dyn_cast<PipelineOp>(op->getParentOp());
      load.runsAhead &=
          pipeline && op->getParentRegion() != &pipeline.getCompute();
    }
    auto emitError = [&, op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto request = OperandRequest::read(getEntry(label), emitError);
    if (failed(request))
      return failure();
    load.request = *request;
  }
  for (const DotPlan &dot : dots)
    for (Operation *op : {dot.a, dot.b})
      if (op)
        loads[labelled.label(op)].feedsDot = true;
  return success();
}

/// An XOR of 16-byte chunks stays inside a row only where the row is a power
/// of two of them.
LogicalResult ScheduleResolver::resolveSwizzle(LoadPlan &load) {
  using Swizzle = OperandPolicy::Swizzle;
  RankedTensorType tile = getTileType(load.ops.front()->getResult(0));
  int64_t rowBytes = tile.getShape().back() * tile.getElementTypeBitWidth() / 8;
  plan::Rule rule = plan::checkXor(load.label.getValue(), rowBytes);
  bool fits = rule.holds;
  if (!load.request.swizzle) {
    load.policy.swizzle = fits ? Swizzle::Xor : Swizzle::None;
    passed(load.ops.front(), "Swizzle",
           fits ? Twine("swizzle = xor: rows are a power of two of 16-byte "
                        "chunks")
                : "swizzle = none: a row of " + Twine(rowBytes) +
                      " bytes is no power of two of 16-byte chunks");
    return success();
  }
  load.policy.swizzle = *load.request.swizzle;
  if (load.policy.swizzle == Swizzle::None || holds(std::move(rule)))
    return success();
  InFlightDiagnostic diag =
      load.ops.front()->emitOpError()
      << "cannot be swizzled by xor: a row of " << rowBytes << " bytes is "
      << rowBytes / kAccessBytes << " chunks of 16 bytes, no power of two";
  diag.attachNote() << "fix: swizzle = none, or a tile of a power of two in k";
  return diag;
}

/// Bytes of LDS that waves may exchange while the buffers of a pipeline are in
/// use, at most: whether they must follows from layouts, which come later.
/// fly-stage-lds counts what it really is.
int64_t ScheduleResolver::getExchangeBytes() {
  int64_t bytes = 0;
  // Tiles beyond what any chip has are refused elsewhere.
  auto countElements = [](RankedTensorType tile) {
    int64_t count = 1;
    for (int64_t extent : tile.getShape())
      count = std::min<int64_t>(count * std::min<int64_t>(extent, 1 << 20),
                                1 << 30);
    return count;
  };
  auto addParts = [&](ValueRange sources, int64_t dim) {
    RankedTensorType tile = getTileType(sources.front());
    int64_t others =
        countElements(tile) / std::max<int64_t>(1, tile.getDimSize(dim));
    for (Value source : sources)
      if (Type element = getTileType(source).getElementType();
          element.isIntOrFloat())
        bytes += others * waves[0] * waves[1] *
                 std::max<int64_t>(4, element.getIntOrFloatBitWidth() / 8);
  };
  kernel.walk([&](PipelineOp pipeline) {
    pipeline.walk([&](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        addParts(reduce.getSources(), reduce.getDim());
      } else if (auto scan = dyn_cast<ScanOp>(op)) {
        addParts(scan.getSources(), scan.getDim());
      } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
        RankedTensorType tile = getTileType(transpose.getSource());
        if (tile.getElementType().isIntOrFloat())
          bytes += countElements(tile) *
                   llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
      }
    });
  });
  return bytes;
}

LogicalResult ScheduleResolver::resolveLoads() {
  // Two buffers where they fit beside all others, else one.
  int64_t bytes = getExchangeBytes();
  for (auto &[label, load] : loads) {
    load.policy.inLds =
        load.request.inLds.value_or(load.feedsDot && load.runsAhead);
    load.policy.stages = load.request.stages.value_or(2);
    load.policy.cache = load.request.cache;
    bytes += load.ldsBytes();
  }
  bool twoFit = bytes <= int64_t(*chip.lds.bytes);
  for (auto &[label, load] : loads) {
    Operation *op = load.ops.front();
    if (!load.policy.inLds)
      continue;
    if (!load.feedsDot)
      return op->emitOpError()
             << "loads a tile that no dot reads as it is, so it "
                "has no use in LDS: schedule it as regs";
    if (!load.runsAhead)
      return op->emitOpError()
             << "cannot go through LDS: it is not in the prefetch of a "
                "fly.pipeline, which hands tiles over; schedule it as regs";
    if (!load.request.stages) {
      load.policy.stages = twoFit ? 2 : 1;
      passed(op, "Stages",
             llvm::formatv("stages = {0}: two of each take {1} bytes of LDS, "
                           "{2} has {3}",
                           load.policy.stages, bytes, chip.name,
                           *chip.lds.bytes)
                 .str());
    }
    if (failed(resolveSwizzle(load)))
      return failure();
    holds(plan::checkCopy(label.getValue(), load.tileBytes(), threads()));
    int64_t round = threads() * kAccessBytes;
    if (load.tileBytes() % round != 0)
      passed(op, "GuardedCopy",
             llvm::formatv("the tile of {0} bytes is no multiple of {1} ({2} "
                           "threads * 16 bytes): the copy is guarded, some "
                           "threads are idle in its last round",
                           load.tileBytes(), round, threads())
                 .str());
  }
  return success();
}
