//===- ProgramContract.cpp - What follows from a program's values ---------===//
//
// Sizes of memory and the requirements of all launches, evaluated for the
// arguments of one run.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/ProgramContract.h"

#include "llvm/Support/FormatVariadic.h"

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
fly::contract::sizeOf(const ProgramMemory &memory, Bindings bindings) {
  std::optional<MemorySize> largest;
  auto consider = [&](const View &view) -> llvm::Error {
    llvm::Expected<int64_t> elements = viewElements(view, bindings);
    if (!elements)
      return elements.takeError();
    if (largest && *elements <= largest->elements)
      return llvm::Error::success();
    auto extents = evaluateAll(view.extents, bindings);
    auto strides = evaluateAll(view.strides, bindings);
    if (!extents || !strides)
      return llvm::joinErrors(extents.takeError(), strides.takeError());
    largest = MemorySize{std::move(*extents), std::move(*strides), *elements};
    return llvm::Error::success();
  };
  auto named = [&](llvm::Error error) {
    return llvm::createStringError("memory '" + memory.argument.name +
                                   "': " + llvm::toString(std::move(error)));
  };
  std::optional<int64_t> has;
  if (!memory.extents.empty()) {
    if (llvm::Error error = consider(makeDense(memory.extents)))
      return named(std::move(error));
    has = largest->elements;
  }
  for (const View &view : memory.views)
    if (llvm::Error error = consider(view))
      return named(std::move(error));
  if (has && largest->elements > *has)
    return llvm::createStringError(llvm::formatv(
        "workspace '{0}' has {1} elements, a step of the program reaches {2}",
        memory.argument.name, *has, largest->elements));
  return largest;
}

llvm::Error fly::contract::checkRequirements(const ProgramContract &program,
                                             Bindings bindings) {
  llvm::Error all = checkRequirements("program '" + program.program + "'",
                                      program.requirements, bindings);
  for (const Step &step : program.steps)
    all = llvm::joinErrors(std::move(all),
                           checkRequirements("kernel '" + step.kernel + "'",
                                             step.requirements, bindings));
  return all;
}
