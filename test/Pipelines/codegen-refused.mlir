// Code that breaks a rule of the hardware loses. The assembly reads the sum of
// the loop right behind it, and the compiler pads in front of no assembly: in
// architectural registers the last matrix instruction is too near. Out of
// accumulation registers the sum is moved first, and the compiler pads in front
// of the move. So that form is taken, although the first one is compiled
// without spills and moves.
// RUN: fly-compile %s -o %t.o --report=json | FileCheck %s --check-prefix=JSON
// RUN: fly-compile %s -o %t.o --report=text | FileCheck %s --check-prefix=TEXT
// RUN: fly-report verify %t.o
// JSON: "form": "agpr"
// JSON: "form": "vgpr",
// JSON: "proved": true,
// JSON: "refused": {{[1-9][0-9]*}},
// JSON: "form": "agpr",
// JSON: "proved": true,
// JSON: "refused": 0,
// TEXT: code generation: agpr of vgpr (refused for {{[1-9][0-9]*}} faults, 0 spills, 0 acc moves

// Asked for by name, it is refused.
// RUN: sed 's/"fly-codegen", "auto"/"fly-codegen", "vgpr"/' %s >%t.mlir
// RUN: not fly-compile %t.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: error: code of kernel 'k', which holds inline assembly: {{.*}} comes too soon on v{{[0-9]+}}: matrix instruction writes VGPR, VALU reads it

// If no form is right, what the best of them does wrong is the error.
// RUN: sed 's/s_nop 0/v_exp_f32 $0, $1\\0Av_mov_b32 $0, $0/' %s >%t.mlir
// RUN: not fly-compile %t.mlir -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: code of kernel 'k', which holds inline assembly: {{.*}} comes too soon on v{{[0-9]+}}: transcendental writes VGPR, other VALU reads it

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias}, %n: i32)
      attributes {gpu.kernel, rocdl.kernel, passthrough = [["fly-codegen", "auto"], ["amdgpu-agpr-alloc", "0"]]} {
    %i = rocdl.workitem.id.x : i32
    %from = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf16>
    %v = llvm.load %from : !llvm.ptr<1> -> vector<4xf16>
    %none = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    llvm.br ^loop(%none, %zero : i32, vector<4xf32>)
  ^loop(%k: i32, %acc: vector<4xf32>):
    %sum = rocdl.mfma.f32.16x16x16f16 %v, %v, %acc, %none, %none, %none
        : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %next = llvm.add %k, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %sum : i32, vector<4xf32>), ^end
  ^end:
    %first = llvm.extractelement %sum[%none : i32] : vector<4xf32>
    %copy = llvm.inline_asm asm_dialect = att "v_mov_b32 $0, $1\0As_nop 0", "=v,v" %first : (f32) -> f32
    %to = llvm.getelementptr %q[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %copy, %to : f32, !llvm.ptr<1>
    llvm.return
  }
}
