//===- Arguments.cpp - From NAME=SPEC to kernel arguments -----------------===//
#include "fly/Launch/Arguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::launch;
using llvm::StringRef;

std::optional<int64_t> Argument::integer() const {
  if (parameter.isPointer || !parameter.type || parameter.type->isFloat())
    return std::nullopt;
  return parameter.type->wrap(int64_t(bits));
}

llvm::Expected<std::vector<Parameter>>
fly::launch::parametersOf(const contract::LaunchContract &contract) {
  std::vector<Parameter> parameters;
  for (const contract::Argument &argument : contract.arguments) {
    llvm::Expected<ElementType> type = ElementType::parse(argument.type);
    if (!type)
      return llvm::createStringError(
          "argument '" + argument.name +
          "' of the contract: " + llvm::toString(type.takeError()));
    Parameter parameter;
    parameter.name = argument.name;
    parameter.isPointer = argument.kind == contract::ArgumentKind::Pointer;
    parameter.type = *type;
    parameter.size = argument.size;
    using contract::Access;
    parameter.isRead = argument.access != Access::Write;
    parameter.isWritten = argument.access == Access::Write ||
                          argument.access == Access::ReadWrite;
    parameter.isWorkspace = argument.workspace;
    parameter.fill = argument.fill;
    if (argument.alignment)
      parameter.alignment = argument.alignment;
    parameters.push_back(std::move(parameter));
  }
  findFixed(parameters, contract.requirements);
  return parameters;
}

void fly::launch::findFixed(
    std::vector<Parameter> &parameters,
    llvm::ArrayRef<contract::Requirement> requirements) {
  using Kind = contract::Expr::Kind;
  for (const contract::Requirement &requirement : requirements) {
    const contract::Expr &expr = requirement.expr;
    if (requirement.multipleOf || expr.kind() != Kind::Eq ||
        expr.operand(0).kind() != Kind::Argument ||
        expr.operand(1).kind() != Kind::Constant)
      continue;
    for (Parameter &parameter : parameters)
      if (parameter.name == expr.operand(0).name() && !parameter.isPointer)
        parameter.fixed = expr.operand(1).value();
  }
}

