//===- ProgramPlanner.h - The launch contract of a program ------*- C++ -*-===//
//
// Collects what a launcher must know from a program whose kernels have their
// contracts. Changes nothing; fly-plan-programs writes the result.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PROGRAMPLANNER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PROGRAMPLANNER_H

#include "fly/Contract/ProgramContract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "HostExpression.h"

namespace fly {

class ProgramPlanner {
public:
  explicit ProgramPlanner(mlir::FunctionOpInterface program)
      : program(program), host(program) {}

  /// Makes the contract; one error where the host cannot compute something
  /// that it needs.
  mlir::LogicalResult plan();

  const contract::ProgramContract &getContract() const { return contract; }

private:
  /// Operators of one expression after the values of arguments are put in; the
  /// parser of contracts takes more.
  static constexpr unsigned maxOperators = 1000;

  using Substitutes = llvm::StringMap<contract::Expr>;
  using Steps = std::vector<contract::Step>;

  mlir::LogicalResult planArguments();
  mlir::LogicalResult planBlock(mlir::Block &block, Steps &steps);
  /// What a branch or loop holds, behind what its ops require.
  mlir::LogicalResult planNested(mlir::Block &block, Steps &steps);
  mlir::LogicalResult planIf(mlir::scf::IfOp op, Steps &steps);
  mlir::LogicalResult planFor(mlir::scf::ForOp op, Steps &steps);
  mlir::LogicalResult planWorkspace(WorkspaceOp op);
  mlir::LogicalResult planFill(FillOp op, Steps &steps);
  // ProgramLaunches.cpp
  mlir::LogicalResult planLaunch(LaunchOp op, Steps &steps);
  mlir::FailureOr<contract::Binding> bind(LaunchOp op, unsigned index,
                                          const contract::Argument &argument);
  bool addTerms(mlir::Value value, std::vector<contract::FloatTerm> &terms,
                mlir::Operation *&culprit);
  mlir::LogicalResult addDemand(LaunchOp op, const contract::Argument &argument,
                                mlir::Value pointer, contract::Binding &binding,
                                const Substitutes &values);
  void addAccess(mlir::Value pointer, contract::Access step);
  /// Requirements that unsigned ops of the block need.
  std::vector<contract::Requirement> getRequirements(mlir::Block &block);
  mlir::LogicalResult checkAliases(LaunchOp op,
                                   const contract::LaunchContract &kernel);
  /// An expression over the kernel's arguments as one over the program's.
  mlir::FailureOr<contract::Expr> translate(mlir::Operation *op,
                                            const contract::Expr &expr,
                                            const Substitutes &values);
  mlir::FailureOr<std::vector<contract::Expr>>
  getExprs(mlir::Operation *op, llvm::ArrayRef<mlir::OpFoldResult> values);
  /// A bound of a loop or a condition; an error where the host has none.
  mlir::FailureOr<contract::Expr>
  getExpr(mlir::Operation *op, mlir::Value value, llvm::StringRef what);
  /// The argument or workspace that a pointer of the program is.
  contract::ProgramMemory &getMemory(mlir::Value pointer);

  mlir::FunctionOpInterface program;
  HostExpressions host;
  /// Of pointers: whether the workspaces' list has it, and where.
  llvm::DenseMap<mlir::Value, std::pair<bool, size_t>> places;
  /// Pointers whose memory every run has written, where the planner stands.
  llvm::DenseSet<mlir::Value> written;
  unsigned loops = 0;
  contract::ProgramContract contract;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PROGRAMPLANNER_H
