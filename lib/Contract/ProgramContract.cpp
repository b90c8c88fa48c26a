//===- ProgramContract.cpp - What follows from a program's values ---------===//
//
// The steps that a run comes to, sizes of memory and the requirements of all
// launches, evaluated for the arguments of one run.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/ProgramContract.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::contract;

const ProgramMemory *ProgramContract::find(llvm::StringRef name) const {
  for (const auto *list : {&arguments, &workspaces})
    for (const ProgramMemory &memory : *list)
      if (memory.argument.name == name)
        return &memory;
  return nullptr;
}

const LaunchContract *
fly::contract::findKernel(llvm::ArrayRef<LaunchContract> kernels,
                          const Step &step) {
  for (const LaunchContract &kernel : kernels)
    if (kernel.kernel == step.kernel)
      return &kernel;
  return nullptr;
}

namespace {
/// One walk over the steps of a program.
class StepWalk {
public:
  StepWalk(const ProgramContract &program,
           llvm::function_ref<llvm::Error(const Step &, Bindings)> visit)
      : program(program), visit(visit) {}

  llvm::Error walk(llvm::ArrayRef<Step> steps, Bindings bindings);

private:
  llvm::Error walkLoop(const Step &loop, Bindings bindings);
  llvm::Error count();

  const ProgramContract &program;
  llvm::function_ref<llvm::Error(const Step &, Bindings)> visit;
  unsigned steps = 0;
};
} // namespace

llvm::Error StepWalk::count() {
  if (++steps <= maxSteps)
    return llvm::Error::success();
  return llvm::createStringError(
      "program '" + program.program + "' comes to more than " +
      llvm::Twine(maxSteps) + " steps: let kernels do more each");
}

llvm::Error StepWalk::walkLoop(const Step &loop, Bindings bindings) {
  int64_t bounds[3];
  for (auto [bound, expr] :
       llvm::zip(bounds, llvm::ArrayRef({&loop.from, &loop.to, &loop.by}))) {
    llvm::Expected<int64_t> value = expr->evaluate(bindings);
    if (!value)
      return value.takeError();
    bound = *value;
  }
  auto [from, to, by] = bounds;
  if (by < 1)
    return llvm::createStringError(llvm::formatv(
        "program '{0}': step '{1}' of a loop is {2}, expected a positive one",
        program.program, loop.by.str(), by));
  for (int64_t counter = from; counter < to;) {
    if (llvm::Error error = count())
      return error;
    auto inner = [&](llvm::StringRef name) {
      return name == loop.counter ? std::optional(counter) : bindings(name);
    };
    if (llvm::Error error = walk(loop.body, inner))
      return error;
    if (llvm::AddOverflow(counter, by, counter))
      break;
  }
  return llvm::Error::success();
}

llvm::Error StepWalk::walk(llvm::ArrayRef<Step> steps, Bindings bindings) {
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::For) {
      if (llvm::Error error = walkLoop(step, bindings))
        return error;
      continue;
    }
    if (step.kind == Step::Kind::If) {
      llvm::Expected<int64_t> holds = step.condition.evaluate(bindings);
      if (!holds)
        return holds.takeError();
      if (llvm::Error error =
              walk(*holds ? step.body : step.otherwise, bindings))
        return error;
      continue;
    }
    if (llvm::Error error = count())
      return error;
    if (llvm::Error error = visit(step, bindings))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error fly::contract::visitSteps(
    const ProgramContract &program, Bindings bindings,
    llvm::function_ref<llvm::Error(const Step &, Bindings)> visit) {
  return StepWalk(program, visit).walk(program.steps, bindings);
}

/// Rows of these extents without gaps.
static View makeDense(llvm::ArrayRef<Expr> extents) {
  View view;
  view.extents.assign(extents.begin(), extents.end());
  view.strides.assign(extents.size(), Expr::constant(1));
  for (size_t dim = extents.size(); dim-- > 1;)
    view.strides[dim - 1] =
        Expr::binary(Expr::Kind::Mul, extents[dim], view.strides[dim]);
  return view;
}

