//===- Exchanges.cpp - Tiles that go through LDS from lanes to lanes ------===//
//
// A field holds a tile by rows or by columns, with padded or permuted rows. All
// such orders are evaluated on the addresses that the writing and the reading
// lanes use; the one with the fewest cycles is taken, of equals the smallest.
// Elements that layouts have a little beyond the tile have a place too, so that
// neither side tells them apart.
//
//===----------------------------------------------------------------------===//
#include "Exchanges.h"

#include "fly/Arch/Wave.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

#include "../LayoutMoves.h"
#include "../PassRemark.h"
#include "../ScanOrder.h"
#include "../ShapeOps.h"
#include "../TileFlow.h"
#include "../UnloweredOps.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

static constexpr llvm::StringLiteral kPass = "fly-stage-lds";

/// Chunks of 16 bytes that rows are padded by at most: as many rows apart, rows
/// begin at all banks.
static constexpr int64_t kMostPadding = 4;
/// Rows that an XOR may be steered by beyond those next to each other, as a
/// power of two: a lane's vector of bytes is 16 rows.
static constexpr unsigned kMostShift = 4;

/// The extents of all elements that lanes have of a tile, also beyond it.
static SmallVector<int64_t> getReach(RankedTensorType tile, int64_t threads) {
  SmallVector<int64_t> reach(tile.getShape());
  LaneMap map =
      cast<LayoutAttrInterface>(tile.getEncoding()).getLaneMap(tile.getShape());
  if (!map.partial)
    return reach;
  for (unsigned d = 0; d < map.rank(); ++d) {
    int64_t lane = 0, tail = 0;
    for (int64_t thread = 0; thread < threads; ++thread) {
      int64_t base = 0;
      for (const LaneTerm &term : map.base[d])
        base += term.evaluate(thread);
      lane = std::max(lane, base);
    }
    for (const auto &offset : map.tails)
      tail = std::max(tail, offset[d]);
    reach[d] = std::max(reach[d], lane + tail + 1);
  }
  return reach;
}

/// Bytes from one row to the next: as they are, and padded unless `bankBytes`,
/// of a bank of LDS, is 0.
static SmallVector<int64_t> getPitches(int64_t rowBytes, int64_t elementBytes,
                                       int64_t bankBytes) {
  SmallVector<int64_t> pitches = {rowBytes};
  auto add = [&](int64_t pitch) {
    if (pitch % elementBytes == 0 && !llvm::is_contained(pitches, pitch))
      pitches.push_back(pitch);
  };
  if (bankBytes == 0)
    return pitches;
  int64_t chunk = arch::widestAccessBytes;
  for (int64_t i = 0; i <= kMostPadding; ++i)
    add(llvm::alignTo(rowBytes, chunk) + i * chunk);
  for (int64_t banks : {1, 2, 3})
    add(llvm::alignTo(rowBytes, bankBytes) + banks * bankBytes);
  return pitches;
}

/// All orders that a field of these extents may have; padded ones by
/// `bankBytes`, none where that is 0.
static SmallVector<ViewType> getOrders(ArrayRef<int64_t> shape, Type element,
                                       int64_t bankBytes) {
  MLIRContext *context = element.getContext();
  ViewType linear = ViewType::get(shape, element, /*inLds=*/true);
  SmallVector<ViewType> orders = {linear};
  if (shape.size() != 2)
    return orders;
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  for (unsigned contiguous : {1, 0})
    for (int64_t pitch :
         getPitches(shape[contiguous] * bytes, bytes, bankBytes)) {
      int64_t strides[2];
      strides[contiguous] = 1;
      strides[1 - contiguous] = pitch / bytes;
      if (contiguous == 0 || strides[0] != shape[1])
        orders.push_back(linear.withLayout(StridedAttr::get(context, strides)));
    }
  int64_t rowBytes = shape[1] * bytes;
  if (!llvm::isPowerOf2_64(rowBytes) || rowBytes <= arch::widestAccessBytes)
    return orders;
  unsigned base = llvm::Log2_64(arch::widestAccessBytes);
  unsigned chunkBits = llvm::Log2_64(rowBytes) - base;
  for (unsigned bits = 1; bits <= chunkBits; ++bits)
    for (unsigned shift = chunkBits; shift <= chunkBits + kMostShift; ++shift)
      orders.push_back(
          linear.withLayout(SwizzleAttr::get(context, bits, base, shift)));
  return orders;
}

SmallVector<LdsTileAccess, 2> stage::getAccesses(Operation *op) {
  SmallVector<LdsTileAccess, 2> accesses;
  for (Value operand : op->getOperands())
    if (RankedTensorType tile = tileType(operand))
      accesses.push_back({tile, arch::LdsDirection::Write});
  accesses.push_back({tileType(op->getResult(0)), arch::LdsDirection::Read});
  return accesses;
}

ViewType FieldChoice::choose(ArrayRef<int64_t> shape, Type element,
                             ArrayRef<LdsTileAccess> accesses) const {
  ViewType best;
  std::tuple<unsigned, int64_t> bestCost;
  if (!chip)
    return ViewType::get(shape, element, /*inLds=*/true);
  int64_t bankBytes = compact ? 0 : *chip->lds.bankBytes;
  for (ViewType field : getOrders(shape, element, bankBytes)) {
    std::tuple<unsigned, int64_t> cost(
        evaluateLdsField(*chip, field, accesses).cycles,
        field.getSizeInBytes().value_or(INT64_MAX));
    if (best && cost >= bestCost)
      continue;
    best = field;
    bestCost = cost;
  }
  return best;
}

