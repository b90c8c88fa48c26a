//===- GemmChoice.h - GEMMs recommended, or for a problem -------*- C++ -*-===//
//
// What problem: tile, waves, stages, copy, epilogue and the rest of a GEMM for
// a chip, types and a problem size are a dozen decisions.
// What idea: the tuning guide's tile beside others, of those that no rule
// forbids the one with the least estimated cycles; each decision is a line with
// the number that made it. Configurations are the guide's by name.
// What it leaves open: whether another tile is faster. Nothing is compiled.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_GEN_GEMMCHOICE_H
#define FLY_GEN_GEMMCHOICE_H

#include "fly/Gen/Gemm.h"

namespace fly::gen {

/// A recommended configuration. Empty texts leave an option as it is.
struct GemmConfiguration {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  llvm::StringLiteral tile;
  llvm::StringLiteral in;
  llvm::StringLiteral scales;
  bool async;
};

/// All configurations, in the guide's order.
llvm::ArrayRef<GemmConfiguration> listGemmConfigurations();

/// Completes options by the configuration that they name: what they say
/// themselves stays. An error lists the known names.
llvm::Error applyGemmConfiguration(GemmOptions &options);

/// Decides what options of `tile = auto` leave open, for their problem size.
/// Returns a line for each decision. Errors: no size, and problems for which no
/// recommended tile is legal.
llvm::Expected<std::vector<std::string>> chooseGemm(GemmOptions &options);

} // namespace fly::gen

#endif // FLY_GEN_GEMMCHOICE_H
