// 20 wait states belong between a matrix instruction of 16 passes of gfx950 and
// what reads its result. LLVM sees none where exactly 19 are there already; one
// is added behind it. Nearer and farther ones are LLVM's own.
// RUN: fly-compile %s -o %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s
// RUN: fly-report verify %t.o | FileCheck %s --check-prefix=PROOFS

// CHECK-LABEL: <nineteen>:
// CHECK: v_mfma_f32_32x32x64_f8f6f4
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_nop 2
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: v_add_f32

// CHECK-LABEL: <eighteen>:
// CHECK: v_mfma_f32_32x32x64_f8f6f4
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_nop 1
// CHECK-NEXT: s_nop 1
// CHECK-NEXT: v_add_f32

// The result is read behind a branch.
// CHECK-LABEL: <in_another_block>:
// CHECK: v_mfma_f32_32x32x64_f8f6f4
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_nop 7
// CHECK-NEXT: s_cbranch
// CHECK-NEXT: s_load_dwordx2
// CHECK-NEXT: v_lshlrev_b32
// CHECK-NEXT: s_nop 0
// CHECK-NEXT: v_add_f32

// PROOFS-COUNT-3: proved: waits, hazards,

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  llvm.func @nineteen(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias})
      attributes {gpu.kernel, rocdl.kernel} {
    %i = rocdl.workitem.id.x : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi32>
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> vector<8xi32>
    %none = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %zero = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
    %eight = llvm.mlir.constant(7 : i16) : i16
    %three = llvm.mlir.constant(2 : i16) : i16
    rocdl.sched.barrier 0
    %sum = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %v, %v, %zero, %none, %none, %none, %none, %none, %none
        : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
    rocdl.sched.barrier 0
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%three) : (i16) -> ()
    rocdl.sched.barrier 0
    %first = llvm.extractelement %sum[%none : i32] : vector<16xf32>
    %more = llvm.fadd %first, %one : f32
    llvm.store %more, %to : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @eighteen(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias})
      attributes {gpu.kernel, rocdl.kernel} {
    %i = rocdl.workitem.id.x : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi32>
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> vector<8xi32>
    %none = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %zero = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
    %eight = llvm.mlir.constant(7 : i16) : i16
    %two = llvm.mlir.constant(1 : i16) : i16
    rocdl.sched.barrier 0
    %sum = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %v, %v, %zero, %none, %none, %none, %none, %none, %none
        : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
    rocdl.sched.barrier 0
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%two) : (i16) -> ()
    rocdl.sched.barrier 0
    %first = llvm.extractelement %sum[%none : i32] : vector<16xf32>
    %more = llvm.fadd %first, %one : f32
    llvm.store %more, %to : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @in_another_block(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias}, %n: i32)
      attributes {gpu.kernel, rocdl.kernel} {
    %i = rocdl.workitem.id.x : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xi32>
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> vector<8xi32>
    %none = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %zero = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
    %eight = llvm.mlir.constant(7 : i16) : i16
    %goes = llvm.icmp "slt" %n, %none : i32
    rocdl.sched.barrier 0
    %sum = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %v, %v, %zero, %none, %none, %none, %none, %none, %none
        : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
    rocdl.sched.barrier 0
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.nop"(%eight) : (i16) -> ()
    llvm.cond_br %goes, ^end, ^body
  ^body:
    %first = llvm.extractelement %sum[%none : i32] : vector<16xf32>
    %more = llvm.fadd %first, %one : f32
    llvm.store %more, %to : f32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
