//===- CodeFile.cpp - code.json of a thread trace -------------------------===//
//
// Rows of ten columns, in the order of its header, which may follow them; PC
// sampling adds further columns. A row whose text starts with ';' names a
// kernel, on the line before its first instruction.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/JsonStream.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>

#include "InputStream.h"
#include "TraceFiles.h"

using namespace fly::profile;
using llvm::StringRef;

const llvm::StringLiteral fly::profile::emptyTraceHint =
    "no wave of the kernel ran on the traced unit, or the buffer was too "
    "small: set att_target_cu, att_shader_engine_mask and att_buffer_size "
    "(fly-report capture-config writes them)";

llvm::Error TraceTotals::add(const TracedInstruction &instruction) {
  auto sum = [](uint64_t &total, uint64_t value,
                const char *column) -> llvm::Error {
    if (value <= UINT64_MAX - total) {
      total += value;
      return llvm::Error::success();
    }
    return llvm::createStringError(llvm::Twine("the sum of ") + column +
                                   " over the rows exceeds 2^64-1; no trace "
                                   "runs that long");
  };
  if (llvm::Error error = sum(hits, instruction.hits, "hits"))
    return error;
  if (llvm::Error error = sum(latency, instruction.latency, "latency"))
    return error;
  if (llvm::Error error = sum(stall, instruction.stall, "stall"))
    return error;
  return sum(idle, instruction.idle, "idle");
}

namespace {
constexpr StringRef columnNames[] = {
    "ISA",   "_",   "LineNumber", "Source", "Codeobj",
    "Vaddr", "Hit", "Latency",    "Stall",  "Idle"};
constexpr unsigned columnCount = std::size(columnNames);

class CodeVisitor : public JsonVisitor {
public:
  CodeVisitor(ThreadTrace &trace, const ThreadTraceOptions &options)
      : trace(trace), options(options) {}

  llvm::Error enter(const JsonPath &path, bool isList) override;
  llvm::Error leave(const JsonPath &path) override;
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override;

  /// What the whole file lacks.
  llvm::Error check() const;

private:
  llvm::Error setColumn(unsigned column, const JsonScalar &scalar);
  llvm::Error checkHeader(StringRef header) const;

  ThreadTrace &trace;
  const ThreadTraceOptions &options;
  TraceTotals totals;
  TracedInstruction row;
  unsigned columns = 0; ///< Of the row so far.
  bool hasCode = false;
  std::string keys; ///< Of the file, for messages.
  void noteKey(StringRef key) {
    if (keys.size() < 200)
      keys += (keys.empty() ? "'" : ", '") + key.str() + "'";
  }
  size_t textBytes = 0;
  static constexpr size_t maxTextBytes = size_t(1) << 28;
};
} // namespace

llvm::Error CodeVisitor::enter(const JsonPath &path, bool isList) {
  if (path.size() == 0)
    return isList ? expectedJson("an object with 'code'", isList)
                  : llvm::Error::success();
  if (path.size() == 1)
    noteKey(path.key(0));
  if (path.is({"code"})) {
    if (hasCode)
      return llvm::createStringError("stands twice in the file");
    hasCode = true;
    return isList ? llvm::Error::success()
                  : expectedJson("a list of rows", isList);
  }
  if (path.is({"code", "*"})) {
    row = TracedInstruction();
    columns = 0;
    return isList ? llvm::Error::success() : expectedJson("a row", isList);
  }
  if (path.is({"code", "*", "*"}) && path.index(2) < columnCount)
    return expectedJson(columnNames[path.index(2)], isList);
  return llvm::Error::success();
}

llvm::Error CodeVisitor::setColumn(unsigned column, const JsonScalar &scalar) {
  auto text = [&](std::string &field) -> llvm::Error {
    if (scalar.kind != JsonScalar::String)
      return expectedJson((columnNames[column] + ", a string").str(), scalar);
    field = scalar.text.str();
    return llvm::Error::success();
  };
  auto number = [&](auto &field) -> llvm::Error {
    using Field = std::remove_reference_t<decltype(field)>;
    llvm::Expected<uint64_t> value = unsignedOf(
        scalar, columnNames[column], std::numeric_limits<Field>::max());
    if (!value)
      return value.takeError();
    field = Field(*value);
    return llvm::Error::success();
  };
  switch (column) {
  case 0:
    return text(row.text);
  case 2:
    return number(row.line);
  case 3:
    return text(row.source);
  case 4:
    return number(row.codeObject);
  case 5:
    return number(row.address);
  case 6:
    return number(row.hits);
  case 7:
    return number(row.latency);
  case 8:
    return number(row.stall);
  case 9:
    return number(row.idle);
  default: // A placeholder, and what PC sampling adds.
    return llvm::Error::success();
  }
}

