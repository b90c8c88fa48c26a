//===- ReportOutput.cpp - Text, JSON and pages of reports -----------------===//
#include "ReportOutput.h"

#include "fly/Reports/Page/ReportPage.h"
#include "fly/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "CommandLine.h"

using namespace fly;
using namespace fly::tools;

std::string fly::tools::joinInputs(llvm::ArrayRef<std::string> inputs) {
  return llvm::join(inputs, ", ");
}

static std::string draw(const Report &report) {
  std::string svg;
  llvm::raw_string_ostream os(svg);
  if (report.picture)
    report.picture(os);
  return svg;
}

/// The page of \p report as text.
static std::string makePage(const Report &report) {
  reports::ReportPage page;
  page.title = report.title;
  page.subtitle = report.subtitle;
  page.report = report.json;
  page.picture = draw(report);
  llvm::raw_string_ostream text(page.text);
  report.print(text);
  std::string html;
  llvm::raw_string_ostream os(html);
  reports::writePage(os, page);
  return html;
}

/// The text of \p report, as a terminal may have it.
static std::string printPlain(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os);
  return makePlain(text);
}

llvm::Error ReportOutput::check() const {
  auto name = [](const char *option, const std::string &path) {
    return option + (path == "-" && llvm::StringRef(option) == "--json"
                         ? std::string()
                         : "=" + path);
  };
  std::vector<NamedOutput> outputs;
  for (auto [option, path] :
       {std::pair("--json", &json), std::pair("--html", &html),
        std::pair("--svg", &svg)})
    if (!path->empty())
      outputs.push_back({name(option, *path), getPath(*path)});
  if (printsText())
    outputs.push_back({hasText ? "-o " + text : "the text", text});
  return checkOutputs(outputs);
}

int ReportOutput::emit(const Report &report, int code) const {
  if (llvm::Error error = check())
    return fail(tool, llvm::toString(std::move(error)));
  // What took minutes to measure is not lost with the name of a file: each form
  // is written, and what would be printed is, where its file cannot be.
  bool isWritten = true;
  auto write = [&](const std::string &path, llvm::StringRef bytes) {
    const std::string &place = getPath(path);
    if (place == "-") {
      // The process's own stream keeps the order with what stands there.
      llvm::outs() << bytes;
      return;
    }
    llvm::Error error = writeOutputFile(place, bytes);
    if (!error)
      return;
    isWritten = false;
    if (path == "-")
      llvm::outs() << bytes;
    fail(tool, "cannot write '" + place +
                   "': " + llvm::toString(std::move(error)) +
                   (path == "-" ? "; it stands on standard output" : ""));
  };
  if (!json.empty())
    write(json, llvm::formatv("{0:2}\n", report.json).str());
  if (!html.empty())
    write(html, makePage(report));
  if (!svg.empty())
    write(svg, draw(report));
  if (printsText())
    write("-", printPlain(report));
  return isWritten ? code : int(UserError);
}
