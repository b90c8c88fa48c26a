//===- HtmlReport.h - Timed launches as one HTML file -----------*- C++ -*-===//
//
// What problem: a page of numbers does not show where time goes, and a viewer
// has to be installed first.
// What idea: one file that any browser shows, without a network: the data as
// JSON inside of it, and a script that draws them. What the page says is what
// `fly-run --timing --json` says.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_TIMING_HTMLREPORT_H
#define FLY_REPORTS_TIMING_HTMLREPORT_H

#include "fly/Reports/Timing/TraceView.h"

#include "llvm/Support/raw_ostream.h"

namespace fly::reports {

/// One launch of the page.
struct HtmlLaunch {
  TimedDispatch dispatch;
  /// Sources that instructions name; see profile::ThreadTrace::sources.
  std::vector<profile::TracedSource> sources;
};

/// Writes the page. Waves are drawn as far as the launches kept their events,
/// up to some hundred thousand.
void writeHtml(llvm::raw_ostream &os, llvm::ArrayRef<HtmlLaunch> launches);

} // namespace fly::reports

#endif // FLY_REPORTS_TIMING_HTMLREPORT_H