llvm::Expected<double> fly::contract::evaluate(llvm::ArrayRef<FloatTerm> terms,
                                               Bindings integers,
                                               FloatBindings floats) {
  using Kind = FloatTerm::Kind;
  llvm::SmallVector<double> stack;
  for (const FloatTerm &term : terms) {
    if (term.kind == Kind::Number) {
      stack.push_back(term.number);
    } else if (term.kind == Kind::Argument) {
      std::optional<double> value = floats(term.argument);
      if (!value)
        return llvm::createStringError("no value for float argument '" +
                                       term.argument + "'");
      stack.push_back(*value);
    } else if (term.kind == Kind::Integer) {
      llvm::Expected<int64_t> value = term.integer.evaluate(integers);
      if (!value)
        return value.takeError();
      stack.push_back(static_cast<float>(*value));
    } else {
      if (stack.size() < 2)
        return llvm::createStringError("float operator without two operands");
      float rhs = static_cast<float>(stack.pop_back_val());
      float lhs = static_cast<float>(stack.pop_back_val());
      float result = term.kind == Kind::Add   ? lhs + rhs
                     : term.kind == Kind::Sub ? lhs - rhs
                     : term.kind == Kind::Mul ? lhs * rhs
                                              : lhs / rhs;
      stack.push_back(result);
    }
  }
  if (stack.size() != 1)
    return llvm::createStringError("float calculation with " +
                                   llvm::Twine(stack.size()) + " results");
  return stack.front();
}

llvm::Expected<int64_t>
fly::contract::countElements(llvm::ArrayRef<Expr> extents, Bindings bindings) {
  return viewElements(makeDense(extents), bindings);
}

llvm::Expected<std::optional<MemorySize>>
fly::contract::sizeOf(const ProgramContract &program,
                      const ProgramMemory &memory, Bindings bindings) {
  std::optional<MemorySize> largest;
  auto named = [&](llvm::Error error) {
    return llvm::createStringError("memory '" + memory.argument.name +
                                   "': " + llvm::toString(std::move(error)));
  };
  auto consider = [&](const View &view, Bindings values) -> llvm::Error {
    llvm::Expected<int64_t> elements = viewElements(view, values);
    if (!elements)
      return named(elements.takeError());
    if (largest && *elements <= largest->elements)
      return llvm::Error::success();
    auto extents = evaluateAll(view.extents, values);
    auto strides = evaluateAll(view.strides, values);
    if (!extents || !strides)
      return named(llvm::joinErrors(extents.takeError(), strides.takeError()));
    largest = MemorySize{std::move(*extents), std::move(*strides), *elements};
    return llvm::Error::success();
  };
  std::optional<int64_t> has;
  if (!memory.extents.empty()) {
    if (llvm::Error error = consider(makeDense(memory.extents), bindings))
      return error;
    has = largest->elements;
  }
  llvm::StringRef name = memory.argument.name;
  auto visit = [&](const Step &step, Bindings values) -> llvm::Error {
    if (step.kind == Step::Kind::Fill && step.memory == name)
      return consider(makeDense(step.extents), values);
    for (const Binding &binding : step.bindings)
      if (binding.view && binding.memory == name)
        if (llvm::Error error = consider(*binding.view, values))
          return error;
    return llvm::Error::success();
  };
  if (llvm::Error error = visitSteps(program, bindings, visit))
    return error;
  if (has && largest->elements > *has)
    return llvm::createStringError(llvm::formatv(
        "workspace '{0}' has {1} elements, a step of the program reaches {2}",
        name, *has, largest->elements));
  return largest;
}

llvm::Error fly::contract::checkRequirements(const ProgramContract &program,
                                             Bindings bindings) {
  std::string self = "program '" + program.program + "'";
  llvm::Error all = checkRequirements(self, program.requirements, bindings);
  llvm::SmallPtrSet<const Step *, 8> reported;
  auto visit = [&](const Step &step, Bindings values) -> llvm::Error {
    if (step.requirements.empty() || reported.contains(&step))
      return llvm::Error::success();
    llvm::Error error = checkRequirements(
        step.kind == Step::Kind::Launch ? "kernel '" + step.kernel + "'" : self,
        step.requirements, values);
    if (error)
      reported.insert(&step);
    all = llvm::joinErrors(std::move(all), std::move(error));
    return llvm::Error::success();
  };
  llvm::Error walked = visitSteps(program, bindings, visit);
  return llvm::joinErrors(std::move(all), std::move(walked));
}
