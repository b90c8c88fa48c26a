//===- ProgramContract.h - How a program is to be run -----------*- C++ -*-===//
//
// A program runs several kernels one after the other on shared memory. What a
// caller must know of it: its arguments, the workspaces to allocate, and the
// steps in order: launches with what they pass and reach, fills with what they
// write, and steps that run under a condition or several times. All numbers are
// expressions over the program's arguments and the counters of its loops, so a
// walk over the steps knows everything before the first kernel runs. The
// kernels' own contracts (LaunchContract.h) lie beside it in the same object.
// No MLIR here.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_CONTRACT_PROGRAMCONTRACT_H
#define FLY_CONTRACT_PROGRAMCONTRACT_H

#include "fly/Contract/LaunchContract.h"

namespace fly::contract {

/// An argument of a program, or a workspace of it.
struct ProgramMemory {
  /// As of a kernel; its `view` is not used. The access is what the steps do
  /// together: memory that is surely written before it is read counts as
  /// written. A workspace has no offset.
  Argument argument;
  /// Extents of a workspace, rows without gaps; empty for an argument.
  std::vector<Expr> extents;
  /// A kernel reaches memory whose size the host cannot compute.
  bool isOpen = false;
};

/// One step of a calculation on f32 numbers. Operands come before their
/// operator, as on a stack: s * (D + 1.0) is s D 1.0 add mul.
struct FloatTerm {
  enum class Kind : uint8_t { Number, Argument, Integer, Add, Sub, Mul, Div };
  Kind kind = Kind::Number;
  double number = 0;    ///< Of a Number.
  std::string argument; ///< Of an Argument: the program's float of that name.
  Expr integer;         ///< Of an Integer, which becomes a float.
};

/// What a launch passes as one argument.
struct Binding {
  std::string argument; ///< Of the kernel.
  uint32_t offset = 0;  ///< Bytes from the start of the kernel's arguments.
  /// Name of an argument or workspace of the program, for pointers.
  std::string memory;
  /// What the kernel reaches of the memory, where the host can compute it.
  std::optional<View> view;
  /// Of an integer.
  Expr value;
  /// Of a float: one number or argument, or a calculation on f32. Empty for
  /// integers and pointers.
  std::vector<FloatTerm> terms;
};

/// One step.
struct Step {
  enum class Kind : uint8_t {
    Launch,
    Fill,
    Require, ///< Requirements of what stands behind it in a branch or loop.
    If,      ///< `body` where the condition holds, else `otherwise`.
    For,     ///< `body` for each value of a counter.
  };
  Kind kind = Kind::Launch;

  std::string kernel; ///< Of a Launch: symbol of the kernel in the object.
  std::vector<Binding> bindings;
  std::array<Expr, 3> grid;
  std::vector<Requirement> requirements; ///< Of a Launch and of a Require.

  std::string memory; ///< Of a Fill.
  std::vector<Expr> extents;
  uint64_t bits = 0; ///< Of each element.

  Expr condition; ///< Of an If.

  std::string counter; ///< Of a For: its name in the expressions of the body.
  Expr from, to, by;   ///< Up to, but without `to`; `by` must be positive.

  std::vector<Step> body, otherwise;
};

struct ProgramContract {
  std::string program;
  std::string chip;
  std::vector<ProgramMemory> arguments;
  std::vector<ProgramMemory> workspaces;
  /// What the expressions rely on; each launch has those of its kernel.
  std::vector<Requirement> requirements;
  std::vector<Step> steps;

  /// The argument or workspace of that name, nullptr if there is none.
  const ProgramMemory *find(llvm::StringRef name) const;
};

/// The contract of the kernel that a step launches, nullptr if it is missing.
const LaunchContract *findKernel(llvm::ArrayRef<LaunchContract> kernels,
                                 const Step &step);

/// Launches, fills and turns of loops of one run, at most: each launch takes a
/// host its time, and a walk goes through all of them beforehand.
inline constexpr unsigned maxSteps = 1 << 17;

/// Calls `visit` for each Launch, Fill and Require that a run comes to, in its
/// order, with the arguments and the counters of the loops around it. The first
/// error ends the walk; a loop without a positive step, and more than
/// `maxSteps`, are errors of the walk itself.
llvm::Error
visitSteps(const ProgramContract &program, Bindings bindings,
           llvm::function_ref<llvm::Error(const Step &, Bindings)> visit);

/// The view that reaches furthest of those that a run's launches and fills have
/// of the memory, with its evaluated extents and strides, and how many elements
/// that is. Nothing where no view is known. For a workspace its own extents; a
/// view beyond them is an error.
struct MemorySize {
  std::vector<int64_t> extents, strides;
  int64_t elements = 0;
};
llvm::Expected<std::optional<MemorySize>> sizeOf(const ProgramContract &program,
                                                 const ProgramMemory &memory,
                                                 Bindings bindings);

/// Gives the value of a float argument by its name.
using FloatBindings =
    llvm::function_ref<std::optional<double>(llvm::StringRef)>;

/// The value of a calculation, rounded to f32 after each operator.
llvm::Expected<double> evaluate(llvm::ArrayRef<FloatTerm> terms,
                                Bindings integers, FloatBindings floats);

/// Elements of rows without gaps; errors for negative extents and overflow.
llvm::Expected<int64_t> countElements(llvm::ArrayRef<Expr> extents,
                                      Bindings bindings);

/// Success, or all requirements of the program and of the steps that a run
/// comes to that do not hold, one line each; of what a loop repeats, those of
/// the first time.
llvm::Error checkRequirements(const ProgramContract &program,
                              Bindings bindings);

llvm::json::Value toJSON(const ProgramContract &program);
llvm::Expected<ProgramContract> programFromJSON(const llvm::json::Value &value);

} // namespace fly::contract

#endif // FLY_CONTRACT_PROGRAMCONTRACT_H
