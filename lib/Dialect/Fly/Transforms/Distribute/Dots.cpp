//===- Dots.cpp - Dots to matrix instructions -----------------------------===//
//
// Micro-step by micro-step: the fragments of A and B, then every instruction
// that uses them. Operands in LDS are read here, next to their use, those of
// the first instruction last, so that its wait is for all of the step. An
// instruction with a larger K than a pack covers takes the packs of
// neighbouring micro-steps: both operands do, so the sum is the same.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FirstPack.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "../MatrixInstruction.h"
#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

Value Distributor::getFragment(LaneAccess *access, Value registers,
                               ArrayRef<int64_t> position,
                               ArrayRef<int64_t> shape, bool isCarried,
                               Location loc) {
  if (!access)
    return extractGroup(builder, loc, registers, position, shape.back());
  int64_t first = (position[0] * shape[1] + position[1]) * shape[2];
  int64_t group = access->getGroup();
  auto read = [&](int64_t i) {
    Value part = access->read((first + i) / group);
    auto op = part.getDefiningOp<ReadOp>();
    if (op && isCarried && first + i == 0)
      op->setAttr(firstPackAttrName, builder.getUnitAttr());
    return part;
  };
  if (group == shape.back())
    return read(0);
  auto type = VectorType::get({shape.back()}, access->getElementType());
  Value fragment = ub::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < shape.back(); i += group)
    fragment = insertGroup(builder, loc, read(i), fragment, {i});
  return fragment;
}

bool Distributor::carriesFirstPack(LoadOp load) const {
  // The field of slot s of label l is named l_s (fly-stage-lds).
  auto field = load.getView().getDefiningOp<LdsFieldOp>();
  return field && carried.contains(field.getField().rsplit('_').first);
}

/// A scale of 0 as a constant selects the instruction without scales, which
/// multiplies by 1 [LLVM22].
static Value makeNoScale(OpBuilder &builder, Location loc) {
  Type type = Float8E8M0FNUType::get(builder.getContext());
  return arith::ConstantOp::create(
      builder, loc,
      FloatAttr::get(type,
                     APFloat(APFloat::Float8E8M0FNU(), APInt::getZero(8))));
}

/// Scales in the first bytes of a register whose others have no value: nobody
/// need clear them.
static Value widenScales(OpBuilder &builder, Value scales, Location loc) {
  auto type = cast<VectorType>(scales.getType());
  Value wide = ub::PoisonOp::create(
      builder, loc, VectorType::get({scalesOfRegister}, type.getElementType()));
  return insertGroup(builder, loc, scales, wide, {0});
}

Value Distributor::multiply(const arch::MfmaRow &row, MatrixFactor x,
                            MatrixFactor y, Value c, Location loc) {
  if (row.scaled) {
    if (x.scales)
      for (Value *scales : {&x.scales, &y.scales})
        *scales = widenScales(builder, *scales, loc);
    else
      x.scales = y.scales = makeNoScale(builder, loc);
    return amdgpu::ScaledMFMAOp::create(builder, loc, c.getType(), row.m, row.n,
                                        row.k, x.values, y.values, c, x.scales,
                                        y.scales, x.scale, y.scale);
  }
  // The instruction takes one element as a scalar.
  if (row.aElements == 1)
    for (Value *operand : {&x.values, &y.values})
      *operand = vector::ExtractOp::create(builder, loc, *operand,
                                           ArrayRef<int64_t>{0});
  return amdgpu::MFMAOp::create(
      builder, loc, c.getType(), row.m, row.n, row.k, /*blocks=*/1, x.values,
      y.values, c, /*cbsz=*/0, /*abid=*/0, amdgpu::MFMAPermB::none,
      /*reducePrecision=*/row.a == arch::ElementType::Xf32, /*negateA=*/false,
      /*negateB=*/false, /*negateC=*/false);
}

/// One operand of a dot: where its registers come from, and how they lie.
struct Distributor::DotOperand {
  /// The elements, and what they are read as: bytes where they are packed, rows
  /// across K where they are transposed.
  RankedTensorType type, readType;
  Value registers;
  /// Registers of the scales, null without.
  Value scales;
  std::optional<Window> window;
  std::optional<LaneAccess> access;
  /// Blocks, micro-steps, elements of a pack, as they are read.
  SmallVector<int64_t> shape;
  /// Elements of a pack.
  int64_t pack;
  /// Whether the first one is carried round the loop.
  bool carriesFirst = false;

  int64_t blocks() const { return shape[0]; }
};

/// The tile that is read for `operand`: the bytes where it is packed, the rows
/// of memory where it is their transpose.
static Value getReadTile(Value operand) {
  Operation *op = operand.getDefiningOp();
  return isa_and_nonnull<BitcastOp, TransposeOp>(op) ? op->getOperand(0)
                                                     : operand;
}

