//===- ContractJson.cpp - The contract as JSON, both ways -----------------===//
//
// The form that travels in code objects and that `--emit=contract` prints.
// Expressions are strings in their text form. Reading is strict about what it
// needs and names the place of what is wrong; unknown keys are ignored, since
// later versions may add some.
//
//===----------------------------------------------------------------------===//

#include "ContractJson.h"

#include "fly/Contract/ObjectContracts.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly::contract;
namespace json = llvm::json;

/// Of the JSON form; a reader refuses later ones.
static constexpr int64_t version = 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static const char *accessName(Access access) {
  switch (access) {
  case Access::None:
    return "none";
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    return "read_write";
  }
  return "none";
}

json::Array fly::contract::writeExprs(llvm::ArrayRef<Expr> exprs) {
  json::Array array;
  for (const Expr &expr : exprs)
    array.push_back(expr.str());
  return array;
}

json::Object fly::contract::writeArgument(const Argument &argument) {
  bool pointer = argument.kind == ArgumentKind::Pointer;
  json::Object object{{"name", argument.name},
                      {"kind", pointer ? "pointer" : "scalar"},
                      {"type", argument.type},
                      {"offset", argument.offset},
                      {"size", argument.size}};
  if (pointer)
    object["access"] = accessName(argument.access);
  if (argument.alignment)
    object["alignment"] = argument.alignment;
  if (argument.view) {
    object["extents"] = writeExprs(argument.view->extents);
    object["strides"] = writeExprs(argument.view->strides);
  }
  if (argument.mayAlias)
    object["may_alias"] = true;
  if (argument.workspace)
    object["workspace"] = true;
  if (!argument.fill.empty())
    object["fill"] = argument.fill;
  return object;
}

json::Array
fly::contract::writeRequirements(llvm::ArrayRef<Requirement> requirements) {
  json::Array array;
  for (const Requirement &requirement : requirements) {
    json::Object object{{"expr", requirement.expr.str()}};
    if (requirement.multipleOf)
      object["multiple_of"] = requirement.multipleOf->str();
    if (!requirement.message.empty())
      object["message"] = requirement.message;
    array.push_back(std::move(object));
  }
  return array;
}

json::Value fly::contract::toJSON(const LaunchContract &contract) {
  json::Object lds{{"static", contract.staticLdsBytes},
                   {"dynamic", contract.dynamicLdsBytes.str()}};
  if (!contract.dynamicLdsMember.empty())
    lds["dynamic_member"] = contract.dynamicLdsMember;
  json::Array arguments;
  for (const Argument &argument : contract.arguments)
    arguments.push_back(writeArgument(argument));
  json::Object object{
      {"kernel", contract.kernel},
      {"chip", contract.chip},
      {"arguments", std::move(arguments)},
      {"grid", writeExprs(contract.grid)},
      {"block",
       json::Array{contract.block[0], contract.block[1], contract.block[2]}},
      {"lds", std::move(lds)},
      {"requirements", writeRequirements(contract.requirements)}};
  if (contract.isOrderDependent)
    object["order_dependent"] = true;
  if (!contract.checks.empty())
    object["checks"] = writeChecks(contract.checks);
  if (!contract.work.empty())
    object["work"] = writeWork(contract.work);
  return object;
}

