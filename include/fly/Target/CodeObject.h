//===- CodeObject.h - ROCDL module to code object bytes ---------*- C++ -*-===//
//
// The last step of the compiler: a gpu.module whose body is LLVM dialect with
// rocdl operations becomes an AMDHSA code object in memory. Everything happens
// in this process, or, with `isolate`, in a forked child whose crash becomes a
// diagnostic. No file is left, nothing is printed, the caller is never ended:
// all problems are diagnostics at the operation, through the context's handler.
// The same module gives the same bytes in any directory.
//
// It refuses: chips that Fly does not compile for, calls of functions without a
// body, LDS above the chip's limit.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TARGET_CODEOBJECT_H
#define FLY_TARGET_CODEOBJECT_H

#include "fly/Contract/ObjectContracts.h"
#include "fly/Reports/IsaReport.h"
#include "fly/Verify/Verify.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fly::target {

/// Attribute of a kernel (llvm.func): its launch contract as a JSON string, as
/// contract::toJSON writes one. SerializeOptions::contracts has precedence.
inline constexpr llvm::StringLiteral contractAttrName = "fly.contract";

/// How the error begins that a crash of LLVM in a child becomes: no fault of
/// the user, so tools keep the input for a report.
inline constexpr llvm::StringLiteral codegenCrashText =
    "LLVM's code generation crashed";

/// What a kernel takes, read back from the emitted object.
struct KernelStatistics {
  std::string name;
  /// The ways that were tried, in the order of the portfolio.
  std::vector<reports::CodegenFigures> tried;
  std::string codegen; ///< The one that was taken.
  /// The real order of its hot loop by its word in schedules, and why it was
  /// chosen if nobody asked for it; empty without one.
  std::string order;
  unsigned vgprs = 0; ///< Architectural vector registers.
  unsigned agprs = 0; ///< Accumulation vector registers.
  unsigned sgprs = 0;
  unsigned vgprSpills = 0;
  unsigned sgprSpills = 0;
  unsigned scratchBytes = 0; ///< A lane.
  unsigned ldsBytes = 0;     ///< Static, a workgroup.
  unsigned kernargBytes = 0;
  unsigned codeBytes = 0; ///< Of the kernel's function.
};

/// Time of the steps in milliseconds; forms that are compiled side by side
/// count one by one.
struct SerializeTimings {
  double translateMs = 0; ///< LLVM dialect to LLVM IR.
  double midEndMs = 0;    ///< Our attributes and the mid-end passes.
  double codegenMs = 0;   ///< LLVM's code generation, of all forms tried.
  double linkMs = 0;
  double verifyMs = 0; ///< Proofs on the code of forms.

  SerializeTimings &operator+=(const SerializeTimings &other) {
    translateMs += other.translateMs;
    midEndMs += other.midEndMs;
    codegenMs += other.codegenMs;
    linkMs += other.linkMs;
    verifyMs += other.verifyMs;
    return *this;
  }
};

/// A code object in memory.
struct CodeObject {
  std::string chip;
  /// The linked ELF; empty where SerializeOptions::emitObject was off.
  std::string bytes;
  /// The proofs on `bytes`; none where they cannot be verified.
  std::optional<verify::ObjectVerdict> verdict;
  /// Assembly text, where asked for.
  std::string assembly;
  /// LLVM IR as code generation gets it, where asked for.
  std::string llvmIr;
  /// In the order of the module.
  std::vector<KernelStatistics> kernels;
  std::vector<contract::LaunchContract> contracts;
  /// What launches these kernels.
  std::vector<contract::ProgramContract> programs;
  SerializeTimings timings;
};

/// LLVM passes between translation and code generation.
enum class MidEnd : uint8_t {
  /// None. The default: Fly's passes have done the work already, and the best
  /// register allocations of fat tiles come from IR that nobody has reshaped.
  None,
  /// A short fixed list for IR that comes from elsewhere: sroa, early-cse,
  /// instcombine, simplifycfg, licm, early-cse.
  Clean,
};

struct SerializeOptions {
  /// The chip; empty takes it from the module's #rocdl.target.
  std::string chip;
  bool emitObject = true;
  bool emitAssembly = false;
  bool emitLlvmIr = false;
  MidEnd midEnd = MidEnd::None;
  /// Code object version of the ABI, 5 or 6.
  unsigned codeObjectVersion = 5;
  /// Generate code in a forked child, so that a fatal error of LLVM becomes a
  /// diagnostic. Fork before the process starts threads.
  bool isolate = false;
  /// Launch contracts by kernel name; they give the metadata its argument
  /// names and types, and travel in the object's note.
  std::vector<contract::LaunchContract> contracts;
  /// Programs that launch the kernels; they travel in the note, too.
  std::vector<contract::ProgramContract> programs;
  /// Function attributes for every kernel that does not set them itself, e.g.
  /// {"amdgpu-sched-strategy", "iterative-ilp"}.
  std::vector<std::pair<std::string, std::string>> kernelAttributes;
  /// The object says which line of the source each instruction comes from.
  /// Functions that have debug information keep theirs.
  bool lineTables = true;
  /// Prefixes of source directories in debug information and what they become,
  /// so that line tables are the same in any directory. Of files that none is a
  /// prefix of, `lineTables` keeps the last component.
  std::vector<std::pair<std::string, std::string>> pathPrefixMap;
};

/// Registers the translations to LLVM IR that serialize() needs. Calling it
/// again, or after upstream's registration, does nothing.
void registerTranslations(mlir::DialectRegistry &registry);

/// Compiles \p module. \p module is not changed. Thread-safe for modules of
/// different contexts; linking takes a lock.
mlir::FailureOr<CodeObject> serialize(mlir::gpu::GPUModuleOp module,
                                      const SerializeOptions &options = {});

} // namespace fly::target

#endif // FLY_TARGET_CODEOBJECT_H
