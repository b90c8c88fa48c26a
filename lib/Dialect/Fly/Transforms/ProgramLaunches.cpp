//===- ProgramLaunches.cpp - What a program's launches must know ----------===//
//
// A launch binds the arguments of its kernel: scalars to what a launcher can
// compute of the program's, pointers to memory, and asks of both what the
// kernel's contract asks.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include "ProgramPlanner.h"

using namespace mlir;
using namespace fly;
using contract::Access;
using contract::Expr;

/// Appends what computes a float; false, with the op that is in the way, where
/// a launcher cannot.
bool ProgramPlanner::addTerms(Value value,
                              std::vector<contract::FloatTerm> &terms,
                              Operation *&culprit) {
  using Term = contract::FloatTerm;
  // What is used twice is written twice.
  if (terms.size() > maxOperators)
    return false;
  Term term;
  FloatAttr number;
  if (auto place = dyn_cast<BlockArgument>(value)) {
    term.kind = Term::Kind::Argument;
    term.argument = getArgumentName(program, place.getArgNumber());
    terms.push_back(std::move(term));
    return true;
  }
  if (matchPattern(value, m_Constant(&number))) {
    term.number = number.getValueAsDouble();
    terms.push_back(std::move(term));
    return true;
  }
  Operation *op = culprit = value.getDefiningOp();
  if (!value.getType().isF32())
    return false;
  if (auto convert = dyn_cast<arith::SIToFPOp>(op)) {
    std::optional<Expr> integer = host.get(convert.getIn());
    if (!integer)
      return false;
    term.kind = Term::Kind::Integer;
    term.integer = *integer;
    terms.push_back(std::move(term));
    return true;
  }
  std::optional<Term::Kind> kind =
      llvm::TypeSwitch<Operation *, std::optional<Term::Kind>>(op)
          .Case([](arith::AddFOp) { return Term::Kind::Add; })
          .Case([](arith::SubFOp) { return Term::Kind::Sub; })
          .Case([](arith::MulFOp) { return Term::Kind::Mul; })
          .Case([](arith::DivFOp) { return Term::Kind::Div; })
          .Default(std::nullopt);
  if (!kind || !addTerms(op->getOperand(0), terms, culprit) ||
      !addTerms(op->getOperand(1), terms, culprit))
    return false;
  term.kind = *kind;
  terms.push_back(std::move(term));
  return true;
}

FailureOr<contract::Binding>
ProgramPlanner::bind(LaunchOp op, unsigned index,
                     const contract::Argument &argument) {
  contract::Binding binding;
  binding.argument = argument.name;
  binding.offset = argument.offset;
  Value value = op.getInputs()[index];
  if (isa<PtrType>(value.getType())) {
    binding.memory = getMemory(value).argument.name;
    return binding;
  }
  auto refuse = [&](const Twine &what) -> InFlightDiagnostic {
    return op.emitOpError()
           << "passes '" << argument.name << "', which must " << what;
  };
  if (isa<FloatType>(value.getType())) {
    Operation *culprit = nullptr;
    if (addTerms(value, binding.terms, culprit))
      return binding;
    InFlightDiagnostic diag =
        refuse("be computed by add, sub, mul and div of f32, from numbers and "
               "the program's arguments");
    if (culprit)
      diag.attachNote(culprit->getLoc())
          << "'" << culprit->getName() << "' is none of these";
    return diag;
  }
  std::optional<Expr> expr = host.get(value);
  if (!expr) {
    InFlightDiagnostic diag = refuse(
        "be computed from the program's arguments by integer arithmetic");
    host.noteCulprit(diag);
    return diag;
  }
  binding.value = *expr;
  return binding;
}

/// The kernel reaches the memory as its view says.
LogicalResult ProgramPlanner::addDemand(LaunchOp op,
                                        const contract::Argument &argument,
                                        Value pointer,
                                        contract::Binding &binding,
                                        const Substitutes &values) {
  contract::ProgramMemory &memory = getMemory(pointer);
  addAccess(pointer, argument.access);
  memory.argument.alignment =
      std::max(memory.argument.alignment, argument.alignment);
  if (!argument.view) {
    memory.isOpen |= argument.access != Access::None;
    return success();
  }
  contract::View view = *argument.view;
  for (std::vector<Expr> *exprs : {&view.extents, &view.strides})
    for (Expr &expr : *exprs) {
      FailureOr<Expr> translated = translate(op, expr, values);
      if (failed(translated))
        return failure();
      expr = *translated;
    }
  binding.view = std::move(view);
  return success();
}

