//===- Accesses.cpp - What the lanes of a wave touch ----------------------===//
//
// Each access is evaluated for 64 lanes. Accesses of unrolled code that have
// the same figures are one entry with a count.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/AccessPieces.h"
#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Reports/Layout/LayoutReport.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "LaneEvaluator.h"

using namespace mlir;
using namespace fly;
using namespace fly::reports;

namespace {
/// What reads and writes have in common.
struct Access {
  Operation *op;
  Value view;
  OperandRange coordinates;
  Type value;
  std::optional<uint64_t> align;
  bool isRead;

  ViewType viewType() const { return cast<ViewType>(view.getType()); }
  /// Whether lanes read the chunks of a block, whatever else they say.
  bool isBlock() const {
    auto read = dyn_cast<ReadOp>(op);
    return read && read.getBlock();
  }
};

/// The accesses of one wave.
class Collector {
public:
  Collector(Operation *kernel, const arch::ArchInfo &chip, unsigned wave)
      : kernel(kernel), chip(chip) {
    for (unsigned lane = 0; lane < arch::waveLanes; ++lane)
      lanes.emplace_back(int64_t(wave) * arch::waveLanes + lane);
  }

  std::vector<AccessReport> run();

private:
  std::optional<AccessReport> report(const Access &access);
  /// Lanes for which every branch around `op` is taken, as far as that is
  /// known.
  uint64_t activeLanes(Operation *op);
  void placeInLds(const Access &access, AccessReport &report);
  void placeInMemory(const Access &access, AccessReport &report);
  std::string nameOf(Value view);

  Operation *kernel;
  const arch::ArchInfo &chip;
  std::vector<LaneEvaluator> lanes;
};
} // namespace

/// Strides in elements; a stride that only the launch knows is a distance that
/// nothing in a row bridges.
static SmallVector<int64_t> stridesOf(ViewType type) {
  constexpr int64_t far = int64_t(1) << 32;
  if (auto strided = dyn_cast_or_null<StridedAttr>(type.getLayout())) {
    SmallVector<int64_t> strides(strided.getStrides());
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (ShapedType::isDynamic(stride))
        stride = far << (4 * dim);
    return strides;
  }
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (unsigned dim = type.getRank() - 1; dim-- > 0;) {
    int64_t extent = type.getShape()[dim + 1];
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(strides[dim + 1], extent, strides[dim]))
      strides[dim] = far << (4 * (type.getRank() - 2 - dim));
  }
  return strides;
}

/// The element of a view that coordinates name, from its first; none where they
/// name no place in a layout of the algebra.
static std::optional<uint64_t> elementOf(ViewType type,
                                         ArrayRef<int64_t> strides,
                                         ArrayRef<int64_t> coordinates) {
  if (auto general = dyn_cast_or_null<MemoryLayoutAttr>(type.getLayout())) {
    SmallVector<int64_t> extents(type.getShape());
    for (int64_t &extent : extents) // Unknown ones are far apart.
      extent = ShapedType::isDynamic(extent) ? int64_t(1) << 20 : extent;
    std::vector<layout::IntTuple> tuple(coordinates.begin(), coordinates.end());
    llvm::Expected<layout::ComposedLayout> bound = general.bind(extents);
    if (!bound) {
      llvm::consumeError(bound.takeError());
      return std::nullopt;
    }
    llvm::Expected<int64_t> index = layout::crd2idx(
        tuple.size() == 1 ? tuple.front()
                          : layout::IntTuple::tuple(std::move(tuple)),
        *bound);
    if (index)
      return *index;
    llvm::consumeError(index.takeError()); // Outside of the view.
    return std::nullopt;
  }
  uint64_t element = 0;
  size_t rank = coordinates.size();
  auto preshuffle = dyn_cast_or_null<PreshuffleAttr>(type.getLayout());
  if (preshuffle && rank >= 2) {
    int64_t columns = type.getShape().back();
    if (ShapedType::isDynamic(columns))
      columns = int64_t(1) << 20;
    element =
        preshuffle.apply(coordinates[rank - 2], coordinates[rank - 1], columns,
                         type.getElementType().getIntOrFloatBitWidth());
    rank -= 2;
  }
  for (size_t dim = 0; dim < rank; ++dim)
    element += uint64_t(coordinates[dim]) * strides[dim];
  return element;
}

/// What each lane names in a transposing read, as elements of the view. It lies
/// at a multiple of its size.
static constexpr uint64_t chunkAlign = arch::widestAccessBytes;
static VectorType getChunk(ReadTransposedOp read) {
  auto value = cast<VectorType>(read.getValue().getType());
  Type element = read.getView().getType().getElementType();
  return VectorType::get(
      {value.getNumElements() * value.getElementTypeBitWidth() /
       element.getIntOrFloatBitWidth()},
      element);
}

uint64_t Collector::activeLanes(Operation *op) {
  uint64_t exec = ~uint64_t(0);
  for (Operation *inner = op; inner != kernel; inner = inner->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(inner->getParentOp());
    if (!branch)
      continue;
    bool inThen = inner->getParentRegion() == &branch.getThenRegion();
    for (auto [lane, evaluator] : llvm::enumerate(lanes)) {
      LaneEvaluator::Result condition =
          evaluator.evaluate(branch.getCondition());
      if (condition.isKnown && (condition.value != 0) != inThen)
        exec &= ~(uint64_t(1) << lane);
    }
  }
  return exec;
}

