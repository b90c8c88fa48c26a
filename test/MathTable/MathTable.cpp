//===- MathTable.cpp - Measures the table of math functions ---------------===//
//
// Runs every function of fly-expand-math on the simulator and prints what it
// costs and how large its error is: as rows for lib/Support, as the table of
// docs/Guide/Math.md, or as a check against both.
//
//===----------------------------------------------------------------------===//
#include "fly/Support/MathTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

#include "Measure.h"

using namespace fly;
using namespace fly::mathtable;

namespace {
/// The command line. lld resets LLVM's options when it links in process, so
/// they are copied before anything is compiled.
struct Options {
  bool rows = false, docs = false, check = false;
  unsigned samples = 0;
  std::string function;
  std::vector<std::string> chips, types;
};
} // namespace

static Options readOptions(int argc, char **argv) {
  namespace cl = llvm::cl;
  static cl::OptionCategory category("Options of the table");
  static cl::opt<bool> rows(
      "rows", cl::cat(category),
      cl::desc("print rows for lib/Support/MathRows.inc"));
  static cl::opt<bool> docs(
      "docs", cl::cat(category),
      cl::desc("print the rows that the library has as the table of "
               "docs/Guide/Math.md, and measure nothing"));
  static cl::opt<bool> check(
      "check", cl::cat(category),
      cl::desc("fail where a bound of the library is exceeded, or instructions "
               "differ"));
  static cl::opt<unsigned> samples(
      "samples", cl::cat(category), cl::init(1 << 20),
      cl::desc("arguments of each function (16-bit types: at most all)"));
  static cl::opt<std::string> function("function", cl::cat(category),
                                       cl::desc("this function alone"));
  static cl::list<std::string> chips(
      "chip", cl::cat(category), cl::CommaSeparated,
      cl::desc("chips (default: gfx942,gfx950)"));
  static cl::list<std::string> types("type", cl::cat(category),
                                     cl::CommaSeparated,
                                     cl::desc("types (default: f32,f16,bf16)"));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Errors and instructions of math functions, "
                              "measured on the simulator\n");
  Options options;
  options.rows = rows;
  options.docs = docs;
  options.check = check;
  options.samples = samples;
  options.function = function;
  options.chips = chips;
  options.types = types;
  if (options.chips.empty())
    options.chips = {"gfx942", "gfx950"};
  if (options.types.empty())
    options.types = {"f32", "f16", "bf16"};
  return options;
}

/// Rounded up: what is printed is a bound.
static double roundUp(double value, double step) {
  return std::max(0.0, std::ceil(value / step - 1e-9) * step);
}

static std::string formatError(double ulp, double absolute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (absolute != 0)
    os << llvm::format("%.1e absolute", absolute);
  else
    os << llvm::format("%.2f ulp", ulp);
  return text;
}

static std::string formatArgument(llvm::StringRef function, double x,
                                  double y) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.9g", x);
  if (function == "powf" || function == "divf")
    os << ", " << llvm::format("%.9g", y);
  return text;
}

/// The dialect's name of a function.
static std::string spell(llvm::StringRef function) {
  for (const Function &known : getFunctions())
    if (known.name == function)
      return known.operation.split(" %").first.str();
  return function.str();
}

static void printDocs() {
  llvm::outs() << "| Function | Flag | Type | Vector instructions | Largest "
                  "error | At |\n|---|---|---|---|---|---|\n";
  for (const MathBound &row : getMathBounds())
    llvm::outs() << "| `" << spell(row.function) << "` | "
                 << (row.isApproximate ? "`afn` | " : "| ") << row.type << " | "
                 << row.instructions << " | "
                 << formatError(row.ulp, row.absolute) << " | "
                 << formatArgument(row.function, row.worst, row.worstSecond)
                 << " |\n";
}

static void printRow(const Measured &row) {
  auto number = [](double value) {
    if (std::isnan(value))
      return std::string("NAN");
    if (std::isinf(value))
      return std::string(value < 0 ? "-INFINITY" : "INFINITY");
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
    return text;
  };
  llvm::outs() << "{\"" << row.function->name << "\", "
               << (row.isApproximate ? "true" : "false") << ", \"" << row.type
               << "\", " << row.instructions << ", "
               << llvm::format("%.2f, %.1e, ", roundUp(row.ulp, 0.01),
                               row.absolute * 1.05)
               << number(row.worst) << ", " << number(row.worstSecond)
               << "},\n";
}

/// Whether the library's row covers what was measured; says what does not.
static bool check(const Measured &row, llvm::StringRef chip) {
  const MathBound *bound =
      lookupMathBound(row.function->name, row.type, row.isApproximate);
  std::string what = spell(row.function->name) +
                     (row.isApproximate ? " afn" : "") + " of " + row.type +
                     " on " + chip.str();
  if (!bound) {
    llvm::errs() << what << ": has no row in lib/Support/MathRows.inc\n";
    return false;
  }
  bool isRight = true;
  if (!(row.ulp <= bound->ulp + 0.005 || bound->absolute != 0) ||
      !(row.absolute <= bound->absolute)) {
    llvm::errs() << what << ": error " << formatError(row.ulp, row.absolute)
                 << " at "
                 << formatArgument(row.function->name, row.worst,
                                   row.worstSecond)
                 << ", got " << llvm::format("%.9g", row.got) << ", exact "
                 << llvm::format("%.9g", row.exact) << "; the bound is "
                 << formatError(bound->ulp, bound->absolute) << '\n';
    isRight = false;
  }
  if (chip == "gfx942" && row.instructions != bound->instructions) {
    llvm::errs() << what << ": " << row.instructions
                 << " vector instructions, the table says "
                 << bound->instructions << '\n';
    isRight = false;
  }
  return isRight;
}

/// The larger error of two chips; the instructions of the first.
static void merge(Measured &into, const Measured &other) {
  unsigned instructions = into.instructions;
  if (other.ulp > into.ulp || other.absolute > into.absolute)
    into = other;
  into.instructions = instructions;
}

int main(int argc, char **argv) {
  Options options = readOptions(argc, argv);
  if (options.docs) {
    printDocs();
    return 0;
  }
  bool isRight = true;
  std::vector<std::vector<Measured>> byType;
  for (const std::string &type : options.types) {
    std::vector<Measured> &rows = byType.emplace_back();
    for (const std::string &chip : options.chips) {
      auto measured = measure(chip, type, options.function, options.samples);
      if (!measured) {
        llvm::errs() << llvm::toString(measured.takeError()) << '\n';
        return 1;
      }
      if (options.check)
        for (const Measured &row : *measured)
          isRight &= check(row, chip);
      if (rows.empty())
        rows = *measured;
      else
        for (auto [row, other] : llvm::zip(rows, *measured))
          merge(row, other);
    }
  }
  // By function, then by type.
  for (size_t i = 0; i < byType.front().size(); ++i)
    for (const std::vector<Measured> &rows : byType) {
      const Measured &row = rows[i];
      if (options.rows)
        printRow(row);
      else if (!options.check)
        llvm::outs() << llvm::format("%-22s", spell(row.function->name).c_str())
                     << (row.isApproximate ? " afn " : "     ")
                     << llvm::format("%-5s%3u  ", row.type.c_str(),
                                     row.instructions)
                     << formatError(row.ulp, row.absolute) << " at "
                     << formatArgument(row.function->name, row.worst,
                                       row.worstSecond)
                     << ": " << llvm::format("%.9g", row.got) << ", exact "
                     << llvm::format("%.9g", row.exact) << '\n';
    }
  return isRight ? 0 : 2;
}
