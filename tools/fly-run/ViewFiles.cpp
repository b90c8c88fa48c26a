//===- ViewFiles.cpp - Files that show a timed launch ---------------------===//
#include "ViewFiles.h"

#include "fly/Profile/WriteCsv.h"
#include "fly/Profile/WriteThreadTrace.h"
#include "fly/Reports/Timing/HtmlReport.h"
#include "fly/Support/OutputFile.h"

#include <set>
#include <tuple>

#include "Complaint.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using profile::TracedSource;
using reports::TimedDispatch;

/// The launches that were timed, as dispatches one after the other.
static std::vector<TimedDispatch> dispatchesOf(const LoadedKernel &kernel,
                                               const isa::Program &program) {
  std::vector<TimedDispatch> dispatches;
  uint64_t time = 0;
  for (const auto &[index, record] : llvm::enumerate(kernel.launches())) {
    if (!record.result || !record.result->timing)
      continue;
    TimedDispatch dispatch;
    dispatch.timing = record.result->timing.get();
    dispatch.program = &program;
    dispatch.kernel = kernel.codeObject()->findKernel(record.kernel);
    dispatch.workgroups = record.size.workgroups;
    dispatch.workgroupSize = record.size.workgroupSize;
    dispatch.dynamicLdsBytes = record.size.dynamicLdsBytes;
    dispatch.id = index + 1;
    dispatch.startNs = time;
    time = dispatch.endNs();
    dispatches.push_back(dispatch);
  }
  return dispatches;
}

/// Sources that the launch's instructions name, in the order of their names.
static std::vector<TracedSource> sourcesOf(const LoadedKernel &kernel,
                                           const TimedDispatch &dispatch) {
  std::set<std::string> names;
  for (const sim::InstructionTiming &row : dispatch.timing->instructions)
    if (row.hits && !row.source.empty())
      names.insert(StringRef(row.source).rsplit(':').first.str());
  std::vector<TracedSource> sources;
  for (const std::string &name : names) {
    std::string text = kernel.sourceText(name);
    if (!text.empty())
      sources.push_back({name, std::move(text)});
  }
  return sources;
}

static LogicalResult
write(const RunRequest &request, StringRef option, const std::string &path,
      llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (path.empty())
    return success();
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  if (llvm::Error error = writeOutputFile(path, text))
    return complain(request, "--" + option + "=" + path + ": " +
                                 llvm::toString(std::move(error)));
  return success();
}

LogicalResult fly::tools::writeViews(const LoadedKernel &kernel,
                                     const RunRequest &request) {
  const ViewFiles &files = request.views;
  if (!files.any() || !kernel.codeObject())
    return success();
  auto program = isa::Program::decode(*kernel.codeObject());
  if (!program)
    return complain(request, program.takeError());
  std::vector<TimedDispatch> dispatches = dispatchesOf(kernel, **program);
  if (dispatches.empty())
    return complain(request, "an empty grid was launched: there is nothing to "
                             "write views of");
  std::vector<profile::CountedDispatch> counted;
  std::vector<profile::ThreadTrace> traces;
  std::vector<reports::HtmlLaunch> pages;
  // A program may launch a kernel thousands of times; of those in one size the
  // first one shows what all do.
  std::set<std::tuple<const isa::Kernel *, std::array<uint32_t, 3>, uint32_t>>
      shown;
  for (const TimedDispatch &dispatch : dispatches) {
    counted.push_back(reports::toCountedDispatch(dispatch));
    if (!files.needEvents() ||
        !shown
             .insert({dispatch.kernel, dispatch.workgroups,
                      dispatch.dynamicLdsBytes})
             .second)
      continue;
    pages.push_back({dispatch, sourcesOf(kernel, dispatch)});
    if (files.threadTrace.empty() && files.perfetto.empty())
      continue;
    traces.push_back(reports::toThreadTrace(dispatch));
    traces.back().sources = pages.back().sources;
  }
  if (!files.threadTrace.empty())
    for (const profile::ThreadTrace &trace : traces)
      if (llvm::Error error =
              profile::writeThreadTrace(trace, files.threadTrace))
        return complain(request, "--att=" + files.threadTrace + ": " +
                                     llvm::toString(std::move(error)));
  return success(
      succeeded(write(request, "kernel-trace", files.kernelTrace,
                      [&](llvm::raw_ostream &os) {
                        profile::writeKernelTrace(os, counted);
                      })) &&
      succeeded(write(request, "counters", files.counters,
                      [&](llvm::raw_ostream &os) {
                        profile::writeCounters(os, counted);
                      })) &&
      succeeded(write(request, "perfetto", files.perfetto,
                      [&](llvm::raw_ostream &os) {
                        profile::writePerfetto(os, traces);
                      })) &&
      succeeded(write(request, "html", files.html, [&](llvm::raw_ostream &os) {
        reports::writeHtml(os, pages);
      })));
}
