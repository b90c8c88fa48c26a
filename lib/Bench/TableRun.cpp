//===- TableRun.cpp - A table of kernels, run -----------------------------===//
#include "fly/Bench/TableRun.h"

#include "fly/Analysis/SimulationFile.h"
#include "fly/Profile/CsvTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

#include <cmath>

using namespace fly;
using namespace fly::bench;
using llvm::StringRef;

/// Columns that are options of fly-run.
static constexpr llvm::StringLiteral optionNames[] = {"chip", "kernel",
                                                      "schedule", "size"};
/// Columns that are not copied.
static constexpr llvm::StringLiteral launchNames[] = {"file", "arguments",
                                                      "flop", "bytes"};
/// Columns of results, which a table must not have as names.
static constexpr llvm::StringLiteral resultNames[] = {
    "device", "us",        "cycles",    "tflops",
    "tbps",   "mfma_util", "hbm_bytes", "waves_per_simd",
    "vgpr",   "agpr",      "lds_bytes", "status"};

namespace {
class TableReader {
public:
  explicit TableReader(StringRef path) : path(path) {}

  llvm::Expected<Table> read() {
    profile::CsvOptions options;
    options.allowOpenEnd = true; // People write it.
    llvm::Error error = profile::forEachCsvRow(
        path, options,
        [&](uint64_t line, llvm::ArrayRef<StringRef> cells) -> llvm::Error {
          return header.empty() ? readHeader(cells) : readRow(line, cells);
        });
    if (error)
      return std::move(error);
    if (table.rows.empty())
      return llvm::createStringError("'" + path + "' has no rows");
    return std::move(table);
  }

private:
  llvm::Error readHeader(llvm::ArrayRef<StringRef> cells) {
    for (StringRef cell : cells) {
      StringRef name = cell.trim();
      if (llvm::is_contained(resultNames, name))
        return llvm::createStringError("'" + path + "': column '" + name +
                                       "' is one of the results; call it "
                                       "something else");
      if (llvm::is_contained(header, name))
        return llvm::createStringError("'" + path + "' has the column '" +
                                       name + "' twice");
      header.push_back(name.str());
      if (!llvm::is_contained(launchNames, name))
        table.names.push_back(name.str());
    }
    if (llvm::is_contained(header, "file"))
      return llvm::Error::success();
    return llvm::createStringError(
        "'" + path +
        "' has no column 'file', the kernel or object of each "
        "row; it has: " +
        llvm::join(header, ", "));
  }

  /// A positive number, or nothing in an empty cell.
  llvm::Error readNumber(const TableRow &row, StringRef name, StringRef cell,
                         std::optional<double> &number) {
    if (cell.empty())
      return llvm::Error::success();
    double value;
    if (cell.getAsDouble(value) || !(value > 0) || !std::isfinite(value))
      return llvm::createStringError(
          "'" + path + "': line " + llvm::Twine(row.line) + ", column '" +
          name + "': expected a positive number, found '" + cell + "'");
    number = value;
    return llvm::Error::success();
  }

  llvm::Error readRow(uint64_t line, llvm::ArrayRef<StringRef> cells) {
    if (cells.size() != header.size())
      return llvm::createStringError(
          "'" + path + "': line " + llvm::Twine(line) + ": expected " +
          llvm::Twine(header.size()) + " cells as in the header, found " +
          llvm::Twine(cells.size()));
    TableRow row;
    row.line = line;
    std::vector<std::string> options;
    for (auto [name, text] : llvm::zip_equal(header, cells)) {
      StringRef cell = text.trim();
      if (!llvm::is_contained(launchNames, StringRef(name)))
        row.names.push_back(cell.str());
      if (name == "file") {
        if (cell.empty())
          return llvm::createStringError("'" + path + "': line " +
                                         llvm::Twine(line) + " names no file");
        llvm::SmallString<128> file(cell);
        if (llvm::sys::path::is_relative(file)) {
          file = llvm::sys::path::parent_path(path);
          llvm::sys::path::append(file, cell);
        }
        row.words.insert(row.words.begin(), std::string(file));
      } else if (name == "arguments") {
        llvm::BumpPtrAllocator allocator;
        llvm::StringSaver saver(allocator);
        llvm::SmallVector<const char *> words;
        llvm::cl::TokenizeGNUCommandLine(cell, saver, words);
        options.insert(options.end(), words.begin(), words.end());
      } else if (llvm::is_contained(optionNames, StringRef(name))) {
        if (!cell.empty())
          options.push_back("--" + name + "=" + cell.str());
      } else if (name == "flop" || name == "bytes") {
        if (llvm::Error error = readNumber(
                row, name, cell, name == "flop" ? row.flop : row.bytes))
          return error;
      }
    }
    llvm::append_range(row.words, options);
    table.rows.push_back(std::move(row));
    return llvm::Error::success();
  }

  StringRef path;
  std::vector<std::string> header;
  Table table;
};
} // namespace

