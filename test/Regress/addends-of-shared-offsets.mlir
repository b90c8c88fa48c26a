// An offset that all lanes share stays in a scalar register, and what comes of it
// behind the loop does, too: the branch around the barrier and the descriptor.
// RUN: fly-compile %s --emit=asm -o - | FileCheck %s
// CHECK-NOT: readfirstlane
// CHECK-NOT: saveexec
// CHECK: s_barrier
// CHECK-NOT: readfirstlane
// CHECK-NOT: saveexec
// CHECK: s_endpgm

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias}, %n: i32, %t: i32)
      attributes {gpu.kernel, rocdl.kernel, passthrough = [["fly-codegen", "auto"], ["amdgpu-agpr-alloc", "0"]]} {
    %wg = rocdl.workgroup.id.x : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %base = llvm.shl %wg, %c7 : i32
    %z16 = llvm.mlir.constant(0 : i16) : i16
    %sz = llvm.mlir.constant(4096 : i64) : i64
    %fl = llvm.mlir.constant(159744 : i32) : i32
    %r = rocdl.make.buffer.rsrc %p, %z16, %sz, %fl : <1> to <8>
    %none = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %f0 = llvm.mlir.constant(0.0 : f32) : f32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    llvm.br ^loop(%none, %f0, %none : i32, f32, i32)
  ^loop(%k: i32, %acc: f32, %so: i32):
    %o1 = llvm.add %base, %c64 : i32
    %v = rocdl.raw.ptr.buffer.load %r, %o1, %so, %none : f32
    %sum = llvm.fadd %acc, %v : f32
    %so2 = llvm.add %so, %c64 : i32
    %next = llvm.add %k, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %sum, %so2 : i32, f32, i32), ^mid
  ^mid:
    %is = llvm.icmp "slt" %base, %t : i32
    llvm.cond_br %is, ^bar, ^end
  ^bar:
    %v2 = llvm.load %q : !llvm.ptr<1> -> f32
    rocdl.s.barrier
    %x2 = llvm.fadd %sum, %v2 : f32
    llvm.store %x2, %q : f32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    %to = llvm.getelementptr %q[%base] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %r2 = rocdl.make.buffer.rsrc %to, %z16, %sz, %fl : <1> to <8>
    %id = rocdl.workitem.id.x : i32
    rocdl.raw.ptr.buffer.store %sum, %r2, %id, %none, %none : f32
    llvm.return
  }
}
