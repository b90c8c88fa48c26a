//===- ProgramOps.cpp - Programs of several kernels -----------------------===//
//
// A program is a function with `fly.program`, beside the gpu.modules of the
// kernels that it launches. Its body is a list of workspaces, fills, launches
// and arith on scalars, with branches and counted loops around some of them, so
// that a launcher can know all of it beforehand. Refused, by name: everything
// else, and branches and loops with values. Labels C1.. are those of the
// definitions (FlyProgramOps.td).
//
//===----------------------------------------------------------------------===//
#include "ProgramOps.h"

#include "fly/Contract/Checks.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include "ConstantElement.h"
#include "MixedList.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool isHostScalar(Type type) {
  return type.isSignlessIntOrFloat() || type.isIndex();
}

/// Whether an op without regions may stand in a program; its own verifier says
/// the rest.
static bool isProgramOp(Operation &op) {
  if (isa<WorkspaceOp, FillOp, LaunchOp, func::ReturnOp, scf::YieldOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect>(op.getDialect()) &&
         op.getNumRegions() == 0 &&
         llvm::all_of(op.getOperandTypes(), isHostScalar) &&
         llvm::all_of(op.getResultTypes(), isHostScalar);
}

static LogicalResult verifyProgramBlock(Block &block, Operation *program);

/// A branch or a loop in a program.
static LogicalResult verifyProgramRegions(Operation &op, Operation *program) {
  auto refuse = [&](const Twine &what) {
    InFlightDiagnostic diag = op.emitOpError() << what;
    diag.attachNote(program->getLoc()) << "the program";
    return diag;
  };
  if (op.getNumResults())
    return refuse("has results, but a program's branches and loops hand on "
                  "nothing: choose between numbers by arith.select, compute "
                  "what changes from turn to turn from the counter, and "
                  "launch in each branch with its own memory");
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && loop.getUnsignedCmp())
    return refuse("is unsigned, but a program's loop counts signed numbers");
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (failed(verifyProgramBlock(block, program)))
        return failure();
  return success();
}

static LogicalResult verifyProgramBlock(Block &block, Operation *program) {
  for (Operation &op : block) {
    if (isa<scf::IfOp, scf::ForOp>(op)) {
      if (failed(verifyProgramRegions(op, program)))
        return failure();
      continue;
    }
    if (isProgramOp(op))
      continue;
    InFlightDiagnostic diag =
        op.emitOpError() << "cannot stand in a program, which holds "
                            "fly.workspace, fly.fill, fly.launch, arith on "
                            "scalars, and scf.if and scf.for around them";
    diag.attachNote(program->getLoc()) << "the program";
    return diag;
  }
  return success();
}

LogicalResult fly::detail::verifyProgram(Operation *op, Attribute attribute) {
  StringRef name = FlyDialect::getProgramAttrName();
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    return op->emitOpError()
           << "cannot carry '" << name << "': it belongs on a func.func";
  if (!isa<UnitAttr>(attribute))
    return op->emitOpError()
           << "expects '" << name << "' without a value, got " << attribute;
  if (!isa_and_nonnull<ModuleOp>(op->getParentOp()))
    return op->emitOpError() << "with '" << name
                             << "' must stand beside the gpu.modules of its "
                                "kernels, in the outer module";
  FunctionType type = function.getFunctionType();
  if (type.getNumResults())
    return op->emitOpError() << "with '" << name
                             << "' returns nothing, results are written to "
                                "memory; it has "
                             << type.getNumResults() << " results";
  for (auto [index, input] : llvm::enumerate(type.getInputs()))
    if (!isa<PtrType>(input) && !input.isSignlessIntOrFloat())
      return op->emitOpError()
             << "with '" << name << "' takes !fly.ptr and numbers, argument "
             << index << " is " << input;
  for (StringRef other :
       {FlyDialect::getWorkspaceAttrName(), FlyDialect::getMayAliasAttrName()})
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      if (function.getArgAttr(index, other))
        return op->emitOpError()
               << "with '" << name << "' has '" << other << "' on argument "
               << index
               << ": it belongs on an argument of a kernel; a program makes "
                  "workspaces by fly.workspace";
  if (!function.getBody().hasOneBlock())
    return op->emitOpError()
           << "with '" << name << "' needs a body of one block, got "
           << function.getBody().getBlocks().size();
  return verifyProgramBlock(function.getBody().front(), op);
}

/// C1 of workspaces: memory for the whole program.
static LogicalResult verifyInProgram(WorkspaceOp op) {
  Operation *parent = op->getParentOp();
  if (parent && parent->hasAttr(FlyDialect::getProgramAttrName()))
    return success();
  return op->emitOpError() << "stands in a program alone, outside of branches "
                              "and loops: a func.func with '"
                           << FlyDialect::getProgramAttrName() << "'";
}

/// C1 of the other ops.
static LogicalResult verifyInProgram(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa_and_nonnull<scf::IfOp, scf::ForOp>(parent))
    parent = parent->getParentOp();
  if (parent && parent->hasAttr(FlyDialect::getProgramAttrName()))
    return success();
  return op->emitOpError() << "stands in a program alone: a func.func with '"
                           << FlyDialect::getProgramAttrName() << "'";
}

