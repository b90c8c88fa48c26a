//===- LoopStatementsTest.cpp - statements that steer loops ---------------===//
//
// Which accumulators and which offsets pass through a statement without text,
// on IR alone: what that does to the machine code is tested with whole kernels.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/FormatVariadic.h"

#include "ParsedFunction.h"
#include "Portfolio.h"
#include "gtest/gtest.h"

using namespace fly;
using fly::test::ParsedFunction;

/// A loop of so many accumulators of 16 registers, of which those that start
/// with zeros meet the zeros of no round behind it.
static std::string accumulating(unsigned accumulators) {
  std::string phis, sums, ends, stores;
  for (unsigned i = 0; i != accumulators; ++i) {
    phis += llvm::formatv("  %acc{0} = phi <16 x float> [ zeroinitializer, "
                          "%entry ], [ %sum{0}, %loop ]\n",
                          i);
    sums += llvm::formatv(
        "  %sum{0} = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x "
        "half> %x, <4 x half> %x, <16 x float> %acc{0}, i32 0, i32 0, i32 0)\n",
        i);
    ends += llvm::formatv("  %last{0} = phi <16 x float> [ zeroinitializer, "
                          "%entry ], [ %sum{0}, %loop ]\n",
                          i);
    stores += llvm::formatv(
        "  store <16 x float> %last{0}, ptr addrspace(1) %p\n", i);
  }
  return llvm::formatv(R"(
define amdgpu_kernel void @k(<4 x half> %x, i32 %n, ptr addrspace(1) %p) {{
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
{0}  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
{1}  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
{2}{3}  ret void
}
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8f16(<4 x half>, <4 x half>, <16 x float>, i32, i32, i32)
)",
                       phis, sums, ends, stores);
}

TEST(LoopStatements, OfAFullFileReachBehindTheLoop) {
  // 16 accumulators of 16 registers are all 256: each passes in front of the
  // loop, in front of what meets it behind, and behind that.
  ParsedFunction full(accumulating(16).c_str());
  EXPECT_EQ(target::useAccumulatorRegisters(full.function(), /*change=*/false),
            256u);
  EXPECT_EQ(full.countStatements(), 0u);
  EXPECT_EQ(target::useAccumulatorRegisters(full.function(), /*change=*/true),
            256u);
  EXPECT_EQ(full.countStatements(), 3 * 16u);
  full.expectValid();
  // Of one fewer the zeros behind the loop stay where they are.
  ParsedFunction less(accumulating(15).c_str());
  EXPECT_EQ(target::useAccumulatorRegisters(less.function(), /*change=*/true),
            240u);
  EXPECT_EQ(less.countStatements(), 2 * 15u);
  less.expectValid();
}

/// A loop around `body`, whose offset comes of the work item, and a load
/// behind.
static std::string loading(const char *offset, const char *body) {
  return llvm::formatv(R"(
define amdgpu_kernel void @k(ptr addrspace(8) %r, i32 %n, i1 %c) {{
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %wg = call i32 @llvm.amdgcn.workgroup.id.x()
  %offset = shl i32 {0}, 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, {2} ]
  %own = add i32 %offset, 64
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %own, i32 0, i32 0)
{1}  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %far = add i32 %offset, 128
  %w = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %far, i32 0, i32 0)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)
)",
                       offset, body, *body ? "%last" : "%loop");
}

TEST(LoopStatements, OfOffsetsOfLanes) {
  ParsedFunction own(loading("%id", "").c_str());
  target::keepAddendsInLoops(own.function());
  EXPECT_EQ(own.countStatements(), 1u);
  own.expectValid();
  // Behind the loop its result is used, too, or two registers hold the same.
  llvm::Instruction *far = own.find("far");
  ASSERT_TRUE(far);
  auto *call = llvm::dyn_cast<llvm::CallInst>(far->getOperand(0));
  EXPECT_TRUE(call && call->isInlineAsm());
}

TEST(LoopStatements, OfNoOffsetsOfAllLanes) {
  ParsedFunction shared(loading("%wg", "").c_str());
  target::keepAddendsInLoops(shared.function());
  EXPECT_EQ(shared.countStatements(), 0u);
}

TEST(LoopStatements, OfNoLoopsOfSeveralBlocks) {
  ParsedFunction branching(
      loading("%id", "  br i1 %c, label %some, label %last\nsome:\n"
                     "  br label %last\nlast:\n")
          .c_str());
  target::keepAddendsInLoops(branching.function());
  EXPECT_EQ(branching.countStatements(), 0u);
}
