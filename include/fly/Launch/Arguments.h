//===- Arguments.h - From NAME=SPEC to kernel arguments ---------*- C++ -*-===//
//
// What problem: a kernel's parameters come from a launch contract, from tile
// IR, or from the metadata of another compiler's object; what the user gives
// is the same text for all of them.
// What idea: Parameter is what the three have in common. Scalars are bound
// first, since extents of buffers are computed from them; then each pointer
// gets a guarded buffer with its contents.
// What it refuses: unknown names (it lists the known ones), scalars without a
// value, buffers whose size nobody knows.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LAUNCH_ARGUMENTS_H
#define FLY_LAUNCH_ARGUMENTS_H

#include "fly/Contract/LaunchContract.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Launch/Buffer.h"
#include "fly/Launch/Spec.h"

namespace fly::launch {

/// What is known of a kernel's parameter.
struct Parameter {
  std::string name;
  bool isPointer = false;
  /// Given by position (`--arg`), not by name.
  bool isPositional = false;
  /// Of a pointer's elements or of the scalar; none for objects whose metadata
  /// does not say.
  std::optional<ElementType> type;
  /// Bytes of the argument.
  unsigned size = 8;
  bool isRead = true;
  bool isWritten = true;
  /// The launcher allocates it; `fill` is what it starts with: "zeros", a
  /// number as text, or empty for anything.
  bool isWorkspace = false;
  std::string fill;
  /// Bytes that a pointer's address is a multiple of.
  uint32_t alignment = 16;
  /// The one value that a launch may give the integer scalar: nobody needs to.
  std::optional<int64_t> fixed;
};

/// The user's wish for one argument.
struct NamedSpec {
  std::string name;
  Spec spec;
};

/// A parameter with its value.
struct Argument {
  Parameter parameter;
  /// Of a scalar.
  uint64_t bits = 0;
  /// Of a pointer, once allocated.
  std::optional<Buffer> buffer;

  /// The value of an integer scalar; none for everything else.
  std::optional<int64_t> integer() const;
};

/// Parameters of a contract, and of the explicit arguments of an object's
/// metadata (named "0", "1", ...).
llvm::Expected<std::vector<Parameter>>
parametersOf(const contract::LaunchContract &contract);
std::vector<Parameter> parametersOf(const isa::Kernel &kernel);

/// Parses "NAME=SPEC".
llvm::Expected<NamedSpec> parseNamedSpec(llvm::StringRef text);

/// The wish for an argument, null without one. The last one wins, as options
/// do.
const NamedSpec *findSpec(llvm::ArrayRef<NamedSpec> specs,
                          llvm::StringRef name);

/// Sets `fixed` where requirements demand that an argument is a number.
void findFixed(std::vector<Parameter> &parameters,
               llvm::ArrayRef<contract::Requirement> requirements);

/// Binds the scalars; pointers stay without a buffer. What is not given has its
/// fixed value.
llvm::Expected<std::vector<Argument>>
bindScalars(llvm::ArrayRef<Parameter> parameters,
            llvm::ArrayRef<NamedSpec> specs);

/// Integer scalars by name, for the expressions of a contract.
std::optional<int64_t> lookupScalar(llvm::ArrayRef<Argument> arguments,
                                    llvm::StringRef name);

/// Gives a pointer argument its buffer. `shape` and `elements` are what the
/// kernel's views say, none where they are unknown: then the spec must say.
/// Without a spec for it, memory that the kernel reads holds `rand` of a seed
/// made of `seed` and `index`, memory that it only writes all ones (NaN). A
/// positional pointer that is given as the scalar 0 stays null, without buffer.
llvm::Error allocateBuffer(Argument &argument, unsigned index,
                           std::optional<Shape> shape, int64_t elements,
                           llvm::ArrayRef<NamedSpec> specs, uint64_t seed);

/// The buffers of all pointers by the views of a contract.
llvm::Error allocateBuffers(std::vector<Argument> &arguments,
                            const contract::LaunchContract &contract,
                            llvm::ArrayRef<NamedSpec> specs, uint64_t seed);

/// The first changed guard band of all buffers.
llvm::Error checkGuards(llvm::ArrayRef<Argument> arguments);

/// The first workspace that had to be left zeroed and is not.
llvm::Error checkZeroed(llvm::ArrayRef<Argument> arguments);
/// An error that names the first byte that is not 0.
llvm::Error checkZeroed(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes);

} // namespace fly::launch

#endif // FLY_LAUNCH_ARGUMENTS_H
