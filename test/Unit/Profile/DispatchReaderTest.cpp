//===- DispatchReaderTest.cpp - Dispatches, counters, databases -----------===//
#include "fly/Profile/DispatchReader.h"

#include "fly/Profile/ThreadTraceReader.h"

#include <sqlite3.h>

#include "DatabaseText.h"
#include "ScratchFolder.h"
#include "gtest/gtest.h"

using namespace fly::profile;
using llvm::StringRef;

namespace {
constexpr char traceText[] =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\","
    "\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
    "\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
    "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\","
    "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
    "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
    "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,77,3,9,\"gemm\",3,1000,5000,65536,0,"
    "124,128,96,256,1,1,65536,2,1\n";

constexpr DispatchNeeds everything = [] {
  DispatchNeeds needs;
  needs.times = needs.registers = needs.shape = true;
  return needs;
}();

struct Dispatches {
  std::vector<Dispatch> rows;
  std::string error;
};
Dispatches read(const std::string &path,
                const DispatchNeeds &needs = everything) {
  Dispatches result;
  result.error =
      message(forEachDispatch(path, needs, [&](const Dispatch &dispatch) {
        result.rows.push_back(dispatch);
        return llvm::Error::success();
      }));
  return result;
}

struct Counters {
  std::vector<std::pair<uint64_t, CounterValue>> rows;
  std::string error;
};
Counters readCounterFile(const std::string &path) {
  Counters result;
  result.error = message(forEachCounter(
      path, [&](const Dispatch &dispatch, const CounterValue &value) {
        result.rows.emplace_back(*dispatch.id, value);
        return llvm::Error::success();
      }));
  return result;
}
} // namespace

TEST(DispatchReader, ReadsKernelTraces) {
  ScratchFolder scratch;
  Dispatches result = read(scratch.write("k.csv", traceText));
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.rows.size(), 1u);
  const Dispatch &row = result.rows.front();
  EXPECT_EQ(row.kernel, "gemm");
  EXPECT_EQ(row.agent, "Agent 4");
  EXPECT_EQ(row.id, 3u);
  EXPECT_EQ(*row.endNs - *row.startNs, 4000u);
  EXPECT_EQ(row.resources.archVgprs, 124u);
  EXPECT_EQ(row.resources.accumVgprs, 128u);
  EXPECT_EQ(row.resources.ldsBytes, 65536u);
  EXPECT_EQ((*row.resources.grid)[1], 2u);
}

TEST(DispatchReader, AsksOnlyForWhatItsReaderNeeds) {
  ScratchFolder scratch;
  std::string path =
      scratch.write("k.csv", "Kernel_Name,Start_Timestamp,End_Timestamp\n"
                             "a,1,2\n");
  DispatchNeeds times;
  times.times = true;
  Dispatches result = read(path, times);
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_FALSE(result.rows[0].resources.archVgprs);
  EXPECT_FALSE(result.rows[0].id);
  EXPECT_TRUE(contains(read(path).error,
                       "no column VGPR_Count, Accum_VGPR_Count, SGPR_Count, "
                       "LDS_Block_Size, Workgroup_Size_X"));
  EXPECT_TRUE(contains(
      read(scratch.write("e.csv", "Kernel_Name,Start_Timestamp,End_Timestamp\n"
                                  "a,5,2\n"),
           times)
          .error,
      "line 2, column 'End_Timestamp': the dispatch ends at 2, "
      "before it starts at 5"));
  EXPECT_TRUE(
      contains(read(scratch.write(
                        "h.csv", "Kernel_Name,Start_Timestamp,End_Timestamp\n"),
                    times)
                   .error,
               "has a header and no row; no kernel was dispatched"));
}

TEST(DispatchReader, ReadsCountersInLongForm) {
  ScratchFolder scratch;
  Counters result = readCounterFile(scratch.write(
      "c.csv", "Dispatch_Id,Kernel_Name,Counter_Name,Counter_Value\n"
               "1,\"a\",\"TCC_HIT_sum\",90.000000\n"
               "1,\"a\",\"TCC_MISS_sum\",1e1\n"));
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0].second.counter, "TCC_HIT_sum");
  EXPECT_EQ(result.rows[1].second.value, 10.0);
  EXPECT_TRUE(contains(readCounterFile(scratch.write("k.csv", traceText)).error,
                       "is a kernel trace, expected a counter collection"));
}

