//===- PassesAloneTest.cpp - Each pass with the dialects of its input -----===//
//
// A tool that runs one pass loads what its input names and what the pass
// declares, and no more: a pass that makes an op of another dialect would end
// the process. Each pass runs here in a context of its own, on what the one
// before it made; passes that a small GEMM gives nothing to do have an input of
// their own. What is registered and has no input here fails a test.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// A GEMM that names no op of another dialect than fly and gpu.
constexpr llvm::StringLiteral gemm = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32)
      kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BN = 64, BK = 64}, a = lds(stages = 2, first_pack = carried), b = lds(stages = 1)>} {
    fly.require_multiple %K of BK
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %B[%N, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : tensor<?x?xf32, #fly.tile<BM, BN>>
    %acc = fly.pipeline %k = 0 to %K step BK iter_args(%s = %zero) : tensor<?x?xf32, #fly.tile<BM, BN>>
      prefetch {
        %x = fly.load %a[%m, %k] label "a" : !fly.view<?x?xbf16> -> tensor<?x?xbf16, #fly.tile<BM, BK>>
        %y = fly.load %b[%n, %k] label "b" : !fly.view<?x?xbf16> -> tensor<?x?xbf16, #fly.tile<BN, BK>>
        fly.yield %x, %y : tensor<?x?xbf16, #fly.tile<BM, BK>>, tensor<?x?xbf16, #fly.tile<BN, BK>>
      } compute(%x: tensor<?x?xbf16, #fly.tile<BM, BK>>, %y: tensor<?x?xbf16, #fly.tile<BN, BK>>) {
        %d = fly.dot %x, %y, %s : tensor<?x?xbf16, #fly.tile<BM, BK>>, tensor<?x?xbf16, #fly.tile<BN, BK>> -> tensor<?x?xf32, #fly.tile<BM, BN>>
        fly.yield %d : tensor<?x?xf32, #fly.tile<BM, BN>>
      }
    fly.store %acc, %c[%m, %n] : tensor<?x?xf32, #fly.tile<BM, BN>>, !fly.view<?x?xf32>
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral mathOps = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: f32, %y: f16) kernel attributes {fly.waves = 1 : i32} {
    %0 = math.tanh %x : f32
    %1 = math.erf %x : f32
    %2 = math.exp %x : f32
    %3 = math.exp2 %y : f16
    %4 = math.log %x : f32
    %5 = math.log2 %x : f32
    %6 = math.rsqrt %x : f32
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral plainLoop = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%v: !fly.view<?x?xbf16>, %w: !fly.view<?x?xbf16>, %q: tensor<64x64xbf16>, %N: i32, %lo: i32, %step: i32) kernel
      attributes {fly.schedule = #fly.schedule<>} {
    %z = fly.constant 0.0 : tensor<64x64xf32>
    %r = scf.for %n = %lo to %N step %step iter_args(%s = %z) -> (tensor<64x64xf32>) : i32 {
      %t = fly.load %v[%n, 0] label "k" : !fly.view<?x?xbf16> -> tensor<64x64xbf16>
      %d = fly.dot %q, %t, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %c = fly.cast %r rounding sr seed %N : tensor<64x64xf32> -> tensor<64x64xbf16>
    fly.store %c, %w[0, 0] : tensor<64x64xbf16>, !fly.view<?x?xbf16>
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral bareBarrier = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64xf32, lds> }
  gpu.func @k(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64xf32, lds>
    %l = fly.lane
    fly.write %x, %a[%l] : f32, !fly.view<64xf32, lds>
    fly.barrier bare
    gpu.return
  }
}
)mlir";

/// Without an op of arith: what is recorded is made here.
constexpr llvm::StringLiteral checks = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %ok: i1, %M: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %x = fly.view %X[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (16)
    %t = fly.load %x[%m, 0] : !fly.view<?x64xf32> -> tensor<16x64xf32>
    fly.assert %ok, "must hold" : i1
    fly.print "row {}: {}", %m, %t : i32, tensor<16x64xf32>
    fly.store %t, %x[%m, 0] : tensor<16x64xf32>, !fly.view<?x64xf32>
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral packed = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @k(%X: !fly.ptr<i4>, %Y: !fly.ptr<i4>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    fly.require_multiple %N of 32
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi4>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi4>
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi4> -> tensor<16x64xi4>
    fly.store %t, %y[%m, %n] : tensor<16x64xi4>, !fly.view<?x?xi4>
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral program = R"mlir(
module {
  gpu.module @m [#rocdl.target<chip = "gfx942">] {
    gpu.func @k(%X: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
      %x = fly.view %X[%M, 64] : !fly.view<?x64xf32>
      %m = fly.grid to (%M) step (16)
      %t = fly.load %x[%m, 0] : !fly.view<?x64xf32> -> tensor<16x64xf32>
      fly.store %t, %x[%m, 0] : tensor<16x64xf32>, !fly.view<?x64xf32>
      gpu.return
    }
  }
  func.func @p(%X: !fly.ptr<f32>, %M: i32) attributes {fly.program} {
    fly.launch @m::@k(%X, %M) : !fly.ptr<f32>, i32
    return
  }
}
)mlir";

/// Versions and a loop with hints, both without an op of arith or scf.
constexpr llvm::StringLiteral versions = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32> {fly.align = 4}, %M: i32, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}, versions = auto>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xf32> -> tensor<16x64xf32>
    fly.store %t, %x[%m, %n] : tensor<16x64xf32>, !fly.view<?x?xf32>
    gpu.return
  }
}
)mlir";

