//===- Distribute.cpp - Tiles to lanes ------------------------------------===//
//
// Rewrites a kernel on tiles, all of which have layouts, to what each lane
// does: a tile becomes a register array (`vector<4x8x4xf32>`), a load or store
// the reads or writes of contiguous groups, a dot the matrix instructions. The
// result is the explicit level: no tensor is left, and the launch parameters
// stand on the kernel (`fly.waves`, `fly.waves_per_eu`).
//
// The tile's origin moves into the view's base in 64-bit scalar arithmetic for
// every dimension but the contiguous one, so that lane offsets stay small. A
// dot reads its LDS operands micro-step by micro-step, next to the instructions
// that use them.
//
// Refuses, with the op: tiles without a layout, conversions between layouts
// that would move elements between lanes, masks, views of a higher rank than
// the tile, and origins that cannot be shown to be at least 0.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "Distribute/LaneAccess.h"

#define DEBUG_TYPE "fly-distribute"

namespace fly {
#define GEN_PASS_DEF_FLYDISTRIBUTEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

static RankedTensorType tileType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// The position of flat element `index` in an array of this shape.
static SmallVector<int64_t> positionOf(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<int64_t> position(shape.size());
  for (unsigned d = shape.size(); d-- > 0;) {
    position[d] = index % shape[d];
    index /= shape[d];
  }
  return position;
}

namespace {
class Distributor {
public:
  Distributor(FunctionOpInterface kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), builder(kernel.getContext()),
        entry(new Block), coordinates(*entry) {}

  LogicalResult run();
  unsigned numTiles = 0;

private:
  LogicalResult distributeBlock(Block &from);
  LogicalResult distribute(Operation *op);
  LogicalResult distribute(LoadOp op);
  LogicalResult distribute(StoreOp op);
  LogicalResult distribute(DotOp op);
  LogicalResult distribute(scf::ForOp op);
  LogicalResult distribute(scf::IfOp op);
  LogicalResult distribute(ConstantOp op);
  LogicalResult distribute(SplatOp op);
  LogicalResult distribute(BroadcastOp op);
  LogicalResult distribute(CastOp op);
  LogicalResult distribute(ConvertLayoutOp op);
  LogicalResult distributeElementwise(Operation *op);

  template <typename OpT>
  FailureOr<Window> makeWindow(OpT op);
  /// The view with its base at the origin of the dimensions in `moved`.
  Value moveBase(ViewOp view, ArrayRef<OpFoldResult> origin,
                 ArrayRef<bool> moved, ViewType type);
  Value readTile(LaneAccess &access, RankedTensorType tile, Location loc);
  /// Whether the load is read piece by piece where its one user, a dot, is.
  bool isReadByDot(LoadOp op);
  /// Group `index` of the operand of a dot: a read, or a part of its registers.
  Value getFragment(LaneAccess *access, Value registers,
                    ArrayRef<int64_t> position, ArrayRef<int64_t> shape,
                    Location loc);

  Value lookup(Value value) { return mapping.lookupOrDefault(value); }
  Value toIndex(Value value, Location loc) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  Value materialize(OpFoldResult value, Location loc) {
    if (auto dynamic = dyn_cast<Value>(value))
      return lookup(dynamic);
    return arith::ConstantOp::create(
        builder, loc,
        builder.getI32IntegerAttr(
            cast<IntegerAttr>(cast<Attribute>(value)).getInt()));
  }
  Value toI64(Value value, Location loc) {
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  }

