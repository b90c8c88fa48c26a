//===- Hardware.cpp - the timing model against hardware -------------------===//
#include "fly/Bench/Hardware.h"

#include "fly/Arch/Assumptions.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

#include "HardwareRows.h"

using namespace fly;
using namespace fly::bench;

/// What "within 10 %" is.
static constexpr double tenth = 0.1;

double HardwareRow::error() const {
  if (model >= low && model <= high)
    return 0;
  double end = model < low ? low : high;
  return end == 0 ? std::abs(model) : (model - end) / end;
}

bool HardwareRow::isOff() const {
  switch (judgement) {
  case Judgement::Exact:
    return model != low;
  case Judgement::Tenth:
    return std::abs(error()) > tenth;
  case Judgement::Printed:
  case Judgement::Assumption:
    return false;
  }
  return false;
}

llvm::Expected<std::vector<HardwareRow>> fly::bench::measureHardwareRows() {
  Rows rows;
  for (auto add :
       {addConflictRows, addThroughputRows, addMemoryRows, addTraceRows})
    if (llvm::Error error = add(rows))
      return error;
  return rows;
}

/// "119", "3.9", "360 to 756"
static std::string publishedText(const HardwareRow &row) {
  auto text = [](double value) {
    return llvm::formatv(value == std::floor(value) ? "{0:f0}" : "{0:f1}",
                         value)
        .str();
  };
  std::string low = text(row.low);
  return row.low == row.high ? low : low + " to " + text(row.high);
}

static const char *verdictText(const HardwareRow &row) {
  if (row.isOff())
    return "OFF";
  if (row.isInput)
    return "put in";
  switch (row.judgement) {
  case Judgement::Exact:
    return "exact";
  case Judgement::Tenth:
    return "within 10 %";
  case Judgement::Printed:
    return "not judged";
  case Judgement::Assumption:
    return "assumption";
  }
  return "";
}

void fly::bench::print(llvm::raw_ostream &os,
                       llvm::ArrayRef<HardwareRow> rows) {
  std::string group;
  unsigned judged = 0, inputs = 0, off = 0;
  for (const HardwareRow &row : rows) {
    std::string heading = row.group + ", " + arch::ArchInfo::get(row.chip).name;
    if (heading != group) {
      os << (group.empty() ? "" : "\n") << heading << '\n';
      group = heading;
    }
    os << llvm::formatv("  {0,-46} {1,12} {2,8:f1} {3,-6} {4,6:f1} %  {5,-11}  "
                        "{6}\n",
                        row.what, publishedText(row), row.model, row.unit,
                        100 * row.error(), verdictText(row), row.source);
    judged += row.isJudged();
    inputs += row.isInput;
    off += row.isOff();
  }
  os << "\nassumptions: no public measurement, or none of this chip\n";
  for (const arch::Assumption &entry : arch::assumptions())
    os << llvm::formatv("  {0,-22} {1} {2}\n", entry.id,
                        arch::basisTag(entry.basis), entry.statement);
  os << llvm::formatv("\n{0} rows, {1} judged, {2} put in as published, {3} "
                      "off\n",
                      rows.size(), judged, inputs, off);
}

llvm::json::Value fly::bench::toJSON(llvm::ArrayRef<HardwareRow> rows) {
  llvm::json::Array array;
  for (const HardwareRow &row : rows)
    array.push_back(
        llvm::json::Object{{"chip", arch::ArchInfo::get(row.chip).name},
                           {"group", row.group},
                           {"what", row.what},
                           {"unit", row.unit},
                           {"low", row.low},
                           {"high", row.high},
                           {"model", row.model},
                           {"error", row.error()},
                           {"basis", arch::basisTag(row.basis)},
                           {"source", row.source},
                           {"verdict", verdictText(row)}});
  return array;
}
