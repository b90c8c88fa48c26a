//===- GemmOptions.h - What options of a GEMM say ---------------*- C++ -*-===//
#ifndef FLY_LIB_GEN_GEMMOPTIONS_H
#define FLY_LIB_GEN_GEMMOPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include "GemmKernel.h"

namespace fly::gen {

/// "--option=value: what".
llvm::Error complain(llvm::StringRef option, llvm::StringRef value,
                     const llvm::Twine &what);

/// Completes what the options leave open, by their configuration, by choice,
/// and by default. Returns a line for each choice.
llvm::Expected<std::vector<std::string>> completeGemm(GemmOptions &options);

/// An error for words that are unknown, those that later versions will have
/// among them, and for unknown chips.
llvm::Error checkScope(const GemmOptions &options);

/// Positive numbers separated by `x`, so many.
llvm::Expected<llvm::SmallVector<int64_t, 3>>
parseShape(llvm::StringRef option, llvm::StringRef value, size_t count,
           llvm::StringRef example);

/// "K:64,N:8", to the requirements of `gemm`.
llvm::Error parseRequirements(llvm::StringRef text, Gemm &gemm);

/// A preshuffled B is whole blocks, and whole K tiles.
void requireBlocks(Gemm &gemm);

/// Elements of less than a byte lie behind each other in rows of K, so an
/// operand of them has no transpose in memory.
llvm::Error checkTransposes(const Gemm &gemm);

/// Atomics add to C itself, so nothing may come behind the sums.
llvm::Error checkAtomic(const Gemm &gemm);

/// The schedule that the options say, and of two kernels the second one's.
std::string getSchedule(const Gemm &gemm);

} // namespace fly::gen

#endif // FLY_LIB_GEN_GEMMOPTIONS_H
