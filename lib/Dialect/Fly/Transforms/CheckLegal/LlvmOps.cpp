//===- LlvmOps.cpp - Ops of the llvm dialect that can be selected ---------===//
//
// Explicit kernels may have ops of the llvm dialect, which go to LLVM as they
// are. What its AMDGPU target cannot select ends a compilation without a place:
// functions of a library that there is none of, scopes and address spaces that
// it does not know. What it selects is what LLVM 22 compiles for both chips.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Intrinsics.h"

#include "CheckLegal.h"

using namespace mlir;
using namespace fly;

/// Scopes of the AMDGPU memory model; without a name it is the whole system.
static constexpr StringLiteral kScopes[] = {"agent", "cluster", "workgroup",
                                            "wavefront", "singlethread"};

/// Flat, global, LDS, constant, private, constant of 32 bits, buffers.
static constexpr unsigned kAddressSpaces[] = {0, 1, 3, 4, 5, 6, 7, 8};

static LogicalResult checkScope(Operation *op, std::optional<StringRef> scope) {
  if (!scope || scope->empty())
    return success();
  StringRef name = *scope;
  // The order of one address space.
  name.consume_back("-one-as");
  if (name == "one-as" || llvm::is_contained(kScopes, name))
    return success();
  return op->emitOpError() << "has the scope '" << *scope
                           << "', which the chip does not have; known: "
                           << llvm::join(ArrayRef(kScopes), ", ")
                           << ", or none for the whole system";
}

static LogicalResult checkAddressSpaces(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    if (!pointer ||
        llvm::is_contained(kAddressSpaces, pointer.getAddressSpace()))
      continue;
    return op->emitOpError()
           << "has a pointer into address space " << pointer.getAddressSpace()
           << ", which the chip does not have; it has 0 (flat), 1 (global), 3 "
              "(LDS), 4 and 6 (constant), 5 (private), 7 and 8 (buffers)";
  }
  return success();
}

/// Whether LLVM selects the function `name`, as in "cosh", on `type`.
static bool isSelected(StringRef name, Type type) {
  bool isNarrow = !getElementTypeOrSelf(type).isF64();
  return llvm::StringSwitch<bool>(name)
      .Cases({"sinh", "cosh", "tanh", "tan", "asin", "acos"}, false)
      .Cases({"atan", "atan2"}, false)
      .Cases({"sin", "cos", "sincos", "exp", "exp2"}, isNarrow)
      .Cases({"exp10", "log", "log2", "log10", "pow"}, isNarrow)
      .Default(true);
}

/// `name` begins behind "llvm."; "cosh.f32" is cosh.
static LogicalResult checkFunction(Operation *op, StringRef name) {
  if (op->getNumResults() != 1 ||
      isSelected(name.split('.').first, op->getResult(0).getType()))
    return success();
  return op->emitOpError()
         << "on " << getElementTypeOrSelf(op->getResult(0).getType())
         << " would need a device library, which Fly does not have: use the "
            "math dialect, whose functions of f32, f16 and bf16 it expands";
}

static LogicalResult checkIntrinsicCall(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  if (llvm::Intrinsic::lookupIntrinsicID(name) ==
      llvm::Intrinsic::not_intrinsic)
    return call.emitOpError()
           << "names '" << name << "', which is no intrinsic of LLVM";
  name.consume_front("llvm.");
  return checkFunction(call, name);
}

LogicalResult fly::checkLlvmOp(Operation *op) {
  if (failed(checkAddressSpaces(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<LLVM::FenceOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
            LLVM::LoadOp, LLVM::StoreOp>(
          [&](auto access) { return checkScope(op, access.getSyncscope()); })
      .Case(
          [&](LLVM::CallIntrinsicOp call) { return checkIntrinsicCall(call); })
      .Default([&](Operation *other) -> LogicalResult {
        StringRef name = other->getName().stripDialect();
        return name.consume_front("intr.") ? checkFunction(other, name)
                                           : success();
      });
}
