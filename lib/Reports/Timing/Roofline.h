//===- Roofline.h - Work and traffic of a timed launch ----------*- C++ -*-===//
//
// What a launch computed and moved, beside what the machine could: floating
// point (or integer) operations of the executed instructions, bytes of memory,
// and the peaks of the product, each with where it comes from.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REPORTS_TIMING_ROOFLINE_H
#define FLY_LIB_REPORTS_TIMING_ROOFLINE_H

#include "fly/Reports/Timing/TraceView.h"

#include "llvm/Support/JSON.h"

namespace fly::reports {

/// Operations and bytes of the whole launch, and the roofs over it.
llvm::json::Object rooflineJSON(const TimedDispatch &dispatch);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_TIMING_ROOFLINE_H