TEST(DispatchReader, ReadsKernelStatistics) {
  ScratchFolder scratch;
  std::vector<KernelTotals> rows;
  auto keep = [&](const KernelTotals &totals) {
    rows.push_back(totals);
    return llvm::Error::success();
  };
  EXPECT_EQ(
      message(readKernelStats(
          scratch.write("s.csv", "\"Name\",\"Calls\",\"TotalDurationNs\","
                                 "\"AverageNs\",\"Percentage\",\"MinNs\","
                                 "\"MaxNs\",\"StdDev\"\n"
                                 "\"a\",4,4000,1000.0,80.0,900,1100,1e-3\n"),
          keep)),
      "");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 4u);
  EXPECT_EQ(rows[0].averageNs, 1000.0);
  EXPECT_TRUE(contains(
      message(readKernelStats(
          scratch.write("n.csv", "Name,Calls,TotalDurationNs\na,1,-1\n"),
          keep)),
      "column 'TotalDurationNs': is negative"));
}

TEST(DispatchReader, ReadsStatisticsOfThreadTraces) {
  ScratchFolder scratch;
  llvm::Expected<ThreadTrace> trace = readThreadTraceStats(scratch.write(
      "stats.csv",
      "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"
      "1,64,\"; gemm\",0,0,0,0,\"\"\n"
      "1,64,\"v_add_f32_e32 v0, v1, v2\",8,40,8,0,\"k.mlir:3\"\n"));
  ASSERT_TRUE(bool(trace)) << message(trace.takeError());
  EXPECT_EQ(trace->kernels, std::vector<std::string>{"gemm"});
  ASSERT_EQ(trace->instructions.size(), 2u);
  EXPECT_EQ(trace->instructions[1].stall, 8u);
  EXPECT_EQ(trace->instructions[1].line, 2u);
}

TEST(DispatchReader, TellsFilesByWhatTheyHold) {
  ScratchFolder scratch;
  auto kind = [&](StringRef text) {
    auto result = identifyProfile(scratch.write("f", text));
    return result ? name(*result).str() : message(result.takeError());
  };
  EXPECT_EQ(kind(traceText), "a kernel trace");
  EXPECT_EQ(kind("Kernel_Name,Counter_Name\n"), "a counter collection");
  EXPECT_EQ(kind("Name,Calls\n"), "kernel statistics");
  EXPECT_EQ(kind("Instruction,Stall\n"), "the statistics of a thread trace");
  EXPECT_TRUE(contains(kind("a,b\n"), "is no CSV of rocprofv3"));
  EXPECT_TRUE(contains(kind(StringRef("a\0b", 3)), "is neither text nor"));
  EXPECT_TRUE(contains(kind(""), "is empty"));
  std::string inner = scratch.path("ui_output_agent_1_dispatch_1");
  ASSERT_FALSE(llvm::sys::fs::create_directory(inner));
  EXPECT_TRUE(contains(message(identifyProfile(scratch.path()).takeError()),
                       "holds no code.json; expected"));
  scratch.write("ui_output_agent_1_dispatch_1/code.json", "{}");
  EXPECT_TRUE(contains(message(identifyProfile(scratch.path()).takeError()),
                       "does; name that folder"));
  EXPECT_EQ(*identifyProfile(inner), ProfileKind::ThreadTrace);
}

//===----------------------------------------------------------------------===//
// rocpd databases
//===----------------------------------------------------------------------===//

