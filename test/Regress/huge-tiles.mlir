// A tile of 10^8 elements was unrolled for minutes. Tiles up to the registers of
// a lane compile, with one element a register; beyond, they are refused.
// RUN: fly-run %s --size=B=131072 N=1000 | FileCheck %s
// CHECK: elementwise{{ +}}gfx942{{ +}}right (1000 of 1000 equal)
// RUN: not fly-run %s --size=B=131073 N=1000 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: tile 'tensor<131073xf32>' takes at least 513 vector registers a lane with 256 threads, limit is 512 on gfx942 with 1 wave a SIMD
// OVER: note: fix: a tile of at most 131072 elements
// RUN: not fly-run %s --size=B=100000000 N=1000 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: tile 'tensor<100000000xf32>' takes at least 390625 vector registers a lane
// RUN: not fly-run %s --size=B=131072 --schedule=waves=2 N=1000 2>&1 | FileCheck %s --check-prefix=WAVES
// WAVES: error: tile 'tensor<131072xf32>' takes at least 1024 vector registers a lane with 128 threads, limit is 512
// RUN: not fly-run %s --size=B=9223372036854775807 N=1000 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: 'fly.grid' op steps must fit 32 bits, got 9223372036854775807
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @elementwise(%A: !fly.ptr<f32> {fly.name = "A"}, %C: !fly.ptr<f32> {fly.name = "C"}, %N: i32 {fly.name = "N"})
      kernel attributes {fly.schedule = #fly.schedule<sizes = {B = 256}>} {
    %a = fly.view %A[%N] : !fly.view<?xf32>
    %c = fly.view %C[%N] : !fly.view<?xf32>
    %i = fly.grid to (%N) step (B)
    %x = fly.load %a[%i] : !fly.view<?xf32> -> tensor<?xf32, #fly.tile<B>>
    %y = arith.addf %x, %x : tensor<?xf32, #fly.tile<B>>
    fly.store %y, %c[%i] : tensor<?xf32, #fly.tile<B>>, !fly.view<?xf32>
    gpu.return
  }
}
