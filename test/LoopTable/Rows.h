//===- Rows.h - Rows of the table of hot loops ------------------*- C++ -*-===//
//
// What problem: what the compiler promises of the loops of GEMMs must hold for
// every configuration that the tuning guide recommends, not for one example.
// What idea: each configuration in its types, layouts of B and chips is
// compiled, counted on its final bytes and compared with the promises.
// What others reach for the same tiles (Yardsticks.cpp) is compared with what
// came of it.
// What it leaves out: values, which the sweep compares.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_LOOPTABLE_ROWS_H
#define FLY_TEST_LOOPTABLE_ROWS_H

#include "fly/Reports/IsaReport.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
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
  /// How tiles get to LDS: sync, async, or empty for the compiler's choice.
  std::string copy;

  std::string name() const;
  /// LDS of one buffer of each operand that has any, by its elements alone.
  int64_t ldsBytes() const;
  /// Bytes of scales that a lane can read at once: of a row's in a K tile those
  /// of its own blocks of K. 0 without scales.
  int64_t scaleBytes() const;
  /// Reads of scales that a lane needs for a K tile: one for each block of rows
  /// of the matrix instruction.
  int64_t scaleReads() const;
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

/// What another compiler made of a loop of the table.
struct Yardstick {
  llvm::StringLiteral by; ///< Who made it, how.
  /// Name of the row with the same tile.
  llvm::StringLiteral row;
  /// Of `kTiles` K tiles.
  unsigned kTiles, mfma, instructions;
  unsigned moves = 0, spills = 0;
};

/// All of them, in the order of their sources.
llvm::ArrayRef<Yardstick> listYardsticks();

/// Instructions a K tile that the loop of the row `name` may have: what was
/// measured, for rows that are compared with those of others; none for others.
std::optional<double> findBound(llvm::StringRef name);

/// Whether a row beats a yardstick: fewer instructions a K tile, of as many
/// matrix instructions or more at least not more, and no more moves or spills.
bool isBetter(const Row &row, const Yardstick &other);
/// Both beside each other, a line.
std::string compare(const Row &row, const Yardstick &other);

} // namespace fly::looptable

#endif // FLY_TEST_LOOPTABLE_ROWS_H
