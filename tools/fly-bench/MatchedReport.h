//===- MatchedReport.h - Reports on what --match chooses --------*- C++ -*-===//
//
// What subcommands share that compile kernels, time them on the model and print
// a table.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TOOLS_FLY_BENCH_MATCHEDREPORT_H
#define FLY_TOOLS_FLY_BENCH_MATCHEDREPORT_H

#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"

namespace fly::tools {

/// How one of them is called and described.
struct MatchedReport {
  llvm::StringRef name; ///< Of the subcommand.
  llvm::StringRef title;
  llvm::StringRef match; ///< What --match is compared with.
  llvm::StringRef overview;
};

/// Reads the command line, has \p measure make the results of what --match
/// chooses, prints them and exits as \p judge says of them.
template <typename Measure, typename Judge>
int runMatched(const MatchedReport &about, int argc, char **argv,
               Measure measure, Judge judge) {
  namespace cl = llvm::cl;
  const std::string options = ("fly-bench " + about.name + " options").str();
  cl::OptionCategory category(options);
  cl::opt<std::string> match("match", cl::desc(about.match),
                             cl::value_desc("text"), cl::cat(category));
  OutputOptions output("fly-bench", category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, about.overview);
  // Linking in this process, by lld, sets all options back.
  const std::string chosen = match;
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto results = measure(context, chosen);
  if (!results)
    return fail("fly-bench", llvm::toString(results.takeError()));
  Report report{about.title.str(), chosen.empty() ? "all" : chosen,
                toJSON(*results),
                [&](llvm::raw_ostream &os) { print(os, *results); }, nullptr};
  return wanted.emit(report, judge(*results));
}

} // namespace fly::tools

#endif // FLY_TOOLS_FLY_BENCH_MATCHEDREPORT_H
