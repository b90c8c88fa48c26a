// The emitted bytes are proved in every compilation: waits and distances that
// lack are errors, what the order of LDS lacks is a warning.

// RUN: not fly-compile %s --kernel=unwaited -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not fly-compile %s --kernel=unpadded -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=PAD
// RUN: fly-compile %s --kernel=race -o %t.race.hsaco 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not fly-compile %s --kernel=race --werror -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=WERROR
// RUN: not fly-report verify %t.race.hsaco | FileCheck %s --check-prefix=REPORT
// RUN: fly-compile %s --kernel=ordered --werror -o %t.ordered.hsaco --timing 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: fly-report verify %t.ordered.hsaco | FileCheck %s --check-prefix=ORDERED

gpu.module @waits [#rocdl.target<chip = "gfx942">] {
  // LLVM waits for the loads that it makes, not for those of inline assembly.
  // WAIT: verify-code.mlir:[[@LINE+1]]:{{[0-9]+}}: error: code of kernel 'unwaited', which holds inline assembly: 0x{{[0-9a-f]+}} '{{.*}}' at verify-code.mlir:[[@LINE+4]] reads v{{[0-9]+}} before its data has come (of 0x{{[0-9a-f]+}} 'global_load_dword {{.*}}' at verify-code.mlir:[[@LINE+2]]): expected a wait for vmcnt(0) in between, found none; the compiler neither waits nor pads for inline assembly: add the wait to it
  llvm.func @unwaited(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %loaded = llvm.inline_asm has_side_effects "global_load_dword $0, $1, off", "=v,v" %p : (!llvm.ptr<1>) -> i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %sum = llvm.add %loaded, %one : i32
    llvm.store %sum, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

gpu.module @distances [#rocdl.target<chip = "gfx942">] {
  // PAD: error: code of kernel 'unpadded', which holds inline assembly: 0x{{[0-9a-f]+}} 'v_mov_b32_e32 {{.*}}' at verify-code.mlir:[[@LINE+2]] comes too soon on v{{[0-9]+}}: transcendental writes VGPR, other VALU reads it (of 0x{{[0-9a-f]+}} 'v_exp_f32_e32 {{.*}}' at verify-code.mlir:[[@LINE+2]]): expected 1 wait states in between, found 0;
  llvm.func @unpadded(%p: !llvm.ptr<1>, %x: f32) attributes {gpu.kernel, rocdl.kernel} {
    %copy = llvm.inline_asm has_side_effects "v_exp_f32 $0, $1\0Av_mov_b32 $0, $0", "=v,v" %x : (f32) -> f32
    llvm.store %copy, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

gpu.module @races [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @exchange() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>

  // Each lane reads what the same lane of another wave wrote, with no barrier
  // in between.
  // RACE: verify-code.mlir:[[@LINE+5]]:{{[0-9]+}}: warning: order of LDS in the code of kernel 'race': 0x{{[0-9a-f]+}} 'ds_read_b32 {{.*}}' at verify-code.mlir:[[@LINE+13]] reads bytes of LDS that another wave writes (of 0x{{[0-9a-f]+}} 'ds_write_b32 {{.*}}' at verify-code.mlir:[[@LINE+10]]): expected a
  // WERROR: warnings count as errors
  // REPORT: proved: waits, hazards, barriers
  // REPORT: violated: LDS order
  // REPORT: finding: LDS order:
  llvm.func @race(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
    %id = rocdl.workitem.id.x : i32
    %base = llvm.mlir.addressof @exchange : !llvm.ptr<3>
    %flip = llvm.mlir.constant(64 : i32) : i32
    %own = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %id, %own : i32, !llvm.ptr<3>
    %other = llvm.xor %id, %flip : i32
    %theirs = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = llvm.load %theirs : !llvm.ptr<3> -> i32
    %out = llvm.getelementptr %p[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %value, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

gpu.module @order [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @exchange() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>

  // TIMING: verify {{ *[0-9.]+}} ms
  // ORDERED: proved: waits, hazards, barriers, LDS order
  llvm.func @ordered(%p: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
    %id = rocdl.workitem.id.x : i32
    %base = llvm.mlir.addressof @exchange : !llvm.ptr<3>
    %flip = llvm.mlir.constant(64 : i32) : i32
    %own = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %id, %own : i32, !llvm.ptr<3>
    llvm.fence syncscope("workgroup") release
    rocdl.s.barrier
    llvm.fence syncscope("workgroup") acquire
    %other = llvm.xor %id, %flip : i32
    %theirs = llvm.getelementptr %base[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %value = llvm.load %theirs : !llvm.ptr<3> -> i32
    %out = llvm.getelementptr %p[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %value, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
