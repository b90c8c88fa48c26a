//===- Executor.h - Run tile IR on the host ---------------------*- C++ -*-===//
//
// What problem: every test and every fly-run needs to know what a kernel should
// have computed.
// What idea: an interpreter of tile IR, one workgroup after the other, in wide
// precision: floats are doubles that are rounded only where the IR rounds
// (arith.truncf, fly.cast, fly.map, types narrower than f32, stores), integers
// wrap at their width, dot accumulates in double. Each element carries a bound
// of how far a correct kernel's may be from it (docs/Rationale/ErrorBounds.md).
// Sizes come from the kernel's schedule, so a kernel runs before and after
// fly-instantiate alike; schedule, layouts and barriers change nothing.
// What it refuses: ops of the explicit level and launches whose requirements
// do not hold, each with an error at the op.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_REFERENCE_EXECUTOR_H
#define FLY_REFERENCE_EXECUTOR_H

#include "fly/Support/ErrorBounds.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fly::reference {

/// Host memory behind a pointer argument. An access outside is an error.
struct Memory {
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  /// For messages.
  std::string name;
  /// How far each element may be off; kept up to date by stores. Null drops the
  /// bounds of what is stored.
  ErrorBounds *bounds = nullptr;
};

/// One kernel argument.
struct Argument {
  /// Of a `!fly.ptr`.
  Memory memory;
  /// Of a scalar: its bits, in the low end.
  uint64_t bits = 0;

  static Argument pointer(uint8_t *data, uint64_t bytes,
                          llvm::StringRef name = "",
                          ErrorBounds *bounds = nullptr) {
    return {{data, bytes, name.str(), bounds}, 0};
  }
  static Argument scalar(uint64_t bits) { return {{}, bits}; }
};

/// The memory that the views of a pointer argument reach, in elements.
struct BufferShape {
  llvm::SmallVector<int64_t, 4>
      extents; ///< Of the first view, outermost first.
  llvm::SmallVector<int64_t, 4> strides;
  /// Several views that differ, or one at an offset: no extents say what the
  /// memory holds, it is a line of `elements`.
  bool isLine = false;
  /// From the pointer to one past the last element of any view.
  int64_t elements = 0;
};

/// What a launch with given scalars means.
struct LaunchPlan {
  /// Workgroups in each dimension of `fly.grid`.
  llvm::SmallVector<int64_t, 3> grid;
  /// One entry an argument; none for scalars, and for pointers whose views
  /// depend on more than arguments.
  llvm::SmallVector<std::optional<BufferShape>> buffers;
  /// Whether the kernel loads from, and stores to, a pointer argument.
  llvm::SmallVector<bool> isRead, isWritten;

  int64_t workgroups() const {
    int64_t count = 1;
    for (int64_t extent : grid)
      count *= extent;
    return count;
  }
};

struct Options {
  /// Iterations of one loop before it counts as endless.
  uint64_t maxLoopIterations = uint64_t(1) << 32;
  /// Where fly.print writes, a line each time; null drops it.
  llvm::raw_ostream *print = nullptr;
  /// Set to true where the kernel runs and is wrong: an assertion that does not
  /// hold, a workspace that is not left zeroed. May be null.
  bool *hasFailedCheck = nullptr;

  void noteFailedCheck() const {
    if (hasFailedCheck)
      *hasFailedCheck = true;
  }
};

/// Evaluates grid, views and requirements from scalar arguments; the memory of
/// pointers is not touched and may be null. A requirement that does not hold
/// is an error at its op that names the numbers. Of a program (a function with
/// `fly.program`): what its kernels and fills demand of its arguments together,
/// in a grid of one.
mlir::FailureOr<LaunchPlan> planLaunch(mlir::FunctionOpInterface kernel,
                                       llvm::ArrayRef<Argument> arguments);

/// Runs every workgroup of the grid, or the steps of a program one after the
/// other. Errors are emitted at the op that failed, with a note that names the
/// workgroup; memory then holds what was written. Workspaces that a kernel
/// wants zeroed are checked before and after it.
mlir::LogicalResult run(mlir::FunctionOpInterface kernel,
                        llvm::ArrayRef<Argument> arguments,
                        const Options &options = {});

/// The function, and what it reaches: helpers, and kernels that a program
/// launches.
llvm::SmallVector<mlir::Operation *> collectFunctions(mlir::Operation *root);

} // namespace fly::reference

#endif // FLY_REFERENCE_EXECUTOR_H
