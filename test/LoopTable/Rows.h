//===- Rows.h - Rows of the table of hot loops ------------------*- C++ -*-===//
//
// What problem: what the compiler promises of the loops of GEMMs must hold for
// every configuration that the tuning guide recommends, not for one example.
// What idea: each configuration in its types, layouts of B and chips is
// compiled, counted on its final bytes and compared with the promises.
// What it leaves out: values, which the sweep compares.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_LOOPTABLE_ROWS_H
#define FLY_TEST_LOOPTABLE_ROWS_H

#include "fly/Reports/IsaReport.h"

#include <array>
#include <string>
#include <vector>

namespace fly::looptable {

/// One kernel of the table.
struct Configuration {
  std::string chip;
  std::string type; ///< bf16, f16, fp8, i8, fp4.
  std::array<int64_t, 3> tile = {0, 0, 0};
  std::array<int64_t, 2> waves = {1, 4};
  bool isPreshuffled = false; ///< B, straight to registers.
  bool isBound = false;       ///< N and K are numbers of the kernel.
  bool isAsync = false;       ///< A is copied to LDS without registers.

  std::string name() const;
};

/// All of them, in the order of the guide.
std::vector<Configuration> listConfigurations();

/// What became of a row.
struct Row {
  Configuration configuration;
  /// Buffers of LDS: 2, or the most that fit; 0 where not even one does.
  unsigned stages = 0;
  reports::KernelReport kernel;
  /// Why there is no kernel; empty where there is one.
  std::string refusal;
  /// Promises that do not hold, with their numbers.
  std::vector<std::string> faults;
};

/// Compiles and judges a configuration.
Row makeRow(const Configuration &configuration);

} // namespace fly::looptable

#endif // FLY_TEST_LOOPTABLE_ROWS_H
