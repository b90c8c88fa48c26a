//===- GemmOptions.cpp - What options of a GEMM say -----------------------===//
//
// Options are completed, checked one by one, and taken apart.
//
//===----------------------------------------------------------------------===//
#include "GemmOptions.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Arch/MfmaTable.h"
#include "fly/Gen/GemmChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;
using llvm::Twine;

llvm::Error fly::gen::complain(StringRef option, StringRef value,
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

llvm::Expected<llvm::SmallVector<int64_t, 3>>
fly::gen::parseShape(StringRef option, StringRef value, size_t count,
                     StringRef example) {
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

llvm::Error fly::gen::checkScope(const GemmOptions &o) {
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

llvm::Error fly::gen::parseRequirements(StringRef text, Gemm &gemm) {
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

/// The tile of all that say nothing: a scale's elements of K are whole in it,
/// and it fits LDS, beside what block scales exchange.
static StringRef getDefaultTile(const GemmOptions &options) {
  if (options.scales == "block")
    return "64x128x128";
  if (options.scales == "mx" || StringRef(options.in).contains("i4"))
    return "128x128x128";
  return options.in == "f64" ? "64x64x32" : "128x128x64";
}

llvm::Expected<std::vector<std::string>>
fly::gen::completeGemm(GemmOptions &options) {
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

void fly::gen::requireBlocks(Gemm &gemm) {
  if (!gemm.isPreshuffled())
    return;
  gemm.requirements.insert(gemm.requirements.begin(),
                           {{"K", gemm.tile[2]}, {"N", 16}});
}

llvm::Error fly::gen::checkTransposes(const Gemm &gemm) {
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

llvm::Error fly::gen::checkAtomic(const Gemm &gemm) {
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
