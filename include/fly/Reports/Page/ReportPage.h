//===- ReportPage.h - A report as one HTML file -----------------*- C++ -*-===//
//
// What problem: a report is read by one person on a terminal, and then has to
// be shown to others.
// What idea: one page made of the report's JSON: objects are lists of facts,
// arrays of objects are tables, so the page says what `--json` says, whatever
// a report adds later. Every number is a <data> element that carries it in
// full. The text for people follows, word for word.
// What it promises: no script, no address, nothing outside of the file; text
// of files can not end an element nor hide behind control characters.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_PAGE_REPORTPAGE_H
#define FLY_REPORTS_PAGE_REPORTPAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace fly::reports {

/// What a page shows.
struct ReportPage {
  std::string title;    ///< "Occupancy".
  std::string subtitle; ///< What it is of: "gemm.hsaco".
  /// An array or an object with `kernels` is a part for each entry.
  llvm::json::Value report = nullptr;
  std::string picture; ///< An SVG element, drawn before the tables; may be "".
  std::string text;    ///< The report for people.
};

/// Writes the page.
void writePage(llvm::raw_ostream &os, const ReportPage &page);

/// The style that all pages of Fly share.
llvm::StringRef getPageStyle();

/// \p text as the content of an element or of a quoted attribute. Control
/// characters, and those that change the direction of what follows, are
/// spelled: "\x1b", "\u{202e}"; so are ends of lines unless \p keepLines.
std::string toHtml(llvm::StringRef text, bool keepLines = false);

} // namespace fly::reports

#endif // FLY_REPORTS_PAGE_REPORTPAGE_H
