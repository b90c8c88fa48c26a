//===- PlainResults.h - What plain schedules compute ------------*- C++ -*-===//
//
// A schedule never changes what a kernel computes: all that sum in one order
// give the same bits, whatever the order of workgroups. Those of plain ones are
// kept for the configurations that follow with the same product, after they
// were found within the bounds that the reference executor derives.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_SWEEP_PLAINRESULTS_H
#define FLY_TEST_SWEEP_PLAINRESULTS_H

#include "llvm/ADT/StringMap.h"

#include "GemmRun.h"

namespace fly::sweep {

class PlainResults {
public:
  explicit PlainResults(mlir::MLIRContext &context) : context(context) {}

  /// An error unless `run`, of `configuration`, gives the bits of its plain
  /// schedule: for numbers that round, and for integers where the epilogue does
  /// not keep them.
  llvm::Error compare(const Configuration &configuration, const GemmRun &run);

private:
  using Results = std::vector<launch::Buffer>;
  llvm::Expected<Results> make(const Configuration &plain);

  mlir::MLIRContext &context;
  llvm::StringMap<Results> known;
};

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_PLAINRESULTS_H