  FunctionOpInterface kernel;
  const arch::ArchInfo &chip;
  OpBuilder builder;
  std::unique_ptr<Block> entry;
  LaneCoordinates coordinates;
  IRMapping mapping;
};
} // namespace

//===----------------------------------------------------------------------===//
// Windows of views
//===----------------------------------------------------------------------===//

/// Whether a scalar is at least 0 for every workgroup and iteration.
static bool isNonNegative(Value value, unsigned depth = 0) {
  if (depth > 16)
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    if (argument == loop.getInductionVar())
      return isNonNegative(loop.getLowerBound(), depth + 1);
    // A carried scalar that only grows from a start of at least 0.
    unsigned index = argument.getArgNumber() - 1;
    auto next = loop.getYieldedValues()[index].getDefiningOp<arith::AddIOp>();
    while (next && next.getLhs() != argument &&
           next.getLhs() != loop.getInductionVar())
      next = next.getLhs().getDefiningOp<arith::AddIOp>();
    return next && isNonNegative(next.getRhs(), depth + 1) &&
           isNonNegative(loop.getInitArgs()[index], depth + 1);
  }
  Operation *op = value.getDefiningOp();
  // Halved at least once, an unsigned number has no sign bit.
  if (auto quotient = dyn_cast<arith::DivUIOp>(op))
    if (matchPattern(quotient.getRhs(), m_ConstantInt(&constant)) &&
        constant.ugt(1))
      return true;
  if (isa<gpu::BlockIdOp, gpu::ThreadIdOp, arith::RemUIOp>(op))
    return true;
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
          arith::IndexCastOp, arith::ExtSIOp, arith::RemSIOp, arith::MaxSIOp,
          arith::MinSIOp, arith::ShRUIOp, arith::SelectOp>(op)) {
    auto operands = op->getOperands();
    if (isa<arith::SelectOp>(op))
      operands = operands.drop_front();
    return llvm::all_of(operands, [&](Value operand) {
      return isNonNegative(operand, depth + 1);
    });
  }
  if (auto result = dyn_cast<OpResult>(value)) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return isNonNegative(loop.getRegionIterArg(result.getResultNumber()),
                           depth + 1);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return llvm::all_of(branch.getRegions(), [&](Region *region) {
        return !region->empty() &&
               isNonNegative(region->front().getTerminator()->getOperand(
                                 result.getResultNumber()),
                             depth + 1);
      });
  }
  return false;
}

Value Distributor::moveBase(ViewOp view, ArrayRef<OpFoldResult> origin,
                            ArrayRef<bool> moved, ViewType type) {
  Location loc = view.getLoc();
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  unsigned rank = extents.size();
  if (strides.empty()) {
    // Row-major: the product of the extents behind.
    strides.assign(rank, OpFoldResult(builder.getI64IntegerAttr(1)));
    for (unsigned d = rank - 1; d-- > 0;) {
      auto one = dyn_cast<Attribute>(strides[d + 1]);
      if (one && cast<IntegerAttr>(one).getInt() == 1)
        strides[d] = extents[d + 1];
      else
        strides[d] = arith::MulIOp::create(builder, loc,
                                           materialize(strides[d + 1], loc),
                                           materialize(extents[d + 1], loc))
                         .getResult();
    }
  }
  Value offset = view.getOffset() ? lookup(view.getOffset()) : Value();
  for (unsigned d = 0; d < rank; ++d) {
    if (!moved[d])
      continue;
    Value at = materialize(origin[d], loc);
    Value part = arith::MulIOp::create(
        builder, loc, toI64(at, loc), toI64(materialize(strides[d], loc), loc));
    offset = offset
                 ? arith::AddIOp::create(builder, loc, offset, part).getResult()
                 : part;
    extents[d] =
        arith::SubIOp::create(builder, loc, materialize(extents[d], loc), at)
            .getResult();
  }
  auto split = [&](ArrayRef<OpFoldResult> mixed, SmallVector<Value> &values) {
    SmallVector<Attribute> entries;
    for (OpFoldResult entry : mixed) {
      if (auto value = dyn_cast<Value>(entry)) {
        values.push_back(lookup(value));
        entries.push_back(builder.getUnitAttr());
      } else {
        entries.push_back(cast<Attribute>(entry));
      }
    }
    return builder.getArrayAttr(entries);
  };
  SmallVector<Value> extentValues, strideValues;
  ArrayAttr staticExtents = split(extents, extentValues);
  ArrayAttr staticStrides = split(strides, strideValues);
  return ViewOp::create(builder, loc, type, lookup(view.getPtr()), extentValues,
                        strideValues, offset, staticExtents, staticStrides);
}

