//===- RepeatedEdgesTest.cpp - blocks that a switch leads to twice --------===//
//
// A block that has several edges to another one must bring each phi of that the
// same value on all of them. What rewrites phis for code generation keeps that.
//
//===----------------------------------------------------------------------===//

#include "ParsedFunction.h"
#include "Portfolio.h"
#include "gtest/gtest.h"

using namespace fly;

using fly::test::ParsedFunction;

TEST(RepeatedEdges, OfAccumulators) {
  ParsedFunction parsed(R"(
define amdgpu_kernel void @k(<4 x float> %start, <4 x half> %x, i32 %n, ptr addrspace(1) %p) {
entry:
  switch i32 %n, label %end [ i32 1, label %loop
                              i32 2, label %loop
                              i32 3, label %loop ]
loop:
  %acc = phi <4 x float> [ %start, %entry ], [ %start, %entry ], [ %start, %entry ], [ %sum, %loop ]
  %k = phi i32 [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ %next, %loop ]
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %x, <4 x half> %x, <4 x float> %acc, i32 0, i32 0, i32 0)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = phi <4 x float> [ %start, %entry ], [ %sum, %loop ]
  store <4 x float> %last, ptr addrspace(1) %p
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)
)");
  EXPECT_EQ(target::useAccumulatorRegisters(parsed.function(),
                                            /*change=*/true),
            4u);
  // One in front of the loop, one behind it.
  EXPECT_EQ(parsed.countStatements(), 2u);
  parsed.expectValid();
}

TEST(RepeatedEdges, OfAddends) {
  // Both into the loop and round it.
  ParsedFunction parsed(R"(
define amdgpu_kernel void @k(ptr addrspace(8) %r, i32 %n) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %offset = shl i32 %id, 4
  switch i32 %n, label %end [ i32 1, label %loop
                              i32 2, label %loop ]
loop:
  %own = add i32 %offset, 64
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %own, i32 0, i32 0)
  switch i32 %v, label %end [ i32 1, label %loop
                              i32 2, label %loop ]
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)
)");
  target::keepAddendsInLoops(parsed.function());
  EXPECT_EQ(parsed.countStatements(), 1u);
  parsed.expectValid();
}
