//===- GemmSum.cpp - A second kernel that adds parts of K up --------------===//
//
// The first kernel stores the sums of each part of K; this one adds them in the
// order of K and ends as a GEMM does. A program launches both and has the
// memory between them.
//
//===----------------------------------------------------------------------===//
#include "GemmKernel.h"

using namespace fly;
using namespace fly::gen;

static void printSumKernel(llvm::raw_ostream &os, const Gemm &gemm,
                           const Parameters &parameters) {
  os << "\ngpu.module @add [#rocdl.target<chip = \"" << gemm.options.chip
     << "\">] {\n  gpu.func @sum(" << declare(parameters)
     << ")\n      kernel attributes {fly.schedule = #sum} {\n";
  printRequirements(os, gemm, parameters);
  printOutputViews(os, gemm);
  os << gemm.split.sum();
  printEpilogue(os, gemm, "%sum");
  os << "    gpu.return\n  }\n}\n";
}

void fly::gen::printSum(llvm::raw_ostream &os, const Gemm &gemm) {
  Parameter parts = {"Part", "!fly.ptr<" + gemm.split.type + ">"};
  Parameters sum = {parts, getOutput(gemm)};
  sum.append(getEpilogueInputs(gemm));
  sum.append(getSizes({"M", "N"}));
  sum.append(getLeadingDims(gemm, "c"));
  sum.append(getBatch(gemm, "c"));
  printSumKernel(os, gemm, sum);

  Parameters product = getOperands(gemm), all = product;
  product.append(getLoopScales(gemm));
  product.append(getSizes({"M", "N", "K"}));
  product.append(getLeadingDims(gemm, "ab"));
  product.append(getBatch(gemm, "ab"));
  product.push_back(parts);
  all.push_back(getOutput(gemm));
  all.append(getLoopScales(gemm));
  all.append(getEpilogueInputs(gemm));
  all.append(getSizes({"M", "N", "K"}));
  all.append(getLeadingDims(gemm, "abc"));
  all.append(getBatch(gemm, "abc"));
  os << "\nfunc.func @split_k(" << declare(all)
     << ") attributes {fly.program} {\n  %Part = fly.workspace["
     << gemm.extent() << gemm.split.parts << ", %M, %N] : " << parts.type
     << "\n  fly.launch @gemm::@gemm" << pass(product)
     << "\n  fly.launch @add::@sum" << pass(sum) << "\n  return\n}\n";
}