template <typename OpT>
FailureOr<Window> Distributor::makeWindow(OpT op) {
  Location loc = op.getLoc();
  RankedTensorType tile = tileType(op.getTile());
  if (op.getMask())
    return op.emitOpError() << "has a mask, which this pass cannot distribute";
  if (!isa_and_nonnull<LayoutAttrInterface>(tile.getEncoding()))
    return op.emitOpError() << "has a tile without a layout: run "
                               "fly-assign-layouts first";
  Window window;
  ViewType type = op.getView().getType();
  unsigned rank = type.getRank();
  if (rank != tile.getRank())
    return op.emitOpError()
           << "has a tile of rank " << tile.getRank() << " in a view of rank "
           << rank << ", which this pass cannot distribute";
  window.cache = op.getCache();
  if constexpr (std::is_same_v<OpT, LoadOp>)
    window.pad = op.getPad();
  for (unsigned d = 0; d < rank; ++d)
    window.inBounds.push_back(op.isInBounds(d));
  window.origin.assign(rank, Value());
  if (type.getInLds()) {
    window.view = lookup(op.getView());
    window.type = type;
    // A field is aligned to 16 bytes, and so are its rows where their length
    // is a multiple of it.
    window.align = type.getShape().back();
    return window;
  }
  auto view = op.getView().template getDefiningOp<ViewOp>();
  if (!view)
    return op.emitOpError() << "needs its view to be made by fly.view in this "
                               "kernel";
  window.align = op.getAlign().value_or(1);
  SmallVector<OpFoldResult> origin = op.getMixedCoordinates();
  unsigned contiguous = type.getContiguousDim().value_or(rank);
  SmallVector<bool> moved(rank, false);
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned d = 0; d < rank; ++d) {
    auto number = dyn_cast<Attribute>(origin[d]);
    if (number && cast<IntegerAttr>(number).getInt() == 0)
      continue;
    bool negative = number ? cast<IntegerAttr>(number).getInt() < 0
                           : !isNonNegative(cast<Value>(origin[d]));
    if (negative && !window.inBounds[d])
      return op.emitOpError()
             << "has a coordinate in dimension " << d
             << " that cannot be shown to be at least 0; elements before the "
                "view's start are not distributed";
    moved[d] = d != contiguous;
    if (moved[d])
      shape[d] = ShapedType::kDynamic;
    else
      window.origin[d] = toIndex(materialize(origin[d], loc), loc);
  }
  window.type = ViewType::get(shape, type.getElementType(), /*inLds=*/false,
                              type.getLayout());
  if (llvm::is_contained(moved, true))
    window.view = moveBase(view, origin, moved, window.type);
  else
    window.view = lookup(op.getView());
  window.type = cast<ViewType>(window.view.getType());
  return window;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Puts a group of contiguous elements into a register array.
static Value insertGroup(OpBuilder &builder, Location loc, Value group,
                         Value array, ArrayRef<int64_t> position) {
  auto type = cast<VectorType>(array.getType());
  int64_t length = cast<VectorType>(group.getType()).getNumElements();
  if (length == type.getShape().back()) {
    if (type.getRank() == 1)
      return group;
    return vector::InsertOp::create(builder, loc, group, array,
                                    position.drop_back());
  }
  SmallVector<int64_t> strides(1, 1);
  return vector::InsertStridedSliceOp::create(builder, loc, group, array,
                                              position, strides);
}

/// Takes `length` contiguous elements out of a register array.
static Value extractGroup(OpBuilder &builder, Location loc, Value array,
                          ArrayRef<int64_t> position, int64_t length) {
  auto type = cast<VectorType>(array.getType());
  Value inner = array;
  if (type.getRank() > 1)
    inner =
        vector::ExtractOp::create(builder, loc, array, position.drop_back());
  if (length == type.getShape().back())
    return inner;
  return vector::ExtractStridedSliceOp::create(
      builder, loc, inner, ArrayRef<int64_t>{position.back()},
      ArrayRef<int64_t>{length}, ArrayRef<int64_t>{1});
}

Value Distributor::readTile(LaneAccess &access, RankedTensorType tile,
                            Location loc) {
  VectorType type = getRegisterType(tile);
  Value array = ub::PoisonOp::create(builder, loc, type);
  for (unsigned i = 0; i < access.getNumGroups(); ++i)
    array = insertGroup(builder, loc, access.read(i), array,
                        positionOf(type.getShape(), i * access.getGroup()));
  return array;
}

bool Distributor::isReadByDot(LoadOp op) {
  if (!op.getView().getType().getInLds() || !op.getTile().hasOneUse())
    return false;
  auto dot = dyn_cast<DotOp>(*op.getTile().getUsers().begin());
  if (!dot || dot->getBlock() != op->getBlock())
    return false;
  // Nothing between may write LDS or order it.
  for (Operation *next = op->getNextNode(); next != dot;
       next = next->getNextNode())
    if (!isa<LoadOp>(next) && !isMemoryEffectFree(next))
      return false;
  return true;
}

