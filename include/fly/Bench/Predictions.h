//===- Predictions.h - published GEMMs on the timing model ------*- C++ -*-===//
//
// What problem: whoever reads a model's figures wants to know how far they are
// from what kernels reach on the machine.
// What idea: for every published figure of a GEMM whose types, sizes, tile and
// loop are published too, Fly's kernel of that form is compiled and timed, and
// the error is printed, whatever it is. Other figures are listed, with what is
// not known of their kernels.
// What it does not promise: that the published kernels' machine code is alike.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_BENCH_PREDICTIONS_H
#define FLY_BENCH_PREDICTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace fly::bench {

/// One published figure and the model's.
struct Prediction {
  std::string kernel;   ///< "FlyDSL fp8 8192^3, tile 128x256x128, async"
  std::string product;  ///< "MI355X"
  std::string type;     ///< Of the inputs, "fp8".
  double published = 0; ///< 10^12 operations a second.
  double model = 0;     ///< The same; 0: not predicted.
  std::string unknown;  ///< Why not.
  double peak = 0;      ///< Of the product, by arithmetic.
  double mfmaBusyShare = 0;
  /// What was replayed, and what the rest was taken from.
  std::vector<std::string> extrapolated;

  bool isPredicted() const { return unknown.empty(); }
  /// Distance of the model from the figure, as a share of it.
  double error() const { return model / published - 1; }
};

/// Two predicted figures of one product and type: which kernel is faster?
struct PredictedPair {
  const Prediction *slower = nullptr, *faster = nullptr; ///< As published.

  /// How much faster, as a share.
  double published() const { return faster->published / slower->published - 1; }
  double model() const { return faster->model / slower->model - 1; }
  bool isRight() const { return model() > 0; }
};
/// All such pairs of `rows`.
std::vector<PredictedPair> pairsOf(llvm::ArrayRef<Prediction> rows);

/// Compiles and times the kernels whose name or product holds `match`, and
/// lists the figures that are not predicted.
llvm::Expected<std::vector<Prediction>>
predictPublished(mlir::MLIRContext &context, llvm::StringRef match = "");

void print(llvm::raw_ostream &os, llvm::ArrayRef<Prediction> rows);
llvm::json::Value toJSON(llvm::ArrayRef<Prediction> rows);

} // namespace fly::bench

#endif // FLY_BENCH_PREDICTIONS_H
