//===- GemmSchedule.cpp - The schedule that options of a GEMM say ---------===//
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "GemmOptions.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;

/// Rows of tiles that are walked together under --xcd-swizzle.
static constexpr int64_t kGroup = 8;

std::string fly::gen::getSchedule(const Gemm &gemm) {
  const GemmOptions &o = gemm.options;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv(
      "#sched = #fly.schedule<sizes = {{BM = {0}, BN = {1}, BK = {2}",
      gemm.tile[0], gemm.tile[1], gemm.tile[2]);
  if (gemm.hasBlockScales())
    os << ", NB = " << gemm.tile[1] / kScaleBlock;
  else if (int64_t group = gemm.scaleGroup())
    os << ", KB = " << gemm.tile[2] / group;
  if (std::string size = gemm.split.size(); !size.empty())
    os << ", " << size;
  os << "}";
  if (!gemm.waves.empty())
    os << llvm::formatv(", waves = [{0}, {1}]", gemm.waves[0], gemm.waves[1]);
  if (o.xcdSwizzle)
    os << ",\n    grid = {order = grouped(" << kGroup << "), xcd = on}";
  std::string operand;
  if (!o.ldsStages.empty())
    operand += "stages = " + o.ldsStages;
  if (o.swizzle != "auto")
    operand += (operand.empty() ? "" : ", ") + ("swizzle = " + o.swizzle);
  if (o.async)
    operand += (operand.empty() ? "" : ", ") + std::string("copy = async");
  if (!operand.empty())
    os << ",\n    a = lds(" << operand << ")";
  if (gemm.isPreshuffled())
    os << ",\n    b = regs(depth = 1)";
  else if (!operand.empty() && !gemm.types.isInt4())
    // Weights of 4 bits are widened in registers.
    os << ", b = lds(" << operand << ")";
  std::string loop;
  if (!o.mfma.empty())
    loop += "mfma = " + o.mfma;
  if (!o.acc.empty())
    loop += (loop.empty() ? "" : ", ") + ("acc = " + o.acc);
  if (o.hotLoop != "auto")
    loop += (loop.empty() ? "" : ", ") + ("hot_loop = " + o.hotLoop);
  if (!loop.empty())
    os << ",\n    kloop = {" << loop << "}";
  std::string store;
  if (o.store != "auto" && gemm.split.form != GemmSplit::Form::Atomic)
    store = ", c = {epilogue = " + o.store + "}";
  if (!gemm.split.isTwoKernels())
    os << store;
  os << ">\n";
  if (gemm.split.isTwoKernels())
    os << "#sum = #fly.schedule<sizes = {BM = 16, BN = 64, "
       << gemm.split.size() << "}, waves = [4, 1]" << store << ">\n";
  return text;
}
