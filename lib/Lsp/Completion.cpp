//===- Completion.cpp - What may be typed next ----------------------------===//
//
// From the text alone, so that it works where nothing parses.
//
//===----------------------------------------------------------------------===//
#include "Completion.h"

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"
#include "fly/Lsp/ScheduleKeys.h"

#include "llvm/ADT/STLExtras.h"

#include "Text.h"

using namespace fly::lsp;
using namespace llvm::lsp;
using llvm::StringRef;

namespace {
class Completer {
public:
  Completer(StringRef text, size_t offset) : text(text), offset(offset) {}

  std::optional<CompletionList> run() {
    Context context = contextAt(text, offset);
    switch (context.kind) {
    case Context::Schedule:
      schedule(context);
      break;
    case Context::Label:
      for (const EntryText &entry : entriesForFunction(text, offset))
        if (!findScheduleKey("schedule", entry.key))
          add(entry.key, CompletionItemKind::EnumMember,
              "label of the schedule");
      break;
    case Context::Pad:
      for (unsigned i = 0; i <= fly::getMaxEnumValForPad(); ++i)
        if (auto pad = fly::symbolizePad(i))
          add(fly::stringifyPad(*pad), CompletionItemKind::EnumMember,
              "what an element outside of the view reads as");
      break;
    case Context::Cache:
      for (unsigned i = 0; i <= fly::getMaxEnumValForCache(); ++i)
        if (auto cache = fly::symbolizeCache(i))
          add(fly::stringifyCache(*cache), CompletionItemKind::EnumMember,
              "what the access says to the caches");
      break;
    case Context::MapString:
      for (const fly::MapFunction &function : fly::getMapFunctions())
        add(function.name, CompletionItemKind::Function, function.meaning);
      break;
    case Context::Comment:
      return list; // Nothing, rather than what the parser would want behind.
    case Context::Other:
      return std::nullopt;
    }
    return list;
  }

private:
  CompletionItem &add(const llvm::Twine &label, CompletionItemKind kind,
                      StringRef detail) {
    // As they are listed here.
    std::string order = std::to_string(1000 + list.items.size());
    list.items.emplace_back(label, kind, order);
    list.items.back().detail = detail.str();
    return list.items.back();
  }

  void addKeys(StringRef owner) {
    for (const ScheduleKey &key : getScheduleKeys()) {
      if (key.owner != owner)
        continue;
      CompletionItem &item =
          add(key.key, CompletionItemKind::Property, key.value);
      if (owner != "load")
        item.insertText = (key.key + " = ").str();
      item.documentation =
          MarkupContent{MarkupKind::Markdown,
                        (key.meaning + "\n\nDefault: " + key.fallback).str()};
    }
  }

  void addWords(const ScheduleKey *key) {
    llvm::SmallVector<StringRef> words;
    if (key)
      key->words.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      add(word, CompletionItemKind::EnumMember, key->meaning);
  }

  void schedule(const Context &context) {
    const OpenBracket &inner = context.brackets.back();
    StringRef owner = ownerOfKeys(text, offset, context);
    if (context.brackets.size() > 1 &&
        context.brackets.front().key == "sizes" && !inner.isAfterEquals) {
      for (const std::string &name : scanSizeNames(text))
        add(name, CompletionItemKind::Constant, "size of a tile").insertText =
            name + " = ";
      return;
    }
    if (inner.isAfterEquals && owner != "schedule")
      return addWords(findScheduleKey(owner, inner.key));
    if (!inner.isAfterEquals) {
      addKeys(owner);
      if (owner != "schedule")
        return;
      for (const LabelUse &use : labelsOfSchedule(text, offset))
        add(use.label, CompletionItemKind::Variable,
            use.kind.empty() ? std::string("label")
                             : "label of a " + use.kind.str())
            .insertText = use.label + " = ";
      return;
    }
    // The value of an entry: of a key of the kernel, or of a label.
    if (const ScheduleKey *key = findScheduleKey("schedule", inner.key))
      return addWords(key);
    llvm::StringLiteral kind = "";
    for (const LabelUse &use : labelsOfSchedule(text, offset))
      if (use.label == inner.key)
        kind = use.kind;
    if (kind == "load" || kind.empty()) {
      addKeys("load");
    } else if (kind == "store") {
      addWords(findScheduleKey("store", "epilogue"));
    }
    if (kind == "dot" || kind == "loop")
      add("{mfma = 16x16}", CompletionItemKind::Snippet,
          "how the dots are computed");
    if (kind == "load" || kind.empty())
      add("auto", CompletionItemKind::EnumMember, "the pass decides");
  }

  StringRef text;
  size_t offset;
  CompletionList list;
};
} // namespace

StringRef fly::lsp::ownerOfKeys(StringRef text, size_t offset,
                                const Context &context) {
  const OpenBracket &inner = context.brackets.back();
  if (context.brackets.size() == 1)
    return "schedule";
  if (inner.kind == '(')
    return inner.opener == "direct" ? StringRef("store")
                                    : StringRef(inner.opener);
  const std::string &entry = context.brackets.front().key;
  if (inner.kind != '{' || findScheduleKey("schedule", entry))
    return entry == "grid" ? "grid" : "";
  for (const LabelUse &use : labelsOfSchedule(text, offset))
    if (use.label == entry) {
      if (use.kind == "loop")
        return "dot";
      // The arguments alone, as in {stages = 1}: those of LDS are more.
      return use.kind == "load" ? StringRef("lds") : StringRef(use.kind);
    }
  return "dot";
}

std::optional<CompletionList> fly::lsp::complete(StringRef text,
                                                 size_t offset) {
  return Completer(text, offset).run();
}
