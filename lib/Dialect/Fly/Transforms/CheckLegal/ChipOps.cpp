//===- ChipOps.cpp - Ops that a chip has or lacks -------------------------===//
//
// Looks up matrix instructions, 8-bit float types, widths of copies to LDS and
// intrinsics in the tables of Arch. A message says what the chip has instead.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Intrinsics.h"
#include "fly/Arch/MfmaTable.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MatrixTypes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "CheckLegal.h"

using namespace mlir;
using namespace fly;

using arch::ElementType;
using arch::Fp8Flavour;

//===----------------------------------------------------------------------===//
// 8-bit floats
//===----------------------------------------------------------------------===//

/// Every 8-bit float among the op's types is the chip's.
static LogicalResult checkFlavour(Operation *op, const arch::ArchInfo &chip) {
  auto check = [&](Type type) -> LogicalResult {
    Type element = getElementTypeOrSelf(type);
    std::optional<Fp8Flavour> flavour = getFp8Flavour(element);
    if (!flavour)
      return success();
    if (!chip.fp8)
      return op->emitOpError() << "uses 8-bit floats, of which Fly knows "
                                  "nothing on "
                               << chip.name;
    if (*flavour == *chip.fp8)
      return success();
    bool fnuz = *chip.fp8 == Fp8Flavour::Fnuz;
    return op->emitOpError()
           << "uses " << element << ", but " << chip.name << " has the "
           << (fnuz ? "FNUZ" : "OCP") << " flavour: use "
           << arch::mlirTypeName(*getMatrixType(element), *chip.fp8);
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

static std::optional<ElementType> getElement(Value operand) {
  return getMatrixType(getElementTypeOrSelf(operand));
}

static LogicalResult checkMfma(amdgpu::MFMAOp op, const arch::ArchInfo &chip) {
  if (failed(checkFlavour(op, chip)))
    return failure();
  std::optional<ElementType> a = getElement(op.getSourceA());
  std::optional<ElementType> b = getElement(op.getSourceB());
  std::string shape = std::to_string(op.getM()) + "x" +
                      std::to_string(op.getN()) + "x" +
                      std::to_string(op.getK());
  if (!a || !b)
    return op.emitOpError()
           << "multiplies elements of " << getElementTypeOrSelf(op.getSourceA())
           << " and " << getElementTypeOrSelf(op.getSourceB())
           << ", which no matrix instruction takes";
  if (op.getReducePrecision() && *a == ElementType::F32)
    a = b = ElementType::Xf32;
  // The plain op has no formats to choose: the f8f6f4 forms are scaled ones.
  bool available = llvm::any_of(arch::mfmaTable(), [&](const auto &row) {
    return row.m == op.getM() && row.n == op.getN() && row.k == op.getK() &&
           row.blocks == op.getBlocks() && row.a == *a && row.b == *b &&
           row.availableOn(chip.chip);
  });
  if (available)
    return success();
  SmallVector<unsigned> legal;
  for (const arch::MfmaRow &row : arch::mfmaTable())
    if (row.m == op.getM() && row.n == op.getN() && row.a == *a &&
        row.b == *b && row.blocks == op.getBlocks() &&
        row.availableOn(chip.chip))
      legal.push_back(row.k);
  llvm::sort(legal);
  InFlightDiagnostic diag = op.emitOpError()
                            << shape << " of " << arch::elementTypeName(*a)
                            << " is not a matrix instruction of " << chip.name;
  if (legal.empty()) {
    diag << "; it has none of " << op.getM() << "x" << op.getN()
         << " for this type";
    return diag;
  }
  diag << "; legal K: ";
  llvm::interleaveComma(legal, diag);
  return diag;
}

static LogicalResult checkScaledMfma(amdgpu::ScaledMFMAOp op,
                                     const arch::ArchInfo &chip) {
  std::optional<ElementType> a = getElement(op.getSourceA());
  std::optional<ElementType> b = getElement(op.getSourceB());
  const arch::MfmaRow *row = nullptr;
  if (a && b)
    row = arch::lookupMfma(chip.chip, op.getM(), op.getN(), op.getK(), *a, *b);
  if (row && row->scaled)
    return checkFlavour(op, chip);
  // Any chip that has it, for the message.
  std::string others;
  for (const arch::ArchInfo *other : arch::allChips())
    if (llvm::any_of(arch::mfmaTable(), [&](const arch::MfmaRow &each) {
          return each.scaled && each.availableOn(other->chip);
        }))
      others += (others.empty() ? "" : " or ") + std::string(other->name);
  return op.emitOpError() << "is a scaled matrix instruction of " << op.getM()
                          << "x" << op.getN() << "x" << op.getK() << ", which "
                          << chip.name << " does not have: needs " << others;
}

//===----------------------------------------------------------------------===//
// Copies to LDS
//===----------------------------------------------------------------------===//

/// Bytes of a scalar or vector that a lane copies.
static unsigned getBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() *
         (vector ? vector.getNumElements() : 1) / 8;
}

static LogicalResult checkDmaWidth(Operation *op, unsigned bytes,
                                   const arch::ArchInfo &chip) {
  if (chip.dma.supports(bytes))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "copies " << bytes
                            << " bytes a lane from global memory to LDS, which "
                            << chip.name << " cannot";
  if (chip.dma.widths) {
    diag << "; it copies ";
    llvm::interleaveComma(*chip.dma.widths, diag);
    diag << " bytes";
  }
  return diag;
}

/// Bytes of a copy whose width is an operand; none where it is no constant.
static std::optional<unsigned> getConstantBytes(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getZExtValue();
  return std::nullopt;
}

static LogicalResult checkDmaOperand(Operation *op, Value size,
                                     const arch::ArchInfo &chip) {
  if (std::optional<unsigned> bytes = getConstantBytes(size))
    return checkDmaWidth(op, *bytes, chip);
  return op->emitOpError() << "needs a constant number of bytes";
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// `name` is the part behind "llvm.amdgcn.".
static LogicalResult checkIntrinsic(Operation *op, StringRef name,
                                    const arch::ArchInfo &chip) {
  std::string full = ("llvm.amdgcn." + name).str();
  if (const arch::MfmaRow *row = arch::lookupMfmaByIntrinsic(full)) {
    if (row->availableOn(chip.chip))
      return success();
    InFlightDiagnostic diag = op->emitOpError()
                              << "is not a matrix instruction of " << chip.name;
    SmallVector<unsigned> legal =
        arch::legalMfmaK(chip.chip, row->m, row->n, row->a, row->b);
    if (!legal.empty()) {
      diag << "; legal K of " << row->m << "x" << row->n << " "
           << arch::elementTypeName(row->a) << ": ";
      llvm::interleaveComma(legal, diag);
    }
    return diag;
  }
  const arch::IntrinsicRow *row = arch::lookupIntrinsic(name);
  if (row && row->availableOn(chip.chip))
    return success();
  InFlightDiagnostic diag = op->emitOpError();
  if (row && row->onGfx950)
    diag << "is an intrinsic that " << chip.name
         << " does not have: needs gfx950";
  else
    diag << "is an intrinsic that Fly does not know on " << chip.name;
  return diag;
}

LogicalResult fly::checkChipOp(Operation *op, const arch::ArchInfo &chip) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](amdgpu::MFMAOp mfma) { return checkMfma(mfma, chip); })
      .Case([&](amdgpu::ScaledMFMAOp mfma) {
        return checkScaledMfma(mfma, chip);
      })
      .Case<arith::ExtFOp, arith::TruncFOp, amdgpu::ExtPackedFp8Op,
            amdgpu::PackedTrunc2xFp8Op, amdgpu::PackedStochRoundFp8Op>(
          [&](auto convert) { return checkFlavour(convert, chip); })
      .Case([&](amdgpu::GatherToLDSOp copy) {
        return checkDmaWidth(copy, getBytes(copy.getTransferType()), chip);
      })
      .Case([&](DmaOp copy) {
        return checkDmaWidth(copy, getBytes(copy.getType()), chip);
      })
      .Case<amdgpu::TransposeLoadOp, ReadTransposedOp>(
          [&](Operation *) { return checkIntrinsic(op, "ds.read.tr", chip); })
      .Case([&](amdgpu::PermlaneSwapOp) {
        return checkIntrinsic(op, "permlane16.swap", chip);
      })
      .Case([&](ROCDL::LoadToLDSOp copy) {
        return checkDmaWidth(copy, copy.getSize(), chip);
      })
      .Case([&](ROCDL::GlobalLoadLDSOp copy) {
        return checkDmaWidth(copy, copy.getSize(), chip);
      })
      .Case([&](ROCDL::RawPtrBufferLoadLdsOp copy) {
        return checkDmaOperand(copy, copy.getSize(), chip);
      })
      .Case([&](LLVM::CallIntrinsicOp call) -> LogicalResult {
        StringRef name = call.getIntrin();
        if (!name.consume_front("llvm.amdgcn."))
          return success();
        return checkIntrinsic(op, name, chip);
      })
      .Default([&](Operation *other) -> LogicalResult {
        if (isa_and_nonnull<ROCDL::ROCDLDialect>(other->getDialect()))
          return checkIntrinsic(other, other->getName().stripDialect(), chip);
        return success();
      });
}
