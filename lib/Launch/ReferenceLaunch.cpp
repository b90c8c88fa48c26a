//===- ReferenceLaunch.cpp - Run tile IR with arguments -------------------===//
#include "fly/Launch/ReferenceLaunch.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace fly;
using namespace fly::launch;

/// The number to which the kernel's schedule fixes an argument.
static std::optional<int64_t> findConst(FunctionOpInterface kernel,
                                        unsigned index) {
  ScheduleAttr schedule = getScheduleOf(kernel);
  auto consts = dyn_cast_or_null<DictionaryAttr>(
      schedule ? schedule.get("consts") : Attribute());
  auto number = dyn_cast_or_null<IntegerAttr>(
      consts ? consts.get(getArgumentName(kernel, index)) : Attribute());
  if (number)
    return number.getInt();
  return std::nullopt;
}

/// The same of a program: what every run launches fixes what it passes on.
static std::optional<int64_t> findConstInProgram(FunctionOpInterface program,
                                                 BlockArgument argument) {
  for (auto launch : program.getFunctionBody().front().getOps<LaunchOp>()) {
    FunctionOpInterface kernel = launch.lookupKernel();
    for (auto [index, input] : llvm::enumerate(launch.getInputs()))
      if (input == argument && kernel)
        if (std::optional<int64_t> fixed = findConst(kernel, index))
          return fixed;
  }
  return std::nullopt;
}

llvm::Expected<std::vector<Parameter>>
fly::launch::parametersOf(FunctionOpInterface kernel) {
  bool isProgram = kernel->hasAttr(FlyDialect::getProgramAttrName());
  std::vector<Parameter> parameters;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Parameter parameter;
    parameter.name = getArgumentName(kernel, index);
    auto pointer = dyn_cast<PtrType>(type);
    parameter.isPointer = bool(pointer);
    std::string text;
    llvm::raw_string_ostream(text)
        << (pointer ? pointer.getElementType() : type);
    llvm::Expected<ElementType> element = ElementType::parse(text);
    if (!element)
      return llvm::createStringError("argument '" + parameter.name + "': " +
                                     llvm::toString(element.takeError()));
    parameter.type = *element;
    if (!pointer)
      parameter.size = element->bytesFor(1);
    if (!pointer && !kernel.isExternal())
      parameter.fixed =
          isProgram ? findConstInProgram(
                          kernel, kernel.getFunctionBody().getArgument(index))
                    : findConst(kernel, index);
    if (pointer)
      parameter.alignment = getPointerAlignment(kernel, index);
    if (Attribute workspace =
            kernel.getArgAttr(index, FlyDialect::getWorkspaceAttrName())) {
      parameter.isWorkspace = true;
      auto fill = dyn_cast<StringAttr>(workspace);
      parameter.fill = fill && fill == "zeroed" ? "zeros" : "";
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

static SmallVector<reference::Argument>
toReference(std::vector<Argument> &arguments) {
  SmallVector<reference::Argument> result;
  for (Argument &argument : arguments) {
    if (!argument.parameter.isPointer)
      result.push_back(reference::Argument::scalar(argument.bits));
    else if (argument.buffer)
      result.push_back(reference::Argument::pointer(
          argument.buffer->data(), argument.buffer->bytes(),
          argument.parameter.name, &argument.buffer->bounds()));
    else
      result.push_back(
          reference::Argument::pointer(nullptr, 0, argument.parameter.name));
  }
  return result;
}

FailureOr<reference::LaunchPlan>
fly::launch::planOnReference(FunctionOpInterface kernel,
                             std::vector<Argument> &arguments) {
  FailureOr<reference::LaunchPlan> plan =
      reference::planLaunch(kernel, toReference(arguments));
  if (failed(plan))
    return failure();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.parameter.isPointer)
      continue;
    argument.parameter.isRead = plan->isRead[index];
    argument.parameter.isWritten = plan->isWritten[index];
  }
  return plan;
}

