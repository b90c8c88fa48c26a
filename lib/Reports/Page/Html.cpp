//===- Html.cpp - Text in pages, and their style --------------------------===//
#include "fly/Reports/Page/ReportPage.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

#include "PageValues.h"
#include "StyleText.inc"

using namespace fly;
using namespace llvm;

StringRef reports::getPageStyle() { return styleText; }

/// Characters beyond ASCII that are not seen, or that reorder what is.
static bool isHidden(UTF32 c) {
  return (c >= 0x80 && c <= 0x9f) || c == 0x61c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff;
}

std::string reports::spellHidden(StringRef text, bool keepLines) {
  std::string valid = json::fixUTF8(text), result;
  raw_string_ostream os(result);
  const auto *at = reinterpret_cast<const UTF8 *>(valid.data());
  const UTF8 *end = at + valid.size();
  while (at != end) {
    const UTF8 *from = at;
    UTF32 c = 0;
    if (convertUTF8Sequence(&at, end, &c, strictConversion) != conversionOK)
      break; // fixUTF8 leaves nothing that is none.
    if (keepLines && (c == '\n' || c == '\t'))
      os << char(c);
    else if (c < 0x20 || c == 0x7f)
      os << formatv("\\x{0:x-2}", c);
    else if (isHidden(c))
      os << formatv("\\u{{{0:x-}}", c);
    else
      os << StringRef(reinterpret_cast<const char *>(from), size_t(at - from));
  }
  return result;
}

std::string reports::toHtml(StringRef text, bool keepLines) {
  std::string result;
  raw_string_ostream os(result);
  printHTMLEscaped(spellHidden(text, keepLines), os);
  return result;
}