LogicalResult
ProgramPlanner::checkAliases(LaunchOp op,
                             const contract::LaunchContract &kernel) {
  auto isWritten = [&](unsigned index) {
    Access access = kernel.arguments[index].access;
    return access == Access::Write || access == Access::ReadWrite;
  };
  for (auto [second, value] : llvm::enumerate(op.getInputs()))
    for (unsigned first = 0; first < second; ++first) {
      if (!isa<PtrType>(value.getType()) || op.getInputs()[first] != value)
        continue;
      const contract::Argument &lhs = kernel.arguments[first];
      const contract::Argument &rhs = kernel.arguments[second];
      if (lhs.mayAlias || rhs.mayAlias ||
          (!isWritten(first) && !isWritten(second)))
        continue;
      return op.emitOpError()
             << "passes one memory as '" << lhs.name << "' and '" << rhs.name
             << "', which the kernel takes for two and writes: mark one of "
                "them {"
             << FlyDialect::getMayAliasAttrName() << "} in the kernel";
    }
  return success();
}

LogicalResult ProgramPlanner::planLaunch(LaunchOp op, Steps &steps) {
  FunctionOpInterface function = op.lookupKernel();
  if (!function)
    return op.emitOpError() << "knows no kernel " << op.getKernel();
  FailureOr<contract::LaunchContract> kernel = readContract(function);
  if (failed(kernel))
    return failure();
  ArrayRef<contract::Argument> arguments = kernel->arguments;
  bool hasChannel =
      !arguments.empty() && arguments.back().name == contract::channelArgument;
  if (hasChannel)
    arguments = arguments.drop_back();
  if (arguments.size() != op.getInputs().size())
    return op.emitOpError()
           << "passes " << op.getInputs().size()
           << " arguments, the kernel's contract has " << arguments.size();
  if (!kernel->dynamicLdsMember.empty())
    return op.emitOpError()
           << "launches a kernel with the dynamic LDS member '"
           << kernel->dynamicLdsMember
           << "', whose bytes a program cannot say: give the member its "
              "extents, or launch the kernel by itself";
  if (!contract.chip.empty() && contract.chip != kernel->chip)
    return op.emitOpError()
           << "launches a kernel for " << kernel->chip << " in a program for "
           << contract.chip << ": a program runs on one chip";
  contract.chip = kernel->chip;
  if (failed(checkAliases(op, *kernel)))
    return failure();
  contract::Step step;
  step.kernel = kernel->kernel;
  Substitutes values;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    FailureOr<contract::Binding> binding = bind(op, index, argument);
    if (failed(binding))
      return failure();
    if (binding->memory.empty() && binding->terms.empty())
      values.try_emplace(argument.name, binding->value);
    step.bindings.push_back(std::move(*binding));
  }
  if (hasChannel) {
    // The launcher's own, for each launch.
    contract::Binding channel;
    channel.argument = channel.memory = contract::channelArgument.str();
    channel.offset = kernel->arguments.back().offset;
    step.bindings.push_back(std::move(channel));
  }
  for (auto [grid, expr] : llvm::zip(step.grid, kernel->grid)) {
    FailureOr<Expr> translated = translate(op, expr, values);
    if (failed(translated))
      return failure();
    grid = *translated;
  }
  for (contract::Requirement requirement : kernel->requirements) {
    FailureOr<Expr> expr = translate(op, requirement.expr, values);
    if (failed(expr))
      return failure();
    requirement.expr = *expr;
    if (requirement.multipleOf) {
      FailureOr<Expr> divisor = translate(op, *requirement.multipleOf, values);
      if (failed(divisor))
        return failure();
      requirement.multipleOf = *divisor;
    }
    step.requirements.push_back(std::move(requirement));
  }
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Value input = op.getInputs()[index];
    if (argument.kind == contract::ArgumentKind::Pointer &&
        isa<PtrType>(input.getType()) &&
        failed(addDemand(op, argument, input, step.bindings[index], values)))
      return failure();
  }
  steps.push_back(std::move(step));
  return success();
}
