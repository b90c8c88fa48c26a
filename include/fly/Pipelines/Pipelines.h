//===- Pipelines.h - The order of Fly's passes ------------------*- C++ -*-===//
//
// One builder with one options struct serves tools and embedders. The pipeline
// is cut into phases; the IR after each phase is valid input to every tool.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PIPELINES_PIPELINES_H
#define FLY_PIPELINES_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>
#include <vector>

namespace fly {

/// The levels of a kernel on its way down.
enum class Phase {
  Tile,     ///< Tile IR with its numbers, schedule, grid and contract.
  Explicit, ///< What each lane does.
  Rocdl,    ///< The llvm and rocdl dialects.
};

/// Options of `--fly-pipeline` and buildFlyPipeline().
struct FlyPipelineOptions : mlir::PassPipelineOptions<FlyPipelineOptions> {
  Option<Phase> until{
      *this, "until", llvm::cl::desc("last phase to run"),
      llvm::cl::init(Phase::Rocdl),
      llvm::cl::values(
          clEnumValN(Phase::Tile, "tile", "tile IR, resolved"),
          clEnumValN(Phase::Explicit, "explicit", "what each lane does"),
          clEnumValN(Phase::Rocdl, "rocdl", "the llvm and rocdl dialects"))};
  Option<bool> checks{*this, "checks",
                      llvm::cl::desc("compile asserts and prints"),
                      llvm::cl::init(false)};
};

/// Appends the passes that lead from source to the end of the tile phase:
/// names become numbers, the schedule is resolved, accesses are proved, the
/// grid is planned. Run on a module that holds gpu.modules. With `checks`,
/// asserts and prints are compiled (docs/Rationale/Checks.md).
void buildFlyTilePipeline(mlir::OpPassManager &pm, bool checks = false);
/// Appends the passes from tile IR to explicit IR.
void buildFlyExplicitPipeline(mlir::OpPassManager &pm);
/// Appends MLIR's canonicalizer and CSE, which explicit IR is to have passed
/// before the next ones: what stands twice or folds would be counted as loads
/// that LLVM does not make.
void buildFlyCleanupPipeline(mlir::OpPassManager &pm);
/// Appends the passes from explicit IR to the rocdl dialect.
void buildFlyRocdlPipeline(mlir::OpPassManager &pm);
/// All of them, up to `options.until`.
void buildFlyPipeline(mlir::OpPassManager &pm,
                      const FlyPipelineOptions &options);

/// The passes of the whole pipeline as text, in order, each with its options:
/// "fly-lower-checks{keep=false}".
std::vector<std::string> listPasses(bool checks = false);

/// Appends the passes of the whole pipeline behind pass `after` (from the first
/// where it is empty) up to pass `until`, both by their arguments. They must be
/// registered, MLIR's as well. An error where `until` is no pass of it.
llvm::Error addPasses(mlir::OpPassManager &pm, llvm::StringRef after,
                      llvm::StringRef until, bool checks = false);

/// Registers the fly dialect, the upstream dialects that its kernels use, and
/// the translations to LLVM IR. Calling it again does nothing.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Makes Fly's passes and the pipeline of all of them, `--fly-pipeline`,
/// known by name. Calling it again does nothing.
void registerAllPasses();

} // namespace fly

#endif // FLY_PIPELINES_PIPELINES_H
