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
  if (binding.view) {
    object["extents"] = writeExprs(binding.view->extents);
    object["strides"] = writeExprs(binding.view->strides);
  }
  if (!binding.memory.empty())
    object["memory"] = binding.memory;
  else if (!terms.empty())
    object["float"] = std::move(terms);
  else
    object["value"] = binding.value.str();
  return object;
}

static json::Array writeSteps(llvm::ArrayRef<Step> steps);

static json::Object writeStep(const Step &step) {
  switch (step.kind) {
  case Step::Kind::Fill:
    return json::Object{{"fill", step.memory},
                        {"extents", writeExprs(step.extents)},
                        {"bits", int64_t(step.bits)}};
  case Step::Kind::Require:
    return json::Object{{"require", writeRequirements(step.requirements)}};
  case Step::Kind::If:
    return json::Object{{"if", step.condition.str()},
                        {"then", writeSteps(step.body)},
                        {"else", writeSteps(step.otherwise)}};
  case Step::Kind::For:
    return json::Object{{"for", step.counter},
                        {"from", step.from.str()},
                        {"to", step.to.str()},
                        {"by", step.by.str()},
                        {"steps", writeSteps(step.body)}};
  case Step::Kind::Launch:
    break;
  }
  json::Array bindings;
  for (const Binding &binding : step.bindings)
    bindings.push_back(writeBinding(binding));
  return json::Object{{"launch", step.kernel},
                      {"arguments", std::move(bindings)},
                      {"grid", writeExprs(step.grid)},
                      {"requirements", writeRequirements(step.requirements)}};
}

static json::Array writeSteps(llvm::ArrayRef<Step> steps) {
  json::Array array;
  for (const Step &step : steps)
    array.push_back(writeStep(step));
  return array;
}

json::Value fly::contract::toJSON(const ProgramContract &program) {
  json::Array arguments, workspaces;
  for (const ProgramMemory &argument : program.arguments)
    arguments.push_back(writeMemory(argument));
  for (const ProgramMemory &workspace : program.workspaces)
    workspaces.push_back(writeMemory(workspace));
  return json::Object{{"program", program.program},
                      {"chip", program.chip},
                      {"arguments", std::move(arguments)},
                      {"workspaces", std::move(workspaces)},
                      {"requirements", writeRequirements(program.requirements)},
                      {"steps", writeSteps(program.steps)}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace fly::contract {

static bool fromJSON(const json::Value &value, ProgramMemory &memory,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("open", memory.isOpen) ||
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
  if (value.getAsObject()->get("extents") &&
      !fromJSON(value, binding.view.emplace(), path))
    return false;
  binding.offset = offset.value;
  return true;
}

static bool fromJSON(const json::Value &value, Step &step, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map)
    return false;
  static constexpr std::pair<llvm::StringLiteral, Step::Kind> kinds[] = {
      {"launch", Step::Kind::Launch},
      {"fill", Step::Kind::Fill},
      {"require", Step::Kind::Require},
      {"if", Step::Kind::If},
      {"for", Step::Kind::For}};
  unsigned found = 0;
  for (const auto &[key, kind] : kinds)
    if (value.getAsObject()->get(key)) {
      step.kind = kind;
      ++found;
    }
  if (found != 1) {
    path.report("expected one of launch, fill, require, if and for");
    return false;
  }
  switch (step.kind) {
  case Step::Kind::Launch:
    return map.map("launch", step.kernel) &&
           map.map("arguments", step.bindings) &&
           readGrid(map, step.grid, path) &&
           map.map("requirements", step.requirements);
  case Step::Kind::Fill: {
    int64_t bits;
    if (!map.map("fill", step.memory) || !map.map("extents", step.extents) ||
        !map.map("bits", bits))
      return false;
    step.bits = uint64_t(bits);
    return true;
  }
  case Step::Kind::Require:
    return map.map("require", step.requirements);
  case Step::Kind::If:
    return map.map("if", step.condition) && map.map("then", step.body) &&
           map.map("else", step.otherwise);
  case Step::Kind::For:
    return map.map("for", step.counter) && map.map("from", step.from) &&
           map.map("to", step.to) && map.map("by", step.by) &&
           map.map("steps", step.body);
  }
  return false;
}

/// Whether the program has all memory that the steps use.
static bool knowsMemory(const ProgramContract &program,
                        llvm::ArrayRef<Step> steps) {
  return llvm::all_of(steps, [&](const Step &step) {
    bool isKnown = step.memory.empty() || program.find(step.memory);
    for (const Binding &binding : step.bindings)
      isKnown &= binding.memory.empty() || binding.memory == channelArgument ||
                 program.find(binding.memory);
    return isKnown && knowsMemory(program, step.body) &&
           knowsMemory(program, step.otherwise);
  });
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
  if (!knowsMemory(program, program.steps)) {
    path.report("a step uses memory that the program does not have");
    return false;
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
