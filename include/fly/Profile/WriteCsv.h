//===- WriteCsv.h - Dispatches as rocprofv3's CSVs have them ----*- C++ -*-===//
//
// The tables that scripts around rocprofv3 read: kernel_trace, with a row for
// each dispatch, and counter_collection, with a row for each counter of each.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_WRITECSV_H
#define FLY_PROFILE_WRITECSV_H

#include "fly/Profile/Dispatch.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace fly::profile {

/// A dispatch and its counters.
struct CountedDispatch {
  Dispatch dispatch;
  std::vector<CounterValue> counters;
};

/// Columns and quotes of rocprofv3's `*_kernel_trace.csv`. What a dispatch does
/// not say is 0, as there.
void writeKernelTrace(llvm::raw_ostream &os,
                      llvm::ArrayRef<CountedDispatch> dispatches);
/// Those of its `*_counter_collection.csv`.
void writeCounters(llvm::raw_ostream &os,
                   llvm::ArrayRef<CountedDispatch> dispatches);

} // namespace fly::profile

#endif // FLY_PROFILE_WRITECSV_H
