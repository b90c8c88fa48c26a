//===- DispatchReaderTest.cpp - Dispatches and counters of tables
//-----------===//
#include "fly/Profile/DispatchReader.h"

#include "fly/Profile/ThreadTraceReader.h"

#include "DispatchRows.h"
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
