//===- Plan.cpp - What a launch means, from its scalars -------------------===//
//
// Grid, views and requirements depend on kernel arguments alone. They are
// found by running those ops of the kernel's body whose operands are known
// before any workgroup runs.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/Expr.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// The argument's name in the source, or `arg0`, `arg1`, ...
static std::string argumentName(FunctionOpInterface kernel, unsigned index) {
  if (auto name = kernel.getArgAttrOfType<StringAttr>(
          index, FlyDialect::getNameAttrName()))
    return name.getValue().str();
  return "arg" + std::to_string(index);
}

LogicalResult Interpreter::bind(ArrayRef<Argument> arguments) {
  Block &entry = kernel.getFunctionBody().front();
  if (arguments.size() != entry.getNumArguments())
    return kernel.emitError() << "takes " << entry.getNumArguments()
                              << " arguments, got " << arguments.size();
  DictionaryAttr consts;
  if (ScheduleAttr schedule = getScheduleOf(kernel)) {
    if (auto given = dyn_cast_or_null<DictionaryAttr>(schedule.get("sizes")))
      for (NamedAttribute size : given)
        if (auto number = dyn_cast<IntegerAttr>(size.getValue()))
          sizes[size.getName().str()] = number.getInt();
    consts = dyn_cast_or_null<DictionaryAttr>(schedule.get("consts"));
  }
  if (failed(verifyWithSizes()))
    return failure();
  memories.reserve(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value value = entry.getArgument(index);
    std::string name = argumentName(kernel, index);
    if (isa<PtrType>(value.getType())) {
      memories.push_back(argument.memory);
      if (memories.back().name.empty())
        memories.back().name = name;
      set(value, Pointer{&memories.back()});
      continue;
    }
    std::optional<ElementType> type = typeOf(value.getType());
    if (!type || isa<ShapedType>(value.getType()))
      return kernel.emitError()
             << "argument '" << name << "' of type " << value.getType()
             << " cannot be launched: expected !fly.ptr or a number";
    if (type->isFloat()) {
      set(value, type->decode(argument.bits));
      continue;
    }
    int64_t number = type->wrap(int64_t(argument.bits));
    set(value, number);
    auto fixed = consts ? dyn_cast_or_null<IntegerAttr>(consts.get(name))
                        : IntegerAttr();
    if (fixed && fixed.getInt() != number)
      return kernel.emitError()
             << "launch refused: " << name << "=" << number
             << ", but the schedule's consts fix it to " << fixed.getInt();
  }
  return success();
}

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
            argumentName(kernel, argument.getArgNumber()) + "=" +
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
    diag << argumentName(kernel, argument.getArgNumber()) << "=" << value;
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
    plan.grid.push_back(*extent > 0 ? (*extent + *width - 1) / *width : 0);
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
      if (argumentName(kernel, argument.getArgNumber()) == name)
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

LogicalResult Interpreter::runWorkgroup(const LaunchPlan &plan,
                                        ArrayRef<int64_t> index) {
  workgroup.assign(index.begin(), index.end());
  lds.clear();
  Results results;
  return runBlock(kernel.getFunctionBody().front(), results);
}

/// Workspaces that a kernel wants zeroed, before and after it.
static LogicalResult checkZeroed(FunctionOpInterface kernel,
                                 ArrayRef<Argument> arguments, bool isAfter,
                                 const Options &options) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!isa_and_nonnull<StringAttr>(
            kernel.getArgAttr(index, FlyDialect::getWorkspaceAttrName())))
      continue;
    ArrayRef<uint8_t> bytes(argument.memory.data, argument.memory.bytes);
    const uint8_t *wrong = llvm::find_if(bytes, [](uint8_t b) { return b; });
    if (wrong == bytes.end())
      continue;
    options.noteFailedCheck();
    return kernel.emitError()
           << "workspace '" << argumentName(kernel, index) << "' "
           << (isAfter ? "is not left zeroed: byte "
                       : "must be zeroed at the launch: byte ")
           << wrong - bytes.begin() << " of " << bytes.size() << " is "
           << unsigned(*wrong);
  }
  return success();
}

FailureOr<LaunchPlan> fly::reference::planLaunch(FunctionOpInterface kernel,
                                                 ArrayRef<Argument> arguments) {
  Interpreter interpreter(kernel, {});
  if (failed(interpreter.bind(arguments)))
    return failure();
  if (kernel->hasAttr(FlyDialect::getProgramAttrName()))
    return interpreter.planProgram();
  return interpreter.plan();
}

LogicalResult fly::reference::run(FunctionOpInterface kernel,
                                  ArrayRef<Argument> arguments,
                                  const Options &options) {
  bool isProgram = kernel->hasAttr(FlyDialect::getProgramAttrName());
  // The plan refuses a program before any of its kernels runs.
  FailureOr<LaunchPlan> plan = planLaunch(kernel, arguments);
  Interpreter interpreter(kernel, options);
  if (failed(plan) || failed(interpreter.bind(arguments)))
    return failure();
  if (isProgram)
    return interpreter.runProgram();
  if (failed(checkZeroed(kernel, arguments, /*isAfter=*/false, options)))
    return failure();
  SmallVector<int64_t, 3> index(plan->grid.size());
  for (int64_t number = 0, e = plan->workgroups(); number < e; ++number) {
    // The last dimension walks fastest; the order means nothing.
    int64_t rest = number;
    for (int64_t d = int64_t(index.size()) - 1; d >= 0; --d) {
      index[d] = rest % plan->grid[d];
      rest /= plan->grid[d];
    }
    if (failed(interpreter.runWorkgroup(*plan, index))) {
      InFlightDiagnostic note = kernel.emitRemark();
      note << "in workgroup (";
      llvm::interleaveComma(index, note);
      note << ") of the reference run";
      return failure();
    }
  }
  return checkZeroed(kernel, arguments, /*isAfter=*/true, options);
}