llvm::Error CodeVisitor::value(const JsonPath &path, const JsonScalar &scalar) {
  if (path.size() == 0)
    return expectedJson("an object with 'code'", scalar);
  if (path.size() == 1)
    noteKey(path.key(0));
  if (path.is({"code"})) {
    if (scalar.kind == JsonScalar::Null)
      return llvm::createStringError("is null, so the trace has no "
                                     "instructions: " +
                                     emptyTraceHint);
    return expectedJson("a list of rows", scalar);
  }
  if (path.is({"code", "*"}))
    return expectedJson("a row", scalar);
  if (path.is({"code", "*", "*"})) {
    ++columns;
    return setColumn(unsigned(path.index(2)), scalar);
  }
  // Only the simulator names itself; its version is that of the format.
  if (path.is({"writer"}) && scalar.kind == JsonScalar::String)
    trace.writer = scalar.text.str();
  if (path.is({"version"}) && scalar.kind == JsonScalar::String &&
      trace.writer.empty())
    trace.writer = "rocprofv3 " + scalar.text.str();
  if (path.is({"header"}) && scalar.kind == JsonScalar::String)
    return checkHeader(scalar.text);
  return llvm::Error::success();
}

llvm::Error CodeVisitor::checkHeader(StringRef header) const {
  llvm::SmallVector<StringRef> names;
  header.split(names, ',');
  for (auto [index, expected] : llvm::enumerate(columnNames)) {
    StringRef found = index < names.size() ? names[index].trim() : "nothing";
    if (found != expected)
      return llvm::createStringError(
          "expected the column '" + expected + "' at position " +
          llvm::Twine(index) + ", found '" + found + "' in '" + header + "'");
  }
  return llvm::Error::success();
}

llvm::Error CodeVisitor::leave(const JsonPath &path) {
  if (!path.is({"code", "*"}))
    return llvm::Error::success();
  if (columns < columnCount) {
    std::string missing;
    for (StringRef name : llvm::ArrayRef(columnNames).drop_front(columns))
      missing += (missing.empty() ? "" : ", ") + name.str();
    return llvm::createStringError(
        "has " + llvm::Twine(columns) + " columns, expected " +
        llvm::Twine(columnCount) + "; without " + missing);
  }
  if (row.isComment())
    trace.kernels.push_back(StringRef(row.text).drop_front().trim().str());
  else if (llvm::Error error = totals.add(row))
    return error;
  if (trace.instructions.size() == options.maxInstructions)
    return llvm::createStringError("more than " +
                                   llvm::Twine(options.maxInstructions) +
                                   " instructions, expected no kernel to have");
  textBytes += row.text.size() + row.source.size();
  if (textBytes > maxTextBytes)
    return llvm::createStringError(
        "more than " + llvm::Twine(maxTextBytes) +
        " bytes of text, expected no kernel to have");
  trace.instructions.push_back(std::move(row));
  return llvm::Error::success();
}

llvm::Error CodeVisitor::check() const {
  if (!hasCode)
    return llvm::createStringError("no 'code'; found: " +
                                   (keys.empty() ? "nothing" : keys));
  if (llvm::all_of(trace.instructions,
                   [](const TracedInstruction &i) { return i.isComment(); }))
    return llvm::createStringError("'code' holds no instruction: " +
                                   emptyTraceHint);
  return llvm::Error::success();
}

llvm::Error fly::profile::readCodeFile(StringRef path, ThreadTrace &trace,
                                       const ThreadTraceOptions &options) {
  CodeVisitor visitor(trace, options);
  if (llvm::Error error = readJson(path, visitor))
    return error;
  if (llvm::Error error = visitor.check())
    return fileError(path, llvm::toString(std::move(error)));
  // A kernel's row has the line before its first instruction, which the last
  // one of another kernel may have too: equal lines keep their order.
  std::vector<std::pair<uint32_t, size_t>> order;
  for (auto [position, instruction] : llvm::enumerate(trace.instructions))
    order.emplace_back(instruction.line, position);
  if (!llvm::is_sorted(order)) {
    llvm::sort(order);
    std::vector<TracedInstruction> sorted;
    for (auto [line, position] : order)
      sorted.push_back(std::move(trace.instructions[position]));
    trace.instructions = std::move(sorted);
  }
  return llvm::Error::success();
}
