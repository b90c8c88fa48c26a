//===- Labels.cpp - Functions, labels and sizes of a text -----------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include "Text.h"

using namespace fly::lsp;
using llvm::StringRef;

/// Calls `visit` with the offset behind each occurrence of `word` that is not
/// in a comment.
static void forEachOccurrence(StringRef text, StringRef word,
                              llvm::function_ref<void(size_t)> visit) {
  for (size_t at = text.find(word); at != StringRef::npos;
       at = text.find(word, at + 1)) {
    StringRef line = text.take_front(at);
    line = line.drop_front(line.rfind('\n') + 1);
    if (!line.contains("//"))
      visit(at + word.size());
  }
}

static StringRef identifierAt(StringRef text, size_t offset) {
  return text.drop_front(std::min(offset, text.size())).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

/// What kind of op the label at `offset` belongs to: the last op name in front
/// of it.
static llvm::StringLiteral kindOfLabel(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t at = before.rfind("fly.");
  StringRef name = identifierAt(before, at == StringRef::npos ? offset : at);
  if (name == "fly.load" || name == "fly.gather")
    return "load";
  if (name == "fly.store" || name == "fly.scatter")
    return "store";
  return name.starts_with("fly.dot") ? llvm::StringLiteral("dot")
                                     : llvm::StringLiteral("");
}

static void scanLabels(StringRef text, FunctionText &function) {
  StringRef body = text.slice(0, function.end);
  llvm::StringSet<> known;
  auto add = [&](StringRef label, llvm::StringLiteral kind, size_t offset) {
    if (!label.empty() && known.insert(label).second)
      function.labels.push_back({label.str(), kind, offset});
  };
  auto forEach = [&](StringRef word, llvm::function_ref<void(size_t)> visit) {
    forEachOccurrence(body.drop_front(function.begin), word,
                      [&](size_t at) { visit(function.begin + at); });
  };
  forEach(" label \"", [&](size_t at) {
    add(identifierAt(body, at), kindOfLabel(body, at - 8), at);
  });
  forEach("fly.pipeline @",
          [&](size_t at) { add(identifierAt(body, at), "loop", at); });
  forEach("fly.label = \"",
          [&](size_t at) { add(identifierAt(body, at), "loop", at); });
}

std::vector<FunctionText> fly::lsp::scanFunctions(StringRef text) {
  std::vector<FunctionText> functions;
  forEachOccurrence(text, "func.func ",
                    [&](size_t at) { functions.emplace_back().begin = at; });
  forEachOccurrence(text, "gpu.func ", [&](size_t at) {
    functions.emplace_back().begin = at;
    functions.back().isKernel = true;
  });
  llvm::sort(functions, [](const FunctionText &a, const FunctionText &b) {
    return a.begin < b.begin;
  });
  for (auto [i, function] : llvm::enumerate(functions)) {
    function.end =
        i + 1 < functions.size() ? functions[i + 1].begin : text.size();
    StringRef body = text.slice(function.begin, function.end);
    size_t name = body.find('@');
    if (name != StringRef::npos)
      function.name = identifierAt(body, name + 1).str();
    size_t schedule = body.find("fly.schedule = #");
    if (schedule != StringRef::npos)
      function.scheduleAlias = identifierAt(body, schedule + 16).str();
    scanLabels(text, function);
  }
  return functions;
}

/// The alias that a schedule at `offset` is the definition of; empty where it
/// stands in a function.
static StringRef aliasAround(StringRef text, size_t offset) {
  size_t begin = text.take_front(offset).rfind("#fly.schedule<");
  if (begin == StringRef::npos)
    return {};
  StringRef before = text.take_front(begin).rtrim(" \n");
  if (!before.consume_back("="))
    return {};
  before = before.rtrim(' ');
  StringRef line = before.drop_front(before.rfind('\n') + 1);
  return line.consume_front("#") ? identifierAt(line, 0) : StringRef();
}

std::vector<LabelUse> fly::lsp::labelsOfSchedule(StringRef text,
                                                 size_t offset) {
  std::vector<FunctionText> functions = scanFunctions(text);
  StringRef alias = aliasAround(text, offset);
  auto usesIt = [&](const FunctionText &function) {
    if (!function.isKernel)
      return false;
    return alias.empty() ? function.begin <= offset && offset < function.end
                         : function.scheduleAlias == alias;
  };
  bool isUsed = llvm::any_of(functions, usesIt);
  std::vector<LabelUse> labels;
  llvm::StringSet<> known;
  for (const FunctionText &function : functions)
    if (!isUsed || !function.isKernel || usesIt(function))
      for (const LabelUse &use : function.labels)
        if (known.insert(use.label).second)
          labels.push_back(use);
  return labels;
}

std::vector<std::string> fly::lsp::scanSizeNames(StringRef text) {
  std::vector<std::string> names;
  forEachOccurrence(text, "#fly.tile<", [&](size_t at) {
    StringRef list = text.drop_front(at).take_until(
        [](char c) { return c == '>' || c == '\n'; });
    llvm::SmallVector<StringRef> parts;
    list.split(parts, ',');
    for (StringRef part : parts) {
      StringRef name = identifierAt(part.trim(), 0);
      if (!name.empty() && !llvm::isDigit(name.front()) &&
          !llvm::is_contained(names, name))
        names.push_back(name.str());
    }
  });
  return names;
}

std::vector<EntryText> fly::lsp::entriesForFunction(StringRef text,
                                                    size_t offset) {
  std::string needle;
  size_t from = 0;
  for (const FunctionText &function : scanFunctions(text))
    if (function.begin <= offset && offset < function.end) {
      if (function.scheduleAlias == "fly.schedule")
        from = function.begin; // Written in place.
      else if (!function.scheduleAlias.empty())
        needle = "#" + function.scheduleAlias + " = ";
    }
  size_t begin = needle.empty() ? from : text.find(needle);
  if (begin == StringRef::npos)
    return {};
  begin = text.find("#fly.schedule<", begin);
  if (begin == StringRef::npos)
    return {};
  // Each key of the outermost level shows by its context.
  std::vector<EntryText> entries;
  for (size_t at = begin + 14; at < text.size(); ++at) {
    if (text[at] != '=')
      continue;
    Context context = contextAt(text, at + 1);
    if (context.kind != Context::Schedule)
      break;
    if (context.brackets.size() != 1)
      continue;
    const std::string &key = context.brackets.front().key;
    entries.push_back({key, text.take_front(at).rfind(key)});
  }
  return entries;
}