std::string Collector::nameOf(Value view) {
  if (auto field = view.getDefiningOp<LdsFieldOp>())
    return field.getField().str();
  // A view of a window has the pointer of the view that it is a window of.
  if (auto op = view.getDefiningOp<ViewOp>())
    if (auto argument = dyn_cast<BlockArgument>(op.getOperand(0)))
      if (auto function =
              dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
        return getArgumentName(function, argument.getArgNumber());
  return "view";
}

void Collector::placeInLds(const Access &access, AccessReport &report) {
  ViewType type = access.viewType();
  auto swizzle = dyn_cast_or_null<SwizzleAttr>(type.getLayout());
  for (uint64_t &address : report.addresses)
    address = swizzle ? swizzle.apply(address) : address;
  report.served = arch::lookupLdsAccess(
      chip.chip,
      access.isRead ? arch::LdsDirection::Read : arch::LdsDirection::Write,
      report.bytesPerLane);
  if (!report.served)
    return;
  SmallVector<uint32_t> addresses(report.addresses.begin(),
                                  report.addresses.end());
  report.cost = arch::ldsCost(*report.served, addresses, report.exec);
}

void Collector::placeInMemory(const Access &access, AccessReport &report) {
  SmallVector<std::pair<uint64_t, unsigned>> starts; // Address, lane.
  for (auto [lane, address] : llvm::enumerate(report.addresses))
    if (report.exec >> lane & 1)
      starts.push_back({address, unsigned(lane)});
  llvm::sort(starts);
  uint64_t begin = 0, end = 0;
  unsigned lanesHere = 0;
  auto close = [&] {
    if (!lanesHere)
      return;
    unsigned bytes = end - begin;
    ++report.segments;
    report.bytes += bytes;
    report.shortestSegment =
        report.segments == 1 ? bytes : std::min(report.shortestSegment, bytes);
    report.longestSegment = std::max(report.longestSegment, bytes);
    report.contiguousLanes = std::max(report.contiguousLanes, lanesHere);
  };
  for (auto [address, lane] : starts) {
    if (!lanesHere || address > end) {
      close();
      begin = end = address;
      lanesHere = 0;
    }
    end = std::max(end, address + report.bytesPerLane);
    ++lanesHere;
  }
  close();
}

std::optional<AccessReport> Collector::report(const Access &access) {
  ViewType type = access.viewType();
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementType().getIntOrFloatBitWidth() % 8)
    return std::nullopt;
  unsigned elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  auto vector = dyn_cast<VectorType>(access.value);
  AccessReport report;
  report.view = nameOf(access.view);
  if (auto place = access.op->getLoc()->findInstanceOf<FileLineColLoc>())
    report.line = place.getLine();
  report.isRead = access.isRead;
  report.inLds = type.getInLds();
  unsigned elements = vector ? vector.getNumElements() : 1;
  auto pieces = arch::splitIntoPieces(
      elements, elementBytes,
      access.isBlock() ? elements : access.align.value_or(1),
      arch::widestAccessBytes);
  report.pieces = pieces.size();
  report.bytesPerLane = pieces.front().count * elementBytes;
  report.exec = activeLanes(access.op);
  SmallVector<int64_t> strides = stridesOf(type);
  auto preshuffle = dyn_cast_or_null<PreshuffleAttr>(type.getLayout());
  for (auto [number, lane] : llvm::enumerate(lanes)) {
    SmallVector<int64_t> coordinates;
    for (Value coordinate : access.coordinates)
      coordinates.push_back(lane.evaluate(coordinate).value);
    if (access.isBlock()) {
      auto roundDown = [](int64_t &coordinate, int64_t unit) {
        coordinate = llvm::divideFloorSigned(coordinate, unit) * unit;
      };
      roundDown(coordinates[0], preshuffle.getRows());
      roundDown(coordinates[1], preshuffle.getColumns(8 * elementBytes));
    }
    std::optional<uint64_t> element = elementOf(type, strides, coordinates);
    if (!element) // Touches nothing.
      report.exec &= ~(uint64_t(1) << number);
    uint64_t chunk = access.isBlock() ? number * elements : 0;
    report.addresses.push_back((element.value_or(0) + chunk) * elementBytes);
  }
  if (report.inLds)
    placeInLds(access, report);
  else
    placeInMemory(access, report);
  return report;
}

std::vector<AccessReport> Collector::run() {
  std::vector<AccessReport> found;
  auto keyOf = [](const AccessReport &a) {
    return std::make_tuple(a.view, a.line, a.isRead, a.pieces, a.bytesPerLane,
                           a.exec, a.cost.conflictCycles, a.cost.degree,
                           a.segments, a.shortestSegment, a.longestSegment);
  };
  std::map<decltype(keyOf(found.front())), size_t> known;
  kernel->walk([&](Operation *op) {
    std::optional<AccessReport> entry;
    if (auto read = dyn_cast<ReadOp>(op))
      entry = report({op, read.getView(), read.getCoordinates(),
                      read.getValue().getType(), read.getAlign(), true});
    else if (auto read = dyn_cast<ReadTransposedOp>(op))
      entry = report({op, read.getView(), read.getCoordinates(), getChunk(read),
                      chunkAlign, true});
    else if (auto write = dyn_cast<WriteOp>(op))
      entry = report({op, write.getView(), write.getCoordinates(),
                      write.getValue().getType(), write.getAlign(), false});
    if (!entry)
      return;
    auto [it, isNew] = known.try_emplace(keyOf(*entry), found.size());
    if (isNew)
      found.push_back(std::move(*entry));
    else
      ++found[it->second].count;
  });
  return found;
}

std::vector<AccessReport>
fly::reports::reportAccesses(Operation *kernel, const arch::ArchInfo &chip,
                             unsigned wave) {
  return Collector(kernel, chip, wave).run();
}
