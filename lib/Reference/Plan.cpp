//===- Plan.cpp - What a launch means, from its scalars -------------------===//
//
// Grid, views and requirements depend on kernel arguments alone. They are
// found by running those ops of the kernel's body whose operands are known
// before any workgroup runs.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Expr.h"
#include "fly/Dialect/Fly/IR/Contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include "Interpreter.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// "K=96, N=64": the scalar arguments that `condition` is computed from.
std::string Interpreter::describeArguments(Value condition) {
  llvm::SetVector<Value> visited;
  SmallVector<Value> worklist = {condition};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!visited.insert(value))
      continue;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(worklist, op->getOperands());
  }
  std::string text;
  for (BlockArgument argument : kernel.getFunctionBody().getArguments()) {
    auto *number =
        isKnown(argument) ? std::get_if<Integer>(&values[argument]) : nullptr;
    if (!number || !visited.contains(argument))
      continue;
    text += (text.empty() ? "" : ", ") +
            getArgumentName(kernel, argument.getArgNumber()) + "=" +
            std::to_string(number->value);
  }
  return text;
}

LogicalResult Interpreter::checkRequire(RequireOp op) {
  if (!isKnown(op.getCondition()))
    return op.emitError() << "condition of a launch must be computed from "
                             "kernel arguments alone";
  if (getInteger(op.getCondition()))
    return success();
  InFlightDiagnostic diag = op.emitError()
                            << "launch refused: " << op.getMessage();
  std::string numbers = describeArguments(op.getCondition());
  if (!numbers.empty())
    diag << " (" << numbers << ")";
  return diag;
}

LogicalResult Interpreter::checkRequireMultiple(RequireMultipleOp op) {
  if (!isKnown(op.getValue()))
    return op.emitError() << "precondition of a launch must be computed from "
                             "kernel arguments alone";
  Attribute multiple = op.getMultiple();
  FailureOr<int64_t> of = resolve(multiple, op);
  if (failed(of))
    return failure();
  int64_t value = getInteger(op.getValue());
  if (*of > 0 && value % *of == 0)
    return success();
  InFlightDiagnostic diag = op.emitError() << "launch refused: ";
  if (auto argument = dyn_cast<BlockArgument>(op.getValue()))
    diag << getArgumentName(kernel, argument.getArgNumber()) << "=" << value;
  else
    diag << "value " << value << " (from " << describeArguments(op.getValue())
         << ")";
  diag << " is not a multiple of " << *of;
  if (auto name = dyn_cast<StringAttr>(multiple))
    diag << " (" << name.getValue() << ")";
  return diag;
}

std::optional<unsigned> Interpreter::findArgument(const Memory *memory) {
  for (BlockArgument argument : kernel.getFunctionBody().getArguments()) {
    auto *pointer = std::get_if<Pointer>(&get(argument));
    if (pointer && pointer->memory == memory)
      return argument.getArgNumber();
  }
  return std::nullopt;
}

LogicalResult Interpreter::planView(ViewOp op, LaunchPlan &plan) {
  FailureOr<View> view = makeView(op);
  if (failed(view))
    return failure();
  set(op, *view);
  // Helpers see the memory under another name.
  std::optional<unsigned> argument = findArgument(view->memory);
  if (!argument)
    return success();
  std::optional<BufferShape> &shape = plan.buffers[*argument];
  int64_t elements = 1 + view->offset;
  for (auto [extent, stride] : llvm::zip(view->extents, view->strides)) {
    if (extent < 0 || stride < 0)
      return op.emitError()
             << "view of a launch has extent " << extent << " with stride "
             << stride << ", expected neither to be negative";
    int64_t reach;
    if (__builtin_mul_overflow(extent - 1, stride, &reach) ||
        __builtin_add_overflow(elements, reach, &elements))
      return op.emitError() << "view of a launch has more than 2^63 elements";
  }
  if (view->layout) {
    llvm::Expected<int64_t> cosize = layout::cosize(*view->layout);
    if (!cosize || *cosize > std::numeric_limits<int64_t>::max() - view->offset)
      return op.emitError() << "view of a launch has a layout without a size: "
                            << (cosize ? std::string("2^63 elements")
                                       : llvm::toString(cosize.takeError()));
    elements = view->offset + *cosize;
  }
  if (llvm::is_contained(view->extents, 0))
    elements = 0;
  if (!shape) {
    shape.emplace();
    shape->extents = view->extents;
    shape->strides = view->strides;
  }
  shape->elements = std::max(shape->elements, elements);
  // As the contract has it: several views, or one at an offset, are a line.
  shape->isLine |= view->offset != 0 || shape->extents != view->extents ||
                   shape->strides != view->strides;
  return success();
}

LogicalResult Interpreter::planGrid(GridOp op, LaunchPlan &plan) {
  plan.grid.clear();
  for (auto [bound, step] :
       llvm::zip(op.getMixedBounds(), op.getMixedSteps())) {
    auto value = dyn_cast<Value>(bound);
    if (value && !isKnown(value))
      return op.emitError() << "bounds of the grid must be computed from "
                               "kernel arguments alone";
    FailureOr<int64_t> extent = resolve(bound, op);
    FailureOr<int64_t> width = resolve(step, op);
    if (failed(extent) || failed(width))
      return failure();
    if (*width < 1)
      return op.emitError()
             << "step of the grid is " << *width << ", expected a positive one";
    plan.grid.push_back(*extent > 0 ? llvm::divideCeilSigned(*extent, *width)
                                    : 0);
  }
  return success();
}

