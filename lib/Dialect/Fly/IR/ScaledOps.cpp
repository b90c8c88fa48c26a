//===- ScaledOps.cpp - Matrix products in MX formats ----------------------===//
//
// Rules of fly.dot_scaled. Labels C1.. are those of the definition
// (FlyScaledOps.td).
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

/// Elements of a row that share a scale, of the OCP's MX formats.
static constexpr int64_t kScaleBlock = 32;

LogicalResult DotScaledOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getType());
  if (failed(verifyDotShapes(*this, a, b, acc))) // C1
    return failure();
  auto checkScale = [&](StringRef name, Value value,
                        RankedTensorType operand) -> LogicalResult { // C2
    auto scale = cast<RankedTensorType>(value.getType());
    if (!isa<Float8E8M0FNUType>(scale.getElementType()))
      return emitOpError() << "expects scales of f8E8M0FNU for " << name
                           << ", got " << scale.getElementType();
    if (scale.getRank() != 2 || !extentsAgree(scale, 0, operand, 0))
      return emitOpError() << "expects a scale for each row of " << name
                           << " and each " << kScaleBlock
                           << " of its elements, got " << describeShape(scale)
                           << " for " << describeShape(operand);
    int64_t k = operand.getDimSize(1), blocks = scale.getDimSize(1);
    if (ShapedType::isDynamic(k) || ShapedType::isDynamic(blocks))
      return success(); // Names: checked once they are numbers.
    if (k % kScaleBlock != 0)
      return emitOpError() << "expects rows of a multiple of " << kScaleBlock
                           << " elements, which share a scale, got " << k;
    if (blocks != k / kScaleBlock)
      return emitOpError() << "expects " << k / kScaleBlock
                           << " scales a row of " << name << ", one for "
                           << kScaleBlock << " elements, got " << blocks;
    return success();
  };
  if (failed(checkScale("A", getScaleA(), a)) ||
      failed(checkScale("B", getScaleB(), b)))
    return failure();
  for (RankedTensorType type : {a, b}) // C3
    if (!isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType,
             Float6E3M2FNType, Float4E2M1FNType>(type.getElementType()))
      return emitOpError() << "expects operands of f8E4M3FN, f8E5M2, "
                              "f6E2M3FN, f6E3M2FN or f4E2M1FN, got "
                           << type.getElementType();
  if (!acc.getElementType().isF32())
    return emitOpError() << "expects an accumulator of f32, got "
                         << acc.getElementType();
  return success();
}