LogicalResult Distributor::prepareOperand(Value operand, DotOperand &result) {
  Value read = getReadTile(operand);
  auto load = read.getDefiningOp<LoadOp>();
  bool isReadHere = load && isReadByDot(load);
  if (!isReadHere)
    read = operand;
  result.type = tileType(operand);
  result.readType = tileType(read);
  result.pack = cast<OperandAttr>(result.type.getEncoding()).getPack();
  result.shape =
      llvm::to_vector(distribute::getLaneMap(result.readType).registers);
  // Operands that come from LDS are read here, the others are in registers.
  if (!isReadHere) {
    result.registers = lookup(operand);
    return success();
  }
  FailureOr<Window> window = makeWindow(load);
  if (failed(window))
    return failure();
  result.window = *window;
  result.carriesFirst = carriesFirstPack(load);
  result.access.emplace(builder, load.getLoc(), coordinates, *result.window,
                        result.readType);
  result.access->transposeReads(chip);
  return success();
}

Value Distributor::joinPacks(DotOperand &operand, int64_t block, int64_t first,
                             int64_t count, Location loc) {
  Value whole;
  auto type = VectorType::get({operand.pack}, operand.type.getElementType());
  for (int64_t step = first; step < first + count; ++step) {
    Value part = getFragment(operand.access ? &*operand.access : nullptr,
                             operand.registers, {block, step, 0}, operand.shape,
                             operand.carriesFirst, loc);
    if (part.getType() != type)
      part = vector::BitCastOp::create(builder, loc, type, part);
    if (count == 1)
      return part;
    if (!whole)
      whole = ub::PoisonOp::create(
          builder, loc,
          VectorType::get({operand.pack * count}, type.getElementType()));
    whole =
        insertGroup(builder, loc, part, whole, {(step - first) * operand.pack});
  }
  return whole;
}

/// Whether operand and accumulator are those of one matrix instruction.
static bool fits(Value operand, OperandSide side, MmaAttr layout) {
  auto own = dyn_cast_or_null<OperandAttr>(tileType(operand).getEncoding());
  return own && own.getParent() == layout && own.getSide() == side;
}

LogicalResult Distributor::distribute(ProductOpInterface op) {
  Location loc = op.getLoc();
  Value lhs = op.getLhs().get(), rhs = op.getRhs().get();
  auto layout =
      dyn_cast_or_null<MmaAttr>(tileType(op->getResult(0)).getEncoding());
  if (!layout || !fits(lhs, OperandSide::A, layout) ||
      !fits(rhs, OperandSide::B, layout))
    return op->emitOpError() << "needs operands and accumulator in the layouts "
                                "of one matrix instruction: run "
                                "fly-assign-layouts first";
  int64_t block = layout.getShape()[0];
  const arch::MfmaRow *row = chooseInstruction(op, chip, block);
  DotOperand a, b;
  if (failed(prepareOperand(lhs, a)) || failed(prepareOperand(rhs, b)))
    return failure();
  // A lane's part of an instruction is a part of a pack, or whole packs. Only
  // scaled instructions know which of K they multiply.
  int64_t perLane = row ? row->aElements : 0;
  auto isShared = [&](int64_t pack) {
    return perLane && (pack % perLane == 0 || perLane % pack == 0);
  };
  auto scaled = dyn_cast<DotScaledOp>(op.getOperation());
  if (!isShared(a.pack) || !isShared(b.pack) || (!scaled && a.pack != b.pack))
    return op->emitOpError()
           << "has no matrix instruction of " << block << "x" << block
           << " for " << a.type.getElementType() << " and "
           << b.type.getElementType() << " on " << chip.name;
  if (scaled) {
    a.scales = lookup(scaled.getScaleA());
    b.scales = lookup(scaled.getScaleB());
  }
  // K that is read at once: an instruction's, or that of a pack.
  int64_t group = std::max({perLane, a.pack, b.pack});
  int64_t groups = a.type.getDimSize(1) * block / (arch::waveLanes * group);
  Value acc = lookup(op.getAccumulator().get());
  for (int64_t step = 0; step < groups; ++step) {
    auto readAll = [&](DotOperand &operand) {
      SmallVector<Value> all(operand.blocks());
      int64_t packs = group / operand.pack;
      for (int64_t i = operand.blocks(); i-- > 0;)
        all[i] = joinPacks(operand, i, step * packs, packs, loc);
      return all;
    };
    SmallVector<Value> as = readAll(a), bs = readAll(b);
    for (int64_t part = 0; part < group; part += perLane) {
      auto getFactor = [&](DotOperand &operand, Value values, int64_t block) {
        MatrixFactor factor;
        factor.values = extractGroup(builder, loc, values, {part}, perLane);
        if (operand.scales) {
          int64_t own = (step * group + part) / perLane;
          int64_t pack =
              cast<VectorType>(operand.scales.getType()).getShape().back();
          factor.scales =
              vector::ExtractOp::create(builder, loc, operand.scales,
                                        ArrayRef<int64_t>{block, own / pack});
          factor.scale = own % pack;
        }
        return factor;
      };
      for (int64_t i = 0; i < a.blocks(); ++i)
        for (int64_t j = 0; j < b.blocks(); ++j) {
          MatrixFactor x = getFactor(a, as[i], i), y = getFactor(b, bs[j], j);
          if (layout.getTransposed())
            std::swap(x, y);
          Value c = vector::ExtractOp::create(builder, loc, acc,
                                              ArrayRef<int64_t>{i, j});
          acc = vector::InsertOp::create(builder, loc,
                                         multiply(*row, x, y, c, loc), acc,
                                         ArrayRef<int64_t>{i, j});
        }
    }
  }
  mapping.map(op->getResult(0), acc);
  return success();
}
