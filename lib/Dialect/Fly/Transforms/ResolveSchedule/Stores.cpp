//===- Stores.cpp - How stores write their tiles -------------------------===//
//
// From where lanes hold a tile, or row by row after it has changed lanes
// through LDS (cshuffle). By rule the second where it costs no LDS and makes
// more of memory: the result of a dot in elements of which a lane holds fewer
// than 16 bytes of a row, whose rows begin at 16 bytes and fill cache lines.
// Refused: a tile to change lanes that LDS does not hold.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include "../TileAccess.h"
#include "../TileFlow.h"
#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// Contiguous elements of a row or column that a lane has of an accumulator.
static constexpr int64_t kAccumulatorRun = 4;

static RankedTensorType getStoredType(Operation *op) {
  return llvm::TypeSwitch<Operation *, RankedTensorType>(op)
      .Case<StoreOp, ScatterOp>(
          [](auto store) { return getTileType(store.getTile()); });
}

/// Bytes of the tile as LDS holds it; those of tiles beyond all chips do not
/// wrap.
static int64_t getStoredBytes(Operation *op) {
  RankedTensorType tile = getStoredType(op);
  int64_t bytes = llvm::divideCeil(tile.getElementTypeBitWidth(), 8);
  for (int64_t extent : tile.getShape())
    bytes = std::min<int64_t>(bytes * std::min<int64_t>(extent, INT32_MAX),
                              INT32_MAX);
  return bytes;
}

LogicalResult ScheduleResolver::checkStores() {
  for (const auto &[label, group] : labelled.getGroups()) {
    if (group.kind != LabelledOps::Kind::Store)
      continue;
    auto emitError = [&, &op = group.ops.front(), label = label] {
      return op->emitOpError()
             << "schedule entry '" << label.getValue() << "': ";
    };
    auto request = StoreRequest::read(getEntry(label), emitError);
    if (failed(request))
      return failure();
    for (Operation *op : group.ops)
      if (int64_t bytes = getStoredBytes(op);
          request->epilogue == Epilogue::CShuffle && bytes > *chip.lds.bytes)
        return emitError() << "cshuffle takes a tile of " << bytes
                           << " bytes through LDS, " << chip.name << " has "
                           << *chip.lds.bytes
                           << ": use epilogue = direct, or smaller tiles";
    stores[label] = *request;
  }
  return success();
}

/// Why a store of a dot's result is better direct; empty if it is not.
std::string ScheduleResolver::whyDirect(Operation *store, const DotPlan &dot,
                                        IntegerFacts &facts) {
  RankedTensorType tile = getStoredType(store);
  ViewType view = getMovedView(store);
  int64_t elementBytes = tile.getElementTypeBitWidth() / 8;
  if (view.getContiguousDim() != view.getRank() - 1)
    return "its rows are not contiguous";
  int64_t run = (dot.policy.transposed ? kAccumulatorRun : 1) * elementBytes;
  if (run >= kAccessBytes)
    return llvm::formatv("a lane holds {0} bytes of a row", run);
  int64_t rowBytes = tile.getShape().back() * elementBytes;
  if (rowBytes < int64_t(*chip.cacheLineBytes))
    return llvm::formatv("rows of {0} bytes do not fill a cache line of {1}",
                         rowBytes, *chip.cacheLineBytes);
  std::optional<TileAccess> access;
  llvm::TypeSwitch<Operation *>(store).Case<StoreOp, ScatterOp>(
      [&](auto op) { access = TileAccess::get(op); });
  RowAlignment rows;
  if (access)
    rows = getRowAlignment(*access, facts);
  if (!access || !rows.shortfall.empty())
    return access ? rows.shortfall : "its rows begin anywhere";
  if (uint64_t(getStoredBytes(store)) > ldsBudget.total())
    return llvm::formatv("cshuffle would take {0} bytes of LDS, the loads "
                         "leave {1} that it could lie over",
                         getStoredBytes(store), ldsBudget.total());
  return {};
}

LogicalResult ScheduleResolver::resolveStores() {
  std::optional<IntegerFacts> facts;
  for (auto &[label, request] : stores) {
    if (request.epilogue)
      continue;
    request.epilogue = Epilogue::Direct;
    // The dot whose accumulator reaches the store; what comes from elsewhere
    // is in the layout of its memory already.
    const LabelledOps::Group *group = labelled.lookup(label);
    const auto *dot = llvm::find_if(dots, [&](const DotPlan &dot) {
      ProductOpInterface op = dot.op;
      return llvm::is_contained(findStores(op->getResult(0)),
                                group->ops.front());
    });
    if (dot == dots.end())
      continue;
    if (!facts)
      facts.emplace(kernel);
    std::string why;
    for (Operation *op : group->ops)
      if (why.empty())
        why = whyDirect(op, *dot, *facts);
    if (why.empty())
      request.epilogue = Epilogue::CShuffle;
    Operation *op = group->ops.front();
    passed(op, "Epilogue",
           why.empty() ? llvm::formatv(
                             "epilogue = cshuffle: rows of {0} bytes in "
                             "accesses of {1}, through {2} bytes of LDS that "
                             "the loads have done with",
                             getStoredType(op).getShape().back() *
                                 getStoredType(op).getElementTypeBitWidth() / 8,
                             kAccessBytes, getStoredBytes(op))
                             .str()
                       : "epilogue = direct: " + why);
  }
  return success();
}
