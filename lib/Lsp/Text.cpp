//===- Text.cpp - What the text of a document says, unparsed --------------===//
#include "Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace fly::lsp;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Positions and words
//===----------------------------------------------------------------------===//

/// Bytes of the UTF-8 sequence that begins with `lead`, and its UTF-16 units.
static std::pair<size_t, unsigned> sizesOf(unsigned char lead) {
  if (lead >= 0xF0)
    return {4, 2};
  if (lead >= 0xE0)
    return {3, 1};
  return {lead >= 0xC0 ? 2 : 1, 1};
}

size_t fly::lsp::toOffset(StringRef text, llvm::lsp::Position position) {
  size_t offset = 0;
  for (int line = 0; line < position.line; ++line) {
    offset = text.find('\n', offset);
    if (offset == StringRef::npos)
      return text.size();
    ++offset;
  }
  for (int column = 0; column < position.character && offset < text.size() &&
                       text[offset] != '\n';) {
    auto [bytes, units] = sizesOf(text[offset]);
    offset = std::min(offset + bytes, text.size());
    column += units;
  }
  return offset;
}

llvm::lsp::Position fly::lsp::toPosition(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0.
  int column = 0;
  for (size_t i = lineBegin; i < before.size();) {
    auto [bytes, units] = sizesOf(before[i]);
    i += bytes;
    column += units;
  }
  return llvm::lsp::Position(before.count('\n'), column);
}

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

Word fly::lsp::wordAt(StringRef text, size_t offset) {
  size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && isWordCharacter(text[begin - 1]))
    --begin;
  while (end < text.size() && isWordCharacter(text[end]))
    ++end;
  return {text.slice(begin, end), begin};
}

/// The word that ends at `offset`.
static StringRef wordBefore(StringRef text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && isWordCharacter(text[begin - 1]))
    --begin;
  return text.slice(begin, offset);
}

//===----------------------------------------------------------------------===//
// What is open in front of the cursor
//===----------------------------------------------------------------------===//

/// Where a definition begins, nothing is open; a bracket that somebody has not
/// closed yet ends there.
static bool beginsDefinition(StringRef rest) {
  if (rest.starts_with("#") || rest.starts_with("!"))
    return true;
  rest = rest.ltrim(' ');
  for (StringRef word : {"gpu.module ", "gpu.func ", "func.func ", "module "})
    if (rest.starts_with(word))
      return true;
  return false;
}

static char openerOf(char closer) {
  switch (closer) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  default:
    return '<';
  }
}

namespace {
/// Walks over the text up to the cursor.
class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  Context scan() {
    for (at = 0; at < text.size(); ++at) {
      char c = text[at];
      if (c == '\n' && beginsDefinition(text.drop_front(at + 1)))
        brackets.clear();
      else if (c == '/' && text.drop_front(at).starts_with("//")) {
        at = text.find('\n', at);
        if (at == StringRef::npos)
          return {Context::Comment, {}};
        --at; // The loop sees the end of the line.
      } else if (c == '"') {
        size_t begin = at;
        if (!skipString())
          return {stringKind(begin), {}};
      } else {
        bracket(c);
      }
    }
    return finish();
  }

private:
  /// Goes to the closing quote; false where the cursor comes first. Strings end
  /// with their line.
  bool skipString() {
    for (++at; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == '"')
        return true;
    }
    return at < text.size();
  }

  /// What the string that begins at `quote` is.
  Context::Kind stringKind(size_t quote) {
    StringRef before = text.take_front(quote).rtrim(' ');
    if (before.ends_with("label") || before.rtrim("= ").ends_with("fly.label"))
      return Context::Label;
    return before.ends_with("fly.map") ? Context::MapString : Context::Other;
  }

  void bracket(char c) {
    if (StringRef("([{<").contains(c)) {
      brackets.push_back({c, wordBefore(text, at).str(), at + 1, "", false});
    } else if (StringRef(")]}>").contains(c)) {
      if (c == '>' && at > 0 && text[at - 1] == '-')
        return; // An arrow.
      // What is not closed inside of it ends with it.
      for (size_t i = brackets.size(); i-- > 0;)
        if (brackets[i].kind == openerOf(c))
          return brackets.truncate(i);
    } else if (!brackets.empty() && c == '=') {
      StringRef before = text.take_front(at).rtrim(' ');
      brackets.back().key = wordBefore(before, before.size()).str();
      brackets.back().isAfterEquals = true;
    } else if (!brackets.empty() && c == ',') {
      brackets.back().key.clear();
      brackets.back().isAfterEquals = false;
    }
  }

  Context finish() {
    Context context;
    // The word that is being typed, and the one in front of it on the line.
    StringRef line = text.drop_front(text.rfind('\n') + 1);
    line = line.drop_back(wordBefore(line, line.size()).size());
    StringRef before = line.rtrim(" \t");
    if (before.size() < line.size()) {
      StringRef word = wordBefore(before, before.size());
      if (word == "pad")
        context.kind = Context::Pad;
      else if (word == "cache")
        context.kind = Context::Cache;
      if (context.kind != Context::Other)
        return context;
    }
    auto isSchedule = [](const OpenBracket &bracket) {
      return bracket.kind == '<' && bracket.opener == "fly.schedule";
    };
    auto *it = llvm::find_if(brackets, isSchedule);
    if (it == brackets.end())
      return context;
    context.kind = Context::Schedule;
    context.brackets.assign(it, brackets.end());
    return context;
  }

  StringRef text;
  size_t at = 0;
  llvm::SmallVector<OpenBracket> brackets;
};
} // namespace

Context fly::lsp::contextAt(StringRef text, size_t offset) {
  return Scanner(text.take_front(offset)).scan();
}