llvm::Error fly::launch::allocateBuffers(std::vector<Argument> &arguments,
                                         const reference::LaunchPlan &plan,
                                         llvm::ArrayRef<NamedSpec> specs,
                                         uint64_t seed) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.parameter.isPointer)
      continue;
    std::optional<Shape> shape;
    int64_t elements = 0;
    if (const auto &known = plan.buffers[index]) {
      shape.emplace();
      shape->extents.assign(known->extents);
      shape->strides.assign(known->strides);
      elements = known->elements;
      if (known->isLine)
        shape = Shape::contiguous({elements});
    }
    if (llvm::Error error =
            allocateBuffer(argument, index, shape, elements, specs, seed))
      return error;
  }
  return llvm::Error::success();
}

LogicalResult fly::launch::launchOnReference(FunctionOpInterface kernel,
                                             std::vector<Argument> &arguments,
                                             llvm::raw_ostream *print,
                                             bool *hasFailedCheck) {
  reference::Options options;
  options.print = print;
  options.hasFailedCheck = hasFailedCheck;
  return reference::run(kernel, toReference(arguments), options);
}

/// Whether a tree has a function that is not exact on small integers.
static bool isInexact(const MapNode &node) {
  static constexpr StringRef exact[] = {"min",  "max",   "abs",
                                        "relu", "floor", "ceil"};
  if (node.kind == MapNode::Call && !llvm::is_contained(exact, node.text))
    return true;
  if (node.kind == MapNode::Binary && node.text == "/")
    return true;
  if (node.kind == MapNode::Number && node.number != std::floor(node.number))
    return true;
  return llvm::any_of(node.children,
                      [](const auto &child) { return isInexact(*child); });
}

static bool isInexactOp(Operation *op) {
  if (auto map = dyn_cast<MapOp>(op)) {
    MapSyntaxError error;
    auto tree = parseMapExpression(map.getExpression(), error);
    return !tree || isInexact(*tree);
  }
  return llvm::isa<arith::DivFOp, ActivateOp>(op) ||
         (llvm::isa<math::MathDialect>(op->getDialect()) &&
          !llvm::isa<math::AbsFOp, math::FmaOp, math::FloorOp, math::CeilOp>(
              op));
}

/// Sums of products of such numbers are exact in f32 up to K = 65536.
static bool holdsSmallIntegers(const Buffer &buffer) {
  for (int64_t i = 0, e = buffer.shape().size(); i < e; ++i) {
    double value = buffer.value(i);
    if (value != std::floor(value) || std::abs(value) > 16)
      return false;
  }
  return true;
}

/// Whether the function, or one that it reaches, has such an op.
static bool hasAny(FunctionOpInterface function,
                   llvm::function_ref<bool(Operation *)> isSuch) {
  bool found = false;
  for (Operation *reached : reference::collectFunctions(function))
    reached->walk([&](Operation *op) { found |= isSuch(op); });
  return found;
}

Tolerance fly::launch::defaultTolerance(FunctionOpInterface kernel,
                                        llvm::ArrayRef<Argument> inputs,
                                        ElementType output) {
  bool isExact = !hasAny(kernel, isInexactOp);
  // Sums of products of sums of products may be no small integers.
  unsigned launchesWithDots = 0;
  kernel->walk([&](LaunchOp launch) {
    FunctionOpInterface launched = launch.lookupKernel();
    bool hasDot = launched && hasAny(launched, [](Operation *op) {
                    return llvm::isa<ProductOpInterface>(op);
                  });
    bool isRepeated = launch->getParentOfType<scf::ForOp>();
    launchesWithDots += hasDot ? 1 + isRepeated : 0;
  });
  isExact &= launchesWithDots <= 1;
  for (const Argument &argument : inputs)
    if (isExact && argument.buffer && argument.parameter.isRead &&
        argument.buffer->type().isFloat())
      isExact = holdsSmallIntegers(*argument.buffer);
  if (isExact || output.isInteger())
    return {};
  // One unit in the last place of a narrow type; for f32 the order of sums
  // and the error of our functions (docs/Guide/Math.md).
  unsigned precision = llvm::APFloat::semanticsPrecision(output.semantics());
  double relative =
      precision > 16 ? 0x1p-17 : std::ldexp(1.0, 1 - int(precision));
  return {0x1p-13, relative};
}
