//===- RunConfiguration.h - A GEMM against exact integers -------*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_RUNCONFIGURATION_H
#define FLY_TEST_SWEEP_RUNCONFIGURATION_H

#include "PlainResults.h"
#include "ResultsFile.h"

namespace fly::sweep {

/// Generates, compiles, runs and checks a configuration.
Outcome runConfiguration(const Configuration &configuration,
                         mlir::MLIRContext &context, PlainResults &plain);

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_RUNCONFIGURATION_H
