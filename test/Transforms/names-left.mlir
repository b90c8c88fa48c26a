// Passes behind fly-instantiate decide nothing about a kernel that still has
// names, tiles without extents or calls: each is one error at the op.
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-plan-grid -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-assign-layouts -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-pipeline-loops -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-stage-lds -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics

#sched = #fly.schedule<sizes = {BM = 64}, waves = [1, 1], waves_per_eu = 1>
!T = tensor<?x16xf32, #fly.tile<BM, 16>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @tile(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 16] : !fly.view<?x16xf32>
    // expected-error @+1 {{'fly.constant' op has the size 'BM' in place of a number: run fly-instantiate first}}
    %z = fly.constant 0.0 : !T
    %r = fly.pipeline %k = 0 to %M step 64 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[%k, 0] : !fly.view<?x16xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        fly.yield %t : !T
      }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<sizes = {BM = 64}, waves = [1, 1], waves_per_eu = 1>
!T = tensor<64x16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @step(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 16] : !fly.view<?x16xf32>
    %z = fly.constant 0.0 : !T
    // expected-error @+1 {{'fly.pipeline' op has the size 'BM' in place of a number: run fly-instantiate first}}
    %r = fly.pipeline %k = 0 to %M step BM iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[%k, 0] : !fly.view<?x16xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        fly.yield %t : !T
      }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1>
!T = tensor<?x16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @extent(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 16] : !fly.view<?x16xf32>
    // expected-error @+1 {{'fly.load' op has the tile 'tensor<?x16xf32>', whose extents are not numbers: run fly-instantiate first}}
    %z = fly.load %a[0, 0] : !fly.view<?x16xf32> -> !T
    %r = fly.pipeline %k = 0 to %M step 64 iter_args(%s = %z) : !T
      prefetch {
        %t = fly.load %a[%k, 0] : !fly.view<?x16xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        fly.yield %t : !T
      }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1>
!T = tensor<64x16xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @twice(%x: !T) -> !T {
    %y = arith.addf %x, %x : !T
    return %y : !T
  }
  gpu.func @helper(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 16] : !fly.view<?x16xf32>
    %z = fly.constant 0.0 : !T
    // expected-error @+1 {{'func.call' op calls the helper 'twice', which is not inlined: run fly-instantiate first}}
    %y = func.call @twice(%z) : (!T) -> !T
    %r = fly.pipeline %k = 0 to %M step 64 iter_args(%s = %y) : !T
      prefetch {
        %t = fly.load %a[%k, 0] : !fly.view<?x16xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        fly.yield %t : !T
      }
    gpu.return
  }
}