LogicalResult Distributor::distribute(LoadOp op) {
  if (isReadByDot(op))
    return success();
  FailureOr<Window> window = makeWindow(op);
  if (failed(window))
    return failure();
  LaneAccess access(builder, op.getLoc(), coordinates, *window,
                    tileType(op.getTile()));
  mapping.map(op.getTile(),
              readTile(access, tileType(op.getTile()), op.getLoc()));
  return success();
}

LogicalResult Distributor::distribute(StoreOp op) {
  FailureOr<Window> window = makeWindow(op);
  if (failed(window))
    return failure();
  RankedTensorType tile = tileType(op.getTile());
  LaneAccess access(builder, op.getLoc(), coordinates, *window, tile);
  Value array = lookup(op.getTile());
  ArrayRef<int64_t> shape = cast<VectorType>(array.getType()).getShape();
  for (unsigned i = 0; i < access.getNumGroups(); ++i) {
    SmallVector<int64_t> position = positionOf(shape, i * access.getGroup());
    access.write(i, extractGroup(builder, op.getLoc(), array, position,
                                 access.getGroup()));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

static std::optional<arch::ElementType> getElementType(Type type) {
  if (type.isF16())
    return arch::ElementType::F16;
  if (type.isBF16())
    return arch::ElementType::Bf16;
  if (type.isF32())
    return arch::ElementType::F32;
  if (type.isInteger(8))
    return arch::ElementType::I8;
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(type))
    return arch::ElementType::Fp8;
  if (isa<Float8E5M2Type, Float8E5M2FNUZType>(type))
    return arch::ElementType::Bf8;
  return std::nullopt;
}

Value Distributor::getFragment(LaneAccess *access, Value registers,
                               ArrayRef<int64_t> position,
                               ArrayRef<int64_t> shape, Location loc) {
  if (!access)
    return extractGroup(builder, loc, registers, position, shape.back());
  int64_t first = (position[0] * shape[1] + position[1]) * shape[2];
  int64_t group = access->getGroup();
  if (group == shape.back())
    return access->read(first / group);
  auto type = VectorType::get({shape.back()}, access->getElementType());
  Value fragment = ub::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < shape.back(); i += group)
    fragment = insertGroup(builder, loc, access->read((first + i) / group),
                           fragment, {i});
  return fragment;
}

