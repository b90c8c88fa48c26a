//===- ProgramJson.cpp - The contract of a program as JSON, both ways -----===//
//
// As ContractJson.cpp does it for kernels.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/Checks.h"
#include "fly/Contract/ProgramContract.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "ContractJson.h"

using namespace fly::contract;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object writeMemory(const ProgramMemory &memory) {
  json::Object object = writeArgument(memory.argument);
  json::Array views;
  for (const View &view : memory.views)
    views.push_back(json::Object{{"extents", writeExprs(view.extents)},
                                 {"strides", writeExprs(view.strides)}});
  if (memory.argument.kind == ArgumentKind::Pointer)
    object["views"] = std::move(views);
  if (memory.isOpen)
    object["open"] = true;
  if (memory.extents.empty())
    return object;
  // What only arguments have.
  object["extents"] = writeExprs(memory.extents);
  for (llvm::StringRef key : {"kind", "offset", "size", "workspace"})
    object.erase(key);
  return object;
}

/// Operators of floats by their kind.
static constexpr std::pair<FloatTerm::Kind, llvm::StringLiteral>
    floatOperators[] = {{FloatTerm::Kind::Add, "add"},
                        {FloatTerm::Kind::Sub, "sub"},
                        {FloatTerm::Kind::Mul, "mul"},
                        {FloatTerm::Kind::Div, "div"}};

static json::Value writeTerm(const FloatTerm &term) {
  for (const auto &[kind, name] : floatOperators)
    if (term.kind == kind)
      return name.str();
  if (term.kind == FloatTerm::Kind::Argument)
    return json::Object{{"argument", term.argument}};
  if (term.kind == FloatTerm::Kind::Integer)
    return json::Object{{"integer", term.integer.str()}};
  // JSON has no infinity or NaN.
  if (!std::isfinite(term.number))
    return json::Object{
        {"bits", int64_t(llvm::bit_cast<uint64_t>(term.number))}};
  return json::Object{{"number", term.number}};
}

static json::Object writeBinding(const Binding &binding) {
  json::Object object{{"argument", binding.argument},
                      {"offset", binding.offset}};
  json::Array terms;
  for (const FloatTerm &term : binding.terms)
    terms.push_back(writeTerm(term));
  if (!binding.memory.empty())
    object["memory"] = binding.memory;
  else if (!terms.empty())
    object["float"] = std::move(terms);
  else
    object["value"] = binding.value.str();
  return object;
}

static json::Object writeStep(const Step &step) {
  if (step.isFill())
    return json::Object{{"fill", step.memory},
                        {"extents", writeExprs(step.extents)},
                        {"bits", int64_t(step.bits)}};
  json::Array bindings;
  for (const Binding &binding : step.bindings)
    bindings.push_back(writeBinding(binding));
  return json::Object{{"launch", step.kernel},
                      {"arguments", std::move(bindings)},
                      {"grid", writeExprs(step.grid)},
                      {"requirements", writeRequirements(step.requirements)}};
}

json::Value fly::contract::toJSON(const ProgramContract &program) {
  json::Array arguments, workspaces, steps;
  for (const ProgramMemory &argument : program.arguments)
    arguments.push_back(writeMemory(argument));
  for (const ProgramMemory &workspace : program.workspaces)
    workspaces.push_back(writeMemory(workspace));
  for (const Step &step : program.steps)
    steps.push_back(writeStep(step));
  return json::Object{{"program", program.program},
                      {"chip", program.chip},
                      {"arguments", std::move(arguments)},
                      {"workspaces", std::move(workspaces)},
                      {"requirements", writeRequirements(program.requirements)},
                      {"steps", std::move(steps)}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace fly::contract {

static bool fromJSON(const json::Value &value, ProgramMemory &memory,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("views", memory.views) ||
      !map.mapOptional("open", memory.isOpen) ||
      !map.mapOptional("extents", memory.extents))
    return false;
  if (memory.extents.empty())
    return fromJSON(value, memory.argument, path);
  Argument &argument = memory.argument;
  Word alignment;
  if (!map.map("name", argument.name) || !map.map("type", argument.type) ||
      !map.mapOptional("alignment", alignment))
    return false;
  argument.kind = ArgumentKind::Pointer;
  argument.size = 8;
  argument.workspace = true;
  argument.access = Access::ReadWrite;
  argument.alignment = alignment.value;
  return true;
}

static bool fromJSON(const json::Value &value, FloatTerm &term,
                     json::Path path) {
  using Kind = FloatTerm::Kind;
  if (std::optional<llvm::StringRef> text = value.getAsString()) {
    for (const auto &[kind, name] : floatOperators)
      if (*text == name) {
        term.kind = kind;
        return true;
      }
    path.report("expected add, sub, mul or div");
    return false;
  }
  json::ObjectMapper map(value, path);
  std::optional<double> number;
  std::optional<int64_t> bits;
  std::optional<std::string> argument;
  std::optional<Expr> integer;
  if (!map || !map.map("number", number) || !map.map("bits", bits) ||
      !map.map("argument", argument) || !map.map("integer", integer))
    return false;
  if (number || bits) {
    term.number = number ? *number : llvm::bit_cast<double>(uint64_t(*bits));
  } else if (argument) {
    term.kind = Kind::Argument;
    term.argument = *argument;
  } else if (integer) {
    term.kind = Kind::Integer;
    term.integer = *integer;
  } else {
    path.report("expected number, argument or integer");
    return false;
  }
  return true;
}

static bool fromJSON(const json::Value &value, Binding &binding,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  Word offset;
  if (!map || !map.map("argument", binding.argument) ||
      !map.map("offset", offset) ||
      !map.mapOptional("memory", binding.memory) ||
      !map.mapOptional("float", binding.terms) ||
      !map.mapOptional("value", binding.value))
    return false;
  binding.offset = offset.value;
  return true;
}

static bool fromJSON(const json::Value &value, Step &step, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("launch", step.kernel) ||
      !map.mapOptional("fill", step.memory))
    return false;
  if (step.kernel.empty() == step.memory.empty()) {
    path.report("expected either launch or fill");
    return false;
  }
  if (step.isFill()) {
    int64_t bits;
    if (!map.map("extents", step.extents) || !map.map("bits", bits))
      return false;
    step.bits = uint64_t(bits);
    return true;
  }
  return map.map("arguments", step.bindings) &&
         readGrid(map, step.grid, path) &&
         map.map("requirements", step.requirements);
}

/// Found by the reader of lists.
bool fromJSON(const json::Value &value, ProgramContract &program,
              json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("program", program.program) ||
      !map.map("chip", program.chip) ||
      !map.map("arguments", program.arguments) ||
      !map.map("workspaces", program.workspaces) ||
      !map.map("requirements", program.requirements) ||
      !map.map("steps", program.steps))
    return false;
  for (const Step &step : program.steps) {
    bool isKnown = !step.isFill() || program.find(step.memory);
    for (const Binding &binding : step.bindings)
      isKnown &= binding.memory.empty() || binding.memory == channelArgument ||
                 program.find(binding.memory);
    if (!isKnown) {
      path.report("a step uses memory that the program does not have");
      return false;
    }
  }
  return true;
}

} // namespace fly::contract

llvm::Expected<ProgramContract>
fly::contract::programFromJSON(const json::Value &value) {
  ProgramContract program;
  json::Path::Root root("program contract");
  if (!fromJSON(value, program, root))
    return root.getError();
  return program;
}
