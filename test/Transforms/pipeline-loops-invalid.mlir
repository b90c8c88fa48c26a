// RUN: fly-opt %s --fly-pipeline-loops -split-input-file -verify-diagnostics

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, a = regs(depth = 1)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @store_to_what_is_loaded(%A: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    fly.pipeline @kloop %k = 0 to %K step 32
      prefetch {
        // expected-note @+1 {{this load runs ahead of the store; move the store after the pipeline, or use a plain scf.for}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        // expected-error @+1 {{may write what a prefetch of a later iteration reads}}
        fly.store %t, %a[0, 32] : !T, !fly.view<64x?xf32>
        fly.yield
      }
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, a = regs(depth = 1)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @argument_that_may_alias(%A: !fly.ptr<f32>, %B: !fly.ptr<f32> {fly.may_alias}, %K: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    %b = fly.view %B[64, %K] : !fly.view<64x?xf32>
    fly.pipeline @kloop %k = 0 to %K step 32
      prefetch {
        // expected-note @+1 {{this load runs ahead of the store}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) at %k2 {
        // expected-error @+1 {{may write what a prefetch of a later iteration reads}}
        fly.store %t, %b[0, %k2] : !T, !fly.view<64x?xf32>
        fly.yield
      }
    gpu.return
  }
}

// -----

// Writes of a lane's vectors count as well.
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, a = regs(depth = 1)>
!T = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @lane_write(%A: !fly.ptr<f32>, %K: i32, %v: f32, %i: index) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xf32>
    fly.pipeline @kloop %k = 0 to %K step 32
      prefetch {
        // expected-note @+1 {{this load runs ahead of the store}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<64x?xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        // expected-error @+1 {{may write what a prefetch of a later iteration reads}}
        fly.write %v, %a[%i, %i] : f32, !fly.view<64x?xf32>
        fly.yield
      }
    gpu.return
  }
}