LogicalResult Distributor::distribute(DotOp op) {
  Location loc = op.getLoc();
  auto layout =
      dyn_cast_or_null<MmaAttr>(tileType(op.getResult()).getEncoding());
  auto aLayout =
      dyn_cast_or_null<OperandAttr>(tileType(op.getA()).getEncoding());
  auto bLayout =
      dyn_cast_or_null<OperandAttr>(tileType(op.getB()).getEncoding());
  if (!layout || !aLayout || !bLayout || aLayout.getParent() != layout ||
      bLayout.getParent() != layout || aLayout.getPack() != bLayout.getPack() ||
      aLayout.getSide() != OperandSide::A ||
      bLayout.getSide() != OperandSide::B)
    return op.emitOpError() << "needs operands and accumulator in the layouts "
                               "of one matrix instruction: run "
                               "fly-assign-layouts first";
  int64_t block = layout.getShape()[0], pack = aLayout.getPack();
  // The instruction with the largest K whose operand fits the pack.
  auto a = getElementType(tileType(op.getA()).getElementType());
  auto b = getElementType(tileType(op.getB()).getElementType());
  int64_t k = 0;
  if (a && b)
    for (unsigned candidate : arch::legalMfmaK(chip.chip, block, block, *a, *b))
      if (pack % (int64_t(candidate) * block / 64) == 0)
        k = candidate;
  if (k == 0)
    return op.emitOpError()
           << "has no matrix instruction of " << block << "x" << block
           << " for " << tileType(op.getA()).getElementType() << " and "
           << tileType(op.getB()).getElementType() << " on " << chip.name;
  int64_t perLane = k * block / 64;

  // Operands that come from LDS are read here, the others are in registers.
  std::optional<Window> windows[2];
  std::optional<LaneAccess> accesses[2];
  Value registers[2];
  for (unsigned index : {0u, 1u}) {
    Value operand = index == 0 ? op.getA() : op.getB();
    auto load = operand.getDefiningOp<LoadOp>();
    if (!load || !isReadByDot(load)) {
      registers[index] = lookup(operand);
      continue;
    }
    FailureOr<Window> window = makeWindow(load);
    if (failed(window))
      return failure();
    windows[index] = *window;
    accesses[index].emplace(builder, load.getLoc(), coordinates,
                            *windows[index], tileType(operand));
  }
  SmallVector<int64_t> aShape =
      distribute::getLaneMap(tileType(op.getA())).registers;
  SmallVector<int64_t> bShape =
      distribute::getLaneMap(tileType(op.getB())).registers;
  Value acc = lookup(op.getAcc());
  for (int64_t step = 0; step < aShape[1]; ++step) {
    SmallVector<Value> as, bs;
    for (int64_t i = 0; i < aShape[0]; ++i)
      as.push_back(getFragment(accesses[0] ? &*accesses[0] : nullptr,
                               registers[0], {i, step, 0}, aShape, loc));
    for (int64_t j = 0; j < bShape[0]; ++j)
      bs.push_back(getFragment(accesses[1] ? &*accesses[1] : nullptr,
                               registers[1], {j, step, 0}, bShape, loc));
    for (int64_t part = 0; part < pack; part += perLane)
      for (int64_t i = 0; i < aShape[0]; ++i)
        for (int64_t j = 0; j < bShape[0]; ++j) {
          Value x = extractGroup(builder, loc, as[i], {part}, perLane);
          Value y = extractGroup(builder, loc, bs[j], {part}, perLane);
          if (layout.getTransposed())
            std::swap(x, y);
          Value c = vector::ExtractOp::create(builder, loc, acc,
                                              ArrayRef<int64_t>{i, j});
          Value d = amdgpu::MFMAOp::create(
              builder, loc, c.getType(), block, block, k, /*blocks=*/1, x, y, c,
              /*cbsz=*/0, /*abid=*/0, amdgpu::MFMAPermB::none,
              /*reducePrecision=*/false, /*negateA=*/false, /*negateB=*/false,
              /*negateC=*/false);
          acc = vector::InsertOp::create(builder, loc, d, acc,
                                         ArrayRef<int64_t>{i, j});
        }
  }
  mapping.map(op.getResult(), acc);
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value makeConstant(OpBuilder &builder, Location loc, VectorType type,
                          TypedAttr element) {
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, element));
}

LogicalResult Distributor::distribute(ConstantOp op) {
  mapping.map(op.getResult(),
              makeConstant(builder, op.getLoc(),
                           getRegisterType(tileType(op.getResult())),
                           op.getElementAttr()));
  return success();
}

LogicalResult Distributor::distribute(SplatOp op) {
  mapping.map(op.getResult(), vector::BroadcastOp::create(
                                  builder, op.getLoc(),
                                  getRegisterType(tileType(op.getResult())),
                                  lookup(op.getScalar())));
  return success();
}

LogicalResult Distributor::distribute(BroadcastOp op) {
  Location loc = op.getLoc();
  LaneMap from = distribute::getLaneMap(tileType(op.getSource()));
  LaneMap to = distribute::getLaneMap(tileType(op.getResult()));
  VectorType type = getRegisterType(tileType(op.getResult()));
  Value source = lookup(op.getSource());
  int64_t inner = type.getShape().back();
  Value array = ub::PoisonOp::create(builder, loc, type);
  for (size_t first = 0; first < to.tails.size(); first += inner) {
    // The source register of each element of this inner vector.
    SmallVector<int64_t> registers;
    for (int64_t i = 0; i < inner; ++i) {
      SmallVector<int64_t, 2> tail(to.tails[first + i]);
      tail.erase(tail.begin() + op.getDim());
      auto *it = llvm::find(from.tails, tail);
      if (it == from.tails.end())
        return op.emitOpError() << "has a source whose layout is no slice of "
                                   "the result's";
      registers.push_back(it - from.tails.begin());
    }
    Value row;
    if (llvm::all_equal(registers)) {
      Value scalar = vector::ExtractOp::create(builder, loc, source,
                                               ArrayRef<int64_t>{registers[0]});
      row = vector::BroadcastOp::create(
          builder, loc, VectorType::get({inner}, type.getElementType()),
          scalar);
    } else {
      row = vector::ShuffleOp::create(builder, loc, source, source, registers);
    }
    array = insertGroup(builder, loc, row, array,
                        positionOf(type.getShape(), first));
  }
  mapping.map(op.getResult(), array);
  return success();
}

