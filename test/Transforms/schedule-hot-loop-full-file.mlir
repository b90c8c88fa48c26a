// Accumulators that fill a file of registers, and nothing else that the loop
// carries: unasked, the operations have the interleaved order themselves, kept
// where the machine code gains by it. A tile that waits in registers keeps
// LLVM's order, with hints.
// RUN: fly-opt %s --fly-schedule-hot-loop | FileCheck %s
// RUN: fly-opt %s --fly-schedule-hot-loop --remarks-filter='fly-schedule.*' 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Interleaved{{.*}}4 matrix instructions {{.*}} kept where the machine code gains by it
// REMARK: Hinted{{.*}}4 matrix instructions {{.*}} kept where the machine code gains by them

!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }

  // CHECK-LABEL: gpu.func @full
  // CHECK-SAME: passthrough = {{\[\[}}"fly-hints", "auto"]]
  // CHECK: scf.for
  // CHECK-NEXT: fly.read
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: fly.read
  // CHECK-NEXT: fly.sched.barrier
  // CHECK-NEXT: amdgpu.mfma
  // CHECK-NOT: fly.sched.mfma
  // CHECK: gpu.return
  gpu.func @full(%n: index) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %zeros = arith.constant dense<0.0> : vector<252xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros) -> (vector<4xf32>, vector<252xf32>) {
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %at = arith.addi %l, %c1 : index
      %y = fly.read %a[%at, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d2 = amdgpu.mfma 16x16x16 %y * %y + %d1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d3 = amdgpu.mfma 16x16x16 %y * %y + %d2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d3, %more : vector<4xf32>, vector<252xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @carries_a_tile
  // CHECK: fly.sched.mfma
  gpu.func @carries_a_tile(%n: index, %t: vector<4xbf16>) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %zeros = arith.constant dense<0.0> : vector<252xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %zeros, %u = %t) -> (vector<4xf32>, vector<252xf32>, vector<4xbf16>) {
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %u + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %at = arith.addi %l, %c1 : index
      %y = fly.read %a[%at, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d2 = amdgpu.mfma 16x16x16 %y * %y + %d1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d3 = amdgpu.mfma 16x16x16 %y * %y + %d2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d3, %more, %y : vector<4xf32>, vector<252xf32>, vector<4xbf16>
    }
    gpu.return
  }
}
