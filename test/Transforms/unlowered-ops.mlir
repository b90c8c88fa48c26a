// Ops that only the reference executor runs are refused by name wherever a
// kernel enters the pipeline, and not for what they look like further down.
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-check-legal -split-input-file -verify-diagnostics

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @assert(%t: !T, %ok: i1) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.assert' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{the reference executor runs it: fly-run --device=reference}}
    fly.assert %ok, "must hold" : i1
    gpu.return
  }
}

// -----

// In a region, too; the first is enough.
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @print(%t: !T, %ok: i1) kernel attributes {fly.schedule = #sched} {
    scf.if %ok {
      // expected-error @+2 {{'fly.print' op cannot be compiled: no pass lowers it}}
      // expected-note @+1 {{reference}}
      fly.print "tile {}", %t : !T
      fly.assert %ok, "must hold" : i1
    }
    gpu.return
  }
}
