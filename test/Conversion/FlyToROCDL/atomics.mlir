// RUN: fly-opt %s --fly-convert-to-rocdl -split-input-file | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // A base that differs between lanes: 64-bit addresses, in a branch of the
  // lanes that are inside.
  // CHECK-LABEL: llvm.func @flat(
  // CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  // CHECK: %[[AT:.*]] = llvm.getelementptr %[[BASE]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  // CHECK: llvm.cond_br
  // CHECK: llvm.load %[[AT]] {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
  gpu.func @flat(%A: !fly.ptr<i32>, %n: i32, %m: i32) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %w = arith.index_cast %l : index to i64
    %c64 = arith.constant 64 : i64
    %at = arith.muli %w, %c64 : i64
    %c0 = arith.constant 0 : index
    %a = fly.view %A[%m, 64] at %at : !fly.view<?x64xi32>
    %x = fly.read %a[%c0, %c0] cache stream in_bounds [false, true] align 4 : !fly.view<?x64xi32> -> vector<4xi32>
    %y = vector.extract %x[0] : i32 from vector<4xi32>
    fly.write %y, %a[%c0, %c0] in_bounds [true, true] : i32, !fly.view<?x64xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @lanes(
  gpu.func @lanes(%A: !fly.ptr<f32>, %H: !fly.ptr<bf16>, %n: i32, %x: f32, %p: vector<2xbf16>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %a = fly.view %A[%n] : !fly.view<?xf32>
    %h = fly.view %H[%n] : !fly.view<?xbf16>
    // CHECK: llvm.icmp "slt"
    // CHECK: llvm.cond_br
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, f32
    fly.update add %x, %a[%l] relaxed agent : f32, !fly.view<?xf32>
    // CHECK-NOT: llvm.cond_br
    // CHECK: llvm.fence syncscope("agent") release
    // CHECK: rocdl.s.waitcnt
    // CHECK: llvm.atomicrmw fmax %{{.*}}, %{{.*}} syncscope("agent") monotonic
    // CHECK: llvm.fence syncscope("agent") acquire
    %old = fly.update max %x, %a[%l] in_bounds [true] acq_rel agent : f32, !fly.view<?xf32> -> f32
    fly.write %old, %a[%l] in_bounds [true] : f32, !fly.view<?xf32>
    // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic {alignment = 4 : i64} : !llvm.ptr<1>, vector<2xbf16>
    fly.update add %p, %h[%l] in_bounds [true] relaxed system : vector<2xbf16>, !fly.view<?xbf16>
    gpu.return
  }

  // Of the workgroup: waits of all waves, a barrier, one lane between the two
  // sides of the order, a barrier, and the old value through LDS.
  // CHECK-LABEL: llvm.func @workgroup(
  // CHECK: llvm.fence syncscope("workgroup") release
  // CHECK: rocdl.s.waitcnt
  // CHECK: rocdl.s.barrier
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK: rocdl.s.waitcnt
  // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i32
  // CHECK: llvm.fence syncscope("agent") acquire
  // CHECK: llvm.store %{{.*}}, %[[SLOT:.*]] {alignment = 8 : i64} : i32, !llvm.ptr<3>
  // CHECK: rocdl.s.barrier
  // CHECK: llvm.fence syncscope("agent") acquire
  // CHECK: %[[OLD:.*]] = llvm.load %[[SLOT]] {alignment = 8 : i64} : !llvm.ptr<3> -> i32
  // CHECK: rocdl.readfirstlane %[[OLD]]
  gpu.func @workgroup(%A: !fly.ptr<i32>, %n: i32) kernel attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%n] : !fly.view<?xi32>
    %l = fly.lane
    %old = fly.atomic_rmw add %n, %a[0] acq_rel agent : !fly.view<?xi32>
    fly.write %old, %a[%l] : i32, !fly.view<?xi32>
    // What others may have written is not read through the scalar cache.
    // CHECK: llvm.load %{{.*}} atomic syncscope("wavefront") monotonic
    %s = fly.load_scalar %a[1] : !fly.view<?xi32> -> i32
    fly.write %s, %a[%l] : i32, !fly.view<?xi32>
    gpu.return
  }

  // Relaxed, and nobody asks for the old value: one lane's, and no barrier.
  // CHECK-LABEL: llvm.func @unused(
  // CHECK-NOT: rocdl.s.barrier
  // CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} syncscope("agent") monotonic
  // CHECK-NOT: rocdl.s.barrier
  // CHECK: llvm.return
  gpu.func @unused(%A: !fly.ptr<i32>, %n: i32) kernel attributes {fly.waves = 4 : i32} {
    %a = fly.view %A[%n] : !fly.view<?xi32>
    %old = fly.atomic_rmw xchg %n, %a[0] relaxed agent : !fly.view<?xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @fence(
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK: rocdl.s.waitcnt
  // CHECK: rocdl.s.barrier
  // CHECK: llvm.fence syncscope("agent") acquire
  // CHECK: llvm.fence seq_cst
  // CHECK: rocdl.s.waitcnt
  // CHECK: rocdl.s.barrier
  // CHECK: llvm.fence seq_cst
  // CHECK-NOT: llvm.fence seq_cst
  // CHECK: rocdl.s.barrier
  // CHECK: llvm.fence syncscope("workgroup") acquire
  // CHECK: llvm.fence syncscope("workgroup") acquire
  gpu.func @fence() kernel attributes {fly.waves = 4 : i32} {
    fly.fence acq_rel agent
    fly.fence seq_cst system
    fly.fence acquire workgroup
    gpu.return
  }
}
