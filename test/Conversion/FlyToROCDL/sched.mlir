// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// Each op that steers order, and the numbers of lane, wave and workgroup.

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: llvm.func @hints(
  gpu.func @hints() kernel attributes {fly.waves = 1 : i32} {
    // CHECK-NEXT: rocdl.sched.group.barrier 8, 4, 0
    fly.sched.mfma 4
    // CHECK-NEXT: rocdl.sched.group.barrier 256, 1, 0
    fly.sched.dsrd 1
    // CHECK-NEXT: rocdl.sched.group.barrier 512, 2, 0
    fly.sched.dswr 2
    // CHECK-NEXT: rocdl.sched.group.barrier 32, 3, 0
    fly.sched.vmem 3
    // CHECK-NEXT: rocdl.sched.group.barrier 64, 1, 0
    fly.sched.vmem_write 1
    // CHECK-NEXT: rocdl.sched.group.barrier 2, 1, 0
    fly.sched.valu 1
    // CHECK-NEXT: rocdl.sched.group.barrier 4, 1, 0
    fly.sched.salu 1
    // CHECK-NEXT: rocdl.sched.group.barrier 1024, 1, 0
    fly.sched.trans 1
    // CHECK-NEXT: rocdl.sched.barrier 0
    fly.sched.barrier
    // CHECK-NEXT: rocdl.s.setprio 2
    fly.setprio 2
    gpu.return
  }

  // CHECK-LABEL: llvm.func @barriers(
  gpu.func @barriers() kernel attributes {fly.waves = 2 : i32} {
    // CHECK-NEXT: llvm.fence syncscope("workgroup") release{{$}}
    // CHECK-NEXT: rocdl.s.waitcnt 112
    // CHECK-NEXT: rocdl.s.barrier
    // CHECK-NEXT: llvm.fence syncscope("workgroup") acquire{{$}}
    fly.barrier all
    // A fence of one thread makes no instruction; it keeps LLVM from moving an
    // access over the barrier.
    // CHECK-NEXT: llvm.fence syncscope("singlethread") release
    // CHECK-NEXT: rocdl.s.barrier
    // CHECK-NEXT: llvm.fence syncscope("singlethread") acquire
    fly.barrier bare
    // vm(2) and lgkm(0): 0000 0000 0111 0010; lgkm(0) alone: all of vmcnt.
    // CHECK-NEXT: rocdl.s.waitcnt 114
    fly.wait vm(2) lgkm(0)
    // CHECK-NEXT: rocdl.s.waitcnt 49279
    fly.wait lgkm(0)
    gpu.return
  }

  // The wave's number is scalar; with one wave there is nothing to compute.
  // CHECK-LABEL: llvm.func @numbers(
  // CHECK-SAME: rocdl.waves_per_eu = 2
  // CHECK: %[[T:.*]] = rocdl.workitem.id.x range <i32, 0, 128> : i32
  // CHECK: %[[L:.*]] = llvm.and %[[T]], %{{.*}} : i32
  // CHECK: %[[S:.*]] = llvm.lshr %[[T]], %{{.*}} : i32
  // CHECK: %[[W:.*]] = rocdl.readfirstlane %[[S]] : i32
  // CHECK: rocdl.workgroup.id.y : i32
  gpu.func @numbers(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 2 : i32, fly.waves_per_eu = 2 : i32} {
    %c = fly.view %C[64, 2, 8] : !fly.view<64x2x8xi32>
    %l = fly.lane
    %w = fly.wave
    %b = gpu.block_id y
    %x = arith.index_cast %b : index to i32
    fly.write %x, %c[%l, %w, %b] in_bounds [true, true, true] : i32, !fly.view<64x2x8xi32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @one_wave(
  // CHECK-NOT: readfirstlane
  // CHECK: llvm.return
  gpu.func @one_wave(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[64] : !fly.view<64xi32>
    %l = fly.lane
    %w = fly.wave
    %x = arith.index_cast %w : index to i32
    fly.write %x, %c[%l] in_bounds [true] : i32, !fly.view<64xi32>
    gpu.return
  }

  // The launch contract and the attributes of arguments.
  // CHECK-LABEL: llvm.func @signature(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noundef}
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noundef}
  // CHECK-SAME: %{{[^:]*}}: bf16 {llvm.noundef}
  // CHECK-SAME: fly.contract = {kernel = "signature"}
  gpu.func @signature(%A: !fly.ptr<i32>, %B: !fly.ptr<i32> {fly.may_alias}, %x: bf16) kernel
      attributes {fly.waves = 1 : i32, fly.contract = {kernel = "signature"}} {
    gpu.return
  }
}
