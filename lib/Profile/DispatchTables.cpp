//===- DispatchTables.cpp - CSVs of dispatches, counters, kernels ---------===//
//
// Which columns rocprofv3's CSVs have, and what they mean. Columns that no
// reader needs may be missing; a cell may then be empty, never wrong.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/CsvTable.h"
#include "fly/Profile/DispatchReader.h"
#include "fly/Profile/ThreadTraceReader.h"

#include "llvm/ADT/SmallVector.h"

#include "TraceFiles.h"

using namespace fly::profile;
using llvm::StringRef;

/// Reads a cell into a field that may stay empty, or into one that must not.
static llvm::Error read(const CsvRow &row, unsigned column,
                        std::optional<uint64_t> &field) {
  auto value = row.number(column);
  if (!value)
    return value.takeError();
  field = *value;
  return llvm::Error::success();
}
static llvm::Error read(const CsvRow &row, unsigned column,
                        std::optional<double> &field) {
  auto value = row.real(column);
  if (!value)
    return value.takeError();
  field = *value;
  return llvm::Error::success();
}
template <typename Number>
static llvm::Error readRequired(const CsvRow &row, unsigned column,
                                Number &field) {
  std::optional<Number> value;
  if (llvm::Error error = read(row, column, value))
    return error;
  field = *value; // Required cells are not empty.
  return llvm::Error::success();
}

/// Three columns; a point in space is there whole or not at all.
static llvm::Error read(const CsvRow &row, unsigned column,
                        std::optional<std::array<uint64_t, 3>> &field) {
  std::array<std::optional<uint64_t>, 3> values;
  for (unsigned i = 0; i < 3; ++i)
    if (llvm::Error error = read(row, column + i, values[i]))
      return error;
  if (values[0] && values[1] && values[2])
    field = {*values[0], *values[1], *values[2]};
  return llvm::Error::success();
}

/// The columns that traces and counters share, in the order in which
/// readDispatch finds them; each table has its own behind them.
enum {
  Kernel,
  Agent,
  Process,
  Id,
  Start,
  End,
  Arch,
  Accum,
  Sgpr,
  Lds,
  Scratch,
  firstOwnColumn
};

static llvm::SmallVector<CsvColumn> dispatchColumns(const DispatchNeeds &needs,
                                                    bool needsId) {
  return {{"Kernel_Name", true},
          {"Agent_Id", false},
          {"Process_Id", false},
          {"Dispatch_Id", needsId},
          {"Start_Timestamp", needs.times},
          {"End_Timestamp", needs.times},
          {"VGPR_Count", needs.registers},
          {"Accum_VGPR_Count", needs.registers},
          {"SGPR_Count", needs.registers},
          {"LDS_Block_Size", needs.shape},
          {"Scratch_Size", false}};
}

static llvm::Error readDispatch(const CsvRow &row, Dispatch &dispatch) {
  dispatch.kernel = row.text(Kernel).str();
  dispatch.agent = row.text(Agent).str();
  dispatch.process = row.text(Process).str();
  DispatchResources &held = dispatch.resources;
  std::pair<unsigned, std::optional<uint64_t> *> numbers[] = {
      {Id, &dispatch.id},        {Start, &dispatch.startNs},
      {End, &dispatch.endNs},    {Arch, &held.archVgprs},
      {Accum, &held.accumVgprs}, {Sgpr, &held.sgprs},
      {Lds, &held.ldsBytes},     {Scratch, &held.scratchBytes},
  };
  for (auto [column, field] : numbers)
    if (llvm::Error error = read(row, column, *field))
      return error;
  if (dispatch.startNs && dispatch.endNs && *dispatch.endNs < *dispatch.startNs)
    return row.error(
        End, "the dispatch ends at " + llvm::Twine(*dispatch.endNs) +
                 ", before it starts at " + llvm::Twine(*dispatch.startNs));
  return llvm::Error::success();
}

llvm::Error fly::profile::readKernelTrace(StringRef csv,
                                          const DispatchNeeds &needs,
                                          DispatchCallback callback) {
  enum { Workgroup = firstOwnColumn, Grid = Workgroup + 3 };
  llvm::SmallVector<CsvColumn> columns =
      dispatchColumns(needs, /*needsId=*/false);
  for (StringRef name :
       {"Workgroup_Size_X", "Workgroup_Size_Y", "Workgroup_Size_Z",
        "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z"})
    columns.push_back({name, needs.shape});
  return readCsvTable(
      csv, columns,
      "no kernel was dispatched while rocprofv3 recorded: run it with "
      "--kernel-trace on a program that launches kernels",
      [&](const CsvRow &row) -> llvm::Error {
        Dispatch dispatch;
        if (llvm::Error error = readDispatch(row, dispatch))
          return error;
        if (llvm::Error error =
                read(row, Workgroup, dispatch.resources.workgroup))
          return error;
        if (llvm::Error error = read(row, Grid, dispatch.resources.grid))
          return error;
        return callback(dispatch);
      });
}

