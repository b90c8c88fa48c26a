//===- ReportOutput.cpp - Text, JSON and pages of reports -----------------===//
#include "ReportOutput.h"

#include "fly/Reports/Page/ReportPage.h"
#include "fly/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/CommandLine.h"

using namespace fly;
using namespace fly::tools;

std::string fly::tools::joinInputs(llvm::ArrayRef<std::string> inputs) {
  return llvm::join(inputs, ", ");
}

/// The page of \p report as text.
static std::string makePage(const Report &report) {
  reports::ReportPage page;
  page.title = report.title;
  page.subtitle = report.subtitle;
  page.report = report.json;
  page.picture = report.picture;
  llvm::raw_string_ostream text(page.text);
  report.print(text);
  std::string html;
  llvm::raw_string_ostream os(html);
  reports::writePage(os, page);
  return html;
}

/// Prints the text with control characters, which names of kernels in a file
/// may have, as \x1b: a terminal would obey them.
static void printPlain(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os);
  for (char c : text)
    if (c == '\n' || c == '\t' || (uint8_t(c) >= 0x20 && c != 0x7f))
      llvm::outs() << c;
    else
      llvm::outs() << "\\x" << llvm::utohexstr(uint8_t(c), true, 2);
}

int ReportOutput::emit(const Report &report, int code) const {
  if (json && html == "-")
    return fail("fly-report", "--json and --html=- both take standard output; "
                              "give the page a file");
  if (!html.empty())
    if (llvm::Error error = writeOutputFile(html, makePage(report)))
      return fail("fly-report", "cannot write '" + html +
                                    "': " + llvm::toString(std::move(error)));
  if (json)
    llvm::outs() << llvm::formatv("{0:2}", report.json) << '\n';
  else if (html != "-")
    printPlain(report);
  return code;
}
