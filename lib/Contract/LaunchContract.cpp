//===- LaunchContract.cpp - What follows from a contract's values ---------===//
//
// Sizes of views, the grid, and the requirements, evaluated for the arguments
// of one launch.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/LaunchContract.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::contract;

const Argument *LaunchContract::findArgument(llvm::StringRef name) const {
  for (const Argument &argument : arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

std::optional<unsigned> fly::contract::elementTypeBits(llvm::StringRef type) {
  if (type == "index")
    return 64;
  if (type == "tf32")
    return 32; // Stored as f32.
  llvm::StringRef rest = type;
  if (!rest.consume_front("bf") && !rest.consume_front("f") &&
      !rest.consume_front("si") && !rest.consume_front("ui") &&
      !rest.consume_front("i"))
    return std::nullopt;
  unsigned bits;
  if (rest.consumeInteger(10, bits) || bits == 0 || bits > 128)
    return std::nullopt;
  // Small floats spell out their format: f8E4M3FN.
  bool plain = rest.empty();
  bool format = type.front() == 'f' && rest.starts_with("E") && bits <= 8;
  if (!plain && !format)
    return std::nullopt;
  return bits;
}

llvm::Expected<std::vector<int64_t>>
fly::contract::evaluateAll(llvm::ArrayRef<Expr> exprs, Bindings bindings) {
  std::vector<int64_t> values;
  for (const Expr &expr : exprs) {
    llvm::Expected<int64_t> value = expr.evaluate(bindings);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return values;
}

llvm::Expected<int64_t> fly::contract::viewElements(const View &view,
                                                    Bindings bindings) {
  llvm::Expected<std::vector<int64_t>> extents =
      evaluateAll(view.extents, bindings);
  if (!extents)
    return extents.takeError();
  llvm::Expected<std::vector<int64_t>> strides =
      evaluateAll(view.strides, bindings);
  if (!strides)
    return strides.takeError();
  if (extents->size() != strides->size())
    return llvm::createStringError(
        llvm::formatv("view has {0} extents and {1} strides", extents->size(),
                      strides->size()));
  int64_t elements = 1;
  bool empty = false;
  for (size_t i = 0; i < extents->size(); ++i) {
    int64_t extent = (*extents)[i], stride = (*strides)[i];
    if (extent < 0 || stride < 0) {
      bool isExtent = extent < 0;
      std::string number = std::to_string(isExtent ? extent : stride);
      std::string text = (isExtent ? view.extents : view.strides)[i].str();
      return llvm::createStringError(
          llvm::formatv("{0} of dimension {1} is negative: {2}{3}",
                        isExtent ? "extent" : "stride", i,
                        text == number ? std::string() : text + " = ", number));
    }
    empty |= extent == 0;
    int64_t span;
    if (extent > 0 && (llvm::MulOverflow(extent - 1, stride, span) ||
                       llvm::AddOverflow(elements, span, elements)))
      return llvm::createStringError("overflow in the size of a view");
  }
  return empty ? 0 : elements;
}

llvm::Expected<uint64_t> fly::contract::viewBytes(const Argument &argument,
                                                  Bindings bindings) {
  std::optional<unsigned> bits = elementTypeBits(argument.type);
  if (!argument.view || !bits)
    return llvm::createStringError(
        llvm::formatv("argument '{0}' has no view or an unknown type '{1}'",
                      argument.name, argument.type));
  llvm::Expected<int64_t> elements = viewElements(*argument.view, bindings);
  if (!elements)
    return elements.takeError();
  int64_t total;
  if (llvm::MulOverflow(*elements, int64_t(*bits), total))
    return llvm::createStringError("overflow in the size of a view");
  return llvm::divideCeil(static_cast<uint64_t>(total), 8);
}

llvm::Expected<std::array<uint32_t, 3>>
fly::contract::evaluateGrid(const LaunchContract &contract, Bindings bindings) {
  std::array<uint32_t, 3> grid;
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Expected<int64_t> value = contract.grid[i].evaluate(bindings);
    if (!value)
      return value.takeError();
    if (*value < 0 || *value > int64_t(UINT32_MAX))
      return llvm::createStringError(llvm::formatv(
          "kernel '{0}': grid {1} = {2} is {3}, expected 0 to {4}",
          contract.kernel, "xyz"[i], contract.grid[i].str(), *value,
          UINT32_MAX));
    grid[i] = static_cast<uint32_t>(*value);
  }
  return grid;
}

/// " (M=3, N=4)" for the arguments of \p exprs that have values.
static std::string valuesOf(llvm::ArrayRef<Expr> exprs, Bindings bindings) {
  llvm::SmallVector<std::string> parts;
  for (const Expr &expr : exprs)
    for (const std::string &name : expr.argumentNames()) {
      std::optional<int64_t> value = bindings(name);
      std::string part = value ? llvm::formatv("{0}={1}", name, *value).str()
                               : name + " has no value";
      if (!llvm::is_contained(parts, part))
        parts.push_back(part);
    }
  return parts.empty() ? "" : " (" + llvm::join(parts, ", ") + ")";
}

/// Empty if \p requirement holds, else what to tell.
static llvm::Expected<std::string> complaint(const Requirement &requirement,
                                             Bindings bindings) {
  llvm::Expected<int64_t> value = requirement.expr.evaluate(bindings);
  if (!value)
    return value.takeError();
  if (!requirement.multipleOf) {
    if (*value != 0)
      return std::string();
    std::string text = requirement.message.empty()
                           ? requirement.expr.str() + " does not hold"
                           : requirement.message;
    return text + valuesOf({requirement.expr}, bindings);
  }
  llvm::Expected<int64_t> divisor = requirement.multipleOf->evaluate(bindings);
  if (!divisor)
    return divisor.takeError();
  if (*divisor > 0 && *value % *divisor == 0)
    return std::string();
  std::string text = llvm::formatv("{0}={1} is not a multiple of {2}",
                                   requirement.expr.str(), *value, *divisor);
  // A compound value or divisor needs its parts to be understood.
  llvm::SmallVector<Expr> compound;
  for (const Expr &expr : {requirement.expr, *requirement.multipleOf})
    if (expr.numOperands())
      compound.push_back(expr);
  text += valuesOf(compound, bindings);
  if (!requirement.message.empty())
    text += ": " + requirement.message;
  return text;
}

llvm::Error fly::contract::checkRequirements(const LaunchContract &contract,
                                             Bindings bindings) {
  return checkRequirements("kernel '" + contract.kernel + "'",
                           contract.requirements, bindings);
}

llvm::Error
fly::contract::checkRequirements(const llvm::Twine &subject,
                                 llvm::ArrayRef<Requirement> requirements,
                                 Bindings bindings) {
  std::string lines;
  for (const Requirement &requirement : requirements) {
    llvm::Expected<std::string> text = complaint(requirement, bindings);
    // A requirement that can not be evaluated does not hold.
    std::string line = text ? *text : llvm::toString(text.takeError());
    if (line.empty())
      continue;
    if (!lines.empty())
      lines += '\n';
    lines += (subject + ": " + line).str();
  }
  if (lines.empty())
    return llvm::Error::success();
  return llvm::createStringError(lines);
}