TEST(DispatchReader, ReadsDatabasesByViewsAndByTables) {
  for (const std::string &sql :
       {databaseText("_00001"), databaseText("_00001", /*views=*/false),
        databaseText("")}) {
    ScratchFolder scratch;
    std::string path = makeDatabase(scratch, sql);
    Dispatches result = read(path);
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(result.rows.size(), 1u);
    const Dispatch &row = result.rows.front();
    EXPECT_EQ(row.kernel, "gemm");
    EXPECT_EQ(row.chip, "gfx942");
    EXPECT_EQ(row.id, 3u);
    EXPECT_EQ(row.resources.accumVgprs, 128u);
    EXPECT_EQ(row.resources.sgprs, 96u);
    EXPECT_EQ((*row.resources.workgroup)[0], 256u);
    Counters counters = readCounterFile(path);
    EXPECT_EQ(counters.error, "");
    ASSERT_EQ(counters.rows.size(), 2u);
    EXPECT_EQ(counters.rows[1].second.value, 50.0);
  }
}

TEST(DispatchReader, NamesWhatADatabaseLacks) {
  ScratchFolder scratch;
  auto errorAfter = [&](const std::string &change) {
    return read(makeDatabase(scratch, databaseText("") + change)).error;
  };
  EXPECT_TRUE(contains(errorAfter("DROP TABLE rocpd_info_kernel_symbol;"),
                       "no table rocpd_info_kernel_symbol"));
  EXPECT_TRUE(
      contains(errorAfter("ALTER TABLE rocpd_kernel_dispatch RENAME COLUMN "
                          "kernel_id TO kernel_symbol_id;"),
               "the table rocpd_kernel_dispatch has no column "
               "kernel_id; found: id, guid, agent_id, "
               "kernel_symbol_id"));
  EXPECT_TRUE(contains(errorAfter("UPDATE rocpd_metadata SET value = '4.1';"),
                       "schema version '4.1', expected 3"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET kernel_id = 6;"),
               "row 1 of rocpd_kernel_dispatch, column 'kernel_id': "
               "no row of rocpd_info_kernel_symbol has the id 6"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET start = 'soon';"),
               "column 'start': expected a whole number from 0, found "
               "the text 'soon'"));
  EXPECT_TRUE(contains(
      errorAfter("UPDATE rocpd_kernel_dispatch SET start = -4;"), "found -4"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET \"end\" = NULL;"),
               "column 'end': is NULL, expected a number"));
  EXPECT_TRUE(
      contains(errorAfter("UPDATE rocpd_kernel_dispatch SET \"end\" = 10;"),
               "the dispatch ends at 10, before it starts at 1000"));
  EXPECT_TRUE(contains(
      errorAfter("UPDATE rocpd_info_kernel_symbol SET sgpr_count = 1.5;"),
      "column 'sgpr_count': expected a whole number"));
  EXPECT_TRUE(contains(errorAfter("DELETE FROM rocpd_kernel_dispatch;"),
                       "holds no dispatch"));
  EXPECT_TRUE(contains(
      readCounterFile(makeDatabase(scratch, databaseText("") +
                                                "UPDATE rocpd_pmc_event SET "
                                                "value = 'x' WHERE id = 2;"))
          .error,
      "row 2 of rocpd_pmc_event, column 'value': expected a "
      "finite number, found the text 'x'"));
  EXPECT_TRUE(contains(
      readCounterFile(makeDatabase(scratch, databaseText("") +
                                                "DELETE FROM rocpd_pmc_event;"))
          .error,
      "holds no counter of a dispatch"));
}

TEST(DispatchReader, RefusesDatabasesThatCanNotBeRead) {
  ScratchFolder scratch;
  std::string path = makeDatabase(scratch, databaseText(""));
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  std::string bytes = (*file)->getBuffer().str();

  EXPECT_TRUE(contains(
      read(scratch.write("cut.db", StringRef(bytes).take_front(5000))).error,
      "cut.db'"));
  EXPECT_TRUE(
      contains(message(readDatabaseDispatches(
                   scratch.write("n.db", std::string(5000, 'x')), {},
                   [](const Dispatch &) { return llvm::Error::success(); })),
               "is no SQLite database"));
  EXPECT_TRUE(
      contains(message(readDatabaseDispatches(
                   scratch.path("none.db"), {},
                   [](const Dispatch &) { return llvm::Error::success(); })),
               "does not exist"));

  sqlite3 *writer = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_TRUE(
      contains(read(path).error, "is locked by a program that writes it"));
  sqlite3_close(writer);
}
