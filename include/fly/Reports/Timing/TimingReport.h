//===- TimingReport.h - what the timing model says, for people --*- C++ -*-===//
//
// One screen of text, and JSON with everything.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_TIMING_TIMINGREPORT_H
#define FLY_REPORTS_TIMING_TIMINGREPORT_H

#include "fly/Sim/Timing.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace fly::reports {

/// Cycles, where they go, which instructions wait most, what one resource less
/// would give.
void print(llvm::raw_ostream &os, const sim::TimingResult &timing);
llvm::json::Object toJSON(const sim::TimingResult &timing);

} // namespace fly::reports

#endif // FLY_REPORTS_TIMING_TIMINGREPORT_H
