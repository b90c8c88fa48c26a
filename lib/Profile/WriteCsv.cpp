//===- WriteCsv.cpp - Dispatches as rocprofv3's CSVs have them ------------===//
//
// Kernels are numbered in the order in which they come first. Queue, stream,
// thread and process are of the host; dispatches that had none are all of the
// same.
//
//===----------------------------------------------------------------------===//
#include "fly/Profile/WriteCsv.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include "CsvField.h"

using namespace fly::profile;

/// Numbers of the kernels, from 1.
static llvm::StringMap<unsigned>
numberKernels(llvm::ArrayRef<CountedDispatch> dispatches) {
  llvm::StringMap<unsigned> numbers;
  for (const CountedDispatch &each : dispatches)
    numbers.try_emplace(each.dispatch.kernel, numbers.size() + 1);
  return numbers;
}

static uint64_t product(const std::array<uint64_t, 3> &extents) {
  return extents[0] * extents[1] * extents[2];
}

static std::array<uint64_t, 3>
extentsOf(const std::optional<std::array<uint64_t, 3>> &extents) {
  return extents.value_or(std::array<uint64_t, 3>{0, 0, 0});
}

/// "LDS, scratch, VGPRs, AGPRs, SGPRs"
static std::string resourceFields(const DispatchResources &resources) {
  return llvm::formatv(
      "{0},{1},{2},{3},{4}", resources.ldsBytes.value_or(0),
      resources.scratchBytes.value_or(0), resources.archVgprs.value_or(0),
      resources.accumVgprs.value_or(0), resources.sgprs.value_or(0));
}

static std::string extentFields(const std::array<uint64_t, 3> &extents) {
  return llvm::formatv("{0},{1},{2}", extents[0], extents[1], extents[2]);
}

static std::string timeFields(const Dispatch &dispatch) {
  return llvm::formatv("{0},{1}", dispatch.startNs.value_or(0),
                       dispatch.endNs.value_or(0));
}

static uint64_t idOf(const Dispatch &dispatch) {
  std::optional<uint64_t> id = dispatch.id;
  return id.value_or(0);
}

void fly::profile::writeKernelTrace(
    llvm::raw_ostream &os, llvm::ArrayRef<CountedDispatch> dispatches) {
  llvm::StringMap<unsigned> numbers = numberKernels(dispatches);
  os << "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\","
        "\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
        "\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
        "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\","
        "\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
        "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";
  for (const CountedDispatch &each : dispatches) {
    const Dispatch &dispatch = each.dispatch;
    os << llvm::formatv("{0},{1},1,0,1,{2},{3},{4},{2},{5},{6},{7},{8}\n",
                        quoted("KERNEL_DISPATCH"), quoted(dispatch.agent),
                        idOf(dispatch), numbers[dispatch.kernel],
                        quoted(dispatch.kernel), timeFields(dispatch),
                        resourceFields(dispatch.resources),
                        extentFields(extentsOf(dispatch.resources.workgroup)),
                        extentFields(extentsOf(dispatch.resources.grid)));
  }
}

void fly::profile::writeCounters(llvm::raw_ostream &os,
                                 llvm::ArrayRef<CountedDispatch> dispatches) {
  llvm::StringMap<unsigned> numbers = numberKernels(dispatches);
  os << "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\","
        "\"Process_Id\",\"Thread_Id\",\"Grid_Size\",\"Kernel_Id\","
        "\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\","
        "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\","
        "\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
        "\"End_Timestamp\"\n";
  for (const CountedDispatch &each : dispatches) {
    const Dispatch &dispatch = each.dispatch;
    for (const CounterValue &counter : each.counters)
      os << llvm::formatv(
          "{0},{0},{1},1,1,1,{2},{3},{4},{5},{6},{7},{8:f6},{9}\n",
          idOf(dispatch), quoted(dispatch.agent),
          product(extentsOf(dispatch.resources.grid)), numbers[dispatch.kernel],
          quoted(dispatch.kernel),
          product(extentsOf(dispatch.resources.workgroup)),
          resourceFields(dispatch.resources), quoted(counter.counter),
          counter.value, timeFields(dispatch));
  }
}