constexpr llvm::StringLiteral loops = R"mlir(
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64x64xbf16, lds> }
  gpu.func @k(%n: index, %i: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x64xbf16, lds>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %p = fly.read %a[%i, %c0] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      %d = amdgpu.mfma 16x16x16 %p * %p + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d : vector<4xf32>
    } {fly.unroll = 2 : i64}
    %q = vector.extract %r[0] : f32 from vector<4xf32>
    %o = arith.truncf %q : f32 to bf16
    fly.write %o, %a[%c0, %c0] : bf16, !fly.view<64x64xbf16, lds>
    gpu.return
  }
}
)mlir";

/// An input and the passes that run on it one after the other.
struct Chain {
  std::string input;
  std::vector<llvm::StringRef> passes;
};

const Chain gemmChain = {
    gemm.str(),
    {"fly-instantiate", "fly-resolve-schedule", "fly-prove-access",
     "fly-plan-grid", "fly-assign-layouts", "fly-pipeline-loops",
     "fly-stage-lds", "fly-swizzle-lds", "fly-distribute", "fly-carry-reads"}};
/// The legal kernel passes fly-check-legal unchanged.
const Chain gemmEnd = {gemm.str(), {"fly-check-legal", "fly-convert-to-rocdl"}};
const Chain plainChain = {plainLoop.str(),
                          {"fly-instantiate", "fly-form-pipelines"}};
const Chain checksChain = {checks.str(), {"fly-lower-checks{keep=true}"}};
const Chain packedChain = {packed.str(),
                           {"fly-resolve-schedule", "fly-prove-access",
                            "fly-plan-grid", "fly-pack-tiles",
                            "fly-assign-layouts", "fly-distribute"}};
const Chain programChain = {
    program.str(),
    {"fly-resolve-schedule", "fly-plan-grid", "fly-plan-programs"}};
const Chain mathChain = {mathOps.str(), {"fly-expand-math"}};
const Chain waitsChain = {bareBarrier.str(), {"fly-insert-waits"}};
const Chain versionsChain = {versions.str(), {"fly-version-kernels"}};
const Chain loopsChain = {loops.str(),
                          {"fly-unroll-loops", "fly-schedule-hot-loop"}};

/// The GEMM with B as memory has it where the columns of its transpose are
/// contiguous.
std::string getTransposedGemm() {
  std::string text = gemm.str();
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("gfx942", "gfx950");
  replace("%B[%N, %K] : !fly.view<?x?xbf16>",
          "%B[%N, %K] strides [1, %N] : !fly.view<?x?xbf16, "
          "#fly.strided<[1, ?]>>");
  replace("label \"b\" : !fly.view<?x?xbf16>",
          "label \"b\" : !fly.view<?x?xbf16, #fly.strided<[1, ?]>>");
  return text;
}
const Chain transposedChain = {
    getTransposedGemm(),
    {"fly-instantiate", "fly-resolve-schedule", "fly-prove-access",
     "fly-plan-grid", "fly-transpose-reads", "fly-assign-layouts",
     "fly-pipeline-loops", "fly-stage-lds", "fly-distribute"}};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// What `pass` makes of `input` in a context that loads what the parser needs.
std::string runAlone(llvm::StringRef pass, llvm::StringRef input) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<fly::FlyDialect>();
  MLIRContext context(registry);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(input, &context);
  EXPECT_TRUE(module) << said;
  if (!module)
    return "";
  EXPECT_FALSE(context.getLoadedDialect("tosa"));
  PassManager pm(&context);
  pm.enableVerifier();
  EXPECT_TRUE(succeeded(parsePassPipeline(pass, pm)));
  EXPECT_TRUE(succeeded(pm.run(*module))) << pass.str() << ": " << said;
  return print(*module);
}

