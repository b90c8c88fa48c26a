//===- MatrixInstruction.cpp - Products of tiles on the matrix unit -------===//
//
// An instruction is a row of the chip's table. Packs follow from memory: a lane
// reads 16 bytes at once, and both operands take the same pack, so that they
// permute K alike. Operands that are widened in registers (weights of 4 bits,
// multiplied as f16) have more elements in those 16 bytes than they are
// multiplied in; the pack is then that of the narrower elements.
//
// Scaled instructions read each operand in the order of K, since blocks of K
// have a scale: 16 elements of 8 bits, 32 of fewer [AMD, as CK, rocjitsu and
// Triton agree]. A lane holds whole blocks of the latter. Which blocks these
// are is free, as long as both operands and both tiles of scales agree: a lane
// gets neighbouring ones for the instructions along K, so that their scales are
// neighbouring bytes, one access instead of one for each, and the instruction
// picks its own from the register.
//
//===----------------------------------------------------------------------===//
#include "MatrixInstruction.h"

#include "fly/Arch/MatrixFormats.h"
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/MatrixTypes.h"

#include "TileFlow.h"

using namespace mlir;
using namespace fly;

std::optional<MatrixTypes> fly::getMatrixTypes(ProductOpInterface op) {
  auto type = [](OpOperand &operand) {
    return getMatrixType(tileType(operand.get()).getElementType());
  };
  auto a = type(op.getLhs()), b = type(op.getRhs());
  if (!a || !b)
    return std::nullopt;
  auto dot = dyn_cast<DotOp>(op.getOperation());
  if (dot && dot.getXf32())
    a = b = arch::ElementType::Xf32;
  return MatrixTypes{*a, *b, isa<DotScaledOp>(op)};
}

const arch::MfmaRow *fly::chooseInstruction(ProductOpInterface op,
                                            const arch::ArchInfo &chip,
                                            unsigned side) {
  std::optional<MatrixTypes> types = getMatrixTypes(op);
  if (!types)
    return nullptr;
  for (OpOperand *operand : {&op.getLhs(), &op.getRhs()})
    if (auto flavour = getFp8Flavour(tileType(operand->get()).getElementType());
        flavour && (!chip.fp8 || *flavour != *chip.fp8))
      return nullptr;
  int64_t k = tileType(op.getLhs().get()).getDimSize(1);
  return arch::chooseMfma(chip.chip, side, types->a, types->b, k,
                          types->isScaled);
}

/// The narrowest elements that `tile` is computed of, element by element.
static unsigned getNarrowestBits(Value tile, unsigned budget = 16) {
  unsigned bits = tileType(tile).getElementTypeBitWidth();
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto pipeline = dyn_cast<PipelineOp>(argument.getOwner()->getParentOp());
    Value handed = pipeline ? pipeline.getHandedValue(argument) : Value();
    return handed && budget ? getNarrowestBits(handed, budget - 1) : bits;
  }
  Operation *op = tile.getDefiningOp();
  if (!isElementwise(op) || budget == 0)
    return bits;
  for (Value operand : op->getOperands())
    if (RankedTensorType type = tileType(operand);
        type && type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() > 1)
      bits = std::min(bits, getNarrowestBits(operand, budget - 1));
  return bits;
}

static bool hasWholeBlocks(OpOperand &operand) {
  return tileType(operand.get()).getElementTypeBitWidth() < 8;
}

int64_t fly::getScalePack(ProductOpInterface op, unsigned side) {
  if (!isa<DotScaledOp>(op) || !hasWholeBlocks(op.getLhs()) ||
      !hasWholeBlocks(op.getRhs()))
    return 1;
  int64_t k = tileType(op.getLhs().get()).getDimSize(1);
  int64_t step = arch::scaleBlock * arch::waveLanes / int64_t(side);
  int64_t pack = scalesOfRegister;
  while (pack > 1 && k % (pack * step) != 0)
    pack /= 2;
  return pack;
}

int64_t fly::getPack(ProductOpInterface op, OpOperand &operand, unsigned side) {
  constexpr int64_t accessBits = arch::widestAccessBytes * 8;
  if (isa<DotScaledOp>(op))
    return hasWholeBlocks(operand) ? arch::scaleBlock * getScalePack(op, side)
                                   : arch::scaledRun8;
  RankedTensorType a = tileType(op.getLhs().get());
  int64_t least = accessBits / a.getElementTypeBitWidth();
  int64_t pack = accessBits / std::min(getNarrowestBits(op.getLhs().get()),
                                       getNarrowestBits(op.getRhs().get()));
  while (pack > least &&
         a.getDimSize(1) % (pack * arch::waveLanes / int64_t(side)) != 0)
    pack /= 2;
  return pack;
}
