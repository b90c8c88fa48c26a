//===- ScheduleTest.cpp - Resolved schedules as typed policies ------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace fly;

namespace {

class ScheduleTest : public testing::Test {
protected:
  ScheduleTest() {
    context.loadDialect<FlyDialect, gpu::GPUDialect, ROCDL::ROCDLDialect>();
  }

  /// The schedule of a kernel with one dot of the label "d", or the error.
  FailureOr<Schedule> get(const std::string &text) {
    module = parseSourceString<ModuleOp>(
        "gpu.module @m { gpu.func @k() kernel attributes {fly.schedule = "
        "#fly.schedule<" +
            text + R"(>} {
          %z = fly.constant 0.0 : tensor<64x64xf32>
          %a = fly.constant 0.0 : tensor<64x64xbf16>
          %d = fly.dot %a, %a, %z label "d" : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
          gpu.return
        } })",
        &context);
    FunctionOpInterface kernel;
    module->walk([&](gpu::GPUFuncOp op) { kernel = op; });
    module->walk([&](DotOp op) { dot = op; });
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      error = diag.str();
      return success();
    });
    return Schedule::get(kernel);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DotOp dot;
  std::string error;
};

TEST_F(ScheduleTest, ReadsAllPolicies) {
  auto schedule = get("waves = [2, 4], waves_per_eu = 2, grid = {order = "
                      "m_fastest}, a = lds(stages = 2, swizzle = xor, copy = "
                      "sync), b = regs(depth = 1), c = {epilogue = direct}, d "
                      "= {mfma = 32x32, acc = transposed}");
  ASSERT_TRUE(succeeded(schedule)) << error;
  EXPECT_EQ(schedule->waves[0], 2);
  EXPECT_EQ(schedule->waves[1], 4);
  EXPECT_EQ(schedule->threads(), 512);
  EXPECT_EQ(schedule->wavesPerEu, 2u);
  EXPECT_EQ(schedule->grid.order, GridOrder::MFastest);
  const OperandPolicy *a = schedule->operand("a");
  ASSERT_TRUE(a);
  EXPECT_TRUE(a->inLds);
  EXPECT_EQ(a->stages, 2u);
  EXPECT_EQ(a->swizzle, OperandPolicy::Swizzle::Xor);
  const OperandPolicy *b = schedule->operand("b");
  ASSERT_TRUE(b);
  EXPECT_FALSE(b->inLds);
  EXPECT_EQ(b->depth, 1u);
  EXPECT_FALSE(schedule->operand("q"));
  EXPECT_EQ(schedule->dot(dot).mfma, 32);
  EXPECT_TRUE(schedule->dot(dot).transposed);
  EXPECT_EQ(schedule->store("c"), Epilogue::Direct);
}

// What a policy writes reads as the same policy.
TEST_F(ScheduleTest, PoliciesRoundTrip) {
  auto fail = [&] { return emitError(UnknownLoc::get(&context)); };
  for (bool inLds : {false, true})
    for (unsigned stages : {1, 2, 8})
      for (auto swizzle :
           {OperandPolicy::Swizzle::None, OperandPolicy::Swizzle::Xor,
            OperandPolicy::Swizzle::Pad}) {
        std::optional<Cache> cache;
        if (stages == 2)
          cache = Cache::Stream;
        OperandPolicy policy;
        policy.inLds = inLds;
        policy.stages = policy.depth = stages;
        policy.swizzle = swizzle;
        policy.isAsync = stages == 8;
        policy.carriesFirstPack = stages == 1;
        policy.cache = cache;
        auto request = OperandRequest::read(policy.toAttr(&context), fail);
        ASSERT_TRUE(succeeded(request));
        EXPECT_EQ(request->inLds, inLds);
        EXPECT_EQ(request->cache, cache);
        if (!inLds) {
          EXPECT_EQ(request->depth, stages);
          continue;
        }
        EXPECT_EQ(request->stages, stages);
        EXPECT_EQ(request->isAsync, stages == 8);
        EXPECT_EQ(request->carriesFirstPack.value_or(false), stages == 1);
        EXPECT_EQ(request->swizzle, swizzle);
      }
  for (int64_t mfma : {16, 32})
    for (bool transposed : {false, true}) {
      auto request =
          DotRequest::read(DotPolicy{mfma, transposed}.toAttr(&context), fail);
      ASSERT_TRUE(succeeded(request));
      EXPECT_EQ(request->mfma, mfma);
      EXPECT_EQ(request->transposed, transposed);
    }
}

TEST_F(ScheduleTest, WantsAResolvedSchedule) {
  EXPECT_TRUE(failed(get("d = {mfma = 16x16, acc = plain}")));
  EXPECT_NE(error.find("'waves' is not resolved: run fly-resolve-schedule"),
            std::string::npos);
  EXPECT_TRUE(failed(get("waves = [2, 2], d = {mfma = 16x16}")));
  EXPECT_NE(error.find("no resolved entry in the schedule"), std::string::npos);
  EXPECT_TRUE(failed(get("waves = [2, 2], d = {mfma = 16x16, acc = up}")));
  EXPECT_NE(error.find("schedule entry 'd': 'acc' is 'up'"), std::string::npos);
}

TEST_F(ScheduleTest, SuggestsOnlyWhatIsClose) {
  EXPECT_EQ(suggestWord("stage", {"copy", "stages", "swizzle"}),
            " (did you mean 'stages'?)");
  EXPECT_EQ(suggestWord("kloop1", {"kloop", "a"}), " (did you mean 'kloop'?)");
  EXPECT_EQ(suggestWord("w", {"a", "b"}), "");
  EXPECT_EQ(suggestWord("hot_loop", {"mfma", "acc"}), "");
}

} // namespace
