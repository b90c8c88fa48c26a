//===- StagePlan.h - Which stage each op of a loop runs in ------*- C++ -*-===//
//
// Part of fly-form-pipelines: the stages of one scf.for, worked out without
// changing it, and the fly.pipeline made of them.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_FORMPIPELINES_STAGEPLAN_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_FORMPIPELINES_STAGEPLAN_H

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace fly {

/// Why a loop cannot have the stages that it was to have.
struct StageViolation {
  mlir::Operation *at;
  std::string text;
  /// The other party, null if there is none.
  mlir::Operation *other = nullptr;
  std::string note = {};
};

/// The stages of one loop.
class StagePlan {
public:
  explicit StagePlan(mlir::scf::ForOp loop) : loop(loop) {}

  /// Has `op`, at the top level of the body, run `distance` iterations ahead.
  void request(mlir::Operation *op, int64_t distance) {
    requested[op] = distance;
  }
  /// Works out the distances of all ops from those that were requested.
  std::optional<StageViolation> solve();
  /// Whether anything runs ahead.
  bool hasStages() const { return distances.size() > 1; }
  /// Distances of the stages, the first one first; the last is 0.
  llvm::ArrayRef<int64_t> getDistances() const { return distances; }
  /// Puts a fly.pipeline in the place of the loop.
  PipelineOp build(mlir::StringAttr label);

private:
  /// Pure arithmetic on scalars is made again in each stage that needs it: what
  /// is proved about coordinates follows it, and nothing has to be handed on.
  static bool isRepeated(mlir::Operation *op);
  /// The op of the body that `op` is, or is in.
  mlir::Operation *inBody(mlir::Operation *op) {
    return loop.getBody()->findAncestorOpInBlock(*op);
  }
  std::optional<StageViolation> checkMoves(mlir::Operation *op);
  std::optional<StageViolation> checkMemory();
  unsigned stageOf(mlir::Operation *op) const;
  void findNeeds();
  /// Calls `visit` for each value that `op` or an op in it takes.
  static void forEachOperand(mlir::Operation *op,
                             llvm::function_ref<void(mlir::Value)> visit);

  mlir::scf::ForOp loop;
  llvm::MapVector<mlir::Operation *, int64_t> requested;
  llvm::DenseMap<mlir::Operation *, int64_t> distanceOf;
  llvm::SmallVector<int64_t> distances;
  /// For each stage, the repeated ops that it needs, and the values of stages
  /// before it that it or a later one needs.
  llvm::SmallVector<llvm::SetVector<mlir::Operation *>> repeats;
  llvm::SmallVector<llvm::SetVector<mlir::Value>> handed;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_FORMPIPELINES_STAGEPLAN_H