/// Once fly-plan-grid has run, the contract alone knows the grid.
LogicalResult Interpreter::planContractGrid(LaunchPlan &plan) {
  auto contract =
      kernel->getAttrOfType<DictionaryAttr>(FlyDialect::getContractAttrName());
  auto grid = contract ? contract.getAs<ArrayAttr>("grid") : ArrayAttr();
  if (!grid)
    return success();
  plan.grid.clear();
  auto binding = [&](StringRef name) -> std::optional<int64_t> {
    for (BlockArgument argument : kernel.getFunctionBody().getArguments())
      if (getArgumentName(kernel, argument.getArgNumber()) == name)
        if (auto *number = std::get_if<Integer>(&values[argument]))
          return number->value;
    return std::nullopt;
  };
  for (Attribute entry : grid) {
    auto text = dyn_cast<StringAttr>(entry);
    if (!text)
      return kernel.emitError() << "contract's grid holds " << entry
                                << ", expected expressions as strings";
    llvm::Expected<contract::Expr> expr =
        contract::Expr::parse(text.getValue());
    if (!expr)
      return kernel.emitError() << llvm::toString(expr.takeError());
    llvm::Expected<int64_t> value = expr->evaluate(binding);
    if (!value)
      return kernel.emitError() << llvm::toString(value.takeError());
    plan.grid.push_back(std::max<int64_t>(*value, 0));
  }
  return success();
}

/// Whether a pointer argument is loaded from and stored to, through any view
/// and in any helper.
static void findAccesses(Value pointer, bool &isRead, bool &isWritten,
                         unsigned depth = 0) {
  for (OpOperand &use : pointer.getUses()) {
    Operation *user = use.getOwner();
    auto call = dyn_cast<func::CallOp>(user);
    auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                             call, call.getCalleeAttr())
                       : func::FuncOp();
    if (isa<ViewOp>(user))
      findAccesses(user->getResult(0), isRead, isWritten, depth);
    else if (isa<StoreOp, WriteOp, ScatterOp>(user))
      isWritten = true;
    else if (isa<LoadOp, ReadOp, LoadScalarOp, GatherOp>(user))
      isRead = true;
    else if (callee && !callee.isExternal() && depth < kMaxCallDepth)
      findAccesses(callee.getArgument(use.getOperandNumber()), isRead,
                   isWritten, depth + 1);
    else // Anything may happen.
      isRead = isWritten = true;
  }
}

void Interpreter::forget(Block &block) {
  for (BlockArgument argument : block.getArguments())
    values.erase(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      values.erase(result);
}

/// What the helper does with what is known of its arguments.
LogicalResult Interpreter::planCall(func::CallOp call, LaunchPlan &plan,
                                    Place place) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || !callee.getBody().hasOneBlock() || callDepth == kMaxCallDepth)
    return success(); // The run tells what is wrong.
  Block &body = callee.getBody().front();
  SmallVector<std::optional<RuntimeValue>> operands, results;
  for (Value operand : call.getOperands())
    operands.push_back(isKnown(operand) ? std::optional(get(operand))
                                        : std::nullopt);
  forget(body);
  for (auto [argument, value] : llvm::zip(body.getArguments(), operands))
    if (value)
      set(argument, *value);
  ++callDepth;
  LogicalResult planned = planBlock(body, plan, place);
  --callDepth;
  if (failed(planned))
    return failure();
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    if (isKnown(value))
      set(result, get(value));
  return success();
}

LogicalResult Interpreter::planOp(Operation &op, LaunchPlan &plan,
                                  Place place) {
  bool isReady = llvm::all_of(op.getOperands(),
                              [&](Value value) { return isKnown(value); });
  bool isTop = place == Place::Top;
  if (auto grid = dyn_cast<GridOp>(op))
    return planGrid(grid, plan);
  if (auto require = dyn_cast<RequireOp>(op))
    return isTop ? checkRequire(require) : success();
  if (auto require = dyn_cast<RequireMultipleOp>(op))
    return isTop ? checkRequireMultiple(require) : success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return planCall(call, plan, place);
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      forget(block);
      if (failed(planBlock(block, plan, Place::Nested)))
        return failure();
    }
  bool isView = isa<ViewOp>(op);
  bool isScalar =
      op.getNumResults() == 1 && !isa<ShapedType>(op.getResult(0).getType()) &&
      (isa<SizeOp>(op) || isa<arith::ArithDialect>(op.getDialect()));
  if (!isReady || (!isView && !isScalar))
    return success();
  auto run = [&] {
    return isView ? planView(cast<ViewOp>(op), plan) : execute(&op);
  };
  if (isTop)
    return run();
  // What a branch that is not taken would do wrong is not known here.
  ScopedDiagnosticHandler silent(op.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (failed(run()))
    for (Value result : op.getResults())
      values.erase(result);
  return success();
}

LogicalResult Interpreter::planBlock(Block &block, LaunchPlan &plan,
                                     Place place) {
  for (Operation &op : block.without_terminator())
    if (failed(planOp(op, plan, place)))
      return failure();
  return success();
}

FailureOr<LaunchPlan> Interpreter::plan() {
  Block &entry = kernel.getFunctionBody().front();
  LaunchPlan plan;
  plan.grid = {1};
  plan.buffers.resize(entry.getNumArguments());
  plan.isRead.resize(entry.getNumArguments());
  plan.isWritten.resize(entry.getNumArguments());
  if (failed(planContractGrid(plan)))
    return failure();
  for (BlockArgument argument : entry.getArguments()) {
    if (!isa<PtrType>(argument.getType()))
      continue;
    unsigned index = argument.getArgNumber();
    bool isRead = false, isWritten = false;
    findAccesses(argument, isRead, isWritten);
    plan.isRead[index] = isRead;
    plan.isWritten[index] = isWritten;
  }
  if (failed(planBlock(entry, plan, Place::Top)))
    return failure();
  return plan;
}
