//===- GemmLoop.cpp - The loop of a generated GEMM ------------------------===//
//
// Loads of the operands and of scales that belong to blocks of K, and what is
// multiplied: tiles as they are, MX formats with their scales, products that a
// scale each is applied to, or weights of 4 bits that are widened first. Scales
// lie in matrices of a row for each row of their operand and a column for each
// block of K; with --scales=block the other way round, so that the scales of a
// block of K lie next to each other, and B has one for each 128 rows.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "GemmKernel.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;
using llvm::Twine;

llvm::Error fly::gen::checkScales(const Gemm &gemm) {
  int64_t group = gemm.scaleGroup(), k = gemm.tile[2], n = gemm.tile[1];
  auto complain = [&](const Twine &what) {
    return llvm::createStringError("--tile=" + gemm.options.tile + ": " + what);
  };
  if (gemm.types.isInt4() && group != 32 && group != 64 && group != 128)
    return llvm::createStringError("--group=" + Twine(group) +
                                   ": expected 32, 64 or 128");
  if (group == 0)
    return llvm::Error::success();
  if (gemm.hasBlockScales() ? k != group : k % group != 0)
    return complain("a scale is for " + Twine(group) + " elements of K, so " +
                    (gemm.hasBlockScales() ? "a tile has as many"
                                           : "a tile has a multiple of it"));
  if (gemm.hasBlockScales() && n % kScaleBlock != 0)
    return complain("a scale is for " + Twine(kScaleBlock) +
                    " rows of B, so a tile has a multiple of it");
  return llvm::Error::success();
}

void fly::gen::printScaleTypes(llvm::raw_ostream &os, const Gemm &gemm) {
  if (gemm.scaleGroup() == 0)
    return;
  std::string type = gemm.scaleType();
  os << "!VS  = !fly.view<" << gemm.rank() << "?x?x" << type << ">\n";
  if (gemm.hasBlockScales()) {
    os << "!SA  = tensor<?xf32, #fly.tile<BM>>\n"
       << "!SB  = tensor<?xf32, #fly.tile<NB>>\n"
       << "!SN  = tensor<?xf32, #fly.tile<BN>>\n";
    return;
  }
  if (gemm.types.isMx)
    os << "!SA  = tensor<?x?x" << type << ", #fly.tile<BM, KB>>\n";
  os << "!SB  = tensor<?x?x" << type << ", #fly.tile<BN, KB>>\n";
  if (gemm.types.isInt4())
    os << "!SF  = tensor<?x?xf32, #fly.tile<BN, KB>>\n"
       << "!BF  = tensor<?x?xf32, #fly.tile<BN, BK>>\n"
       << "!BW  = tensor<?x?x" << gemm.types.a << ", #fly.tile<BN, BK>>\n";
}

void fly::gen::printScaleViews(llvm::raw_ostream &os, const Gemm &gemm) {
  int64_t group = gemm.scaleGroup();
  if (group == 0)
    return;
  os << "    %group = arith.constant " << group << " : i32\n"
     << "    %blocks = arith.ceildivsi %K, %group : i32\n";
  if (gemm.hasBlockScales()) {
    os << "    %rows = arith.ceildivsi %N, %group : i32\n"
       << "    %sa = fly.view %SA[" << gemm.extent() << "%blocks, %M] : !VS\n"
       << "    %sb = fly.view %SB[" << gemm.extent()
       << "%blocks, %rows] : !VS\n";
    return;
  }
  if (gemm.types.isMx)
    os << "    %sa = fly.view %SA[" << gemm.extent() << "%M, %blocks] : !VS\n";
  os << "    %sb = fly.view %SB[" << gemm.extent() << "%N, %blocks] : !VS\n";
}

/// What a K tile adds to the accumulator `%s`; its name is `%d`.
static void printProduct(llvm::raw_ostream &os, const Gemm &gemm) {
  StringRef indent = "        ";
  if (gemm.types.isMx) {
    os << indent << "%d = fly.dot_scaled %ta scale %tsa, %tb scale %tsb, %s : "
       << "!A, !SA, !B, !SB -> !Acc\n";
    return;
  }
  if (gemm.types.isInt4()) {
    os << indent << "%w = arith.sitofp %tb : !B to !BF\n"
       << indent << "%f = arith.extf %tsb : !SB to !SF\n"
       << indent << "%r = fly.repeat %f by " << gemm.scaleGroup()
       << " along 1 : !SF -> !BF\n"
       << indent << "%p = arith.mulf %w, %r : !BF\n"
       << indent << "%b4 = arith.truncf %p : !BF to !BW\n"
       << indent << "%d = fly.dot %ta, %b4, %s : !A, !BW -> !Acc\n";
    return;
  }
  if (gemm.hasBlockScales()) {
    os << indent << "%p = fly.dot %ta, %tb, %zero : !A, !B -> !Acc\n"
       << indent << "%n1 = fly.repeat %tsb by " << kScaleBlock
       << " along 0 : !SB -> !SN\n"
       << indent << "%ra = fly.broadcast %tsa along 1 : !SA -> !Acc\n"
       << indent << "%rb = fly.broadcast %n1 along 0 : !SN -> !Acc\n"
       << indent << "%r = arith.mulf %ra, %rb : !Acc\n"
       << indent << "%d = math.fma %p, %r, %s : !Acc\n";
    return;
  }
  os << indent << "%d = fly.dot %ta, %tb, %s"
     << (gemm.types.isXf32 ? " xf32" : "") << " : !A, !B -> !Acc\n";
}

void fly::gen::printLoop(llvm::raw_ostream &os, const Gemm &gemm) {
  std::string names = "%ta, %tb", types = "!A, !B";
  std::string arguments = "%ta: !A, %tb: !B";
  auto add = [&](StringRef name, StringRef type) {
    names += (", " + name).str();
    types += (", " + type).str();
    arguments += (", " + name + ": " + type).str();
  };
  int64_t group = gemm.scaleGroup();
  if (group && !gemm.types.isInt4())
    add("%tsa", "!SA");
  if (group)
    add("%tsb", "!SB");
  os << "    %acc = fly.pipeline @kloop %k = " << gemm.split.bounds()
     << " step BK iter_args(%s = %zero) : !Acc\n"
        "      prefetch {\n"
        "        %ta = fly.load %a["
     << gemm.at()
     << "%m, %k] label \"a\" : !VA -> !A\n"
        "        %tb = fly.load %b["
     << gemm.at() << "%n, %k] label \"b\" : !VB -> !B\n";
  if (group)
    os << "        %kb = arith.divsi %k, %group : i32\n";
  if (gemm.hasBlockScales())
    os << "        %nb = arith.divsi %n, %group : i32\n"
       << "        %tsa = fly.load %sa[" << gemm.at()
       << "%kb, %m] label \"sa\" : !VS -> !SA\n"
       << "        %tsb = fly.load %sb[" << gemm.at()
       << "%kb, %nb] label \"sb\" : !VS -> !SB\n";
  else if (group) {
    if (gemm.types.isMx)
      os << "        %tsa = fly.load %sa[" << gemm.at()
         << "%m, %kb] label \"sa\" : !VS -> !SA\n";
    os << "        %tsb = fly.load %sb[" << gemm.at()
       << "%n, %kb] label \"sb\" : !VS -> !SB\n";
  }
  os << "        fly.yield " << names << " : " << types << "\n"
     << "      } compute(" << arguments << ") {\n";
  printProduct(os, gemm);
  os << "        fly.yield %d : !Acc\n      }\n\n";
}
