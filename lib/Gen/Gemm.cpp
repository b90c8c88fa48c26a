//===- Gemm.cpp - Text of GEMM kernels ------------------------------------===//
//
// Options are checked one by one, then the text is put together in the order
// of the file: schedule, types, kernel, and where a second one adds parts up,
// that and a program.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/MfmaTable.h"
#include "fly/Gen/GemmChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "GemmKernel.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;
using llvm::Twine;

static constexpr GeneratorInfo kGenerators[] = {
    {"gemm", "C = A * B^T, with epilogue; see fly-gen --help"},
};

llvm::ArrayRef<GeneratorInfo> fly::gen::listGenerators() { return kGenerators; }

static llvm::Error complain(StringRef option, StringRef value,
                            const Twine &what) {
  return llvm::createStringError("--" + option + "=" + value + ": " + what);
}

/// The value must be one of `known`; those of `later` are named as not there.
static llvm::Error checkWord(StringRef option, StringRef value,
                             llvm::ArrayRef<StringRef> known,
                             llvm::ArrayRef<StringRef> later = {}) {
  if (llvm::is_contained(known, value))
    return llvm::Error::success();
  std::string list = llvm::join(known, ", ");
  if (llvm::is_contained(later, value))
    return complain(option, value,
                    "does not exist in this version; it has " + list);
  return complain(option, value, "unknown, expected one of: " + list);
}

/// Positive numbers separated by `x`.
static llvm::Expected<llvm::SmallVector<int64_t, 3>>
parseShape(StringRef option, StringRef value, size_t count, StringRef example) {
  llvm::SmallVector<StringRef, 3> parts;
  value.split(parts, 'x');
  llvm::SmallVector<int64_t, 3> numbers;
  for (StringRef part : parts) {
    int64_t number;
    // Larger numbers are no tile of any chip; products of them must not wrap.
    if (part.getAsInteger(10, number) || number < 1 || number > INT16_MAX)
      break;
    numbers.push_back(number);
  }
  if (numbers.size() != count || parts.size() != count)
    return complain(option, value,
                    "expected " + Twine(count) +
                        " numbers from 1 to 32767, for example " + example);
  return numbers;
}

/// Options that later versions will have, with the values that exist now.
static llvm::Error checkScope(const GemmOptions &o) {
  struct Word {
    StringRef option, value;
    llvm::SmallVector<StringRef, 5> known, later;
  };
  const Word words[] = {
      {"b-layout", o.bLayout, {"plain", "preshuffle"}, {}},
      {"epilogue",
       o.epilogue,
       {"none", "bias", "bias_relu", "bias_silu", "bias_gelu"},
       {}},
      {"store", o.store, {"auto", "direct", "cshuffle"}, {}},
      {"swizzle", o.swizzle, {"auto", "xor", "pad", "none"}, {}},
      {"hot-loop",
       o.hotLoop,
       {"auto", "on", "off", "hints", "pingpong", "interleave"},
       {}},
      {"operands", o.operands, {"nt", "nn", "tn", "tt"}, {}},
      {"scales", o.scales, {"none", "row_col", "block", "mx"}, {}},
      {"lds-stages",
       o.ldsStages.empty() ? "1" : StringRef(o.ldsStages),
       {"1", "2", "3", "4", "5", "6", "7", "8"},
       {}},
      {"mfma",
       o.mfma.empty() ? "16x16" : StringRef(o.mfma),
       {"16x16", "32x32"},
       {}},
      {"acc",
       o.acc.empty() ? "auto" : StringRef(o.acc),
       {"plain", "transposed", "auto"},
       {}},
      {"prefetch",
       o.prefetch.empty() ? "1" : StringRef(o.prefetch),
       {"1"},
       {"0", "2", "3", "4"}},
  };
  for (const Word &word : words)
    if (llvm::Error error =
            checkWord(word.option, word.value, word.known, word.later))
      return error;
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(o.chip);
  if (!chip || !chip->canCompile)
    return complain("chip", o.chip,
                    "unknown, known are: " +
                        arch::knownChipNames(/*compilableOnly=*/true));
  return llvm::Error::success();
}