std::string fly::contract::printContracts(const ObjectContracts &contracts,
                                          unsigned indent) {
  json::Array kernels, programs;
  for (const LaunchContract &contract : contracts.kernels)
    kernels.push_back(toJSON(contract));
  for (const ProgramContract &program : contracts.programs)
    programs.push_back(toJSON(program));
  json::Object object{{"version", version}, {"kernels", std::move(kernels)}};
  // Objects without programs are as they were before there were any.
  if (!programs.empty())
    object["programs"] = std::move(programs);
  json::Value root = std::move(object);
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream writer(stream, indent);
  writer.value(root);
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace fly::contract {

struct LdsBytes {
  Word fixed;
  Expr dynamic;
  std::string member;
};

// The overloads below are found by llvm::json through the argument's namespace.
bool fromJSON(const json::Value &value, Word &word, json::Path path) {
  std::optional<int64_t> integer = value.getAsInteger();
  if (!integer || *integer < 0 || *integer > int64_t(UINT32_MAX)) {
    path.report("expected an unsigned 32-bit number");
    return false;
  }
  word.value = static_cast<uint32_t>(*integer);
  return true;
}

bool fromJSON(const json::Value &value, Expr &expr, json::Path path) {
  std::optional<llvm::StringRef> text = value.getAsString();
  if (!text) {
    path.report("expected an expression as a string");
    return false;
  }
  llvm::Expected<Expr> parsed = Expr::parse(*text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    path.report("expected an expression in its text form");
    return false;
  }
  expr = *parsed;
  return true;
}

static bool fromJSON(const json::Value &value, Access &access,
                     json::Path path) {
  for (Access each :
       {Access::None, Access::Read, Access::Write, Access::ReadWrite})
    if (value.getAsString() == llvm::StringRef(accessName(each))) {
      access = each;
      return true;
    }
  path.report("expected none, read, write or read_write");
  return false;
}

static bool fromJSON(const json::Value &value, ArgumentKind &kind,
                     json::Path path) {
  std::optional<llvm::StringRef> text = value.getAsString();
  if (text != llvm::StringRef("pointer") && text != llvm::StringRef("scalar")) {
    path.report("expected pointer or scalar");
    return false;
  }
  kind = *text == "pointer" ? ArgumentKind::Pointer : ArgumentKind::Scalar;
  return true;
}

bool fromJSON(const json::Value &value, View &view, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("extents", view.extents) ||
      !map.map("strides", view.strides))
    return false;
  if (view.extents.size() == view.strides.size())
    return true;
  path.report("extents and strides differ in number");
  return false;
}

bool fromJSON(const json::Value &value, Argument &argument, json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<std::vector<Expr>> extents, strides;
  Word offset, size, alignment;
  if (!map || !map.map("name", argument.name) ||
      !map.map("kind", argument.kind) || !map.map("type", argument.type) ||
      !map.map("offset", offset) || !map.map("size", size) ||
      !map.mapOptional("alignment", alignment) ||
      !map.mapOptional("access", argument.access) ||
      !map.map("extents", extents) || !map.map("strides", strides) ||
      !map.mapOptional("may_alias", argument.mayAlias) ||
      !map.mapOptional("workspace", argument.workspace) ||
      !map.mapOptional("fill", argument.fill))
    return false;
  if (extents.has_value() != strides.has_value() ||
      (extents && extents->size() != strides->size())) {
    path.report("extents and strides differ in number");
    return false;
  }
  if (extents)
    argument.view = View{std::move(*extents), std::move(*strides)};
  argument.offset = offset.value;
  argument.size = size.value;
  argument.alignment = alignment.value;
  return true;
}

bool fromJSON(const json::Value &value, Requirement &requirement,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("expr", requirement.expr) &&
         map.map("multiple_of", requirement.multipleOf) &&
         map.mapOptional("message", requirement.message);
}

bool readGrid(json::ObjectMapper &map, std::array<Expr, 3> &grid,
              json::Path path) {
  std::vector<Expr> entries;
  if (!map.map("grid", entries))
    return false;
  if (entries.size() != grid.size()) {
    path.report("grid and block need three entries each");
    return false;
  }
  std::copy(entries.begin(), entries.end(), grid.begin());
  return true;
}

static bool fromJSON(const json::Value &value, LdsBytes &lds, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("static", lds.fixed) &&
         map.map("dynamic", lds.dynamic) &&
         map.mapOptional("dynamic_member", lds.member);
}

static bool fromJSON(const json::Value &value, LaunchContract &contract,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<Word> block;
  LdsBytes lds;
  if (!map || !map.map("kernel", contract.kernel) ||
      !map.map("chip", contract.chip) ||
      !map.map("arguments", contract.arguments) ||
      !readGrid(map, contract.grid, path) || !map.map("block", block) ||
      !map.map("lds", lds) || !map.map("requirements", contract.requirements) ||
      !map.mapOptional("order_dependent", contract.isOrderDependent) ||
      !map.mapOptional("checks", contract.checks) ||
      !map.mapOptional("work", contract.work))
    return false;
  if (block.size() != 3) {
    path.report("grid and block need three entries each");
    return false;
  }
  for (unsigned i = 0; i < 3; ++i)
    contract.block[i] = block[i].value;
  contract.staticLdsBytes = lds.fixed.value;
  contract.dynamicLdsBytes = lds.dynamic;
  contract.dynamicLdsMember = lds.member;
  return true;
}

} // namespace fly::contract

llvm::Expected<LaunchContract>
fly::contract::fromJSON(const json::Value &value) {
  LaunchContract contract;
  json::Path::Root root("launch contract");
  if (!fromJSON(value, contract, root))
    return root.getError();
  return contract;
}

llvm::Expected<ObjectContracts>
fly::contract::parseContracts(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("launch contract");
  json::Path path(root);
  json::ObjectMapper map(*value, path);
  int64_t found = 0;
  ObjectContracts contracts;
  if (!map || !map.map("version", found) ||
      !map.map("kernels", contracts.kernels) ||
      !map.mapOptional("programs", contracts.programs))
    return root.getError();
  if (found > version)
    return llvm::createStringError(llvm::formatv(
        "launch contract has version {0}, this reader knows up to {1}", found,
        version));
  return contracts;
}
