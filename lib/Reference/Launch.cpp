//===- Launch.cpp - A launch on the reference executor --------------------===//
//
// Binds the arguments, plans, then runs one workgroup after the other. What
// must be zero before and after it is looked at here.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Diagnostics.h"

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

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
    std::string name = getArgumentName(kernel, index);
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
           << "workspace '" << getArgumentName(kernel, index) << "' "
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