LogicalResult Distributor::distribute(CastOp op) {
  Location loc = op.getLoc();
  Value source = lookup(op.getSource());
  auto from = cast<VectorType>(source.getType());
  VectorType to = getRegisterType(tileType(op.getResult()));
  auto fromFloat = dyn_cast<FloatType>(from.getElementType());
  auto toFloat = dyn_cast<FloatType>(to.getElementType());
  if (!fromFloat || !toFloat)
    return op.emitOpError() << "converts between " << from.getElementType()
                            << " and " << to.getElementType()
                            << ": this pass distributes casts of floats; use "
                               "arith for integers";
  if (toFloat.getWidth() > fromFloat.getWidth()) {
    mapping.map(op.getResult(),
                arith::ExtFOp::create(builder, loc, to, source));
    return success();
  }
  if (toFloat.getWidth() == fromFloat.getWidth())
    return op.emitOpError() << "converts between " << fromFloat << " and "
                            << toFloat << ": go through f32";
  if (op.getOverflow() == Overflow::Saturate) {
    // Clamp to the finite range; NaN passes through the comparisons.
    APFloat largest = APFloat::getLargest(toFloat.getFloatSemantics());
    bool losesInfo;
    largest.convert(fromFloat.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    APFloat lowest = largest;
    lowest.changeSign();
    Value high =
        makeConstant(builder, loc, from, FloatAttr::get(fromFloat, largest));
    Value low =
        makeConstant(builder, loc, from, FloatAttr::get(fromFloat, lowest));
    Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                        source, high);
    source = arith::SelectOp::create(builder, loc, above, high, source);
    Value below = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        source, low);
    source = arith::SelectOp::create(builder, loc, below, low, source);
  }
  mapping.map(op.getResult(),
              arith::TruncFOp::create(builder, loc, to, source));
  return success();
}

LogicalResult Distributor::distribute(ConvertLayoutOp op) {
  auto isDistributed = [](Value value) {
    return isa_and_nonnull<LayoutAttrInterface>(tileType(value).getEncoding());
  };
  if (isDistributed(op.getSource()) && isDistributed(op)) {
    LaneMap from = distribute::getLaneMap(tileType(op.getSource()));
    LaneMap to = distribute::getLaneMap(tileType(op.getResult()));
    auto sameBase = [&] {
      for (unsigned d = 0; d < from.rank(); ++d)
        for (int64_t thread = 0; thread < 1024; ++thread) {
          auto sum = [&](const LaneMap &map) {
            int64_t value = 0;
            for (const LaneTerm &term : map.base[d])
              value += term.evaluate(thread);
            return value;
          };
          if (sum(from) != sum(to))
            return false;
        }
      return true;
    };
    if (from.registers == to.registers && from.tails == to.tails &&
        sameBase()) {
      mapping.map(op.getResult(), lookup(op.getSource()));
      return success();
    }
  }
  return op.emitOpError() << "from " << tileType(op.getSource()).getEncoding()
                          << " to " << tileType(op.getResult()).getEncoding()
                          << " moves elements between lanes: stage the tile in "
                             "LDS (schedule lds(...))";
}

LogicalResult Distributor::distributeElementwise(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return op->emitOpError() << "must be a splat to become registers";
    mapping.map(
        constant.getResult(),
        makeConstant(builder, op->getLoc(),
                     getRegisterType(tileType(constant.getResult())),
                     cast<TypedAttr>(splat.getSplatValue<Attribute>())));
    return success();
  }
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return op->emitOpError() << "works on tiles, but is no op that "
                                "fly-distribute knows";
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  for (Value result : op->getResults())
    state.addTypes(tileType(result) ? Type(getRegisterType(tileType(result)))
                                    : result.getType());
  state.addAttributes(op->getAttrs());
  Operation *vectorOp = builder.create(state);
  mapping.map(op->getResults(), vectorOp->getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow and the walk
//===----------------------------------------------------------------------===//

LogicalResult Distributor::distribute(scf::ForOp op) {
  SmallVector<Value> inits;
  for (Value init : op.getInitArgs())
    inits.push_back(lookup(init));
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), lookup(op.getLowerBound()),
      lookup(op.getUpperBound()), lookup(op.getStep()), inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (!loop.getBody()->empty())
    loop.getBody()->back().erase();
  mapping.map(op.getBody()->getArguments(), loop.getBody()->getArguments());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  if (failed(distributeBlock(*op.getBody())))
    return failure();
  mapping.map(op.getResults(), loop.getResults());
  return success();
}

