//===- Roofline.h - What binds a kernel, and how near it is -----*- C++ -*-===//
//
// What problem: is a kernel slow because the matrix units are busy, because
// memory is, or because neither is and waves only wait?
// What idea: work over bytes against the machine's peaks says what can bind it;
// a time, measured or simulated, says how near to both peaks it is, and whether
// it is bound by latency instead. Every peak is printed with its source.
// What it leaves open: caches. Each byte counts once, so that less than the
// ideal traffic is impossible and more is overhead.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_ROOFLINE_H
#define FLY_ANALYSIS_ROOFLINE_H

#include "fly/Arch/Products.h"
#include "fly/Contract/LaunchContract.h"
#include "fly/Isa/Decoder.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

/// What a kernel has to do.
struct Work {
  std::string name; ///< "gemm fp8, M=16 N=4096 K=4096"
  double flop = 0;  ///< Operations of its dots.
  double bytes = 0; ///< Each element of each argument once.
  /// How both were computed.
  std::string flopFormula, bytesFormula;
  /// Inputs of the matrix unit; none where there are no dots.
  std::optional<std::pair<arch::ElementType, arch::ElementType>> types;
  /// Memory may tell the kernel to do less.
  bool isAtMost = false;
  /// Rows of the result, for the guide's rule of thumb.
  std::optional<int64_t> rows;
};

/// A GEMM by the tuning guide's formulas, extended to weights of 4 bits and to
/// block scales. Errors: types that are not among gemmTypes(), sizes that are
/// not positive.
llvm::Expected<Work> makeGemmWork(int64_t m, int64_t n, int64_t k,
                                  llvm::StringRef type);
/// "f32, f16, bf16, fp8, ...": for messages and help.
std::string gemmTypes();

/// What is known of a launch whose work is asked for.
struct WorkQuery {
  std::map<std::string, int64_t> arguments;
  /// Instead of what the kernel says of itself; over `arguments`, which may
  /// have names that no kernel has.
  std::optional<contract::Expr> flop, bytes;

  std::optional<int64_t> get(llvm::StringRef name) const;
  /// Names that only `flop` and `bytes` need.
  std::vector<std::string> ownNames() const;
};

/// The work of a kernel by its contract. Errors: arguments without a value,
/// which it names, evaluation, work that only memory tells, products of
/// different types, which have no one peak.
llvm::Expected<Work> makeKernelWork(const contract::LaunchContract &contract,
                                    const WorkQuery &query);
/// The same of a kernel that says nothing of itself: the query must, and its
/// matrix instructions tell the types.
llvm::Expected<Work> makeKernelWork(const isa::Kernel &kernel,
                                    const isa::Program &program,
                                    const WorkQuery &query);

/// Idle: too few compute units have work for any unit to be near its peak.
enum class Regime { Compute, Memory, Latency, Idle };
/// "compute", "memory", "latency", "idle".
const char *getName(Regime regime);

/// How long it took.
struct Measured {
  double microseconds = 0;
  /// "measured", "simulated".
  std::string source;
  /// Share of the time that the matrix units were busy, where somebody counted:
  /// of all of the machine's, as MfmaUtil.
  std::optional<double> mfmaBusy;
  /// Workgroups of the launch, and the compute units that have some.
  struct Grid {
    uint64_t workgroups = 0;
    unsigned activeUnits = 0;
  };
  std::optional<Grid> grid;
  /// Bytes that memory moved, where somebody counted; otherwise the ideal ones
  /// are taken.
  std::optional<double> bytes;
};

struct RooflineReport {
  Work work;
  const arch::Product *product = nullptr;
  /// 10^12 operations a second; without dots there is none.
  arch::Fact<double> peak;
  arch::Fact<unsigned> bandwidth; ///< 10^9 bytes a second.
  arch::Fact<unsigned> reached;   ///< What reads reach of it.
  std::optional<Measured> measured;
  Regime regime = Regime::Memory;
  std::string reason; ///< Of the regime.

  double intensity() const { return work.flop / work.bytes; }
  /// The intensity at which both take as long; nothing without a peak.
  std::optional<double> crossover() const;
  /// Microseconds that work and bytes take at the peaks.
  double computeMicroseconds() const;
  double memoryMicroseconds() const;
  /// Shares of the peaks in the measured time; may exceed 1, which no machine
  /// can.
  double computeShare() const;
  double memoryShare() const;
  bool isImpossible() const;
};

/// Share of a peak from which on a unit counts as busy: the guide's 70 % of
/// section 0. With work for fewer compute units none can be.
inline constexpr double busyShare = 0.7;

/// Errors: a product whose peak for the types or whose bandwidth is unknown.
llvm::Expected<RooflineReport> reportRoofline(const arch::Product &product,
                                              Work work,
                                              std::optional<Measured> measured);

/// For people.
void print(llvm::raw_ostream &os, const RooflineReport &report);
/// Its keys are in docs/Guide/Roofline.md.
llvm::json::Value toJSON(const RooflineReport &report);
/// A picture of all reports, which share the product: both axes logarithmic.
void printSvg(llvm::raw_ostream &os, llvm::ArrayRef<RooflineReport> reports);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_ROOFLINE_H
