//===- GemmRun.h - One kernel of the sweep, compiled ------------*- C++ -*-===//
#ifndef FLY_TEST_SWEEP_GEMMRUN_H
#define FLY_TEST_SWEEP_GEMMRUN_H

#include "fly/Launch/Buffer.h"
#include "fly/Pipelines/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "GemmInputs.h"

namespace fly::sweep {

/// What stands before the text of an error that names no place.
inline constexpr llvm::StringLiteral kUnlocated = "(without a location)";

/// The kernel of a configuration, or the program of two. Gaps between rows hold
/// NaN, and what is written there or into the guard bands is an error.
class GemmRun {
public:
  /// Generates and compiles; the error has all messages.
  static llvm::Expected<GemmRun> compile(const Configuration &configuration,
                                         mlir::MLIRContext &context);

  /// C, run on the simulator. A seed other than 0 has workgroups run in another
  /// order. With `isChecked` an error where any of the simulator's checks finds
  /// something.
  llvm::Expected<launch::Buffer> simulate(Inputs inputs, bool isChecked,
                                          uint32_t dispatchSeed = 0) const;
  /// C of the reference executor, with the bounds that it derives.
  llvm::Expected<launch::Buffer> refer(Inputs inputs) const;
  unsigned spills() const { return object.kernels.front().vgprSpills; }
  /// What the proofs found on the order of LDS, of which the compiler only
  /// warns; empty where that is nothing.
  std::string races() const;

private:
  llvm::Expected<std::vector<launch::Argument>>
  makeArguments(Inputs inputs) const;

  /// The program that launches two kernels; null for one kernel.
  const contract::ProgramContract *program() const {
    return object.programs.empty() ? nullptr : &object.programs.front();
  }

  Configuration configuration;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  target::CodeObject object;
};

} // namespace fly::sweep

#endif // FLY_TEST_SWEEP_GEMMRUN_H
