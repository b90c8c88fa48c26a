// Tiles that the host could not hold ended the reference executor, or kept it
// busy for minutes.
// RUN: not fly-run %s --kernel=most --device=reference 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: :[[#@LINE+10]]:{{[0-9]+}}: error: makes the tile 'tensor<9223372036854775807xf32>', more elements than the 16777216 that the reference executor holds
// RUN: not fly-run %s --kernel=named --device=reference 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: makes the tile 'tensor<65536x65536xf32>', more elements than the 16777216
// RUN: not fly-run %s --kernel=most 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: error: {{.*}}tensor<9223372036854775807xf32>
!V = !fly.view<?xf32>
!N = tensor<?x?xf32, #fly.tile<B, B>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @most(%X: !fly.ptr<f32>) kernel {
    %x = fly.view %X[64] : !V
    %t = fly.load %x[0] : !V -> tensor<9223372036854775807xf32>
    fly.store %t, %x[0] : tensor<9223372036854775807xf32>, !V
    gpu.return
  }
  gpu.func @named(%X: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<sizes = {B = 65536}>} {
    %x = fly.view %X[8, 8] : !fly.view<8x8xf32>
    %t = fly.load %x[0, 0] : !fly.view<8x8xf32> -> !N
    fly.store %t, %x[0, 0] : !N, !fly.view<8x8xf32>
    gpu.return
  }
}
