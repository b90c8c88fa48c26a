// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --remarks-filter='fly-schedule.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// One buffer: reads, two products, and behind a barrier the write of the next
// tile. All waves meet before the loop and the late ones once more. In it, the
// write goes between the two products, so that it is two barriers behind the
// read and the read of the next round two behind it. The early waves catch up
// behind the loop.
// CHECK-LABEL: gpu.func @one_buffer
// CHECK-SAME: passthrough = {{\[\[}}"fly-hot-loop", "pingpong"], ["fly-hints-claim", "1,mfma=2,barrier=4"{{\]\]}}
// CHECK: fly.barrier bare{{$}}
// CHECK: %[[WAVE:.*]] = fly.wave
// CHECK: %[[FIRST:.*]] = arith.constant 4 : index
// CHECK: %[[LATE:.*]] = arith.cmpi uge, %[[WAVE]], %[[FIRST]] : index
// CHECK-NEXT: scf.if %[[LATE]] {
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// CHECK-NEXT: }
// CHECK: scf.for
// CHECK-NEXT: fly.read
// CHECK-NEXT: fly.read %{{.*}} : !fly.view<64x16xbf16, lds>
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.setprio 1
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: fly.setprio 0
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.write
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.setprio 1
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: fly.setprio 0
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: scf.yield
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK-NEXT: fly.barrier bare {fly.staggered}
// REMARK: 2 matrix clusters of up to 1 instructions and 2 memory clusters by turns, waves from 4 on a turn behind; 4 barriers a round instead of 2
!G = !fly.view<64x16xbf16>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @one_buffer(%p: !fly.ptr<bf16>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %next = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
      fly.barrier lds
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.barrier lds
      fly.write %next, %a[%l, %c0] in_bounds [true, true] : vector<4xbf16>, !L
      scf.yield %d1 : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

// What is written is computed by the last product: a turn is let pass, empty.
// CHECK-LABEL: gpu.func @writes_results
// CHECK: scf.for
// CHECK: fly.read
// CHECK: fly.barrier bare
// CHECK: fly.setprio 1
// CHECK: amdgpu.mfma
// CHECK: fly.setprio 0
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare
// CHECK-NEXT: fly.sched.barrier
// CHECK: fly.write
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: scf.yield
!L = !fly.view<64x16xf32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  gpu.func @writes_results(%n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      fly.barrier lds
      %v = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xf32>
      %x = arith.truncf %v : vector<4xf32> to vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %d0 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.barrier lds
      fly.write %d1, %a[%l, %c0] in_bounds [true, true] : vector<4xf32>, !L
      scf.yield %d1 : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}

// -----

// 64 instructions of 16 cycles are too long a turn. What the second half reads
// is read between the halves; the copy of the next tile stays in front.
// CHECK-LABEL: gpu.func @long_turns
// CHECK: scf.for
// CHECK: fly.dma
// CHECK-NEXT: fly.read
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare
// CHECK: fly.setprio 1
// CHECK: fly.setprio 0
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.barrier bare
// CHECK-NEXT: fly.sched.barrier
// CHECK-NEXT: fly.read
// CHECK-NEXT: fly.sched.barrier
// REMARK: 2 matrix clusters of up to 32 instructions
!G = !fly.view<64x16xbf16>
!L = !fly.view<64x16xbf16, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L, b : !L }
  gpu.func @long_turns(%p: !fly.ptr<bf16>, %n: index) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %g = fly.view %p[64, 16] : !G
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %b = fly.lds.field %s[b] : !fly.lds<@S> -> !L
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      fly.barrier bare
      fly.dma %g[%l, %c0] to %b[%c0, %c0] : vector<2xbf16>, !G, !L
      %x = fly.read %a[%l, %c0] in_bounds [true, true] : !L -> vector<4xbf16>
      %y = fly.read %a[%l, %c4] in_bounds [true, true] : !L -> vector<4xbf16>
      %d1 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d2 = amdgpu.mfma 16x16x16 %x * %x + %d1 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d3 = amdgpu.mfma 16x16x16 %x * %x + %d2 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d4 = amdgpu.mfma 16x16x16 %x * %x + %d3 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d5 = amdgpu.mfma 16x16x16 %x * %x + %d4 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d6 = amdgpu.mfma 16x16x16 %x * %x + %d5 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d7 = amdgpu.mfma 16x16x16 %x * %x + %d6 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d8 = amdgpu.mfma 16x16x16 %x * %x + %d7 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d9 = amdgpu.mfma 16x16x16 %x * %x + %d8 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d10 = amdgpu.mfma 16x16x16 %x * %x + %d9 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d11 = amdgpu.mfma 16x16x16 %x * %x + %d10 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d12 = amdgpu.mfma 16x16x16 %x * %x + %d11 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d13 = amdgpu.mfma 16x16x16 %x * %x + %d12 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d14 = amdgpu.mfma 16x16x16 %x * %x + %d13 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d15 = amdgpu.mfma 16x16x16 %x * %x + %d14 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d16 = amdgpu.mfma 16x16x16 %x * %x + %d15 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d17 = amdgpu.mfma 16x16x16 %x * %x + %d16 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d18 = amdgpu.mfma 16x16x16 %x * %x + %d17 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d19 = amdgpu.mfma 16x16x16 %x * %x + %d18 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d20 = amdgpu.mfma 16x16x16 %x * %x + %d19 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d21 = amdgpu.mfma 16x16x16 %x * %x + %d20 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d22 = amdgpu.mfma 16x16x16 %x * %x + %d21 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d23 = amdgpu.mfma 16x16x16 %x * %x + %d22 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d24 = amdgpu.mfma 16x16x16 %x * %x + %d23 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d25 = amdgpu.mfma 16x16x16 %x * %x + %d24 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d26 = amdgpu.mfma 16x16x16 %x * %x + %d25 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d27 = amdgpu.mfma 16x16x16 %x * %x + %d26 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d28 = amdgpu.mfma 16x16x16 %x * %x + %d27 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d29 = amdgpu.mfma 16x16x16 %x * %x + %d28 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d30 = amdgpu.mfma 16x16x16 %x * %x + %d29 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d31 = amdgpu.mfma 16x16x16 %x * %x + %d30 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d32 = amdgpu.mfma 16x16x16 %x * %x + %d31 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d33 = amdgpu.mfma 16x16x16 %y * %y + %d32 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d34 = amdgpu.mfma 16x16x16 %y * %y + %d33 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d35 = amdgpu.mfma 16x16x16 %y * %y + %d34 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d36 = amdgpu.mfma 16x16x16 %y * %y + %d35 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d37 = amdgpu.mfma 16x16x16 %y * %y + %d36 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d38 = amdgpu.mfma 16x16x16 %y * %y + %d37 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d39 = amdgpu.mfma 16x16x16 %y * %y + %d38 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d40 = amdgpu.mfma 16x16x16 %y * %y + %d39 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d41 = amdgpu.mfma 16x16x16 %y * %y + %d40 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d42 = amdgpu.mfma 16x16x16 %y * %y + %d41 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d43 = amdgpu.mfma 16x16x16 %y * %y + %d42 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d44 = amdgpu.mfma 16x16x16 %y * %y + %d43 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d45 = amdgpu.mfma 16x16x16 %y * %y + %d44 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d46 = amdgpu.mfma 16x16x16 %y * %y + %d45 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d47 = amdgpu.mfma 16x16x16 %y * %y + %d46 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d48 = amdgpu.mfma 16x16x16 %y * %y + %d47 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d49 = amdgpu.mfma 16x16x16 %y * %y + %d48 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d50 = amdgpu.mfma 16x16x16 %y * %y + %d49 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d51 = amdgpu.mfma 16x16x16 %y * %y + %d50 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d52 = amdgpu.mfma 16x16x16 %y * %y + %d51 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d53 = amdgpu.mfma 16x16x16 %y * %y + %d52 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d54 = amdgpu.mfma 16x16x16 %y * %y + %d53 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d55 = amdgpu.mfma 16x16x16 %y * %y + %d54 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d56 = amdgpu.mfma 16x16x16 %y * %y + %d55 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d57 = amdgpu.mfma 16x16x16 %y * %y + %d56 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d58 = amdgpu.mfma 16x16x16 %y * %y + %d57 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d59 = amdgpu.mfma 16x16x16 %y * %y + %d58 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d60 = amdgpu.mfma 16x16x16 %y * %y + %d59 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d61 = amdgpu.mfma 16x16x16 %y * %y + %d60 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d62 = amdgpu.mfma 16x16x16 %y * %y + %d61 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d63 = amdgpu.mfma 16x16x16 %y * %y + %d62 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      %d64 = amdgpu.mfma 16x16x16 %y * %y + %d63 blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d64 : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    gpu.return
  }
}
