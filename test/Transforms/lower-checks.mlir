// RUN: fly-opt %s --fly-lower-checks | FileCheck %s --check-prefix=OFF
// RUN: fly-opt %s --fly-lower-checks=keep=true | FileCheck %s
// RUN: fly-opt %s --fly-lower-checks=keep=true --fly-plan-grid --fly-assign-layouts --fly-distribute | FileCheck %s --check-prefix=LANES

!V = !fly.view<?x64xi32>
!T = tensor<16x64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // OFF-LABEL: gpu.func @k
  // OFF-SAME: (%{{.*}}: !fly.ptr<i32> {fly.name = "X"}, %{{.*}}: i32 {fly.name = "M"}) kernel
  // OFF-NOT: fly.checks
  // OFF-NOT: fly.assert
  // OFF-NOT: fly.print
  // OFF-NOT: fly.record

  // The channel, the coordinates of the workgroup, and what the asserts compare.
  // CHECK-LABEL: gpu.func @k
  // CHECK-SAME: %[[P:[a-z0-9]*]]: !fly.ptr<i32> {fly.name = "__checks", fly.workspace})
  // CHECK-SAME: fly.checks = [{kind = "assert", location = "{{.*}}lower-checks.mlir:{{[0-9]+}}:5", text = "all",
  // CHECK-SAME: {extents = [16, 64], type = "i1"}, {extents = [16, 64], type = "i32"}, {extents = [16, 64], type = "i32"}], workgroup_rank = 1
  // CHECK-SAME: kind = "print"
  // CHECK-SAME: text = "at {}", values = [{type = "i32"}]
  // CHECK: %[[C:.*]] = fly.view %[[P]][786436] : !fly.view<786436xi32>
  // CHECK: %[[M:.*]] = fly.grid
  // CHECK: %[[W:.*]] = arith.divui %[[M]], %c16
  // CHECK: %[[OK:.*]] = arith.cmpi slt, %[[A:.*]], %[[B:.*]] :
  // CHECK: fly.record 0 to %[[C]] : !fly.view<786436xi32> at(%[[W]]) unless %[[OK]] : tensor<16x64xi1> values %[[A]], %[[B]] : tensor<16x64xi32>, tensor<16x64xi32>
  // CHECK: fly.record 1 to %[[C]] : !fly.view<786436xi32> at(%[[W]]) values %[[M]] : i32
  // CHECK-NOT: fly.assert
  // CHECK-NOT: fly.print

  // Room is asked for by an atomic, and what has room is written.
  // LANES-LABEL: gpu.func @k
  // LANES: %[[E:.*]] = fly.event
  // LANES: %[[HOLDS:.*]] = vector.extract %{{.*}} : i1
  // LANES: %[[FAILS:.*]] = arith.xori %[[HOLDS]], %true
  // LANES: scf.if %[[FAILS]] {
  // LANES: %[[SLOT:.*]] = fly.update add %c3_i32{{.*}} in_bounds [true] relaxed agent : i32, !fly.view<786436xi32> -> i32
  // LANES: %[[FITS:.*]] = arith.cmpi ult, %{{.*}}, %c65536
  // LANES: scf.if %[[FITS]] {
  // LANES: fly.write %[[E]], %{{.*}} in_bounds [true] : i32
  // LANES-NOT: fly.record
  gpu.func @k(%X: !fly.ptr<i32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1], waves_per_eu = 1, grid = {order = n_fastest}>} {
    %x = fly.view %X[%M, 64] : !V
    %m = fly.grid to (%M) step (16)
    %t = fly.load %x[%m, 0] : !V -> !T
    %c = fly.constant 5 : !T
    %ok = arith.cmpi slt, %t, %c : !T
    fly.assert %ok, "all" : tensor<16x64xi1>
    fly.print "at {}", %m : i32
    gpu.return
  }
}
