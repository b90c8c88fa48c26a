//===- GemmEpilogue.cpp - What becomes of a GEMM's sums -------------------===//
//
// Scales of rows and columns, bias, activation, conversion and store, with the
// types and views that they need: in the kernel of the product, or in the one
// that adds parts up.
//
//===----------------------------------------------------------------------===//
#include "GemmKernel.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;

void fly::gen::printOutputTypes(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmTypes &types = gemm.types;
  if (types.acc == "i32" && !gemm.expression.empty())
    os << "!AccF = tensor<?x?xf32, #fly.tile<BM, BN>>\n";
  if (!types.isOutAcc())
    os << "!Out = tensor<?x?x" << types.out << ", #fly.tile<BM, BN>>\n";
  if (gemm.hasRowScales())
    os << "!Row = tensor<?xf32, #fly.tile<BM>>\n"
       << "!ColF = tensor<?xf32, #fly.tile<BN>>\n"
       << "!VF  = !fly.view<" << gemm.rank() << "?xf32>\n";
  if (gemm.hasBias())
    os << "!Col = tensor<?x" << types.bias << ", #fly.tile<BN>>\n"
       << "!VBias = !fly.view<?x" << types.bias << ">\n";
  os << "!VC  = !fly.view<" << gemm.rank() << "?x?x" << types.out << ">\n";
}

void fly::gen::printOutputViews(llvm::raw_ostream &os, const Gemm &gemm) {
  os << "    %c = fly.view %C[" << gemm.extent() << "%M, %N]"
     << getStrides(gemm, 'c', "M", /*isTransposed=*/false) << " : !VC\n";
  if (gemm.hasRowScales())
    os << "    %sa = fly.view %SA[" << gemm.extent() << "%M] : !VF\n"
       << "    %sb = fly.view %SB[" << gemm.extent() << "%N] : !VF\n";
  if (gemm.hasBias())
    os << "    %bias = fly.view %Bias[%N] : !VBias\n";
}

void fly::gen::printEpilogue(llvm::raw_ostream &os, const Gemm &gemm,
                             StringRef sums) {
  StringRef out = gemm.types.isOutAcc() ? "!Acc" : "!Out";
  StringRef result = sums;
  if (!gemm.expression.empty()) {
    std::string inputs = ("x = " + sums).str(), types = "!Acc";
    if (gemm.types.acc == "i32") {
      // The map takes floats; sums of 2^24 and more are rounded here.
      os << "    %wide = arith.sitofp " << sums << " : !Acc to !AccF\n";
      inputs = "x = %wide";
      types = "!AccF";
    }
    if (gemm.hasRowScales()) {
      os << "    %rows = fly.load %sa[" << gemm.at()
         << "%m] label \"sa\" : !VF -> !Row\n"
         << "    %cols = fly.load %sb[" << gemm.at()
         << "%n] label \"sb\" : !VF -> !ColF\n";
      inputs += ", r = rows %rows, c = cols %cols";
      types += ", !Row, !ColF";
    }
    if (gemm.hasBias()) {
      os << "    %added = fly.load %bias[%n] label \"bias\" : !VBias -> "
            "!Col\n";
      inputs += ", b = cols %added";
      types += ", !Col";
    }
    os << "    %o = fly.map \"" << gemm.expression << "\" (" << inputs
       << ") : (" << types << ") -> " << out << "\n";
    result = "%o";
  } else if (out == "!Out") {
    StringRef cast = gemm.types.acc == "i32" ? "sitofp" : "truncf";
    os << "    %o = arith." << cast << " " << sums << " : !Acc to !Out\n";
    result = "%o";
  }
  os << "    fly.store " << result << ", %c[" << gemm.at()
     << "%m, %n] label \"c\" : " << out << ", !VC\n";
}
