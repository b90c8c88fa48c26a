//===- ProgramPlanner.cpp - The launch contract of a program --------------===//
//
// What a launch of the program must know, over the program's arguments and the
// counters of its loops: the kernels' contracts say it over theirs, and each
// launch says what those are. Refused: scalars that are more than arithmetic on
// integers and on f32, memory that a launch passes twice although the kernel
// writes it, kernels of several chips.
//
//===----------------------------------------------------------------------===//
#include "ProgramPlanner.h"

#include "fly/Dialect/Fly/IR/Contract.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly;
using contract::Access;
using contract::Expr;
using Kind = contract::Expr::Kind;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The expression with the values of its arguments put in; what is not among
/// them stays.
static Expr substitute(const Expr &expr, const llvm::StringMap<Expr> &values) {
  switch (expr.kind()) {
  case Kind::Constant:
    return expr;
  case Kind::Argument: {
    auto it = values.find(expr.name());
    return it == values.end() ? expr : it->second;
  }
  case Kind::Select:
    return Expr::select(substitute(expr.operand(0), values),
                        substitute(expr.operand(1), values),
                        substitute(expr.operand(2), values));
  default:
    return foldBinary(expr.kind(), substitute(expr.operand(0), values),
                      substitute(expr.operand(1), values));
  }
}

FailureOr<Expr> ProgramPlanner::translate(Operation *op, const Expr &expr,
                                          const Substitutes &values) {
  Expr result = substitute(expr, values);
  if (result.numOperators() <= maxOperators)
    return result;
  return op->emitOpError() << "makes an expression of more than "
                           << maxOperators
                           << " operators on the host: make values that it "
                              "passes arguments of the program";
}

FailureOr<std::vector<Expr>>
ProgramPlanner::getExprs(Operation *op, ArrayRef<OpFoldResult> values) {
  std::vector<Expr> exprs;
  for (OpFoldResult value : values) {
    std::optional<Expr> expr = host.get(value);
    if (!expr) {
      InFlightDiagnostic diag =
          op->emitOpError() << "extents must be computed from the program's "
                               "arguments by integer arithmetic";
      host.noteCulprit(diag);
      return diag;
    }
    exprs.push_back(*expr);
  }
  return exprs;
}

contract::ProgramMemory &ProgramPlanner::getMemory(Value pointer) {
  auto [isWorkspace, index] = places.lookup(pointer);
  return (isWorkspace ? contract.workspaces : contract.arguments)[index];
}

//===----------------------------------------------------------------------===//
// Arguments, workspaces, fills
//===----------------------------------------------------------------------===//

LogicalResult ProgramPlanner::planArguments() {
  uint32_t offset = 0;
  for (BlockArgument value : program.getFunctionBody().getArguments()) {
    contract::ProgramMemory memory;
    contract::Argument &argument = memory.argument;
    unsigned index = value.getArgNumber();
    argument.name = getArgumentName(program, index);
    if (contract.find(argument.name))
      return program->emitOpError()
             << "has two arguments of the name '" << argument.name << "'";
    if (auto pointer = dyn_cast<PtrType>(value.getType())) {
      argument.kind = contract::ArgumentKind::Pointer;
      argument.type = printType(pointer.getElementType());
      argument.size = 8;
      argument.alignment = getPointerAlignment(program, index);
      places[value] = {false, contract.arguments.size()};
    } else {
      argument.type = printType(value.getType());
      unsigned bits = value.getType().getIntOrFloatBitWidth();
      argument.size = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
    }
    argument.offset = llvm::alignTo(offset, argument.size);
    offset = argument.offset + argument.size;
    contract.arguments.push_back(std::move(memory));
  }
  return success();
}

LogicalResult ProgramPlanner::planWorkspace(WorkspaceOp op) {
  contract::ProgramMemory memory;
  auto name = op->getAttrOfType<StringAttr>(FlyDialect::getNameAttrName());
  contract::Argument &argument = memory.argument;
  argument.name =
      name ? name.str()
           : "workspace" + std::to_string(contract.workspaces.size());
  if (contract.find(argument.name))
    return op.emitOpError() << "has the name '" << argument.name
                            << "' of another memory of the program";
  argument.kind = contract::ArgumentKind::Pointer;
  argument.type = printType(op.getType().getElementType());
  argument.size = 8;
  argument.workspace = true;
  argument.access = Access::ReadWrite;
  argument.alignment = 1;
  FailureOr<std::vector<Expr>> extents = getExprs(op, op.getMixedExtents());
  if (failed(extents))
    return failure();
  memory.extents = std::move(*extents);
  places[op.getMemory()] = {true, contract.workspaces.size()};
  contract.workspaces.push_back(std::move(memory));
  return success();
}

/// What the memory is to the caller after a step: what is read once it has
/// surely been written is none of its inputs.
void ProgramPlanner::addAccess(Value pointer, Access step) {
  bool reads = step == Access::Read || step == Access::ReadWrite;
  bool writes = step == Access::Write || step == Access::ReadWrite;
  Access &access = getMemory(pointer).argument.access;
  bool isRead = access == Access::Read || access == Access::ReadWrite ||
                (reads && !written.contains(pointer));
  bool isWritten =
      access == Access::Write || access == Access::ReadWrite || writes;
  if (isRead || isWritten)
    access = !isWritten ? Access::Read
             : isRead   ? Access::ReadWrite
                        : Access::Write;
  if (writes)
    written.insert(pointer);
}

LogicalResult ProgramPlanner::planFill(FillOp op, Steps &steps) {
  contract::ProgramMemory &memory = getMemory(op.getMemory());
  FailureOr<std::vector<Expr>> extents = getExprs(op, op.getMixedExtents());
  if (failed(extents))
    return failure();
  contract::Step step;
  step.kind = contract::Step::Kind::Fill;
  step.memory = memory.argument.name;
  step.extents = std::move(*extents);
  TypedAttr element = op.getElementAttr();
  auto integer = dyn_cast<IntegerAttr>(element);
  APInt bits = integer ? integer.getValue()
                       : cast<FloatAttr>(element).getValue().bitcastToAPInt();
  if (bits.getBitWidth() > 64)
    return op.emitOpError()
           << "fills elements of at most 64 bits, got " << bits.getBitWidth();
  step.bits = bits.getZExtValue();
  addAccess(op.getMemory(), Access::Write);
  steps.push_back(std::move(step));
  return success();
}
