//===- Mechanisms.cpp - what each lever of a schedule gives ---------------===//
#include "fly/Bench/Mechanisms.h"

#include "fly/Arch/ArchInfo.h"
#include "fly/Contract/Note.h"
#include "fly/Gen/Gemm.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::bench;

namespace {

/// One kernel of a pair.
struct Variant {
  gen::GemmOptions options;
  std::vector<std::string> schedule;
  uint32_t unusedLdsBytes = 0; ///< Beside what it needs: keeps others out.
};

struct Mechanism {
  const char *name;
  const char *known;
  bool isGain;
  Variant before, after;
  int64_t m, n, k;
};

} // namespace

static llvm::Expected<std::string> compileVariant(mlir::MLIRContext &context,
                                                  const Variant &variant) {
  llvm::Expected<std::string> text = gen::generateGemm(variant.options);
  if (!text)
    return text.takeError();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(*text, "gemm.mlir"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(sources, &context);
  ScheduleOverrides overrides;
  overrides.schedule = variant.schedule;
  if (!module || failed(applyOverrides(*module, "", overrides)))
    return llvm::createStringError("the kernel of a pair does not parse");
  mlir::FailureOr<target::CodeObject> object = compile(*module);
  if (failed(object))
    return llvm::createStringError("the kernel of a pair does not compile");
  return std::move(object->bytes);
}

static llvm::Expected<std::shared_ptr<const sim::TimingResult>>
timeVariant(mlir::MLIRContext &context, const Variant &variant,
            const Mechanism &mechanism) {
  llvm::Expected<std::string> object = compileVariant(context, variant);
  if (!object)
    return object.takeError();
  llvm::Expected<contract::ObjectContracts> contracts =
      contract::readContracts(*object);
  if (!contracts)
    return contracts.takeError();
  const contract::LaunchContract &contract = contracts->kernels.front();
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  std::vector<launch::NamedSpec> specs;
  for (auto [name, value] :
       {std::pair("M", mechanism.m), std::pair("N", mechanism.n),
        std::pair("K", mechanism.k)}) {
    auto spec =
        launch::parseNamedSpec(std::string(name) + "=" + std::to_string(value));
    if (!spec)
      return spec.takeError();
    specs.push_back(*spec);
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, 0))
    return std::move(error);
  auto size = launch::sizeOf(contract, *arguments);
  if (!size)
    return size.takeError();
  size->dynamicLdsBytes += variant.unusedLdsBytes;
  sim::SimOptions options;
  options.timing.enabled = options.timing.recordedOnly = true;
  options.timing.isWarm = true;
  auto result = launch::launchOnSimulator(*object, contract.kernel, *size,
                                          *arguments, options);
  if (!result)
    return result.takeError();
  return result->timing;
}

static gen::GemmOptions gemm(arch::Chip chip, const char *in, const char *tile,
                             const char *stages = "2") {
  gen::GemmOptions options;
  options.chip = arch::ArchInfo::get(chip).name;
  options.in = in;
  options.tile = tile;
  options.ldsStages = stages;
  options.require = "M:16,N:16,K:128";
  return options;
}

static Variant with(gen::GemmOptions options,
                    llvm::function_ref<void(gen::GemmOptions &)> change) {
  change(options);
  return {std::move(options), {}, 0};
}

