//===- Resolver.h - The state of fly-resolve-schedule -----------*- C++ -*-===//
//
// What is known and decided about one kernel while its schedule is resolved.
// Nothing of the kernel changes before ScheduleResolver::write().
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_RESOLVESCHEDULE_RESOLVER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_RESOLVESCHEDULE_RESOLVER_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/SchedulePlan.h"
#include "fly/Plan/Rules.h"
#include "fly/Plan/WaveSplit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/MapVector.h"

#include <array>

#include "../IntegerFacts.h"
#include "../LabelledOps.h"
#include "../LdsFieldCost.h"
#include "../MatrixInstruction.h"
#include "../ScheduleBudget.h"

namespace fly {

/// Bytes that a thread copies, and a lane reads, at once.
inline constexpr int64_t kAccessBytes = plan::accessBytes;

using plan::WaveGrid;

/// One dot with what is known and decided about it.
struct DotPlan {
  ProductOpInterface op;
  mlir::StringAttr label;
  int64_t m, n, k;
  /// Bits of an element of A and of B.
  std::pair<int64_t, int64_t> bits;
  DotPolicy policy;
  /// The loads of the operands; null where one is computed.
  mlir::Operation *a = nullptr, *b = nullptr;
  /// The matrix instruction and its operands' types, once types and policy are
  /// known to have one.
  const arch::MfmaRow *instruction = nullptr;
  arch::ElementType elementA = {}, elementB = {};

  /// What is known of the dot without waves and loads.
  plan::DotTile tile() const;
};

/// All loads of one label.
struct LoadPlan {
  mlir::StringAttr label;
  /// fly.load and fly.gather.
  llvm::SmallVector<mlir::Operation *> ops;
  bool feedsDot = false;
  /// Every op is in the prefetch of a pipeline.
  bool runsAhead = true;
  OperandRequest request;
  OperandPolicy policy;

  /// The type of its first tile as it lies in LDS: with rows and columns
  /// exchanged where lanes read it transposed.
  mlir::RankedTensorType ldsTile() const { return ldsTile(ops.front()); }
  mlir::RankedTensorType ldsTile(mlir::Operation *op) const;
  /// Bytes of its largest tile.
  int64_t tileBytes() const;
  /// Bytes between the rows of a buffer.
  int64_t padBytes = 0;
  int64_t bufferBytes() const { return tileBytes() + padBytes; }
  int64_t ldsBytes() const {
    return policy.inLds ? policy.stages * bufferBytes() : 0;
  }
};

/// Resolves the schedule of one kernel.
class ScheduleResolver {
public:
  ScheduleResolver(mlir::gpu::GPUFuncOp kernel, const arch::ArchInfo &chip)
      : kernel(kernel), chip(chip), context(kernel.getContext()) {}

