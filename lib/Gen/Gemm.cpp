//===- Gemm.cpp - Text of GEMM kernels ------------------------------------===//
//
// The text is put together in the order of the file: schedule, types, kernel,
// and where a second one adds parts up, that and a program.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"

#include "fly/Arch/ArchInfo.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "GemmKernel.h"
#include "GemmOptions.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;

static constexpr GeneratorInfo kGenerators[] = {
    {"gemm", "C = A * B^T, with epilogue; see fly-gen --help"},
};

llvm::ArrayRef<GeneratorInfo> fly::gen::listGenerators() { return kGenerators; }

/// The layout of an operand's view: what is contiguous, or how blocks lie.
static StringRef getLayout(const Gemm &gemm, bool isB) {
  if (isB && gemm.isPreshuffled())
    return ", #fly.preshuffle<16, 64>";
  if (isB ? !gemm.isBTransposed() : !gemm.isATransposed())
    return "";
  return gemm.options.batch ? ", #fly.strided<[?, 1, ?]>"
                            : ", #fly.strided<[1, ?]>";
}

static void printTypes(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmTypes &types = gemm.types;
  os << llvm::formatv("!A   = tensor<?x?x{0}, #fly.tile<BM, BK>>\n"
                      "!B   = tensor<?x?x{1}, #fly.tile<BN, BK>>\n"
                      "!Acc = tensor<?x?x{2}, #fly.tile<BM, BN>>\n",
                      types.a, types.b, types.acc);
  printScaleTypes(os, gemm);
  printOutputTypes(os, gemm);
  os << gemm.split.types() << "!VA  = !fly.view<" << gemm.rank() << "?x?x"
     << types.a << getLayout(gemm, false) << ">\n"
     << "!VB  = !fly.view<" << gemm.rank() << "?x?x" << types.b
     << getLayout(gemm, true) << ">\n\n";
}

static void printInputViews(llvm::raw_ostream &os, const Gemm &gemm) {
  os << "    %a = fly.view %A[" << gemm.extent() << "%M, %K]"
     << getStrides(gemm, 'a', "M", gemm.isATransposed()) << " : !VA\n"
     << "    %b = fly.view %B[" << gemm.extent() << "%N, %K]"
     << (gemm.isPreshuffled()
             ? std::string()
             : getStrides(gemm, 'b', "N", gemm.isBTransposed()))
     << " : !VB\n";
  printScaleViews(os, gemm);
}

/// `text` with every line that is not empty indented by `spaces` more.
static std::string indent(StringRef text, unsigned spaces) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    result += std::string(line.empty() ? 0 : spaces, ' ') + line.str() + '\n';
    text = rest;
  }
  return result;
}

static std::string getLoop(const Gemm &gemm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printLoop(os, gemm);
  return text;
}

static std::string getEpilogue(const Gemm &gemm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (StringRef sums = gemm.split.result(); !sums.empty())
    printEpilogue(os, gemm, sums);
  return text;
}

static void printKernel(llvm::raw_ostream &os, const Gemm &gemm) {
  bool isWhole = !gemm.split.isTwoKernels();
  Parameters pointers = getOperands(gemm);
  if (isWhole)
    pointers.push_back(getOutput(gemm));
  pointers.append(getLoopScales(gemm));
  if (isWhole)
    pointers.append(getEpilogueInputs(gemm));
  Parameters sizes = getSizes({"M", "N", "K"});
  sizes.append(getLeadingDims(gemm, isWhole ? "abc" : "ab"));
  sizes.append(getBatch(gemm, isWhole ? "abc" : "ab"));
  os << "gpu.module @gemm [#rocdl.target<chip = \"" << gemm.options.chip
     << "\">] {\n  gpu.func @gemm(" << declare(pointers)
     << ",\n                 " << declare(sizes) << gemm.split.arguments()
     << ")\n      kernel attributes {fly.schedule = #sched} {\n";
  printRequirements(os, gemm, sizes);
  printInputViews(os, gemm);
  if (isWhole)
    printOutputViews(os, gemm);
  os << gemm.split.before() << indent(getLoop(gemm), gemm.split.loopIndent())
     << gemm.split.after()
     << indent(getEpilogue(gemm), gemm.split.epilogueIndent())
     << gemm.split.close() << "    gpu.return\n  }\n}\n";
}

/// The expression of the epilogue's fly.map; empty where nothing is computed
/// but the output's rounding.
static std::string getExpression(const Gemm &gemm) {
  std::string value = gemm.hasRowScales() ? "x * r * c" : "x";
  if (gemm.hasBias())
    value += " + b";
  StringRef activation = StringRef(gemm.options.epilogue).split('_').second;
  if (!activation.empty())
    value = (activation == "gelu" ? "gelu_tanh" : activation.str()) + "(" +
            value + ")";
  return value == "x" ? "" : value;
}

llvm::Expected<std::string>
fly::gen::generateGemm(const GemmOptions &wanted,
                       std::vector<std::string> *decisions) {
  GemmOptions options = wanted;
  auto choices = completeGemm(options);
  if (!choices)
    return choices.takeError();
  if (llvm::Error error = checkScope(options))
    return error;
  llvm::Expected<GemmTypes> types =
      parseGemmTypes(options, *arch::ArchInfo::lookup(options.chip));
  if (!types)
    return types.takeError();
  llvm::Expected<GemmSplit> split =
      GemmSplit::parse(options.splitK, options.streamK, types->acc);
  if (!split)
    return split.takeError();
  if (options.batch && split->form == GemmSplit::Form::Stream)
    return llvm::createStringError(
        "--batch: workers of --stream-k share the K of one product's tiles; "
        "use --split-k, which shares that of each product");
  split->isBatched = options.batch;
  Gemm gemm{options, std::move(*types), {}, {}, {}, {}, std::move(*split)};
  if (gemm.isPreshuffled() && gemm.isBTransposed())
    return complain("operands", options.operands,
                    "a preshuffled B has the layout of N x K: use nt or tt");
  if (llvm::Error error = checkTransposes(gemm))
    return std::move(error);
  auto tile = parseShape("tile", options.tile, 3, "128x256x64");
  if (!tile)
    return tile.takeError();
  gemm.tile = *tile;
  if (!options.waves.empty()) {
    auto waves = parseShape("waves", options.waves, 2, "2x2");
    if (!waves)
      return waves.takeError();
    gemm.waves = *waves;
  }
  if (llvm::Error error = parseRequirements(options.require, gemm))
    return error;
  if (llvm::Error error = checkScales(gemm))
    return std::move(error);
  requireBlocks(gemm);
  gemm.expression = getExpression(gemm);
  if (llvm::Error error = checkAtomic(gemm))
    return std::move(error);

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// C = A * B^T, A of M x K, B of N x K, C of M x N, row-major"
     << (gemm.isATransposed() ? "; memory holds A^T" : "")
     << (gemm.isBTransposed() ? "; memory holds B^T" : "")
     << (gemm.isPreshuffled() ? "; memory holds B preshuffled" : "") << ".\n";
  if (StringRef promise = gemm.split.promise(); !promise.empty())
    os << "// " << promise << '\n';
  for (const std::string &choice : *choices)
    os << "// auto: " << choice << '\n';
  os << getSchedule(gemm);
  printTypes(os, gemm);
  printKernel(os, gemm);
  if (gemm.split.isTwoKernels())
    printSum(os, gemm);
  if (decisions)
    *decisions = std::move(*choices);
  return text;
}