LogicalResult Distributor::distribute(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults())
    types.push_back(tileType(result) ? Type(getRegisterType(tileType(result)))
                                     : result.getType());
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(builder, op.getLoc(), types,
                                  lookup(op.getCondition()), hasElse);
  branch->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(op.getRegions(), branch.getRegions())) {
    if (from->empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block &block = to->front();
    if (!block.empty())
      block.back().erase();
    builder.setInsertionPointToStart(&block);
    if (failed(distributeBlock(from->front())))
      return failure();
  }
  mapping.map(op.getResults(), branch.getResults());
  return success();
}

LogicalResult Distributor::distribute(Operation *op) {
  for (Value result : op->getResults())
    if (tileType(result)) {
      if (!tileType(result).getEncoding() ||
          !isa<LayoutAttrInterface>(tileType(result).getEncoding()))
        return op->emitOpError() << "has a tile without a distributed layout, "
                                 << result.getType();
      ++numTiles;
    }
  if (auto load = dyn_cast<LoadOp>(op))
    return distribute(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return distribute(store);
  if (auto dot = dyn_cast<DotOp>(op))
    return distribute(dot);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return distribute(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return distribute(branch);
  if (auto constant = dyn_cast<ConstantOp>(op))
    return distribute(constant);
  if (auto splat = dyn_cast<SplatOp>(op))
    return distribute(splat);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return distribute(broadcast);
  if (auto castOp = dyn_cast<CastOp>(op))
    return distribute(castOp);
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return distribute(convert);
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  if (isa<PipelineOp>(op))
    return op->emitOpError() << "must be lowered first: run fly-pipeline";
  if (isa<scf::YieldOp>(op)) {
    builder.clone(*op, mapping);
    return success();
  }
  if (llvm::any_of(op->getOperandTypes(), isTile) ||
      llvm::any_of(op->getResultTypes(), isTile))
    return distributeElementwise(op);
  builder.clone(*op, mapping);
  return success();
}

LogicalResult Distributor::distributeBlock(Block &from) {
  for (Operation &op : from)
    if (failed(distribute(&op)))
      return failure();
  return success();
}

LogicalResult Distributor::run() {
  Region &body = kernel.getFunctionBody();
  if (!body.hasOneBlock())
    return kernel.emitError("kernel must be structured: one block, scf inside");
  Block &old = body.front();
  for (BlockArgument argument : old.getArguments())
    mapping.map(argument,
                entry->addArgument(argument.getType(), argument.getLoc()));
  // Lane coordinates go to the front of the new entry, the body behind them.
  Block *fresh = entry.release();
  body.push_back(fresh);
  builder.setInsertionPointToEnd(fresh);
  if (failed(distributeBlock(old))) {
    fresh->erase();
    return failure();
  }
  old.dropAllDefinedValueUses();
  old.erase();
  return success();
}

namespace {
struct FlyDistributePass : fly::impl::FlyDistributePassBase<FlyDistributePass> {
  using FlyDistributePassBase::FlyDistributePassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> kernels;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function->hasAttr(FlyDialect::getScheduleAttrName()))
        kernels.push_back(function);
    });
    for (FunctionOpInterface kernel : kernels) {
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      const arch::ArchInfo *chip = getArch(kernel);
      if (failed(schedule) || !chip)
        return signalPassFailure();
      Distributor distributor(kernel, *chip);
      if (failed(distributor.run()))
        return signalPassFailure();
      numTiles += distributor.numTiles;
      Builder builder(&getContext());
      kernel->setAttr(
          FlyDialect::getWavesAttrName(),
          builder.getI32IntegerAttr(schedule->waves[0] * schedule->waves[1]));
      if (schedule->wavesPerEu)
        kernel->setAttr(FlyDialect::getWavesPerEuAttrName(),
                        builder.getI32IntegerAttr(schedule->wavesPerEu));
      kernel->removeAttr(FlyDialect::getScheduleAttrName());
    }
  }
};
} // namespace
