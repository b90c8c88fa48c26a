//===- MechanismsCommand.cpp - fly-bench mechanisms -----------------------===//
//
// What each lever of a schedule gives on the timing model.
//
//===----------------------------------------------------------------------===//
#include "fly/Bench/Mechanisms.h"

#include "MatchedReport.h"
#include "Subcommands.h"

using namespace fly;
using namespace fly::tools;

int fly::tools::benchMechanisms(int argc, char **argv) {
  using Results = std::vector<bench::MechanismResult>;
  return runMatched(
      {"mechanisms", "Mechanisms",
       "Only pairs with this text in their name or kernel",
       "Compiles pairs of GEMMs that differ in one lever of the schedule, "
       "times "
       "both on\nthe model and prints what the lever gives beside what is "
       "known "
       "of it. Exit: 0 if\nall signs are right, 2 otherwise\n\n"
       "  fly-bench mechanisms\n"
       "  fly-bench mechanisms --match=\"XOR swizzle\"\n"},
      argc, argv,
      [](mlir::MLIRContext &context, llvm::StringRef chosen) {
        return bench::measureMechanisms(context, chosen);
      },
      [](const Results &results) {
        bool isWrong = llvm::any_of(
            results, [](const auto &result) { return result.isWrong(); });
        return isWrong ? FailedCheck : Right;
      });
}
