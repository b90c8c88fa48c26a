// Ops that only the reference executor runs are refused by name wherever a
// kernel enters the pipeline, and not for what they look like further down.
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-distribute -split-input-file -verify-diagnostics
// RUN: fly-opt %s --fly-check-legal -split-input-file -verify-diagnostics

// In a region, too; the first is enough.
#sched = #fly.schedule<waves = [4, 1], waves_per_eu = 1>
!A = tensor<64x128xf8E4M3FN>
!SA = tensor<64x4xf8E8M0FNU>
!B = tensor<32x128xf4E2M1FN>
!SB = tensor<32x4xf8E8M0FNU>
!C = tensor<64x32xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @scaled(%a: !A, %sa: !SA, %b: !B, %sb: !SB, %c: !C, %ok: i1) kernel attributes {fly.schedule = #sched} {
    scf.if %ok {
      // expected-error @+2 {{'fly.dot_scaled' op cannot be compiled: no pass lowers it}}
      // expected-note @+1 {{reference}}
      %d = fly.dot_scaled %a scale %sa, %b scale %sb, %c : !A, !SA, !B, !SB -> !C
      %e = fly.dot_scaled %a scale %sa, %b scale %sb, %d : !A, !SA, !B, !SB -> !C
    }
    gpu.return
  }
}