//===----------------------------------------------------------------------===//
// WorkspaceOp, FillOp
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> WorkspaceOp::getMixedExtents() {
  return getMixed(getStaticExtents(), getExtents());
}
SmallVector<OpFoldResult> FillOp::getMixedExtents() {
  return getMixed(getStaticExtents(), getExtents());
}
TypedAttr FillOp::getElementAttr() {
  return makeElementAttr(getMemory().getType().getElementType(), getValue());
}

/// C2 of both ops.
static LogicalResult verifyExtents(Operation *op, ArrayAttr entries,
                                   ValueRange operands) {
  constexpr size_t maxRank = 4;
  if (entries.empty() || entries.size() > maxRank)
    return op->emitOpError() << "expects one to " << maxRank << " extents, got "
                             << entries.size();
  if (failed(verifyMixed(op, "extents", entries, operands, entries.size())))
    return failure();
  for (auto [dim, entry] : llvm::enumerate(entries)) {
    if (auto size = dyn_cast<StringAttr>(entry))
      return op->emitOpError()
             << "has the name '" << size.getValue() << "' as extent " << dim
             << ": a program has no schedule, write a number or a value";
    auto number = dyn_cast<IntegerAttr>(entry);
    if (number && number.getInt() < 0)
      return op->emitOpError() << "expects extents of at least 0, dimension "
                               << dim << " has " << number.getInt();
  }
  return success();
}

LogicalResult WorkspaceOp::verify() {
  if (failed(verifyInProgram(*this)) ||                               // C1
      failed(verifyExtents(*this, getStaticExtents(), getExtents()))) // C2
    return failure();
  return success();
}

LogicalResult FillOp::verify() {
  if (failed(verifyInProgram(*this)) ||                               // C1
      failed(verifyExtents(*this, getStaticExtents(), getExtents()))) // C2
    return failure();
  return verifyConstant(*this, getMemory().getType().getElementType(), // C3
                        getValue());
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

FunctionOpInterface LaunchOp::lookupKernel() {
  return SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getKernelAttr());
}

LogicalResult LaunchOp::verify() { return verifyInProgram(*this); } // C1

/// Whether a kernel may have this parameter for an argument: below our levels
/// pointers have lost their elements, and in kernels whose contract is written
/// elements below a byte may have become bytes.
static bool isPassable(Type argument, Type parameter, bool isPlanned) {
  if (argument == parameter)
    return true;
  auto pointer = dyn_cast<PtrType>(argument);
  if (!pointer || isa<LLVM::LLVMPointerType>(parameter))
    return bool(pointer);
  auto bytes = dyn_cast<PtrType>(parameter);
  return isPlanned && bytes && bytes.getElementType().isInteger(8) &&
         pointer.getElementType().getIntOrFloatBitWidth() < 8;
}

/// "@a::@k, @b::@l": the kernels that a program beside them can launch.
static std::string listKernels(Operation *module) {
  std::string names;
  module->walk([&](gpu::GPUModuleOp gpuModule) {
    for (auto function : gpuModule.getOps<FunctionOpInterface>())
      if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
          function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()))
        names += (names.empty() ? "@" : ", @") + gpuModule.getName().str() +
                 "::@" + function.getName().str();
  });
  return names.empty() ? "no kernel" : names;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SymbolRefAttr symbol = getKernelAttr();
  auto kernel =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, symbol);
  bool isKernel =
      kernel && isa<gpu::GPUModuleOp>(kernel->getParentOp()) &&
      (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
       kernel->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()));
  if (!isKernel) { // C2
    InFlightDiagnostic diag = emitOpError();
    if (kernel) {
      diag << "expects a kernel in a gpu.module, " << symbol << " is none";
      diag.attachNote(kernel->getLoc()) << "the function";
      return diag;
    }
    return diag << "knows no kernel " << symbol << "; the module has "
                << listKernels((*this)->getParentOfType<ModuleOp>());
  }
  ArrayRef<Type> parameters = kernel.getArgumentTypes();
  // What a kernel says in checks goes to memory of the launcher. In the llvm
  // dialect arguments have no names; the contract has been written by then.
  if (parameters.size() == getInputs().size() + 1) {
    auto last = kernel.getArgAttrOfType<StringAttr>(
        parameters.size() - 1, FlyDialect::getNameAttrName());
    if ((last && last.getValue() == contract::channelArgument) ||
        kernel->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()))
      parameters = parameters.drop_back();
  }
  auto refuse = [&]() {
    InFlightDiagnostic diag = emitOpError();
    diag.attachNote(kernel->getLoc()) << "the kernel";
    return diag;
  };
  if (parameters.size() != getInputs().size()) // C3
    return refuse() << "passes " << getInputs().size()
                    << " arguments, the kernel takes " << parameters.size();
  bool isPlanned = kernel->hasAttr(FlyDialect::getContractAttrName());
  for (auto [index, input] : llvm::enumerate(getInputs().getTypes()))
    if (!isPassable(input, parameters[index], isPlanned))
      return refuse() << "passes " << input << " as argument " << index
                      << ", the kernel takes " << parameters[index];
  return success();
}