static Exchange makeExchange(ConvertLayoutOp op, const FieldChoice &choice) {
  RankedTensorType source = tileType(op.getSource()), result = tileType(op);
  ArrayRef<int64_t> tile = result.getShape();
  SmallVector<int64_t> shape = getReach(source, choice.threads);
  for (auto [d, extent] : llvm::enumerate(getReach(result, choice.threads)))
    shape[d] = std::max(shape[d], extent);
  // Where that is much more than the tile, lanes beyond it are told apart.
  if (choice.compact || ShapedType::getNumElements(shape) * 4 >
                            ShapedType::getNumElements(tile) * 5)
    shape.assign(tile.begin(), tile.end());
  ViewType field =
      choice.choose(shape, result.getElementType(), getAccesses(op));
  FieldTile whole = {0, field, SmallVector<int64_t, 2>(shape.size(), 0)};
  return {op, field, {whole}, whole};
}

/// The fields of a scan; none where no waves share the dimension.
static SmallVector<ViewType> getScanFields(ScanOp op, int64_t threads) {
  RankedTensorType tile = tileType(op.getSources().front());
  unsigned dim = op.getDim();
  auto layout = dyn_cast_or_null<LayoutAttrInterface>(tile.getEncoding());
  bool isNumeric = llvm::all_of(op.getSources(), [](Value source) {
    return tileType(source).getElementType().isIntOrFloat();
  });
  if (!layout || !isNumeric || !op.getScratch().empty())
    return {};
  auto order = getScanOrder(layout.getLaneMap(tile.getShape()), dim, threads);
  if (!order || order->spread.numParts == 1)
    return {};
  int64_t others = tile.getRank() == 1 ? 1 : getReach(tile, threads)[1 - dim];
  return llvm::map_to_vector(op.getSources(), [&](Value source) {
    return ViewType::get({order->rounds * order->spread.numParts, others},
                         getScanExchangeType(op, source), /*inLds=*/true);
  });
}

/// Whether `op` takes elements from lanes to others.
static bool moves(Operation *op, int64_t threads) {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return movesBetweenLanes(convert, threads);
  return isShapeOp(op) && hasLaneLayouts(op) && !getShapeMoves(op, threads);
}

FailureOr<Exchanges> stage::collectExchanges(FunctionOpInterface kernel,
                                             const arch::ArchInfo *chip,
                                             int64_t threads, bool compact) {
  Exchanges exchanges;
  FieldChoice choice = {chip, threads, compact};
  WalkResult walk = kernel->walk([&](Operation *op) {
    if (moves(op, threads)) {
      if (failed(checkIsLowered(op)))
        return WalkResult::interrupt();
      if (Type element = tileType(op->getResult(0)).getElementType();
          !element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0) {
        op->emitOpError() << "moves elements of " << element
                          << " between lanes, but LDS holds whole bytes: "
                             "convert them to a type of 8 bits first";
        return WalkResult::interrupt();
      }
      auto convert = dyn_cast<ConvertLayoutOp>(op);
      exchanges.moves.push_back(convert ? makeExchange(convert, choice)
                                        : makeShapeExchange(op, choice));
    } else if (auto scan = dyn_cast<ScanOp>(op)) {
      if (auto fields = getScanFields(scan, threads); !fields.empty())
        exchanges.scans.push_back({scan, std::move(fields)});
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return exchanges;
}

static std::string describeOrder(ViewType field) {
  if (auto swizzle = dyn_cast_or_null<SwizzleAttr>(field.getLayout()))
    return llvm::formatv("rows permuted by swizzle<{0}, {1}, {2}>",
                         swizzle.getBits(), swizzle.getBase(),
                         swizzle.getShift());
  auto strided = dyn_cast_or_null<StridedAttr>(field.getLayout());
  if (!strided)
    return "rows";
  bool byColumns = field.getContiguousDim() == 0u;
  return llvm::formatv("{0} {1} elements apart", byColumns ? "columns" : "rows",
                       strided.getStrides()[byColumns ? 1 : 0]);
}

void stage::remarkExchange(const Exchange &exchange,
                           const arch::ArchInfo &chip) {
  SmallVector<LdsTileAccess, 2> tiles = getAccesses(exchange.op);
  auto accesses = ArrayRef(tiles);
  LdsFieldCost write =
      evaluateLdsField(chip, exchange.field, accesses.drop_back());
  LdsFieldCost read =
      evaluateLdsField(chip, exchange.field, accesses.take_back());
  remarkPassed(
      exchange.op, kPass, "Exchanged",
      llvm::formatv("{0} bytes of LDS in {1}; a wave writes {2} times {3} "
                    "bytes a lane and reads {4} times {5}, {6} cycles, {7} of "
                    "them conflicts (degree {8} written, {9} read)",
                    exchange.field.getSizeInBytes().value_or(0),
                    describeOrder(exchange.field), write.instructions,
                    write.narrowest, read.instructions, read.narrowest,
                    write.cycles + read.cycles,
                    write.conflicts + read.conflicts, write.degree, read.degree)
          .str());
}
