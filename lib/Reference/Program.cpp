//===- Program.cpp - Several kernels on shared memory ---------------------===//
//
// A program runs its ops in order: arith as a kernel does, workspaces as memory
// of its own, which holds all ones (NaN) at first, launches as runs of their
// kernels, branches and loops around them by scalars. Planning goes the same
// way without touching memory.
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/ProgramContract.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

FailureOr<int64_t> Interpreter::countElements(ArrayRef<OpFoldResult> extents,
                                              Operation *at) {
  constexpr int64_t limit = int64_t(1) << 40;
  int64_t count = 1;
  FailureOr<SmallVector<int64_t, 4>> numbers = resolveAll(extents, at);
  if (failed(numbers))
    return failure();
  for (int64_t extent : *numbers) {
    if (extent < 0)
      return at->emitError() << "extent " << extent << " of '" << at->getName()
                             << "' must not be negative";
    if (__builtin_mul_overflow(count, extent, &count) || count > limit)
      return at->emitError() << "more than " << limit << " elements";
  }
  return count;
}

LogicalResult Interpreter::makeWorkspace(WorkspaceOp op, bool isRun) {
  FailureOr<int64_t> elements = countElements(op.getMixedExtents(), op);
  if (failed(elements))
    return failure();
  auto workspace = std::make_unique<Workspace>();
  std::optional<ElementType> type = typeOf(op.getType());
  if (!type)
    return op.emitError() << "the reference executor has no elements of "
                          << op.getType();
  uint64_t bytes = type->bytesFor(*elements);
  if (isRun)
    workspace->bytes.assign(bytes, 0xff);
  auto name = op->getAttrOfType<StringAttr>(FlyDialect::getNameAttrName());
  workspace->memory = {isRun ? workspace->bytes.data() : nullptr, bytes,
                       name ? name.str()
                            : "workspace" + std::to_string(workspaces.size()),
                       &workspace->bounds};
  set(op.getMemory(), Pointer{&workspace->memory});
  workspaces.push_back(std::move(workspace));
  return success();
}

/// An argument's memory is as large as the largest demand; a workspace is what
/// the program makes it.
LogicalResult Interpreter::addDemand(Operation *op, Value pointer,
                                     const BufferShape &shape,
                                     LaunchPlan &plan) {
  const Memory *memory = std::get<Pointer>(get(pointer)).memory;
  if (std::optional<unsigned> argument = findArgument(memory)) {
    std::optional<BufferShape> &largest = plan.buffers[*argument];
    if (!largest || shape.elements > largest->elements)
      largest = shape;
    return success();
  }
  // The workspace has been made, so the type is known.
  uint64_t bytes = typeOf(pointer.getType())->bytesFor(shape.elements);
  if (bytes <= memory->bytes)
    return success();
  return op->emitError() << "reaches " << bytes << " bytes of workspace '"
                         << memory->name << "', which has " << memory->bytes;
}

/// What memory is to the caller after a step: what is read later, once it is
/// written, is none of its inputs.
static void addAccess(LaunchPlan &plan, unsigned argument, bool isRead,
                      bool isWritten) {
  plan.isRead[argument] |= isRead && !plan.isWritten[argument];
  plan.isWritten[argument] |= isWritten;
}

LogicalResult Interpreter::runFill(FillOp op, LaunchPlan *plan) {
  FailureOr<int64_t> elements = countElements(op.getMixedExtents(), op);
  if (failed(elements) || failed(countStep(op)))
    return failure();
  const Memory *memory = std::get<Pointer>(get(op.getMemory())).memory;
  std::optional<ElementType> known = typeOf(op.getMemory().getType());
  if (!known)
    return op.emitError() << "the reference executor has no elements of "
                          << op.getMemory().getType();
  ElementType type = *known;
  if (plan) {
    BufferShape shape;
    shape.extents = *resolveAll(op.getMixedExtents(), op);
    shape.strides.assign(shape.extents.size(), 1);
    for (size_t dim = shape.extents.size(); dim-- > 1;)
      shape.strides[dim - 1] = shape.strides[dim] * shape.extents[dim];
    shape.elements = *elements;
    if (std::optional<unsigned> argument = findArgument(memory))
      addAccess(*plan, *argument, /*isRead=*/false, /*isWritten=*/true);
    return addDemand(op, op.getMemory(), shape, *plan);
  }
  if (type.bytesFor(*elements) > memory->bytes)
    return op.emitError() << "fills " << type.bytesFor(*elements)
                          << " bytes of '" << memory->name << "', which has "
                          << memory->bytes;
  TypedAttr element = op.getElementAttr();
  auto integer = dyn_cast<IntegerAttr>(element);
  APInt bits = integer ? integer.getValue()
                       : cast<FloatAttr>(element).getValue().bitcastToAPInt();
  for (int64_t i = 0; i < *elements; ++i) {
    type.storeBits(memory->data, i, bits.getZExtValue());
    if (memory->bounds && !memory->bounds->areZero())
      memory->bounds->set(i, type.bits(), 0);
  }
  return success();
}

