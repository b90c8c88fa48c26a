//===- LaunchContract.h - How a kernel is to be launched --------*- C++ -*-===//
//
// What a caller must know to launch a kernel: the arguments in order with their
// offsets and the memory they reach, the grid as expressions over the
// arguments, the block, LDS, and what the arguments must satisfy. The compiler
// writes it into the code object (Note.h); fly-run, the reference executor, the
// simulator and generated launchers read it. No MLIR here.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_CONTRACT_LAUNCHCONTRACT_H
#define FLY_CONTRACT_LAUNCHCONTRACT_H

#include "fly/Contract/Checks.h"
#include "fly/Contract/Expr.h"
#include "fly/Contract/Work.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <vector>

namespace fly::contract {

enum class ArgumentKind : uint8_t { Pointer, Scalar };

/// What the kernel does with the memory behind a pointer.
enum class Access : uint8_t { None, Read, Write, ReadWrite };

/// The rectangle of memory behind a pointer, in elements.
struct View {
  std::vector<Expr> extents; ///< Outermost first; the shape of an .npy file.
  std::vector<Expr> strides; ///< One an extent.
};

/// One kernel argument.
struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::Scalar;
  /// Element type of a pointer, or type of a scalar, as MLIR spells it: "bf16",
  /// "f8E4M3FN", "i32".
  std::string type;
  uint32_t offset = 0; ///< Bytes from the start of the kernel arguments.
  uint32_t size = 0;   ///< Bytes: 8 for pointers.
  Access access = Access::None;
  uint32_t alignment = 0; ///< Required of a pointer's address; 0 if none.
  /// The memory that the kernel may touch; absent if unknown.
  std::optional<View> view;
  /// Memory that other pointers of the launch may reach, too.
  bool mayAlias = false;
  /// The caller need not give it: a buffer that the launcher allocates.
  bool workspace = false;
  /// What a workspace holds at the start: "zeros", which the kernel leaves, or
  /// a number as text; empty for anything.
  std::string fill;
};

/// What must hold for a launch: a condition, or that a value is a multiple.
struct Requirement {
  /// A condition that must not be 0; with \p multipleOf: a value.
  Expr expr;
  /// The value must be a multiple of this.
  std::optional<Expr> multipleOf;
  /// What to tell the user; optional for the multiple-of form.
  std::string message;
};

/// The launch contract of one kernel.
struct LaunchContract {
  std::string kernel; ///< Symbol of the kernel in the code object.
  std::string chip;
  std::vector<Argument> arguments;
  std::array<Expr, 3> grid;                  ///< Workgroups in x, y, z.
  std::array<uint32_t, 3> block = {1, 1, 1}; ///< Work items in x, y, z.
  uint32_t staticLdsBytes = 0;
  Expr dynamicLdsBytes; ///< To be given at launch.
  /// The member of the kernel's LDS, as "S.rest", whose bytes the caller
  /// chooses and gives beyond dynamicLdsBytes; empty if there is none.
  std::string dynamicLdsMember;
  std::vector<Requirement> requirements;
  /// Floats are added by atomics, as workgroups come: sums that round may
  /// differ from launch to launch.
  bool isOrderDependent = false;
  /// What the records of the channel mean, the argument `channelArgument`;
  /// empty where the kernel has none.
  std::vector<CheckSite> checks;
  /// Operations of its matrix products; empty where it has none.
  std::vector<DotWork> work;

  /// The argument of that name, nullptr if there is none.
  const Argument *findArgument(llvm::StringRef name) const;
};

/// Bits of an element type as MLIR spells it; nothing for unknown spellings.
std::optional<unsigned> elementTypeBits(llvm::StringRef type);

/// Elements from the first to the last of the view, 1 + sum((extent-1)*stride),
/// or 0 if an extent is 0. Errors: evaluation, negative extents or strides.
llvm::Expected<int64_t> viewElements(const View &view, Bindings bindings);
/// The evaluated extents, or strides.
llvm::Expected<std::vector<int64_t>> evaluateAll(llvm::ArrayRef<Expr> exprs,
                                                 Bindings bindings);
/// Bytes behind a pointer with a view.
llvm::Expected<uint64_t> viewBytes(const Argument &argument, Bindings bindings);

/// The grid; errors for negative and for 32-bit overflow. 0 is an empty launch.
llvm::Expected<std::array<uint32_t, 3>>
evaluateGrid(const LaunchContract &contract, Bindings bindings);

/// Success, or all requirements that do not hold, one line each:
/// "kernel 'gemm': K=96 is not a multiple of 64".
llvm::Error checkRequirements(const LaunchContract &contract,
                              Bindings bindings);

/// The same of a list of requirements, whose lines start with \p subject.
llvm::Error checkRequirements(const llvm::Twine &subject,
                              llvm::ArrayRef<Requirement> requirements,
                              Bindings bindings);

/// One contract as a JSON object.
llvm::json::Value toJSON(const LaunchContract &contract);
llvm::Expected<LaunchContract> fromJSON(const llvm::json::Value &value);

/// Sites of checks alone, as `checks` of a contract has them.
llvm::json::Value toJSON(llvm::ArrayRef<CheckSite> sites);
llvm::Expected<std::vector<CheckSite>>
checksFromJSON(const llvm::json::Value &value);

} // namespace fly::contract

#endif // FLY_CONTRACT_LAUNCHCONTRACT_H
