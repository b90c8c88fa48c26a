//===- KernelRanking.h - Which kernels take the time ------------*- C++ -*-===//
//
// What problem: before a kernel is tuned, one must know that it is the one.
// What idea: calls, total, mean, least and most of each kernel, from a kernel
// trace, a database or kernel statistics, whichever there is; memory grows with
// the number of kernels, not of dispatches.
// What it refuses: dispatches without times, more kernels than maxKernels,
// sums that no run lasts for.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_ANALYSIS_KERNELRANKING_H
#define FLY_ANALYSIS_KERNELRANKING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fly::analysis {

struct RankedKernel {
  std::string name;
  uint64_t calls = 0;
  double totalNs = 0;
  std::optional<double> leastNs, mostNs;
  double meanNs() const { return calls ? totalNs / double(calls) : 0; }
};

struct KernelRanking {
  static constexpr size_t maxKernels = 1 << 16;
  std::vector<RankedKernel> kernels; ///< Most time first.
  uint64_t calls = 0;
  double totalNs = 0;
};

/// Ranks the kernels of a kernel trace, of kernel statistics or of a database.
llvm::Expected<KernelRanking> rankKernels(llvm::StringRef path);

/// The first \p top, for people.
void print(llvm::raw_ostream &os, const KernelRanking &ranking, size_t top);
llvm::json::Value toJSON(const KernelRanking &ranking);

} // namespace fly::analysis

#endif // FLY_ANALYSIS_KERNELRANKING_H
