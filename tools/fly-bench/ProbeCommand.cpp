//===- ProbeCommand.cpp - fly-bench probe ---------------------------------===//
//
// Runs the experiments that settle the ledger's assumptions.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Assumptions.h"
#include "fly/Bench/Probe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;

/// A line for each assumption that has a probe: its id and the tests that rest
/// on it.
static void printList(llvm::StringRef match) {
  for (const std::string &id : bench::probedAssumptions())
    if (llvm::StringRef(id).contains(match))
      llvm::outs() << id << ": " << arch::testsOf(*arch::lookupAssumption(id))
                   << '\n';
}

int fly::tools::benchProbe(int argc, char **argv) {
  cl::OptionCategory category("fly-bench probe options");
  cl::opt<std::string> match(
      "match", cl::value_desc("text"),
      cl::desc("Only assumptions whose id contains this"), cl::cat(category));
  cl::opt<std::string> device("device", cl::init("sim"), cl::value_desc("sim"),
                              cl::desc("Where the kernels run"),
                              cl::cat(category));
  OutputOptions output("fly-bench", category);
  cl::opt<bool> list("list",
                     cl::desc("Only list the assumptions that have a probe, "
                              "and the tests that rest on each"),
                     cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs the kernels that settle the assumptions behind the model, and "
      "prints what\neach assumption predicts beside what is measured. Exit: 0 "
      "if all agree, 2 otherwise\n\n"
      "  fly-bench probe\n"
      "  fly-bench probe --match=LDS- --json=probes.json\n");
  // Linking in this process, by lld, sets all options back.
  const std::string matched = match, where = device;
  const ReportOutput wanted = output.get();
  if (llvm::Error error = wanted.check())
    return fail("fly-bench", llvm::toString(std::move(error)));
  if (where != "sim")
    return fail("fly-bench",
                "--device=" + where +
                    (llvm::StringRef(where).starts_with("hsa")
                         ? ": probes read counters and traces, which the HIP "
                           "runtime does not give; they run on --device=sim "
                           "(fly-bench run --device=hsa measures kernels)"
                         : ": unknown, expected sim"));
  auto known = bench::probedAssumptions();
  if (llvm::none_of(known,
                    [&](llvm::StringRef id) { return id.contains(matched); }))
    return fail("fly-bench", "--match=" + matched +
                                 ": no assumption has this in its id; known: " +
                                 llvm::join(known, ", "));
  if (list) {
    printList(matched);
    return Right;
  }
  llvm::Expected<std::vector<bench::ProbeRow>> rows = bench::runProbes(matched);
  if (!rows)
    return fail("fly-bench", llvm::toString(rows.takeError()));
  Report report{
      "Probes", matched.empty() ? "all" : matched, bench::toJSON(*rows),
      [&](llvm::raw_ostream &os) { bench::print(os, *rows); }, nullptr};
  bool differs = llvm::any_of(
      *rows, [](const bench::ProbeRow &row) { return row.differs(); });
  return wanted.emit(report, differs ? FailedCheck : Right);
}
