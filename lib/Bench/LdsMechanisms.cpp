//===- LdsMechanisms.cpp - levers of the way through LDS ------------------===//
#include "MechanismPairs.h"

using namespace fly;
using namespace fly::bench;
using gen::GemmOptions;

GemmOptions fly::bench::makeGemm(arch::Chip chip, const char *in,
                                 const char *tile) {
  GemmOptions options;
  options.chip = arch::ArchInfo::get(chip).name;
  options.in = in;
  options.tile = tile;
  options.ldsStages = "2";
  options.require = "M:16,N:16,K:128";
  return options;
}

GemmOptions fly::bench::makePreshuffled(GemmOptions options) {
  options.bLayout = "preshuffle";
  options.waves = "1x4";
  return options;
}

GemmVariant fly::bench::with(GemmOptions options,
                             llvm::function_ref<void(GemmOptions &)> change) {
  change(options);
  GemmVariant variant;
  variant.options = std::move(options);
  return variant;
}

GemmVariant fly::bench::withSchedule(GemmOptions options,
                                     std::vector<std::string> schedule) {
  GemmVariant variant;
  variant.options = std::move(options);
  variant.schedule = std::move(schedule);
  return variant;
}

static GemmVariant swizzle(const GemmOptions &options, const char *how) {
  return with(options, [&](GemmOptions &o) { o.swizzle = how; });
}

/// A GEMM whose operands go straight to registers, in a loop that says nothing
/// of prefetch.
static const char *const plainLoop = R"(
#sched = #fly.schedule<sizes = {BM = 128, BN = 128, BK = 64}, a = regs,
  b = regs, kloop = {stages = {a = AHEAD, b = AHEAD}}>
!A = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B = tensor<?x?xbf16, #fly.tile<BN, BK>>
!C = tensor<?x?xf32, #fly.tile<BM, BN>>
!V = !fly.view<?x?xbf16>
gpu.module @gemm [#rocdl.target<chip = "CHIP">] {
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>,
                 %M: i32, %N: i32, %K: i32)
      kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %M of BM
    fly.require_multiple %N of BN
    fly.require_multiple %K of BK
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !C
    %c0 = arith.constant 0 : i32
    %bk = fly.size BK
    %sum = scf.for %k = %c0 to %K step %bk iter_args(%s = %zero) -> (!C) : i32 {
      %ta = fly.load %a[%m, %k] label "a" : !V -> !A
      %tb = fly.load %b[%n, %k] label "b" : !V -> !B
      %d = fly.dot %ta, %tb, %s : !A, !B -> !C
      scf.yield %d : !C
    } {fly.label = "kloop"}
    fly.store %sum, %c[%m, %n] label "c" : !C, !fly.view<?x?xf32>
    gpu.return
  }
}
)";

/// `iterations` that its loads run ahead, as the schedule has it.
static GemmVariant ahead(const GemmOptions &like, const char *iterations) {
  GemmVariant variant = asIs(like);
  variant.text = plainLoop;
  const std::pair<llvm::StringRef, llvm::StringRef> places[] = {
      {"CHIP", like.chip}, {"AHEAD", iterations}};
  for (auto [place, value] : places)
    for (size_t at = 0;
         (at = variant.text.find(place.str(), at)) != std::string::npos;)
      variant.text.replace(at, place.size(), value.str());
  return variant;
}

/// The generated kernel with one more barrier in each iteration, between what
/// reads LDS and what writes it.
static llvm::Expected<GemmVariant> withBarrier(const GemmOptions &options) {
  llvm::Expected<std::string> text = gen::generateGemm(options);
  if (!text)
    return text.takeError();
  constexpr llvm::StringLiteral end = "        fly.yield %d";
  size_t at = text->find(end.str());
  if (at == std::string::npos)
    return llvm::createStringError("the generated loop has no end");
  text->insert(at, "        fly.barrier lds\n");
  GemmVariant variant = asIs(options);
  variant.text = std::move(*text);
  return variant;
}

/// What the loop reads ahead, in which order, and how often it meets.
static llvm::Error addLoopPairs(std::vector<MechanismPair> &pairs) {
  GemmOptions bf16 = makeGemm(arch::Chip::Gfx942, "bf16", "128x128x64");
  pairs.push_back({"prefetch an iteration ahead",
                   helps("it hides the latency of memory"), fillsChip,
                   ahead(bf16, "0"), ahead(bf16, "-1")});
  pairs.push_back({"LDS reads a micro-step at a time against the whole tile",
                   helpsBy(0, 2.3, "3.3 times as fast at most"), smallCube,
                   withSchedule(bf16, {"kloop.hot_loop=[dsrd(16), mfma(64)]"}),
                   withSchedule(bf16, {"kloop.hot_loop=off"})});
  llvm::Expected<GemmVariant> twice = withBarrier(bf16);
  if (!twice)
    return twice.takeError();
  pairs.push_back({"one barrier an iteration against two",
                   helps("waves drift apart, so that one computes while others "
                         "load"),
                   fillsChip, *twice, asIs(bf16)});
  return llvm::Error::success();
}

llvm::Error fly::bench::addLdsPairs(std::vector<MechanismPair> &pairs) {
  constexpr arch::Chip mi300 = arch::Chip::Gfx942, mi350 = arch::Chip::Gfx950;
  GemmOptions bf16 = makeGemm(mi300, "bf16", "128x128x64");
  GemmOptions bf16On950 = makeGemm(mi350, "bf16", "128x128x64");
  GemmOptions single = bf16;
  single.ldsStages = "1";
  for (const GemmOptions &options : {bf16, bf16On950})
    pairs.push_back({"XOR swizzle against none",
                     helps("no conflicts; conflicts stretch LDS reads"),
                     smallCube, swizzle(options, "none"),
                     swizzle(options, "xor")});
  // Two padded buffers do not fit into the LDS of gfx942.
  for (const GemmOptions &options : {single, bf16On950})
    pairs.push_back({"XOR swizzle against padding",
                     unknown("both are free of conflicts; padding costs LDS"),
                     smallCube, swizzle(options, "pad"),
                     swizzle(options, "xor")});
  pairs.push_back({"two LDS buffers against one",
                   helps("a barrier less an iteration"), fillsChip,
                   asIs(single), asIs(bf16)});
  GemmOptions fat = makePreshuffled(makeGemm(mi350, "fp8", "128x256x128"));
  pairs.push_back({"copies past the registers",
                   helpsBy(0.142, 0.142, "2275 to 2599 TFLOPS at 8192^3"),
                   GemmShape{8192, 8192, 8192},
                   withSchedule(fat, {"a.copy=sync"}),
                   withSchedule(fat, {"a.copy=async"})});
  return addLoopPairs(pairs);
}