  /// Reads, decides, checks and, if all is legal, writes.
  mlir::LogicalResult run();
  /// What run() would decide, and every rule, without an end at the first that
  /// does not hold. Changes nothing.
  mlir::FailureOr<SchedulePlan> plan();
  /// Labels given by write().
  unsigned numLabels = 0;

private:
  // ResolveSchedule.cpp
  mlir::LogicalResult decide();
  // SchedulePlan.cpp
  PlannedDot planDot(const DotPlan &dot);
  // ResolveSchedule.cpp
  mlir::LogicalResult checkKeys();
  mlir::LogicalResult checkCodegen();
  void write();
  // Dots.cpp
  mlir::LogicalResult collectDots();
  mlir::LogicalResult resolveDot(DotPlan &dot);
  mlir::LogicalResult checkLoops();
  mlir::LogicalResult checkMatrixType(DotPlan &dot);
  mlir::LogicalResult checkRows(const DotPlan &dot);
  // Waves.cpp
  mlir::LogicalResult resolveWaves();
  mlir::LogicalResult resolveWavesPerEu();
  mlir::LogicalResult checkTurns();
  mlir::LogicalResult checkSplit(const WaveGrid &grid);
  llvm::SmallVector<plan::DotTile> getTiles() const;
  // Grid.cpp
  mlir::LogicalResult resolveGrid();
  mlir::FailureOr<unsigned> findGridDim(mlir::Attribute by);
  // Loads.cpp
  mlir::LogicalResult collectLoads();
  mlir::LogicalResult resolveLoads();
  mlir::LogicalResult checkLdsUse(const LoadPlan &load);
  int64_t getLoadBytes() const;
  /// Of LDS, by which an atomic op hands its old value to all waves.
  int64_t getHandedOnBytes() const;
  mlir::LogicalResult checkDistance(const LoadPlan &load);
  mlir::LogicalResult checkRepetition();
  int64_t getExchangeBytes();
  // Reads.cpp
  void resolveRead(LoadPlan &load);
  std::string whyReadPlain(const LoadPlan &load, mlir::Operation *op) const;
  // Stores.cpp
  mlir::LogicalResult checkStores();
  mlir::LogicalResult resolveStores();
  std::string whyDirect(mlir::Operation *store, const DotPlan &dot,
                        IntegerFacts &facts);
  // Swizzles.cpp
  mlir::LogicalResult resolveSwizzle(LoadPlan &load);
  llvm::SmallVector<LdsTileAccess> getReads(const LoadPlan &load) const;
  /// Takes rows farther apart back where nobody asked for them.
  void dropPadding(LoadPlan &load);
  // Copies.cpp
  mlir::LogicalResult resolveCopy(LoadPlan &load);
  std::string explainChosenSync(const LoadPlan &load);
  std::string explainLateCopy(mlir::Operation *load);
  /// Cycles that an iteration of the load's pipeline keeps the matrix pipe of a
  /// SIMD busy; none where an instruction is unknown.
  std::optional<int64_t> getMatrixCycles(mlir::Operation *load);
  /// Decides what the schedule leaves open; with two buffers or more, or one.
  void chooseCopy(LoadPlan &load, bool hasBuffers);
  /// Iterations from a load in a prefetch to the next stage of its pipeline.
  static int64_t getGap(mlir::Operation *load);
  // Costs.cpp
  mlir::LogicalResult checkLds();
  mlir::LogicalResult checkRegisters();
  plan::OperandTile getOperand(mlir::Operation *op, mlir::Value operand) const;
  plan::DotTile getTile(const DotPlan &dot) const;
  // Sources.cpp
  /// Bytes that one access of a load to registers takes, by what is known of
  /// its rows.
  int64_t getAccessBytes(mlir::Operation *op) const;
  /// What a tile that `load` brings to registers takes; `run`: its elements
  /// that a lane has next to each other.
  plan::SourceTile getSource(mlir::Operation *load, int64_t run) const;
  /// Adds what factors are computed of, and their scales.
  void addSources(const DotPlan &dot, plan::DotTile &tile) const;

  /// Notes that a rule was applied; whether it holds.
  bool holds(plan::Rule rule) {
    rules.push_back(std::move(rule));
    return rules.back().holds;
  }

  mlir::Attribute getEntry(llvm::StringRef key) const {
    return schedule ? schedule.get(key) : mlir::Attribute();
  }
  int64_t threads() const { return arch::waveLanes * waves[0] * waves[1]; }
  const LoadPlan *getLoad(mlir::Operation *op) const {
    return op ? &loads.find(labelled.label(op))->second : nullptr;
  }
  /// The remark that a choice was made.
  void passed(mlir::Operation *op, llvm::StringLiteral name,
              const llvm::Twine &text);
  /// The remark that something was not done.
  void missed(mlir::Operation *op, llvm::StringLiteral name,
              const llvm::Twine &text);

  /// What the schedule asks of a loop and later passes apply.
  struct LoopWish {
    mlir::Operation *op;
    mlir::Attribute hotLoop;
    std::optional<unsigned> unroll;
  };
  llvm::SmallVector<LoopWish> loopWishes;

  mlir::gpu::GPUFuncOp kernel;
  const arch::ArchInfo &chip;
  /// Whether decide() goes on behind an error.
  bool goOn = false;
  mlir::MLIRContext *context;
  ScheduleAttr schedule;
  LabelledOps labelled;
  llvm::SmallVector<DotPlan> dots;
  llvm::MapVector<mlir::StringAttr, LoadPlan> loads;
  llvm::MapVector<mlir::StringAttr, StoreRequest> stores;
  WaveGrid waves = {1, 1};
  unsigned wavesPerEu = 1;
  GridPolicy grid;
  /// LDS of labels, once it is known.
  Budget ldsBudget;
  /// Rules that were applied, in order.
  llvm::SmallVector<plan::Rule> rules;
  /// The texts of choices that were made, in order.
  llvm::SmallVector<std::string> decisions;
};

/// The type of a tile.
mlir::RankedTensorType getTileType(mlir::Value tile);
/// "[2, 2]".
std::string describe(const WaveGrid &grid);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_RESOLVESCHEDULE_RESOLVER_H