LogicalResult Interpreter::runLaunch(LaunchOp op, LaunchPlan *plan) {
  if (failed(countStep(op)))
    return failure();
  FunctionOpInterface launched = op.lookupKernel();
  SmallVector<Argument> arguments;
  for (Value input : op.getInputs()) {
    const RuntimeValue &value = get(input);
    if (auto *pointer = std::get_if<Pointer>(&value)) {
      arguments.push_back({*pointer->memory, 0});
      continue;
    }
    if (auto *number = std::get_if<Integer>(&value))
      arguments.push_back(Argument::scalar(uint64_t(number->value)));
    else
      arguments.push_back(Argument::scalar(
          typeOf(input.getType())->encode(std::get<Real>(value).value)));
  }
  auto fail = [&]() -> LogicalResult {
    op.emitRemark() << "launched here";
    return failure();
  };
  if (!plan)
    return succeeded(run(launched, arguments, options)) ? success() : fail();
  FailureOr<LaunchPlan> launch = planLaunch(launched, arguments);
  if (failed(launch))
    return fail();
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    auto *pointer = std::get_if<Pointer>(&get(input));
    if (!pointer)
      continue;
    if (std::optional<unsigned> argument = findArgument(pointer->memory))
      addAccess(*plan, *argument, launch->isRead[index],
                launch->isWritten[index]);
    if (launch->buffers[index] &&
        failed(addDemand(op, input, *launch->buffers[index], *plan)))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::countStep(Operation *at) {
  if (++steps <= contract::maxSteps)
    return success();
  return at->emitError() << "comes to more than " << contract::maxSteps
                         << " steps: let kernels do more each";
}

LogicalResult Interpreter::runLoop(scf::ForOp op, LaunchPlan *plan) {
  int64_t lower = getInteger(op.getLowerBound());
  int64_t upper = getInteger(op.getUpperBound());
  int64_t step = getInteger(op.getStep());
  if (step < 1)
    return op->emitError() << "loop step is " << step
                           << ", expected a positive one";
  for (int64_t counter = lower; counter < upper;) {
    if (failed(countStep(op)))
      return failure();
    set(op.getInductionVar(), counter);
    if (failed(runSteps(op.getRegion().front(), plan)))
      return failure();
    if (llvm::AddOverflow(counter, step, counter))
      break;
  }
  return success();
}

LogicalResult Interpreter::runSteps(Block &block, LaunchPlan *plan) {
  for (Operation &op : block.without_terminator()) {
    LogicalResult done =
        llvm::TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](WorkspaceOp op) {
              return makeWorkspace(op, /*isRun=*/!plan);
            })
            .Case([&](FillOp op) { return runFill(op, plan); })
            .Case([&](LaunchOp op) { return runLaunch(op, plan); })
            .Case([&](scf::ForOp op) { return runLoop(op, plan); })
            .Case([&](scf::IfOp op) {
              Region &taken = getInteger(op.getCondition())
                                  ? op.getThenRegion()
                                  : op.getElseRegion();
              return taken.empty() ? success() : runSteps(taken.front(), plan);
            })
            .Default([&](Operation *op) { return execute(op); });
    if (failed(done))
      return failure();
  }
  return success();
}

FailureOr<LaunchPlan> Interpreter::planProgram() {
  LaunchPlan plan;
  plan.grid = {1};
  unsigned count = kernel.getNumArguments();
  plan.buffers.resize(count);
  plan.isRead.resize(count);
  plan.isWritten.resize(count);
  if (failed(runSteps(kernel.getFunctionBody().front(), &plan)))
    return failure();
  return plan;
}

LogicalResult Interpreter::runProgram() {
  return runSteps(kernel.getFunctionBody().front(), nullptr);
}
