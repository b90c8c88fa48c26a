//===- Gemm.cpp - Text of GEMM kernels ------------------------------------===//
//
// Options are checked one by one, then the text is put together in the order
// of the file: schedule, types, kernel.
//
//===----------------------------------------------------------------------===//
#include "fly/Gen/Gemm.h"

#include "fly/Arch/ArchInfo.h"
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
  if (o.xcdSwizzle)
    return llvm::createStringError(
        "--xcd-swizzle does not exist in this version; leave it out");
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
      {"hot-loop", o.hotLoop, {"auto", "on", "off"}, {}},
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
      {"split-k",
       o.splitK.empty() ? "1" : StringRef(o.splitK),
       {"1"},
       {"2", "3", "4", "5", "8", "16"}},
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
  os << "}";
  if (!gemm.waves.empty())
    os << llvm::formatv(", waves = [{0}, {1}]", gemm.waves[0], gemm.waves[1]);
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
  else if (!operand.empty())
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
  if (o.store != "auto")
    os << ", c = {epilogue = " << o.store << "}";
  os << ">\n";
  return text;
}

/// The layout of an operand's view: what is contiguous, or how blocks lie.
static StringRef getLayout(const Gemm &gemm, bool isB) {
  if (isB && gemm.isPreshuffled())
    return ", #fly.preshuffle<16, 64>";
  bool isTransposed = isB ? gemm.isBTransposed() : gemm.isATransposed();
  return isTransposed ? ", #fly.strided<[1, ?]>" : "";
}

static void printTypes(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmTypes &types = gemm.types;
  os << llvm::formatv("!A   = tensor<?x?x{0}, #fly.tile<BM, BK>>\n"
                      "!B   = tensor<?x?x{1}, #fly.tile<BN, BK>>\n"
                      "!Acc = tensor<?x?x{2}, #fly.tile<BM, BN>>\n",
                      types.a, types.b, types.acc);
  if (types.acc == "i32" && !gemm.expression.empty())
    os << "!AccF = tensor<?x?xf32, #fly.tile<BM, BN>>\n";
  if (!types.isOutAcc())
    os << "!Out = tensor<?x?x" << types.out << ", #fly.tile<BM, BN>>\n";
  if (gemm.hasRowScales())
    os << "!Row = tensor<?xf32, #fly.tile<BM>>\n"
       << "!ColF = tensor<?xf32, #fly.tile<BN>>\n"
       << "!VF  = !fly.view<?xf32>\n";
  printScaleTypes(os, gemm);
  if (gemm.hasBias())
    os << "!Col = tensor<?x" << types.bias << ", #fly.tile<BN>>\n"
       << "!VBias = !fly.view<?x" << types.bias << ">\n";
  os << "!VA  = !fly.view<?x?x" << types.a << getLayout(gemm, false) << ">\n"
     << "!VB  = !fly.view<?x?x" << types.b << getLayout(gemm, true) << ">\n"
     << "!VC  = !fly.view<?x?x" << types.out << ">\n\n";
}

/// The strides clause of a view of `rows` x K elements.
static std::string getStrides(const Gemm &gemm, StringRef leading,
                              StringRef rows, bool isTransposed) {
  if (gemm.options.leadingDims)
    return isTransposed ? (" strides [1, %" + leading + "]").str()
                        : (" strides [%" + leading + ", 1]").str();
  return isTransposed ? (" strides [1, %" + rows + "]").str() : "";
}

static void printViews(llvm::raw_ostream &os, const Gemm &gemm) {
  os << "    %a = fly.view %A[%M, %K]"
     << getStrides(gemm, "lda", "M", gemm.isATransposed()) << " : !VA\n"
     << "    %b = fly.view %B[%N, %K]"
     << (gemm.isPreshuffled()
             ? std::string()
             : getStrides(gemm, "ldb", "N", gemm.isBTransposed()))
     << " : !VB\n"
     << "    %c = fly.view %C[%M, %N]" << getStrides(gemm, "ldc", "M", false)
     << " : !VC\n";
  if (gemm.hasRowScales())
    os << "    %sa = fly.view %SA[%M] : !VF\n"
       << "    %sb = fly.view %SB[%N] : !VF\n";
  printScaleViews(os, gemm);
  if (gemm.hasBias())
    os << "    %bias = fly.view %Bias[%N] : !VBias\n";
}

