//===- HotLoop.h - What is asked of the order in a loop ---------*- C++ -*-===//
//
// What problem: `hot_loop` and `unroll` of a schedule are about a loop, and the
// passes that apply them run long after the schedule has been taken away.
// What idea: fly-resolve-schedule writes them on the loop op, as attributes;
// authors of explicit kernels write the same attributes on their scf.for.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_DIALECT_FLY_IR_HOTLOOP_H
#define FLY_DIALECT_FLY_IR_HOTLOOP_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

#include "llvm/ADT/SmallVector.h"

#include <array>

namespace fly {

/// On a loop: `"off"`, `"on"`, `"guide"`, `"hints"` (those of `"on"`, kept
/// where the machine code gains), `"pingpong"`, `"interleave"`, or a pattern as
/// an array of policies such as mfma(4) and the word "barrier". Absent is
/// `auto`.
inline constexpr llvm::StringLiteral hotLoopAttrName = "fly.hot_loop";
/// On a fly.barrier bare, without a value: half of the waves may have passed
/// one barrier more than the others, so what it orders is done where two more
/// of them are passed. On a kernel: the compiler made the barriers of a loop
/// so, and answers for their order.
inline constexpr llvm::StringLiteral staggeredAttrName = "fly.staggered";
/// On a kernel, without a value: fly-insert-waits made waits that let younger
/// accesses go on, and the compiler answers for their counts.
inline constexpr llvm::StringLiteral countedWaitsAttrName = "fly.counted_waits";
/// On a kernel, without a value: its author has no LDS of his own, so the
/// compiler answers for the order of all of it.
inline constexpr llvm::StringLiteral madeLdsAttrName = "fly.made_lds";
/// On a loop: copies of its body, a positive i64.
inline constexpr llvm::StringLiteral unrollAttrName = "fly.unroll";

/// Classes of machine operations that a pattern orders.
enum class SchedClass : uint8_t {
  Mfma,
  DsRead,
  DsWrite,
  VmemRead,
  VmemWrite,
  Valu,
  Salu,
  Trans,
  Fence, ///< Nothing crosses; the count does not matter.
};
inline constexpr size_t schedClassCount = 9;

/// The word of a class in a pattern: mfma, dsrd, dswr, vmem, vmem_write, valu,
/// salu, trans, barrier.
llvm::StringRef getSchedWord(SchedClass schedClass);
/// The class in messages: "MFMA", "LDS reads".
llvm::StringRef getSchedNoun(SchedClass schedClass);

/// So many operations of a class come next.
struct SchedGroup {
  SchedClass schedClass;
  unsigned count;
};

/// Operations of each class.
using SchedCounts = std::array<unsigned, schedClassCount>;

/// Reads a pattern; an error names the element that is none.
mlir::FailureOr<llvm::SmallVector<SchedGroup>>
readSchedPattern(mlir::ArrayAttr pattern,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// What hotLoopAttrName may hold.
mlir::LogicalResult
verifyHotLoop(mlir::Attribute value,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_HOTLOOP_H
