//===- PlanReport.h - A kernel's numbers before it is compiled --*- C++ -*-===//
//
// What problem: whether a tile is legal, what it costs and how it fills the
// machine is wanted before anything is compiled, for legal and illegal
// schedules alike, and for a problem size that is only an idea.
// What idea: the plan of fly-resolve-schedule, completed by what the next
// passes lay out in LDS, by the launch contract under given arguments, and by
// the tables of the chip and of a product.
// What it leaves open: time. Registers are an estimate, caches are not
// modelled.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REPORTS_PLAN_PLANREPORT_H
#define FLY_REPORTS_PLAN_PLANREPORT_H

#include "fly/Arch/Occupancy.h"
#include "fly/Contract/LaunchContract.h"
#include "fly/Dialect/Fly/Transforms/SchedulePlan.h"
#include "fly/Plan/Machine.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly::reports {

struct PlanQuery {
  std::string kernel; ///< Empty: all.
  /// Values of scalar arguments by name.
  llvm::StringMap<int64_t> arguments;
  /// Names among them that need not be arguments.
  std::vector<std::string> otherNames;
  /// What was chosen before the kernel was written, for the report.
  std::vector<std::string> decisions;
  /// The machine; null is the one that stands for the chip.
  const arch::Product *product = nullptr;
};

/// One kernel.
struct KernelPlan {
  std::string name;
  SchedulePlan schedule;
  /// LDS as it is laid out, with what waves exchange; of illegal schedules that
  /// of labels alone.
  plan::Budget lds;
  bool ldsIsLaidOut = false;
  /// By the estimated registers, of kernels without dots by LDS alone; absent
  /// where one workgroup does not fit.
  std::optional<arch::Occupancy> occupancy;
  llvm::SmallVector<arch::OccupancyStep> nextStep;
  /// Why there is no occupancy.
  std::string occupancyProblem;
  /// Rules about the arguments of a launch.
  std::vector<plan::Rule> launchRules;
  /// Scalar arguments that the grid needs and the query does not give.
  std::vector<std::string> missing;
  std::optional<plan::Fill> fill;
  /// Work of the dots: of the problem, and of whole tiles where each loop has
  /// as many turns in all of them.
  std::optional<double> flop, tileFlop;
  /// Memory may tell the kernel to do less.
  bool isAtMost = false;
  /// Of legal kernels.
  std::optional<contract::LaunchContract> contract;
  /// Of the views of all arguments, each element once.
  std::optional<double> bytes;
  std::optional<plan::Roofline> roofline;
  /// Extent of the grid's first dimension: the rows of a product.
  std::optional<int64_t> rows;

  /// Whether the schedule and all rules of the launch hold.
  bool isLegal() const;
};

struct PlanReport {
  const arch::ArchInfo *chip = nullptr;
  const arch::Product *product = nullptr; ///< Null: none has the chip.
  std::vector<KernelPlan> kernels;
};

/// Reports on the kernels of `module`, which stays as it was. Errors are
/// diagnostics: a kernel or argument that does not exist, kernels that are not
/// on tiles. Illegal schedules are no errors.
mlir::FailureOr<PlanReport> reportPlan(mlir::ModuleOp module,
                                       const PlanQuery &query);

/// For people.
void print(llvm::raw_ostream &os, const PlanReport &report);
/// Its keys are in docs/Guide/GEMM.md.
llvm::json::Value toJSON(const PlanReport &report);

} // namespace fly::reports

#endif // FLY_REPORTS_PLAN_PLANREPORT_H