/// What becomes of the accumulator, and its store.
static void printEpilogue(llvm::raw_ostream &os, const Gemm &gemm) {
  StringRef out = gemm.types.isOutAcc() ? "!Acc" : "!Out";
  StringRef result = "%acc";
  if (!gemm.expression.empty()) {
    std::string inputs = "x = %acc", types = "!Acc";
    if (gemm.types.acc == "i32") {
      // The map takes floats; sums of 2^24 and more are rounded here.
      os << "    %wide = arith.sitofp %acc : !Acc to !AccF\n";
      inputs = "x = %wide";
      types = "!AccF";
    }
    if (gemm.hasRowScales()) {
      os << "    %rows = fly.load %sa[%m] label \"sa\" : !VF -> !Row\n"
         << "    %cols = fly.load %sb[%n] label \"sb\" : !VF -> !ColF\n";
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
    os << "    %o = arith." << cast << " %acc : !Acc to !Out\n";
    result = "%o";
  }
  os << "    fly.store " << result << ", %c[%m, %n] label \"c\" : " << out
     << ", !VC\n";
}

static void printKernel(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmOptions &o = gemm.options;
  const GemmTypes &types = gemm.types;
  os << "gpu.module @gemm [#rocdl.target<chip = \"" << o.chip << "\">] {\n"
     << "  gpu.func @gemm(%A: !fly.ptr<" << types.a << ">, %B: !fly.ptr<"
     << types.b << ">, %C: !fly.ptr<" << types.out << ">,";
  printScaleParameters(os, gemm);
  if (gemm.hasBias())
    os << " %Bias: !fly.ptr<" << types.bias << ">,";
  os << "\n                 %M: i32, %N: i32, %K: i32";
  if (o.leadingDims)
    os << (gemm.isPreshuffled() ? ", %lda: i32, %ldc: i32"
                                : ", %lda: i32, %ldb: i32, %ldc: i32");
  os << ")\n      kernel attributes {fly.schedule = #sched} {\n";
  for (const auto &[name, multiple] : gemm.requirements)
    os << "    fly.require_multiple %" << name << " of " << multiple << "\n";
  printViews(os, gemm);
  StringRef zero = types.acc == "i32" ? "0" : "0.0";
  os << "    %m, %n = fly.grid to (%M, %N) step (BM, BN)\n\n"
     << "    %zero = fly.constant " << zero << " : !Acc\n";
  printLoop(os, gemm);
  printEpilogue(os, gemm);
  os << "    gpu.return\n  }\n}\n";
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

/// A preshuffled B is whole blocks, and whole K tiles.
static void requireBlocks(Gemm &gemm) {
  if (!gemm.isPreshuffled())
    return;
  gemm.requirements.insert(gemm.requirements.begin(),
                           {{"K", gemm.tile[2]}, {"N", 16}});
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
  setDefault(options.tile, "128x128x64");
  setDefault(options.bLayout, "plain");
  setDefault(options.scales, "none");
  if (options.tile == "auto")
    return chooseGemm(options);
  return std::vector<std::string>();
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
  Gemm gemm{options, std::move(*types), {}, {}, {}, {}};
  if (gemm.isPreshuffled() && gemm.isBTransposed())
    return complain("operands", options.operands,
                    "a preshuffled B has the layout of N x K: use nt or tt");
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

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// C = A * B^T, A of M x K, B of N x K, C of M x N, row-major"
     << (gemm.isATransposed() ? "; memory holds A^T" : "")
     << (gemm.isBTransposed() ? "; memory holds B^T" : "") << ".\n";
  for (const std::string &choice : *choices)
    os << "// auto: " << choice << '\n';
  os << schedule(gemm);
  printTypes(os, gemm);
  printKernel(os, gemm);
  if (decisions)
    *decisions = std::move(*choices);
  return text;
}