/// Adds what fly-run's JSON says of a launch, one of a program's perhaps.
static void addLaunch(TableResult &result,
                      const analysis::SimulatedLaunch &launch) {
  auto addUp = [&](std::optional<double> &sum, StringRef name) {
    if (std::optional<double> number = launch.find(name))
      sum = sum.value_or(0) + *number;
  };
  // Counts are whole numbers, far below what a double holds exactly.
  auto most = [&](std::optional<uint64_t> &largest, StringRef name) {
    std::optional<double> number = launch.find(name);
    if (number && *number < 0x1p53)
      largest = std::max(largest.value_or(0), uint64_t(*number));
  };
  result.samples.insert(result.samples.end(), launch.samplesUs.begin(),
                        launch.samplesUs.end());
  addUp(result.microseconds, "microseconds");
  addUp(result.cycles, "cycles");
  addUp(result.hbmBytes, "bytes.hbm");
  // Of a program, that of the launch that keeps them busiest.
  if (std::optional<double> busy = launch.find("mfma_util"))
    result.mfmaUtil = std::max(result.mfmaUtil.value_or(0), *busy);
  most(result.wavesPerSimd, "occupancy.waves_per_simd");
  most(result.vgpr, "resources.vgpr");
  most(result.agpr, "resources.agpr");
  most(result.ldsBytes, "resources.lds_bytes");
}

llvm::Expected<Table> fly::bench::readTable(StringRef path) {
  return TableReader(path).read();
}

/// The first line that says what is wrong.
static std::string findMessage(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return "";
  StringRef fallback;
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    if (line.contains("error:"))
      return line.trim().str();
    if (fallback.empty())
      fallback = line.trim();
  }
  return fallback.str();
}

TableResult fly::bench::runRow(const TableRow &row,
                               const TableRunOptions &options) {
  TableResult result;
  result.status = "error";
  llvm::SmallString<128> output, errors;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-bench", "json", output)) {
    result.message = "cannot make a temporary file: " + code.message();
    return result;
  }
  llvm::FileRemover removeOutput(output);
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("fly-bench", "txt", errors)) {
    result.message = "cannot make a temporary file: " + code.message();
    return result;
  }
  llvm::FileRemover removeErrors(errors);
  std::vector<StringRef> words = {options.program};
  std::string device = "--device=" + options.device;
  words.push_back(device);
  llvm::append_range(words, row.words);
  llvm::append_range(words, options.words);
  words.push_back("--timing");
  words.push_back("--no-what-if");
  words.push_back("--json");
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output),
                                          StringRef(errors)};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(options.program, words, std::nullopt,
                                       redirects, options.timeoutSeconds,
                                       /*MemoryLimit=*/0, &problem);
  if (code != 0 && code != 2) {
    result.message = code < 0 ? problem : findMessage(errors);
    if (result.message.empty())
      result.message = "fly-run exits with " + std::to_string(code);
    return result;
  }
  llvm::Expected<analysis::SimulationFile> file = analysis::readSimulationFile(
      output, [&](const analysis::SimulatedLaunch &launch) {
        addLaunch(result, launch);
        return llvm::Error::success();
      });
  if (llvm::Error error = file.takeError()) {
    result.message = llvm::toString(std::move(error));
    // A fault of the kernel prints no JSON.
    if (code == 2)
      result.message = findMessage(errors);
    return result;
  }
  result.status = code == 0 ? "ok" : "wrong";
  if (code == 2)
    result.message = "its results, guards or checks are wrong";
  return result;
}

/// A cell, in quotes where it holds what separates cells.
static void printCell(llvm::raw_ostream &os, StringRef text) {
  if (text.find_first_of(",\"\n\r") == StringRef::npos) {
    os << text;
    return;
  }
  os << '"';
  for (char character : text)
    os << (character == '"' ? "\"\"" : StringRef(&character, 1));
  os << '"';
}

void fly::bench::printHeader(llvm::raw_ostream &os, const Table &table) {
  for (const std::string &name : table.names) {
    printCell(os, name);
    os << ',';
  }
  os << llvm::join(llvm::ArrayRef(resultNames), ",") << '\n';
}

/// Prints one row, whose launch took \p microseconds.
static void printSample(llvm::raw_ostream &os, const TableRow &row,
                        const TableResult &result, StringRef device,
                        std::optional<double> microseconds) {
  for (const std::string &name : row.names) {
    printCell(os, name);
    os << ',';
  }
  // A dash where nothing is known: what is not measured is no zero.
  auto real = [&](const std::optional<double> &value) {
    if (value)
      os << llvm::format("%.6g,", *value);
    else
      os << "-,";
  };
  auto whole = [&](const std::optional<uint64_t> &value) {
    if (value)
      os << *value << ',';
    else
      os << "-,";
  };
  auto rate =
      [&](const std::optional<double> &amount) -> std::optional<double> {
    if (!amount || !microseconds || !(*microseconds > 0))
      return std::nullopt;
    return *amount / *microseconds / 1e6;
  };
  os << device << ',';
  real(microseconds);
  real(result.cycles);
  real(rate(row.flop));
  real(rate(row.bytes));
  real(result.mfmaUtil);
  real(result.hbmBytes);
  whole(result.wavesPerSimd);
  whole(result.vgpr);
  whole(result.agpr);
  whole(result.ldsBytes);
  os << result.status << '\n';
}

void fly::bench::printRow(llvm::raw_ostream &os, const TableRow &row,
                          const TableResult &result, StringRef device) {
  if (result.samples.empty())
    return printSample(os, row, result, device, result.microseconds);
  for (double sample : result.samples)
    printSample(os, row, result, device, sample);
}
