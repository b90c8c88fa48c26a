// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not fly-opt %s --fly-schedule-hot-loop --split-input-file --remarks-filter='fly-schedule.*' 2>&1 | FileCheck %s --check-prefix=REMARK

// The first step's read comes first, the load behind it; the second step's read
// stands between the matrix instructions of the first, with the address that it
// takes; the write stands before the last one. A fence is behind each group
// of accesses; among the matrix instructions in front LLVM may move them.
// CHECK-LABEL: gpu.func @order
// CHECK-SAME: passthrough = {{\[\[}}"fly-hints-claim", "1,mfma=4,dsrd=2,dswr=1,vmem=1
// CHECK: scf.for
// CHECK-NEXT: fly.read %{{.*}} : !fly.view<64x16xbf16, lds>
// CHECK-NEXT: %[[AT:.*]] = arith.addi
// CHECK-NEXT: fly.read %{{.*}}[%[[AT]], %{{.*}} : !fly.view<64x16xbf16, lds>
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.read %{{.*}} : !fly.view<64x16xbf16>
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: amdgpu.mfma
// CHECK-NOT: fly.sched.barrier
// CHECK: fly.write
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier lds
// REMARK: Interleaved{{.*}}4 matrix instructions and what stands between them
!G = !fly.view<64x16xbf16>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @order(%p: !fly.ptr<bf16>, %n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %next = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %at = arith.addi %l, %c1 : index
      %y = fly.read %a[%at, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d2 = amdgpu.mfma 16x16x16 %y * %y + %d1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d3 = amdgpu.mfma 16x16x16 %y * %y + %d2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.write %next, %b[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      fly.barrier lds
      scf.yield %d3 : vector<4xf32>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}

// -----

!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @one_buffer(%n: index, %v: vector<4xbf16>) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    // expected-error @+1 {{cannot have 'hot_loop = interleave': the loop reads and writes one buffer without a barrier in between}}
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.write %v, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      scf.yield %d : vector<4xf32>
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}

// -----

!G = !fly.view<64x16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @global_writes(%g: !G, %x: vector<4xbf16>, %n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // expected-error @+1 {{cannot have 'hot_loop = interleave': the loop writes global memory}}
    scf.for %k = %c0 to %n step %c1 {
      %d = amdgpu.mfma 16x16x16 %x * %x + %zero blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.write %d, %g[%k, %c0] in_bounds [true, true] : vector<4xf32>, !G
    } {fly.hot_loop = "interleave"}
    gpu.return
  }
}
