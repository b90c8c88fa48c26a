//===- WriteCsvTest.cpp - Dispatches as rocprofv3's CSVs have them --------===//
#include "fly/Profile/WriteCsv.h"

#include "gtest/gtest.h"

using namespace fly::profile;

namespace {

CountedDispatch small() {
  CountedDispatch each;
  each.dispatch.kernel = "say \"hi\", twice";
  each.dispatch.agent = "Agent 1";
  each.dispatch.id = 2;
  each.dispatch.startNs = 10;
  each.dispatch.endNs = 35;
  each.dispatch.resources.archVgprs = 64;
  each.dispatch.resources.accumVgprs = 32;
  each.dispatch.resources.sgprs = 48;
  each.dispatch.resources.ldsBytes = 1024;
  each.dispatch.resources.scratchBytes = 0;
  each.dispatch.resources.workgroup = {256, 2, 1};
  each.dispatch.resources.grid = {1024, 4, 1};
  each.counters = {{"SQ_WAVES", 64}, {"TCC_HIT_sum", 0.5}};
  return each;
}

template <typename Write>
std::string written(Write write, llvm::ArrayRef<CountedDispatch> dispatches) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  write(stream, dispatches);
  return text;
}

} // namespace

TEST(WriteCsv, KernelTraceHasARowForEachDispatch) {
  EXPECT_EQ(
      written(writeKernelTrace, {small(), small()}),
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\","
      "\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
      "\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
      "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\","
      "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
      "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
      "\"KERNEL_DISPATCH\",\"Agent 1\",1,0,1,2,1,\"say \"\"hi\"\", twice\",2,"
      "10,35,1024,0,64,32,48,256,2,1,1024,4,1\n"
      "\"KERNEL_DISPATCH\",\"Agent 1\",1,0,1,2,1,\"say \"\"hi\"\", twice\",2,"
      "10,35,1024,0,64,32,48,256,2,1,1024,4,1\n");
}

TEST(WriteCsv, CountersHaveARowForEachCounter) {
  std::string text = written(writeCounters, {small()});
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "2,2,\"Agent 1\",1,1,1,4096,1,\"say \"\"hi\"\", twice\",512,1024,0,"
            "64,32,48,\"SQ_WAVES\",64.000000,10,35\n"
            "2,2,\"Agent 1\",1,1,1,4096,1,\"say \"\"hi\"\", twice\",512,1024,0,"
            "64,32,48,\"TCC_HIT_sum\",0.500000,10,35\n");
}

TEST(WriteCsv, KernelsHaveNumbersByName) {
  CountedDispatch other = small();
  other.dispatch.kernel = "b";
  std::string text = written(writeKernelTrace, {small(), other, small()});
  EXPECT_NE(text.find(",2,1,\"say"), std::string::npos);
  EXPECT_NE(text.find(",2,2,\"b\","), std::string::npos);
}
