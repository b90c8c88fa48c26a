// Walks over the grid as arithmetic on the workgroup's number.
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid -split-input-file --remarks-filter='fly-(resolve-schedule|plan-grid)' 2>&1 | FileCheck %s --check-prefix=REMARK

// Ten workgroups on eight dies: each has one, the first two have two.
!T = tensor<16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // REMARK: Grid {{.*}}Function=dies | Remark="workgroups: 10, order n_fastest, dies walk over neighbours"
  // CHECK-LABEL: gpu.func @dies
  // CHECK-SAME: grid = ["10", "1", "1"]
  // CHECK-SAME: fly.schedule = #fly.schedule<grid = {order = n_fastest, xcd = on}
  gpu.func @dies(%Y: !fly.ptr<f32>, %x: f32) kernel attributes {fly.schedule = #fly.schedule<grid = {xcd = on}>} {
    %y = fly.view %Y[160] : !fly.view<160xf32>
    // CHECK: %[[ID:.*]] = arith.index_cast
    // CHECK: %[[DIES:.*]] = arith.constant 8 : i32
    // CHECK: %[[DIE:.*]] = arith.remui %[[ID]], %[[DIES]]
    // CHECK: %[[NTH:.*]] = arith.divui %[[ID]], %[[DIES]]
    // CHECK: %[[TWO:.*]] = arith.constant 2 : i32
    // CHECK: %[[MORE:.*]] = arith.minui %[[DIE]], %[[TWO]]
    // CHECK: %[[FIRST:.*]] = arith.addi %[[DIE]], %[[MORE]]
    // CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %[[NTH]]
    // CHECK: arith.muli %[[AT]], %{{.*}} overflow<nsw>
    %n = fly.grid to (160) step (16)
    %t = fly.splat %x : f32 -> !T
    fly.store %t, %y[%n] : !T, !fly.view<160xf32>
    gpu.return
  }
}

// -----

// A loop over positions, as many workgroups as the device holds; what is in
// front of the grid stays there.
!T = tensor<16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // REMARK: Persistent {{.*}}Function=persistent | Remark="persistent = 608: 304 compute units of MI300X with 2 workgroups each"
  // REMARK: Grid {{.*}}Function=persistent | Remark="tiles: N ceildiv 16, order n_fastest, at most 608 workgroups take them in turn"
  // CHECK-LABEL: gpu.func @persistent
  // CHECK-SAME: grid = ["min(N ceildiv 16, 608)", "1", "1"]
  // CHECK-SAME: fly.schedule = #fly.schedule<grid = {order = n_fastest, persistent = 608}
  gpu.func @persistent(%Y: !fly.ptr<f32> {fly.name = "Y"}, %N: i32 {fly.name = "N"}, %x: f32 {fly.name = "x"})
      kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1], waves_per_eu = 2, grid = {persistent = on}>} {
    // CHECK: %[[Y:.*]] = fly.view
    %y = fly.view %Y[%N] : !fly.view<?xf32>
    // CHECK: %[[ID:.*]] = arith.index_cast
    // CHECK: %[[TOTAL:.*]] = arith.divui
    // CHECK: %[[ALL:.*]] = arith.constant 608 : i32
    // CHECK: scf.for %[[AT:.*]] = %[[ID]] to %[[TOTAL]] step %[[ALL]] : i32 {
    // CHECK: %[[ORIGIN:.*]] = arith.muli %[[AT]], %{{.*}} overflow<nsw>
    // CHECK: fly.store %{{.*}}, %[[Y]][%[[ORIGIN]]]
    // CHECK: }
    // CHECK-NEXT: gpu.return
    %n = fly.grid to (%N) step (16)
    %t = fly.splat %x : f32 -> !T
    fly.store %t, %y[%n] : !T, !fly.view<?xf32>
    gpu.return
  }
}

// -----

// The schedule names a dimension, what is resolved numbers it.
!T = tensor<16xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // REMARK: Grid {{.*}}Function=by | Remark="workgroups: {{.*}}, order longest_first, dies share dimension 1 least"
  // CHECK-LABEL: gpu.func @by
  // CHECK-SAME: fly.schedule = #fly.schedule<grid = {order = longest_first, xcd = by(1)}
  gpu.func @by(%Y: !fly.ptr<f32> {fly.name = "Y"}, %N: i32 {fly.name = "N"}, %H: i32 {fly.name = "H"}, %x: f32 {fly.name = "x"})
      kernel attributes {fly.schedule = #fly.schedule<grid = {order = longest_first, xcd = by(h)}>} {
    %y = fly.view %Y[%H, %N] : !fly.view<?x?xf32>
    %n, %h = fly.grid to (%N, %H) step (16, 1) {fly.name = ["n", "h"]}
    %t = fly.splat %x : f32 -> !T
    fly.store %t, %y[%h, %n] : !T, !fly.view<?x?xf32>
    gpu.return
  }
}
