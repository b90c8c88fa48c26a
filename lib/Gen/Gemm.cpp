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

namespace {
/// Options in the form that the text is made from.
struct Gemm {
  const GemmOptions &options;
  llvm::SmallVector<int64_t, 3> tile;
  llvm::SmallVector<int64_t, 3> waves;
  std::vector<std::pair<std::string, int64_t>> requirements;
  /// Expression of the epilogue's fly.map, empty without one.
  std::string expression;
};
} // namespace

/// Options that later versions will have, with the values that exist now.
static llvm::Error checkScope(const GemmOptions &o) {
  if (o.async)
    return llvm::createStringError(
        "--async: copies to LDS without registers do not exist in this "
        "version; leave it out");
  if (o.xcdSwizzle)
    return llvm::createStringError(
        "--xcd-swizzle does not exist in this version; leave it out");
  struct Word {
    StringRef option, value;
    llvm::SmallVector<StringRef, 5> known, later;
  };
  const Word words[] = {
      {"in",
       o.in,
       {"bf16", "f16"},
       {"f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "fp8", "i8", "f4E2M1FN"}},
      {"out", o.out, {"f32", "bf16", "f16"}, {"i32"}},
      {"b-layout", o.bLayout, {"plain"}, {"preshuffle"}},
      {"epilogue",
       o.epilogue,
       {"none", "bias", "bias_relu", "bias_silu", "bias_gelu"},
       {}},
      {"store", o.store, {"auto", "direct", "cshuffle"}, {}},
      {"swizzle", o.swizzle, {"auto", "xor", "none"}, {"pad"}},
      {"hot-loop", o.hotLoop, {"auto", "off"}, {"on"}},
      {"operands", o.operands, {"nt"}, {"nn", "tn", "tt"}},
      {"scales", o.scales, {"none"}, {"row_col", "block", "mx"}},
      {"lds-stages",
       o.ldsStages.empty() ? "1" : StringRef(o.ldsStages),
       {"1", "2"},
       {"3", "4"}},
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
      "#sched = #fly.schedule<sizes = {{BM = {0}, BN = {1}, BK = {2}}",
      gemm.tile[0], gemm.tile[1], gemm.tile[2]);
  if (!gemm.waves.empty())
    os << llvm::formatv(", waves = [{0}, {1}]", gemm.waves[0], gemm.waves[1]);
  std::string operand;
  if (!o.ldsStages.empty())
    operand += "stages = " + o.ldsStages;
  if (o.swizzle != "auto")
    operand += (operand.empty() ? "" : ", ") + ("swizzle = " + o.swizzle);
  if (!operand.empty())
    os << llvm::formatv(",\n    a = lds({0}), b = lds({0})", operand);
  std::string loop;
  if (!o.mfma.empty())
    loop += "mfma = " + o.mfma;
  if (!o.acc.empty())
    loop += (loop.empty() ? "" : ", ") + ("acc = " + o.acc);
  if (!loop.empty())
    os << ",\n    kloop = {" << loop << "}";
  if (o.store != "auto")
    os << ", c = {epilogue = " << o.store << "}";
  os << ">\n";
  return text;
}

static void printTypes(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmOptions &o = gemm.options;
  os << llvm::formatv("!A   = tensor<?x?x{0}, #fly.tile<BM, BK>>\n"
                      "!B   = tensor<?x?x{0}, #fly.tile<BN, BK>>\n"
                      "!Acc = tensor<?x?xf32, #fly.tile<BM, BN>>\n",
                      o.in);
  if (o.out != "f32")
    os << "!Out = tensor<?x?x" << o.out << ", #fly.tile<BM, BN>>\n";
  if (!gemm.expression.empty())
    os << "!Col = tensor<?x" << o.out << ", #fly.tile<BN>>\n"
       << "!VBias = !fly.view<?x" << o.out << ">\n";
  os << "!V   = !fly.view<?x?x" << o.in << ">\n"
     << "!VC  = !fly.view<?x?x" << o.out << ">\n\n";
}

static void printViews(llvm::raw_ostream &os, const Gemm &gemm) {
  auto strides = [&](StringRef name) {
    return gemm.options.leadingDims ? (" strides [%" + name + ", 1]").str()
                                    : std::string();
  };
  os << "    %a = fly.view %A[%M, %K]" << strides("lda") << " : !V\n"
     << "    %b = fly.view %B[%N, %K]" << strides("ldb") << " : !V\n"
     << "    %c = fly.view %C[%M, %N]" << strides("ldc") << " : !VC\n";
  if (!gemm.expression.empty())
    os << "    %bias = fly.view %Bias[%N] : !VBias\n";
}

/// What becomes of the accumulator, and its store.
static void printEpilogue(llvm::raw_ostream &os, const Gemm &gemm) {
  StringRef out = gemm.options.out == "f32" ? "!Acc" : "!Out";
  StringRef result = "%acc";
  if (!gemm.expression.empty()) {
    os << "    %cols = fly.load %bias[%n] label \"bias\" : !VBias -> !Col\n"
       << "    %o = fly.map \"" << gemm.expression
       << "\" (x = %acc, b = cols %cols) : (!Acc, !Col) -> " << out << "\n";
    result = "%o";
  } else if (out == "!Out") {
    os << "    %o = arith.truncf %acc : !Acc to !Out\n";
    result = "%o";
  }
  os << "    fly.store " << result << ", %c[%m, %n] label \"c\" : " << out
     << ", !VC\n";
}

static void printKernel(llvm::raw_ostream &os, const Gemm &gemm) {
  const GemmOptions &o = gemm.options;
  os << "gpu.module @gemm [#rocdl.target<chip = \"" << o.chip << "\">] {\n"
     << "  gpu.func @gemm(%A: !fly.ptr<" << o.in << ">, %B: !fly.ptr<" << o.in
     << ">, %C: !fly.ptr<" << o.out << ">,";
  if (!gemm.expression.empty())
    os << " %Bias: !fly.ptr<" << o.out << ">,";
  os << "\n                 %M: i32, %N: i32, %K: i32";
  if (o.leadingDims)
    os << ", %lda: i32, %ldb: i32, %ldc: i32";
  os << ")\n      kernel attributes {fly.schedule = #sched} {\n";
  for (const auto &[name, multiple] : gemm.requirements)
    os << "    fly.require_multiple %" << name << " of " << multiple << "\n";
  printViews(os, gemm);
  os << R"(    %m, %n = fly.grid to (%M, %N) step (BM, BN)

    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }

)";
  printEpilogue(os, gemm);
  os << "    gpu.return\n  }\n}\n";
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
  Gemm gemm{options, {}, {}, {}, {}};
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
  const std::pair<StringRef, StringRef> expressions[] = {
      {"bias", "x + b"},
      {"bias_relu", "relu(x + b)"},
      {"bias_silu", "silu(x + b)"},
      {"bias_gelu", "gelu_tanh(x + b)"}};
  for (auto [name, expression] : expressions)
    if (options.epilogue == name)
      gemm.expression = expression.str();

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// C = A * B^T, A of M x K, B of N x K, C of M x N, row-major.\n";
  for (const std::string &choice : *choices)
    os << "// auto: " << choice << '\n';
  os << schedule(gemm);
  printTypes(os, gemm);
  printKernel(os, gemm);
  if (decisions)
    *decisions = std::move(*choices);
  return text;
}
