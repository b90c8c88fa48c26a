//===- Stretches.cpp - Counts the operations of a loop --------------------===//
//
// One op becomes as many machine operations as its bytes and alignment ask for.
// LDS reads and the matrix instructions behind them form the steps of a
// stretch.
//
//===----------------------------------------------------------------------===//
#include "Stretches.h"

#include "fly/Arch/MfmaTable.h"
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MatrixTypes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include "Hints.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

/// Bytes whose alignment is enough for global accesses of any width: LLVM joins
/// neighbouring dwords to them. [LLVM22] SILoadStoreOptimizer
static constexpr unsigned kDwordBytes = 4;

/// How many accesses of the machine one op becomes: 16 bytes each, fewer where
/// the alignment that is known allows no more.
static unsigned countAccesses(Type type, std::optional<uint64_t> align,
                              ViewType view) {
  Type element = view.getElementType();
  unsigned elementBytes =
      std::max(unsigned(element.getIntOrFloatBitWidth()) / 8, 1u);
  auto vector = dyn_cast<VectorType>(type);
  uint64_t elements = vector ? vector.getNumElements() : 1;
  uint64_t width =
      std::max<uint64_t>(arch::widestAccessBytes / elementBytes, 1);
  uint64_t known = align ? *align & (~*align + 1) : width;
  if (view.getInLds() || known * elementBytes < kDwordBytes)
    width = std::min(width, known);
  return unsigned(llvm::divideCeil(elements, std::max<uint64_t>(width, 1)));
}

bool hotloop::isMatrixOp(Operation *op) {
  return isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op);
}

unsigned hotloop::getMatrixCycles(Operation *op, const arch::ArchInfo &chip) {
  auto find = [&](auto matrix) -> unsigned {
    std::optional<arch::ElementType> a =
        getMatrixType(getElementTypeOrSelf(matrix.getSourceA()));
    std::optional<arch::ElementType> b =
        getMatrixType(getElementTypeOrSelf(matrix.getSourceB()));
    if (!a || !b)
      return 0;
    const arch::MfmaRow *row = arch::lookupMfma(
        chip.chip, matrix.getM(), matrix.getN(), matrix.getK(), *a, *b);
    return row ? arch::matrixCycles(chip, *row, *a, *b).value_or(0) : 0;
  };
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(find)
      .Default(0u);
}

static void countMatrixOp(Stretch &stretch, Operation *op, Value &shared) {
  ++at(stretch.counts, SchedClass::Mfma);
  if (stretch.steps.empty())
    stretch.steps.emplace_back();
  ++stretch.steps.back().mfmas;
  // The first ones share one of their two operands, whichever.
  if (stretch.group == 0) {
    shared = Value();
    stretch.group = 1;
    return;
  }
  Operation *previous = op->getPrevNode();
  while (previous && !isMatrixOp(previous))
    previous = previous->getPrevNode();
  if (!previous || at(stretch.counts, SchedClass::Mfma) != stretch.group + 1)
    return;
  for (unsigned i = 0; i < 2; ++i) {
    Value operand = op->getOperand(i);
    bool isShared =
        operand == previous->getOperand(i) && (!shared || shared == operand);
    if (!isShared)
      continue;
    shared = operand;
    ++stretch.group;
    return;
  }
}

static void countLdsReads(Stretch &stretch, unsigned accesses) {
  at(stretch.counts, SchedClass::DsRead) += accesses;
  if (stretch.steps.empty() || stretch.steps.back().mfmas != 0)
    stretch.steps.emplace_back();
  stretch.steps.back().reads += accesses;
}

std::optional<SchedGroup> hotloop::getMachineOps(Operation *op) {
  using Result = std::optional<SchedGroup>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ReadOp read) -> Result {
        ViewType view = read.getView().getType();
        return SchedGroup{
            view.getInLds() ? SchedClass::DsRead : SchedClass::VmemRead,
            countAccesses(read.getValue().getType(), read.getAlign(), view)};
      })
      .Case([](ReadTransposedOp) -> Result {
        return SchedGroup{SchedClass::DsRead, 1};
      })
      .Case([](WriteOp write) -> Result {
        ViewType view = write.getView().getType();
        return SchedGroup{
            view.getInLds() ? SchedClass::DsWrite : SchedClass::VmemWrite,
            countAccesses(write.getValue().getType(), write.getAlign(), view)};
      })
      .Case([](DmaOp) -> Result { return SchedGroup{SchedClass::VmemRead, 1}; })
      .Default([](Operation *other) -> Result {
        if (isMatrixOp(other))
          return SchedGroup{SchedClass::Mfma, 1};
        return std::nullopt;
      });
}

/// Elements that `op` computes or picks out of narrow ones.
static uint64_t countArithmetic(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      !isa<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(
          op->getDialect()))
    return 0;
  uint64_t elements = 0;
  for (Type type : op->getResultTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    // Elements of whole dwords are registers: moving them is free.
    if (isa<vector::VectorDialect>(op->getDialect()) &&
        !(vector && isa<vector::FromElementsOp, vector::ShuffleOp>(op) &&
          vector.getElementTypeBitWidth() < 32))
      continue;
    elements += vector ? vector.getNumElements() : 1;
  }
  return elements;
}

/// Instructions that put `accesses` of an op together, or take them apart,
/// where each is less than a register: about a shift and an or.
static uint64_t countPacking(Operation *op, unsigned accesses) {
  auto read = dyn_cast<ReadOp>(op);
  auto write = dyn_cast<WriteOp>(op);
  if (!read && !write)
    return 0;
  Type type = read ? read.getValue().getType() : write.getValue().getType();
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 0;
  uint64_t bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  return uint64_t(accesses) * 8 * kDwordBytes > bits ? 2 * accesses : 0;
}

FailureOr<SmallVector<Stretch>> hotloop::findStretches(Block &body,
                                                       std::string &why) {
  SmallVector<Stretch> stretches;
  Stretch current;
  Value shared;
  for (Operation &op : body) {
    if (op.getNumRegions()) {
      why = "control flow in the loop (" + op.getName().getStringRef().str() +
            "): only straight code is ordered";
      return failure();
    }
    if (isHint(&op)) {
      why = "the loop has hints of its author";
      return failure();
    }
    if (std::optional<SchedGroup> group = getMachineOps(&op)) {
      if (group->schedClass == SchedClass::Mfma)
        countMatrixOp(current, &op, shared);
      else if (group->schedClass == SchedClass::DsRead)
        countLdsReads(current, group->count);
      else
        at(current.counts, group->schedClass) += group->count;
      current.arithmetic += countPacking(&op, group->count);
    }
    current.arithmetic += countArithmetic(&op);
    if (isa<BarrierOp>(op) || op.hasTrait<OpTrait::IsTerminator>()) {
      current.end = &op;
      stretches.push_back(std::move(current));
      current = Stretch();
    }
  }
  return stretches;
}
