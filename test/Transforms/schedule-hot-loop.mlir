// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --remarks-filter='fly-schedule.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// 2 reads for 4 matrix instructions, then 2 for 4 more, 2 loads and 2 LDS
// writes: what comes first is read first; the second step's reads are spread
// over the first step's matrix instructions; loads from the front; writes at
// the end. The sums are those of the loop: 4 reads, 8 MFMA, 2 loads, 2 writes.
// Nobody asked, so the kernel is marked.
// CHECK-LABEL: gpu.func @spread
// CHECK-SAME: passthrough = {{\[\[}}"fly-hints", "auto"{{\]\]}}
// CHECK: fly.write
// CHECK: fly.write
// CHECK-NEXT: fly.sched.dsrd 2
// CHECK-NEXT: fly.sched.vmem 1
// CHECK-NEXT: fly.sched.mfma 1
// CHECK-NEXT: fly.sched.dsrd 1
// CHECK-NEXT: fly.sched.vmem 1
// CHECK-NEXT: fly.sched.mfma 2
// CHECK-NEXT: fly.sched.dsrd 1
// CHECK-NEXT: fly.sched.mfma 4
// CHECK-NEXT: fly.sched.dswr 1
// CHECK-NEXT: fly.sched.mfma 1
// CHECK-NEXT: fly.sched.dswr 1
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier lds
// CHECK-NOT: fly.sched
// REMARK: 11 groups for 8 matrix instructions in 1 stretches between barriers, kept where the machine code gains by them
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @s { a : !fly.view<64x64xbf16, lds>, w : !fly.view<64x64xbf16, lds> }
  gpu.func @spread(%p: !fly.ptr<bf16>, %n: index, %i: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %g = fly.view %p[64, 64] : !fly.view<64x64xbf16>
    %s = fly.lds.alloc : !fly.lds<@s>
    %a = fly.lds.field %s[a] : !fly.lds<@s> -> !fly.view<64x64xbf16, lds>
    %w = fly.lds.field %s[w] : !fly.lds<@s> -> !fly.view<64x64xbf16, lds>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %l0 = fly.read %g[%i, %c0] in_bounds [true, true] : !fly.view<64x64xbf16> -> vector<8xbf16>
      %l1 = fly.read %g[%i, %c16] in_bounds [true, true] : !fly.view<64x64xbf16> -> vector<8xbf16>
      %x0 = fly.read %a[%i, %c0] in_bounds [true, true] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      %y0 = fly.read %a[%c1, %c0] in_bounds [true, true] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x0 * %y0 + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x0 * %y0 + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d2 = amdgpu.mfma 16x16x16 %x0 * %y0 + %d1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d3 = amdgpu.mfma 16x16x16 %x0 * %y0 + %d2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %x1 = fly.read %a[%i, %c16] in_bounds [true, true] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      %y1 = fly.read %a[%c1, %c16] in_bounds [true, true] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
      %d4 = amdgpu.mfma 16x16x16 %x1 * %y1 + %d3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d5 = amdgpu.mfma 16x16x16 %x1 * %y1 + %d4 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d6 = amdgpu.mfma 16x16x16 %x1 * %y1 + %d5 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d7 = amdgpu.mfma 16x16x16 %x1 * %y1 + %d6 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.write %l0, %w[%i, %c0] in_bounds [true, true] : vector<8xbf16>, !fly.view<64x64xbf16, lds>
      fly.write %l1, %w[%i, %c16] in_bounds [true, true] : vector<8xbf16>, !fly.view<64x64xbf16, lds>
      fly.barrier lds
      scf.yield %d7 : vector<4xf32>
    }
    gpu.return
  }
}

// -----

// The author's pattern goes as it is, once for each stretch with matrix
// instructions, and what it claims is kept for the comparison.
// CHECK-LABEL: gpu.func @pattern
// CHECK-SAME: passthrough = {{\[\[}}"fly-hints-claim", "2,mfma=6,dsrd=2,dswr=0,vmem=0,vmem_write=0,valu=0,salu=0,trans=0"{{\]\]}}
// CHECK: amdgpu.mfma
// CHECK-NEXT: fly.sched.mfma 3
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.sched.dsrd 1
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier lds
// CHECK: amdgpu.mfma
// CHECK-NEXT: fly.sched.mfma 3
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.sched.dsrd 1
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: scf.yield
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @pattern(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.barrier lds
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d1 : vector<4xf32>
    } {fly.hot_loop = [#fly.policy<mfma(3)>, "barrier", #fly.policy<dsrd(1)>]}
    gpu.return
  }
}

// -----

// Control flow: no straight code to order, and the remark says so.
// CHECK-LABEL: gpu.func @branch
// CHECK-NOT: fly.sched
// REMARK: control flow in the loop (scf.if): only straight code is ordered
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @branch(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index, %c: i1) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = scf.if %c -> (vector<4xf32>) {
        scf.yield %d0 : vector<4xf32>
      } else {
        scf.yield %acc : vector<4xf32>
      }
      scf.yield %d1 : vector<4xf32>
    }
    gpu.return
  }
}

// -----

// Off, and hints of the author's own: nothing is added, nothing marked.
// CHECK-LABEL: gpu.func @off
// CHECK-NOT: passthrough
// CHECK: amdgpu.mfma
// CHECK-NEXT: scf.yield
// CHECK: amdgpu.mfma
// CHECK-NEXT: fly.sched.mfma 1
// CHECK-NEXT: scf.yield
// REMARK: the loop has hints of its author
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @off(%x: vector<4xbf16>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d0 : vector<4xf32>
    } {fly.hot_loop = "off"}
    %q = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %r) -> (vector<4xf32>) {
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.sched.mfma 1
      scf.yield %d0 : vector<4xf32>
    }
    gpu.return
  }
}
