//===- Dots.cpp - Dots to matrix instructions -----------------------------===//
//
// Micro-step by micro-step: the fragments of A and B, then every instruction
// that uses them. Operands in LDS are read here, next to their use.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/MfmaTable.h"
#include "fly/Arch/Wave.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "Distributor.h"

using namespace mlir;
using namespace fly;
using namespace fly::distribute;

static std::optional<arch::ElementType>
getElementType(const arch::ArchInfo &chip, Type type) {
  if (!chip.fp8)
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return arch::elementTypeOfMlir(name, *chip.fp8);
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
  auto a = getElementType(chip, tileType(op.getA()).getElementType());
  auto b = getElementType(chip, tileType(op.getB()).getElementType());
  const arch::MfmaRow *row =
      a && b ? arch::findWidestMfma(chip.chip, block, *a, *b, pack) : nullptr;
  if (!row)
    return op.emitOpError()
           << "has no matrix instruction of " << block << "x" << block
           << " for " << tileType(op.getA()).getElementType() << " and "
           << tileType(op.getB()).getElementType() << " on " << chip.name;
  int64_t k = row->k, perLane = k * block / arch::waveLanes;

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
          // The instruction takes one element as a scalar.
          if (perLane == 1)
            for (Value *operand : {&x, &y})
              *operand = vector::ExtractOp::create(builder, loc, *operand,
                                                   ArrayRef<int64_t>{0});
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
