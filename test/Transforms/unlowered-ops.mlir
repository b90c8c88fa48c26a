// Ops that only the reference executor runs are refused by name wherever a
// kernel enters the pipeline, and not for what they look like further down.
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-check-legal -split-input-file -verify-diagnostics

// No schedule could name this label.
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1, rows = regs>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @gather(%x: !fly.view<?x?xf32>, %r: tensor<16xi32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.gather' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
    %t = fly.gather %x rows(%r) at [0] label "rows" : !fly.view<?x?xf32>, tensor<16xi32> -> !T
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @scatter(%t: !T, %x: !fly.view<?x?xf32>, %r: tensor<16xi32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.scatter' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
    fly.scatter %t, %x rows(%r) at [0] : !T, !fly.view<?x?xf32>, tensor<16xi32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @atomic(%t: !T, %x: !fly.view<?x?xf32>) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.atomic' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
    fly.atomic add %t, %x[0, 0] relaxed agent : !T, !fly.view<?x?xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @atomic_rmw(%t: !T, %x: !fly.view<?x?xf32>, %s: f32) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.atomic_rmw' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
    %old = fly.atomic_rmw add %s, %x[0, 0] relaxed agent : !fly.view<?x?xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @fence(%t: !T) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.fence' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
    fly.fence release agent
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!T = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @assert(%t: !T, %ok: i1) kernel attributes {fly.schedule = #sched} {
    // expected-error @+2 {{'fly.assert' op cannot be compiled: no pass lowers it}}
    // expected-note @+1 {{reference}}
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
      fly.fence release agent
    }
    gpu.return
  }
}