llvm::Error fly::profile::readCounters(StringRef csv,
                                       CounterCallback callback) {
  enum { Name = firstOwnColumn, Value };
  llvm::SmallVector<CsvColumn> columns =
      dispatchColumns(DispatchNeeds(), /*needsId=*/true);
  columns.push_back({"Counter_Name", true});
  columns.push_back({"Counter_Value", true});
  return readCsvTable(
      csv, columns,
      "no counter was read: name some with --pmc, or in the input file that "
      "fly-report capture-config writes",
      [&](const CsvRow &row) -> llvm::Error {
        Dispatch dispatch;
        if (llvm::Error error = readDispatch(row, dispatch))
          return error;
        CounterValue counter;
        counter.counter = row.text(Name).str();
        if (llvm::Error error = readRequired(row, Value, counter.value))
          return error;
        return callback(dispatch, counter);
      });
}

llvm::Error fly::profile::readKernelStats(
    StringRef csv,
    llvm::function_ref<llvm::Error(const KernelTotals &)> callback) {
  enum { Name, Calls, Total, Average, Percentage, Min, Max, StdDev };
  static constexpr CsvColumn columns[] = {
      {"Name", true},       {"Calls", true},       {"TotalDurationNs", true},
      {"AverageNs", false}, {"Percentage", false}, {"MinNs", false},
      {"MaxNs", false},     {"StdDev", false},
  };
  return readCsvTable(
      csv, columns,
      "no kernel was dispatched while rocprofv3 recorded: run it with --stats "
      "--kernel-trace",
      [&](const CsvRow &row) -> llvm::Error {
        KernelTotals totals;
        totals.kernel = row.text(Name).str();
        if (llvm::Error error = readRequired(row, Calls, totals.calls))
          return error;
        if (llvm::Error error = readRequired(row, Total, totals.totalNs))
          return error;
        std::pair<unsigned, std::optional<double> *> numbers[] = {
            {Average, &totals.averageNs}, {Percentage, &totals.percentage},
            {Min, &totals.minNs},         {Max, &totals.maxNs},
            {StdDev, &totals.stdDevNs},
        };
        for (auto [column, field] : numbers)
          if (llvm::Error error = read(row, column, *field))
            return error;
        if (totals.totalNs < 0)
          return row.error(Total, "is negative");
        return callback(totals);
      });
}

llvm::Expected<ThreadTrace>
fly::profile::readThreadTraceStats(StringRef csv,
                                   const ThreadTraceOptions &options) {
  enum { Object, Address, Text, Hits, Latency, Stall, Idle, Source };
  static constexpr CsvColumn columns[] = {
      {"CodeObj", false}, {"Vaddr", false},  {"Instruction", true},
      {"Hitcount", true}, {"Latency", true}, {"Stall", true},
      {"Idle", false},    {"Source", false},
  };
  ThreadTrace trace;
  TraceTotals totals;
  llvm::Error error = readCsvTable(
      csv, columns, emptyTraceHint, [&](const CsvRow &row) -> llvm::Error {
        TracedInstruction instruction;
        instruction.text = row.text(Text).str();
        instruction.source = row.text(Source).str();
        instruction.line = uint32_t(trace.instructions.size() + 1);
        std::optional<uint64_t> object, idle, address;
        std::pair<unsigned, std::optional<uint64_t> *> optionals[] = {
            {Object, &object}, {Address, &address}, {Idle, &idle}};
        for (auto [column, field] : optionals)
          if (llvm::Error error = read(row, column, *field))
            return error;
        if (object && *object > UINT32_MAX)
          return row.error(Object, "expected the number of a code object, "
                                   "found " +
                                       llvm::Twine(*object));
        instruction.codeObject = uint32_t(object.value_or(0));
        instruction.address = address.value_or(0);
        instruction.idle = idle.value_or(0);
        std::pair<unsigned, uint64_t *> numbers[] = {
            {Hits, &instruction.hits},
            {Latency, &instruction.latency},
            {Stall, &instruction.stall}};
        for (auto [column, field] : numbers)
          if (llvm::Error error = readRequired(row, column, *field))
            return error;
        if (instruction.isComment())
          trace.kernels.push_back(
              StringRef(instruction.text).drop_front().trim().str());
        else if (llvm::Error error = totals.add(instruction))
          return row.error(Text, llvm::toString(std::move(error)));
        if (trace.instructions.size() == options.maxInstructions)
          return row.error(Text, "more than " +
                                     llvm::Twine(options.maxInstructions) +
                                     " instructions");
        trace.instructions.push_back(std::move(instruction));
        return llvm::Error::success();
      });
  if (error)
    return std::move(error);
  return trace;
}
