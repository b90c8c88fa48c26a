// Waves that go round a loop as often as their number says cannot take turns: the
// barriers between them hung.
// RUN: not fly-opt %s --fly-schedule-hot-loop 2>&1 | FileCheck %s
// CHECK: 'scf.for' op cannot have 'hot_loop = pingpong': the loop has no barrier of its own

!G = !fly.view<64x16xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%p: !fly.ptr<bf16>, %q: !fly.ptr<f32>, %N: i32) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %l = fly.lane
    %w = fly.wave
    %g = fly.view %p[64, 16] : !G
    %is = arith.cmpi ult, %w, %c4 : index
    %r = scf.for %k = %c0 to %w step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %x = fly.read %g[%l, %c0] in_bounds [true, true] : !G -> vector<4xbf16>
      %d0 = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %d0 : vector<4xf32>
    } {fly.hot_loop = "pingpong"}
    %o = fly.view %q[64, 4] : !fly.view<64x4xf32>
    fly.write %r, %o[%l, %c0] in_bounds [true, true] : vector<4xf32>, !fly.view<64x4xf32>
    gpu.return
  }
}
