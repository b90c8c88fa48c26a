//===- Failure.cpp - what a launch of fly-run failed by -------------------===//
#include "Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace fly::tools;
using llvm::StringRef;
using llvm::json::Object;
using llvm::json::Value;

static void addOnce(std::vector<std::string> &kinds, const std::string &kind) {
  if (!llvm::is_contained(kinds, kind))
    kinds.push_back(kind);
}

/// Names of the checks that found something in a launch.
static void addFindings(std::vector<std::string> &kinds, const Object &launch) {
  if (const llvm::json::Array *findings = launch.getArray("findings"))
    for (const Value &finding : *findings)
      if (const Object *entry = finding.getAsObject())
        if (auto check = entry->getString("check"))
          addOnce(kinds, check->str());
}

static bool hasWrongValues(const Object &verdict) {
  const llvm::json::Array *expectations = verdict.getArray("expectations");
  return expectations && llvm::any_of(*expectations, [](const Value &each) {
           const Object *entry = each.getAsObject();
           return entry && entry->getBoolean("right") == false &&
                  entry->getInteger("judged") != 0;
         });
}

static std::vector<std::string> kindsOf(const Object &verdict) {
  std::vector<std::string> kinds;
  // Of --diff-phases: the pass.
  if (verdict.get("phases")) {
    auto pass = verdict.getString("wrong_by");
    kinds.push_back(pass ? "wrong by " + pass->str() : "no single pass");
    return kinds;
  }
  addFindings(kinds, verdict);
  if (const llvm::json::Array *launches = verdict.getArray("launches"))
    for (const Value &launch : *launches)
      if (const Object *entry = launch.getAsObject())
        addFindings(kinds, *entry);
  for (const char *each : {"asserts", "workspaces"})
    if (verdict.get(each))
      kinds.push_back(each);
  StringRef guards = verdict.getString("guards").value_or("whole");
  if (guards != "whole" && guards != "not checked")
    kinds.push_back("guards");
  if (hasWrongValues(verdict))
    kinds.push_back("values");
  if (verdict.getString("verdict") == StringRef("not judged"))
    kinds.push_back("nothing judged");
  return kinds;
}

/// The first error's text: of a fault what lies behind its place. Without words
/// that have numbers or names in them, and without what is added to explain it.
static std::string faultOf(StringRef errors) {
  StringRef text = errors.split("error: ").second.split('\n').first;
  if (size_t place = text.find(", pc "); place != StringRef::npos)
    text = text.substr(place).split(": ").second;
  llvm::SmallVector<StringRef> words;
  text.split(';').first.split(words, ' ');
  llvm::erase_if(words, [](StringRef word) {
    return llvm::any_of(word,
                        [](char c) { return llvm::isDigit(c) || c == '\''; });
  });
  return llvm::join(words, " ");
}

Failure Failure::of(int exitCode, StringRef problem, StringRef output,
                    StringRef errors) {
  Failure failure;
  failure.exitCode = exitCode;
  if (!problem.empty()) {
    failure.kinds.push_back(problem.str());
    return failure;
  }
  llvm::Expected<Value> parsed = llvm::json::parse(output);
  if (parsed && parsed->getAsObject()) {
    failure.kinds = kindsOf(*parsed->getAsObject());
    return failure;
  }
  llvm::consumeError(parsed.takeError());
  if (std::string fault = faultOf(errors); !fault.empty())
    failure.kinds.push_back(std::move(fault));
  return failure;
}

bool Failure::isLike(const Failure &other) const {
  if (exitCode != other.exitCode || kinds.empty() != other.kinds.empty())
    return false;
  return kinds.empty() || (kinds.front() == other.kinds.front() &&
                           llvm::all_of(kinds, [&](const std::string &kind) {
                             return llvm::is_contained(other.kinds, kind);
                           }));
}

std::string Failure::text() const { return llvm::join(kinds, ", "); }
