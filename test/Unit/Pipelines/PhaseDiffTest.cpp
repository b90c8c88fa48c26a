//===- PhaseDiffTest.cpp - The pass that makes a kernel wrong is named ----===//
//
// Passes with a planted fault between those of the pipeline: one that shows at
// tile level, and one that only spoils the object. What a state computes is
// read off its constants here; fly-run runs them.
//
//===----------------------------------------------------------------------===//
#include "fly/Reduce/PhaseDiff.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace fly::reduce;

namespace {

/// Replaces constants of 7 by a number.
template <int to>
struct PlantPass : PassWrapper<PlantPass<to>, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantPass<to>)
  StringRef getArgument() const override {
    return to == 8 ? "test-plant-eight" : "test-plant-seven";
  }
  void runOnOperation() override {
    this->getOperation().walk([](arith::ConstantOp op) {
      auto value = dyn_cast<IntegerAttr>(op.getValue());
      if (value && value.getInt() == 7)
        op.setValueAttr(IntegerAttr::get(value.getType(), to));
    });
  }
};

/// Marks the module as one that no host runs.
struct LowerPass : PassWrapper<LowerPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  StringRef getArgument() const override { return "test-lower"; }
  void runOnOperation() override { getOperation().setSymName("low"); }
};

constexpr llvm::StringLiteral source = R"mlir(
func.func @f() -> i32 {
  %0 = arith.constant 7 : i32
  %1 = arith.constant 7 : i32
  return %0 : i32
}
)mlir";

class PhaseDiffTest : public testing::Test {
protected:
  PhaseDiffTest() {
    static bool isRegistered = [] {
      PassRegistration<PlantPass<8>>();
      PassRegistration<PlantPass<7>>();
      PassRegistration<LowerPass>();
      registerTransformsPasses();
      return true;
    }();
    (void)isRegistered;
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
    module = parseSourceString<ModuleOp>(source, &context);
  }

  static StateRun judge(ModuleOp state) {
    StateRun run{StateVerdict::Right, ""};
    state.walk([&](func::ReturnOp op) {
      auto constant = op.getOperand(0).getDefiningOp<arith::ConstantOp>();
      if (cast<IntegerAttr>(constant.getValue()).getInt() != 7)
        run = {StateVerdict::Wrong, "not seven"};
    });
    return run;
  }

  PhaseDiff diff(ArrayRef<std::string> passes) {
    StateRunners runners{[&](ModuleOp state) {
                           ++hostRuns;
                           return state.getSymName() ? StateRun()
                                                     : judge(state);
                         },
                         [&](ModuleOp state) {
                           ++objectRuns;
                           return judge(state);
                         }};
    FailureOr<PhaseDiff> result = diffPhases(*module, passes, runners);
    EXPECT_TRUE(succeeded(result));
    return *result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  unsigned hostRuns = 0, objectRuns = 0;
};

} // namespace

TEST_F(PhaseDiffTest, NothingIsWrong) {
  PhaseDiff result =
      diff({"canonicalize", "test-plant-seven", "test-lower", "cse"});
  EXPECT_EQ(result.wrongPass, "");
  EXPECT_EQ(result.object.verdict, StateVerdict::Right);
  ASSERT_EQ(result.steps.size(), 4u);
  EXPECT_TRUE(result.steps[0].isChange);
  EXPECT_EQ(result.steps[0].run.verdict, StateVerdict::Right);
  EXPECT_FALSE(result.steps[1].isChange);
  EXPECT_EQ(result.steps[2].run.verdict, StateVerdict::NotRun);
  // What a pass has not changed is not run again.
  EXPECT_EQ(hostRuns, 2u);
  EXPECT_EQ(objectRuns, 1u);
}

TEST_F(PhaseDiffTest, NamesThePassBehindWhichTheHostDiffers) {
  PhaseDiff result = diff({"canonicalize", "test-plant-eight", "test-lower"});
  EXPECT_EQ(result.wrongPass, "test-plant-eight");
  EXPECT_EQ(result.steps.size(), 2u);
  EXPECT_EQ(result.steps.back().run.detail, "not seven");
  EXPECT_EQ(objectRuns, 0u);
}

TEST_F(PhaseDiffTest, NamesThePassWithoutWhichTheObjectIsRight) {
  PhaseDiff result = diff({"canonicalize", "test-plant-seven", "test-lower",
                           "test-plant-eight", "cse"});
  EXPECT_EQ(result.wrongPass, "test-plant-eight");
  EXPECT_EQ(result.object.verdict, StateVerdict::Wrong);
  EXPECT_EQ(result.steps[3].without.verdict, StateVerdict::Right);
  // Those before it are not tried any more.
  EXPECT_EQ(result.steps[2].without.verdict, StateVerdict::NotRun);
}

TEST_F(PhaseDiffTest, SaysThatNoSinglePassIsToBlame) {
  PhaseDiff result =
      diff({"test-lower", "test-plant-eight", "test-plant-eight", "cse"});
  // The second one changes nothing behind the first, and everything without it.
  EXPECT_EQ(result.wrongPass, "");
  EXPECT_EQ(result.object.verdict, StateVerdict::Wrong);
  EXPECT_EQ(result.steps[1].without.verdict, StateVerdict::Wrong);
}
