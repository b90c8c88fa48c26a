//===- SchedulePlan.h - What a schedule decides, before it is applied -----===//
//
// What problem: authors and tuners want the numbers of a schedule (repeats,
// loads, LDS, registers, which rule fails) without compiling, also where it is
// illegal.
// What idea: fly-resolve-schedule itself, asked what it would decide and which
// rules it applies, going on behind those that fail.
// What it refuses: kernels that are not on tiles.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_TRANSFORMS_SCHEDULEPLAN_H
#define FLY_DIALECT_FLY_TRANSFORMS_SCHEDULEPLAN_H

#include "fly/Contract/Expr.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Plan/Rules.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fly {

/// A loop, or a dimension of the grid: from `lower` below `upper` in steps.
/// Numbers that the host cannot compute from arguments are absent.
struct PlannedSpan {
  std::optional<contract::Expr> lower, upper, step;
};

/// One dot.
struct PlannedDot {
  std::string label;
  mlir::Type a, b; ///< Elements of the operands.
  plan::DotTile tile;
  bool transposed = false;
  /// Null where no rule found one, and the operands' types in its tables.
  const arch::MfmaRow *instruction = nullptr;
  arch::ElementType elementA = {}, elementB = {};
  plan::Budget registers;
  /// The loops around it, the innermost first.
  std::vector<PlannedSpan> loops;
  /// Labels of the loads of its operands; empty where one is computed.
  std::string loadA, loadB;
};

/// The loads of one label.
struct PlannedLoad {
  std::string label;
  mlir::RankedTensorType tile; ///< Of the first.
  OperandPolicy policy;
  bool feedsDot = false, runsAhead = false;
};

/// An error that fly-resolve-schedule would give.
struct PlannedProblem {
  std::string text;
  llvm::SmallVector<std::string> notes;
  /// The rule that does not hold; none where the schedule cannot be read.
  std::optional<unsigned> rule;
};

/// What fly-resolve-schedule decides about a kernel.
struct SchedulePlan {
  std::array<int64_t, 2> waves = {1, 1};
  unsigned wavesPerEu = 1;
  std::vector<PlannedSpan> grid;
  std::vector<PlannedDot> dots;
  std::vector<PlannedLoad> loads;
  /// LDS of labels.
  plan::Budget lds;
  /// Choices that were made, as remarks say them.
  llvm::SmallVector<std::string> decisions;
  llvm::SmallVector<plan::Rule> rules;
  std::vector<PlannedProblem> problems;

  bool isLegal() const { return problems.empty(); }
};

/// What fly-resolve-schedule would decide about `kernel`, which is as
/// fly-form-pipelines leaves it and is not changed. One error where it is not
/// on tiles; what is illegal about its schedule is in the plan.
mlir::FailureOr<SchedulePlan> planSchedule(mlir::gpu::GPUFuncOp kernel);

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_SCHEDULEPLAN_H