std::vector<Parameter> fly::launch::parametersOf(const isa::Kernel &kernel) {
  std::vector<Parameter> parameters;
  for (const isa::KernelArgument &argument : kernel.arguments) {
    if (argument.isHidden())
      continue;
    Parameter parameter;
    parameter.name = std::to_string(parameters.size());
    parameter.isPositional = true;
    parameter.isPointer = argument.kind == isa::ArgumentKind::GlobalBuffer;
    parameter.alignment = 256; // What allocators of runtimes give.
    parameter.size = argument.size;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

llvm::Expected<NamedSpec> fly::launch::parseNamedSpec(StringRef text) {
  auto [name, rest] = text.split('=');
  if (name.empty() || !text.contains('='))
    return llvm::createStringError("'" + text +
                                   "': expected NAME=SPEC, for example M=512 "
                                   "or A=@a.npy");
  llvm::Expected<Spec> spec = Spec::parse(rest);
  if (!spec)
    return llvm::createStringError("argument '" + name +
                                   "': " + llvm::toString(spec.takeError()));
  return NamedSpec{name.str(), *spec};
}

const NamedSpec *fly::launch::findSpec(llvm::ArrayRef<NamedSpec> specs,
                                       StringRef name) {
  for (const NamedSpec &spec : llvm::reverse(specs))
    if (spec.name == name)
      return &spec;
  return nullptr;
}

static std::string describe(const Parameter &parameter) {
  if (!parameter.type)
    return parameter.isPointer
               ? "buffer"
               : std::to_string(parameter.size) + "-byte scalar";
  StringRef type = parameter.type->name();
  return (parameter.name + ": " + (parameter.isPointer ? "buffer of " : "") +
          type)
      .str();
}

/// "A: buffer of bf16, M: i32".
static std::string describeAll(llvm::ArrayRef<Parameter> parameters) {
  return llvm::join(llvm::map_range(parameters, describe), ", ");
}

/// The name that was meant, if one differs by case or by a letter or two.
static std::string nearestName(StringRef name,
                               llvm::ArrayRef<Parameter> parameters) {
  std::string nearest;
  unsigned least = name.size() < 3 ? 1 : 2;
  for (const Parameter &parameter : parameters) {
    if (name.equals_insensitive(parameter.name))
      return parameter.name;
    unsigned distance = name.edit_distance(parameter.name);
    // Of a name of one letter everything is one letter away.
    if (distance <= least && distance < name.size()) {
      least = distance - 1;
      nearest = parameter.name;
    }
  }
  return nearest;
}

static llvm::Error unknownName(const NamedSpec &spec,
                               llvm::ArrayRef<Parameter> parameters) {
  bool isPositional = parameters.empty() || parameters.front().isPositional;
  unsigned index;
  if (!isPositional && !StringRef(spec.name).getAsInteger(10, index))
    return llvm::createStringError(
        "--arg is for kernels without names; this one has them, write " +
        parameters[std::min<size_t>(index, parameters.size() - 1)].name + "=" +
        spec.spec.text + " (it takes " + describeAll(parameters) + ")");
  if (isPositional && !StringRef(spec.name).getAsInteger(10, index))
    return llvm::createStringError(
        "--arg number " + llvm::Twine(index + 1) + " ('" + spec.spec.text +
        "'): the kernel takes " + llvm::Twine(parameters.size()) +
        (parameters.size() == 1 ? " argument: " : " arguments: ") +
        describeAll(parameters));
  if (isPositional)
    return llvm::createStringError(
        "'" + spec.name + "=" + spec.spec.text +
        "': the object does not name its arguments; give them as --arg=SPEC "
        "in the kernel's order: " +
        describeAll(parameters));
  std::string nearest = nearestName(spec.name, parameters);
  return llvm::createStringError(
      "the kernel has no argument '" + spec.name + "'" +
      (nearest.empty() ? "" : ", did you mean '" + nearest + "'?") +
      "; it takes " + describeAll(parameters));
}

static llvm::Expected<uint64_t> foreignScalar(const Spec &spec,
                                              const Parameter &parameter) {
  // Metadata gives a size alone: an integer of it, or what the spec says.
  std::string name = "i" + std::to_string(parameter.size * 8);
  if (!spec.type && !spec.isInteger)
    name = parameter.size == 8 ? "f64" : "f32";
  llvm::Expected<ElementType> type =
      spec.type ? *spec.type : ElementType::parse(name);
  if (!type)
    return type.takeError();
  if (type->bits() != parameter.size * 8)
    return llvm::createStringError(
        llvm::formatv("argument {0} has {1} bytes, '{2}' has {3}",
                      parameter.name, parameter.size, spec.text,
                      type->bits() / 8)
            .str());
  return scalarBits(spec, *type, parameter.name);
}

/// What a user might type for a scalar: sizes are integers, factors are not.
static std::string exampleFor(const Parameter &parameter) {
  bool isFloat = parameter.type && parameter.type->isFloat();
  bool isFlag = parameter.type && parameter.type->bits() == 1;
  return parameter.name + (isFloat ? "=1.0" : isFlag ? "=1" : "=512");
}

llvm::Expected<std::vector<Argument>>
fly::launch::bindScalars(llvm::ArrayRef<Parameter> parameters,
                         llvm::ArrayRef<NamedSpec> specs) {
  for (const NamedSpec &spec : specs)
    if (llvm::none_of(parameters,
                      [&](const Parameter &p) { return p.name == spec.name; }))
      return unknownName(spec, parameters);
  for (size_t i = 0; i < specs.size(); ++i)
    if (const NamedSpec *first = findSpec(specs.take_front(i), specs[i].name))
      return llvm::createStringError("argument '" + first->name +
                                     "' is given twice: " + first->spec.text +
                                     " and " + specs[i].spec.text);
  std::vector<Argument> arguments;
  std::vector<std::string> missing, examples;
  for (const Parameter &parameter : parameters) {
    Argument &argument = arguments.emplace_back();
    argument.parameter = parameter;
    if (parameter.isPointer)
      continue;
    const NamedSpec *given = findSpec(specs, parameter.name);
    if (!given && parameter.fixed) {
      argument.bits = uint64_t(*parameter.fixed);
      continue;
    }
    if (!given) {
      missing.push_back(parameter.name);
      examples.push_back(exampleFor(parameter));
      continue;
    }
    llvm::Expected<uint64_t> bits =
        parameter.type ? scalarBits(given->spec, *parameter.type, given->name)
                       : foreignScalar(given->spec, parameter);
    if (!bits)
      return bits.takeError();
    argument.bits = *bits;
    // Metadata does not say whether bits are signed; what a kernel names does.
    if (parameter.type && given->spec.isInteger && given->spec.integer > 0 &&
        parameter.type->isInteger() && parameter.type->bits() > 1 &&
        *argument.integer() < 0)
      return llvm::createStringError(
          "argument '" + given->name + "' is a scalar of " +
          parameter.type->name() + ", got '" + given->spec.text +
          "': expected at most " +
          llvm::Twine(llvm::maxIntN(parameter.type->bits())));
  }
  if (!missing.empty() && parameters.front().isPositional)
    return llvm::createStringError(
        "no --arg for the scalar argument" +
        llvm::Twine(missing.size() > 1 ? "s " : " ") +
        llvm::join(missing, ", ") + " (counted from 0); give " +
        llvm::Twine(parameters.size()) +
        " in the kernel's order: " + describeAll(parameters));
  if (!missing.empty())
    return llvm::createStringError(
        "no value for the scalar argument" +
        llvm::Twine(missing.size() > 1 ? "s " : " ") +
        llvm::join(missing, ", ") + "; add " + llvm::join(examples, " ") +
        " (the kernel takes " + describeAll(parameters) + ")");
  return arguments;
}

std::optional<int64_t>
fly::launch::lookupScalar(llvm::ArrayRef<Argument> arguments, StringRef name) {
  for (const Argument &argument : arguments)
    if (argument.parameter.name == name)
      return argument.integer();
  return std::nullopt;
}
