//===- ReportOutput.h - Text, JSON and pages of reports ---------*- C++ -*-===//
//
// Text for people, --json for programs, --html for sharing: of the same report,
// in every subcommand of fly-report and fly-bench alike.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_OPTIONS_REPORTOUTPUT_H
#define FLY_TOOLS_OPTIONS_REPORTOUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>
#include <string>

#include "Outputs.h"

namespace fly::tools {

/// One report, as all of its forms need it.
struct Report {
  std::string title;    ///< Of the page: "Occupancy".
  std::string subtitle; ///< Of the page: what the report is of.
  llvm::json::Value json = nullptr;
  /// Prints it for people.
  std::function<void(llvm::raw_ostream &)> print;
  /// Draws it as SVG, for the page and --svg; null: there is no picture.
  std::function<void(llvm::raw_ostream &)> picture;
};

/// Where a report goes. Plain data: linking resets the options of the command
/// line.
struct ReportOutput {
  std::string tool; ///< Whose errors these are.
  /// Files of the other forms; "" is none. One "-" takes the place of the text.
  std::string json, html, svg;
  std::string text = "-"; ///< Where the text, or what takes its place, goes.
  bool hasText = false;   ///< Whether that was given.

  /// An error where two forms go to one place.
  llvm::Error check() const;
  /// Prints and writes. Gives \p code, or that of an error that is printed.
  int emit(const Report &report, int code) const;

private:
  /// Whether nothing takes the text's place.
  bool printsText() const { return json != "-" && html != "-" && svg != "-"; }
  const std::string &getPath(const std::string &path) const {
    return path == "-" ? text : path;
  }
};

/// --json, --html and -o, registered where a subcommand constructs one; --svg,
/// too, where it draws.
struct OutputOptions {
  enum Kind : unsigned {
    WithPicture = 1, ///< Has --svg.
    WithoutText = 2, ///< Has an -o of its own.
  };
  OutputOptions(llvm::StringRef tool, llvm::cl::OptionCategory &category,
                unsigned kind = 0)
      : tool(tool.str()),
        json("json", llvm::cl::ValueOptional, llvm::cl::value_desc("file.json"),
             llvm::cl::desc("Print JSON instead of the text; with a file, "
                            "write it there, too"),
             llvm::cl::cat(category)),
        html("html", llvm::cl::value_desc("file.html"),
             llvm::cl::desc("Write the report as one page, too, for a browser; "
                            "'-' prints it instead"),
             llvm::cl::cat(category)) {
    if (!(kind & WithoutText))
      text = std::make_unique<llvm::cl::opt<std::string>>(
          "o", llvm::cl::value_desc("file"),
          llvm::cl::desc("What is printed goes to this file"),
          llvm::cl::cat(category));
    if (kind & WithPicture)
      svg = std::make_unique<llvm::cl::opt<std::string>>(
          "svg", llvm::cl::value_desc("file.svg"),
          llvm::cl::desc("Write a picture, too; '-' prints it instead"),
          llvm::cl::cat(category));
  }

  ReportOutput get() const {
    ReportOutput output;
    output.tool = tool;
    output.json = json;
    if (json.getNumOccurrences() && json.empty())
      output.json = "-";
    output.html = html;
    if (svg)
      output.svg = *svg;
    output.hasText = text && !text->empty();
    if (output.hasText)
      output.text = *text;
    return output;
  }

private:
  std::string tool;
  llvm::cl::opt<std::string> json, html;
  std::unique_ptr<llvm::cl::opt<std::string>> text, svg;
};

/// "gemm.hsaco, sim.json": what a report is of.
std::string joinInputs(llvm::ArrayRef<std::string> inputs);

} // namespace fly::tools

#endif // FLY_TOOLS_OPTIONS_REPORTOUTPUT_H