/// What the chain makes; each pass must change something.
std::string run(const Chain &chain) {
  fly::registerAllPasses();
  std::string text = chain.input;
  for (llvm::StringRef pass : chain.passes) {
    std::string next = runAlone(pass, text);
    EXPECT_NE(next, text) << pass.str() << " did nothing";
    text = std::move(next);
  }
  return text;
}

} // namespace

TEST(PassesAlone, AreAllHere) {
  fly::registerAllPasses();
  // Registered passes become options of a command line.
  PassPipelineCLParser passes("", "passes");
  llvm::StringSet<> run;
  for (const Chain &chain :
       {gemmChain, gemmEnd, plainChain, checksChain, packedChain, programChain,
        mathChain, waitsChain, versionsChain, loopsChain, transposedChain})
    for (llvm::StringRef pass : chain.passes)
      run.insert(pass.take_until([](char c) { return c == '{'; }));
  unsigned found = 0;
  for (const auto &option : llvm::cl::getRegisteredOptions()) {
    if (!option.first.starts_with("fly-") || option.first == "fly-pipeline")
      continue;
    ++found;
    EXPECT_TRUE(run.contains(option.first))
        << option.first.str() << " has no input here that it runs on alone";
  }
  EXPECT_EQ(found, run.size());
}

TEST(PassesAlone, RunWithTheDialectsOfTheirInput) {
  std::string text = run(gemmChain);
  EXPECT_EQ(runAlone("fly-check-legal", text), text);
  std::string rocdl = runAlone("fly-convert-to-rocdl", text);
  EXPECT_NE(rocdl.find("llvm.func @gemm"), std::string::npos);
  EXPECT_EQ(rocdl.find("gpu.func"), std::string::npos);
}

TEST(PassesAlone, PlainLoopsAndCastsAtRandom) {
  std::string text = run(plainChain);
  EXPECT_EQ(text.find("rounding sr"), std::string::npos);
  EXPECT_NE(text.find("fly.pipeline"), std::string::npos);
}

TEST(PassesAlone, ChecksBecomeRecords) {
  std::string text = run(checksChain);
  EXPECT_NE(text.find("fly.record"), std::string::npos) << text;
  EXPECT_EQ(text.find("fly.assert"), std::string::npos) << text;
}

TEST(PassesAlone, TransposedReadsKeepRows) {
  std::string text = run(transposedChain);
  EXPECT_NE(text.find("fly.read_transposed"), std::string::npos) << text;
}

TEST(PassesAlone, PackedTilesMoveAsBytes) {
  std::string text = run(packedChain);
  EXPECT_NE(text.find("!fly.ptr<i8>"), std::string::npos) << text;
  EXPECT_NE(text.find("vector.bitcast"), std::string::npos) << text;
}

TEST(PassesAlone, ProgramsGetContracts) {
  EXPECT_NE(run(programChain).find("steps = ["), std::string::npos);
}

TEST(PassesAlone, ExpandMathMakesWhatItDeclares) {
  std::string text = run(mathChain);
  for (llvm::StringRef left : {"math.tanh", "math.erf", "math.log "})
    EXPECT_EQ(text.find(left), std::string::npos) << left.str() << "\n" << text;
}

TEST(PassesAlone, InsertWaitsMakesWhatItDeclares) {
  EXPECT_NE(run(waitsChain).find("fly.wait lgkm(0)"), std::string::npos);
}

TEST(PassesAlone, VersionsBranch) {
  EXPECT_NE(run(versionsChain).find("scf.if"), std::string::npos);
}

TEST(PassesAlone, LoopsAreUnrolledAndGetHints) {
  EXPECT_NE(run(loopsChain).find("fly.sched.mfma"), std::string::npos);
}

TEST(PassesAlone, ConvertsWhatHasNoArithmetic) {
  fly::registerAllPasses();
  EXPECT_NE(runAlone("fly-convert-to-rocdl", bareBarrier).find("llvm.store"),
            std::string::npos);
}

/// The order in which an embedder and upstream register must not matter, nor
/// how often.
TEST(Registration, TwiceAfterUpstream) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllPasses();
  for (int i = 0; i < 2; ++i) {
    fly::registerAllDialects(registry);
    fly::registerAllPasses();
  }
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(gemm, &context);
  ASSERT_TRUE(module);
  PassManager pm(&context);
  ASSERT_TRUE(succeeded(parsePassPipeline("fly-pipeline", pm)));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_NE(print(*module).find("llvm.func @gemm"), std::string::npos);
}