/// "K:64,N:8".
static llvm::Error parseRequirements(StringRef text, Gemm &gemm) {
  llvm::SmallVector<StringRef, 4> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, number] = part.split(':');
    llvm::SmallVector<StringRef, 6> names = {"M", "N", "K"};
    if (gemm.options.leadingDims)
      names.append({"lda", "ldb", "ldc"});
    if (gemm.options.batch)
      names.append({"stride_a", "stride_b", "stride_c"});
    int64_t multiple;
    if (!llvm::is_contained(names, name))
      return complain("require", text,
                      "'" + name + "' is no size of the kernel, known are: " +
                          llvm::join(names, ", "));
    if (number.getAsInteger(10, multiple) || multiple < 1)
      return complain("require", text,
                      "expected a positive number after '" + name +
                          ":', for example K:64");
    gemm.requirements.emplace_back(name.str(), multiple);
  }
  return llvm::Error::success();
}

/// Rows of tiles that are walked together under --xcd-swizzle.
static constexpr int64_t kGroup = 8;

static std::string schedule(const Gemm &gemm) {
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

/// Atomics add to C itself, so nothing may come behind the sums.
static llvm::Error checkAtomic(const Gemm &gemm) {
  const GemmOptions &o = gemm.options;
  if (gemm.split.form != GemmSplit::Form::Atomic)
    return llvm::Error::success();
  if (gemm.types.isOutAcc() && gemm.expression.empty() &&
      llvm::is_contained({"auto", "direct"}, o.store))
    return llvm::Error::success();
  return complain("split-k", o.splitK,
                  "adds parts to C as they come, so C is of " + gemm.types.acc +
                      ", without epilogue, scales of rows, or cshuffle; last "
                      "and two-kernel take any");
}

/// A preshuffled B is whole blocks, and whole K tiles.
static void requireBlocks(Gemm &gemm) {
  if (!gemm.isPreshuffled())
    return;
  gemm.requirements.insert(gemm.requirements.begin(),
                           {{"K", gemm.tile[2]}, {"N", 16}});
}

/// The tile of all that say nothing: a scale's elements of K are whole in it,
/// and it fits LDS, beside what block scales exchange.
static StringRef getDefaultTile(const GemmOptions &options) {
  if (options.scales == "block")
    return "64x128x128";
  if (options.scales == "mx" || StringRef(options.in).contains("i4"))
    return "128x128x128";
  return options.in == "f64" ? "64x64x32" : "128x128x64";
}

/// Completes what the options leave open, by their configuration, by choice,
/// and by default. Returns a line for each choice.
static llvm::Expected<std::vector<std::string>> complete(GemmOptions &options) {
  auto setDefault = [](std::string &option, StringRef value) {
    if (option.empty())
      option = value.str();
  };
  setDefault(options.chip, arch::allChips().front()->name);
  if (!options.config.empty())
    if (llvm::Error error = applyGemmConfiguration(options))
      return std::move(error);
  setDefault(options.in, "bf16");
  setDefault(options.bLayout, "plain");
  setDefault(options.scales, "none");
  setDefault(options.tile, getDefaultTile(options));
  options.leadingDims |= options.batch;
  if (options.tile == "auto")
    return chooseGemm(options);
  return std::vector<std::string>();
}

/// Elements of less than a byte lie behind each other in rows of K, so an
/// operand of them has no transpose in memory.
static llvm::Error checkTransposes(const Gemm &gemm) {
  auto isNarrow = [&](StringRef type) {
    auto element = arch::elementTypeOfMlir(
        type, *arch::ArchInfo::lookup(gemm.options.chip)->fp8);
    return type == "i4" || (element && arch::bitWidth(*element) < 8);
  };
  for (bool isB : {false, true}) {
    StringRef type = isB ? gemm.types.b : gemm.types.a;
    if (isNarrow(type) && (isB ? gemm.isBTransposed() : gemm.isATransposed()))
      return complain("operands", gemm.options.operands,
                      StringRef(isB ? "B of " : "A of ") + type +
                          " has rows of K in whole bytes, and no transpose: "
                          "use " +
                          (isB ? "nt or tt" : "nt or nn"));
  }
  return llvm::Error::success();
}

llvm::Expected<std::string>
fly::gen::generateGemm(const GemmOptions &wanted,
                       std::vector<std::string> *decisions) {
  GemmOptions options = wanted;
  auto choices = complete(options);
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
  os << schedule(gemm);
  printTypes(os, gemm);
  printKernel(os, gemm);
  if (gemm.split.isTwoKernels())
    printSum(os, gemm);
  if (decisions)
    *decisions = std::move(*choices);
  return text;
}