static std::vector<Mechanism> listMechanisms() {
  using O = gen::GemmOptions;
  constexpr arch::Chip mi300 = arch::Chip::Gfx942, mi350 = arch::Chip::Gfx950;
  O bf16 = gemm(mi300, "bf16", "128x128x64");
  O bf16Single = gemm(mi300, "bf16", "128x128x64", "1");
  O bf16On950 = gemm(mi350, "bf16", "128x128x64");
  O small = gemm(mi300, "bf16", "64x64x64", "1");
  O fp8 = gemm(mi350, "fp8", "128x256x128");
  auto swizzle = [](O options, const char *how) {
    options.swizzle = how;
    return Variant{options, {}, 0};
  };
  auto hints = [](O options, const char *how) {
    options.hotLoop = how;
    return Variant{options, {}, 0};
  };
  O fat = fp8;
  fat.async = true;
  Variant alone{small, {}, 24 << 10};
  return {
      {"XOR swizzle against none", "no conflicts; conflicts stretch LDS reads",
       true, swizzle(bf16, "none"), swizzle(bf16, "xor"), 1024, 1024, 1024},
      {"XOR swizzle against padding",
       "both free of conflicts; padding costs LDS", false,
       swizzle(bf16Single, "pad"), swizzle(bf16Single, "xor"), 1024, 1024,
       1024},
      {"XOR swizzle against padding",
       "both free of conflicts; padding costs LDS", false,
       swizzle(bf16On950, "pad"), swizzle(bf16On950, "xor"), 1024, 1024, 1024},
      {"two LDS buffers against one",
       "a barrier less an iteration",
       true,
       {bf16Single, {}, 0},
       {bf16, {}, 0},
       1024,
       1024,
       1024},
      {"copies past the registers",
       "2275 to 2599 TFLOPS, 8192^3: +14 %",
       true,
       {fp8, {"a.copy=sync", "b.copy=sync"}, 0},
       with(fp8, [](O &o) { o.async = true; }),
       1024,
       2048,
       2048},
      {"hints, small tile", "little", false, hints(small, "off"),
       hints(small, "on"), 512, 512, 1024},
      {"hints, fat tile with copies past the registers", "+8 to 10 %", true,
       hints(fat, "off"), hints(fat, "on"), 1024, 2048, 2048},
      {"two workgroups a unit against one",
       "waits of one hide in the other",
       true,
       alone,
       {small, {}, 0},
       2048,
       1536,
       512},
      {"workgroups by XCD",
       "more hits in the L2",
       false,
       {bf16, {"grid.xcd=off"}, 0},
       {bf16, {"grid.xcd=on"}, 0},
       2048,
       2048,
       512},
  };
}

/// "conflicts 4096 to 0, L2 hits 71 to 84 %, waits for memory 30 to 20 %"
static std::string changes(const sim::TimingResult &before,
                           const sim::TimingResult &after) {
  auto hits = [](const sim::TimingCounters &c) {
    return 100.0 * double(c.l2Hits) / double(c.l2Hits + c.l2Misses);
  };
  auto share = [](const sim::TimingResult &timing, sim::StallReason reason) {
    return 100.0 * double(timing.stalls[unsigned(reason)]) /
           double(timing.issueCycles + sim::totalStall(timing.stalls));
  };
  return llvm::formatv(
             "conflicts {0} to {1}; L2 hits {2:f0} to {3:f0} %; MFMA busy "
             "{4:f0} to {5:f0} %; wait-vmem {6:f0} to {7:f0} %, barrier {8:f0} "
             "to {9:f0} %",
             before.counters.ldsBankConflict, after.counters.ldsBankConflict,
             hits(before.counters), hits(after.counters),
             100 * before.mfmaBusyShare, 100 * after.mfmaBusyShare,
             share(before, sim::StallReason::WaitVmem),
             share(after, sim::StallReason::WaitVmem),
             share(before, sim::StallReason::Barrier),
             share(after, sim::StallReason::Barrier))
      .str();
}

llvm::Expected<std::vector<MechanismResult>>
fly::bench::measureMechanisms(mlir::MLIRContext &context) {
  std::vector<MechanismResult> results;
  for (const Mechanism &mechanism : listMechanisms()) {
    auto before = timeVariant(context, mechanism.before, mechanism);
    if (!before)
      return before.takeError();
    auto after = timeVariant(context, mechanism.after, mechanism);
    if (!after)
      return after.takeError();
    const gen::GemmOptions &options = mechanism.after.options;
    MechanismResult result;
    result.name = mechanism.name;
    result.kernel =
        llvm::formatv("{0} {1} {2}, {3} x {4} x {5}", options.chip, options.in,
                      options.tile, mechanism.m, mechanism.n, mechanism.k)
            .str();
    result.known = mechanism.known;
    result.isGain = mechanism.isGain;
    result.before = double((*before)->cycles);
    result.after = double((*after)->cycles);
    result.detail = changes(**before, **after);
    results.push_back(result);
  }
  return results;
}

void fly::bench::print(llvm::raw_ostream &os,
                       llvm::ArrayRef<MechanismResult> results) {
  unsigned wrong = 0;
  for (const MechanismResult &result : results) {
    os << llvm::formatv("{0}\n  {1}\n  {2} to {3} cycles: {4:f1} % faster; "
                        "known: {5}{6}\n  {7}\n",
                        result.name, result.kernel, uint64_t(result.before),
                        uint64_t(result.after), 100 * result.gain(),
                        result.known, result.isWrong() ? "; WRONG SIGN" : "",
                        result.detail);
    wrong += result.isWrong();
  }
  os << llvm::formatv("\n{0} mechanisms, {1} with the wrong sign\n",
                      results.size(), wrong);
}
