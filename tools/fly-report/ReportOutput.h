//===- ReportOutput.h - Text, JSON and pages of reports ---------*- C++ -*-===//
//
// Text for people, --json for programs, --html for sharing: of the same report,
// in every subcommand alike.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_REPORT_REPORTOUTPUT_H
#define FLY_TOOLS_FLY_REPORT_REPORTOUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace fly::tools {

/// One report, as all three need it.
struct Report {
  std::string title;    ///< Of the page: "Occupancy".
  std::string subtitle; ///< Of the page: what the report is of.
  llvm::json::Value json = nullptr;
  /// Prints it for people.
  std::function<void(llvm::raw_ostream &)> print;
  std::string picture; ///< SVG, of the page alone.
};

/// Where a report goes. Plain data: linking resets the options of the command
/// line.
struct ReportOutput {
  bool json = false;
  std::string html; ///< A file; "-" takes the place of the text.

  /// Prints and writes. Gives \p code, or that of an error that is printed.
  int emit(const Report &report, int code) const;
};

/// --json and --html, registered where a subcommand constructs one.
struct OutputOptions {
  explicit OutputOptions(llvm::cl::OptionCategory &category)
      : json("json", llvm::cl::desc("Print JSON"), llvm::cl::cat(category)),
        html("html", llvm::cl::value_desc("file.html"),
             llvm::cl::desc("Write the report as one page, too, for a browser; "
                            "'-' prints it instead"),
             llvm::cl::cat(category)) {}

  ReportOutput get() const { return {json, html}; }

  llvm::cl::opt<bool> json;
  llvm::cl::opt<std::string> html;
};

/// "gemm.hsaco, sim.json": what a report is of.
std::string joinInputs(llvm::ArrayRef<std::string> inputs);

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_REPORT_REPORTOUTPUT_H
