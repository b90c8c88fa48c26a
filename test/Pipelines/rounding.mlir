// Rounding at random gives the same bits on the device as on the reference, for
// numbers in range, below the normal ones, and beyond the largest.
// RUN: fly-run %s --kernel=bf16 M=200 s=f32:1.0 seed=1 X=normal:3 --device=reference --out Y=@%t.1.npy
// RUN: fly-run %s --kernel=bf16 M=200 s=f32:1.0 seed=1 X=normal:3 --expect Y=@%t.1.npy | FileCheck %s
// RUN: fly-run %s --kernel=bf16 M=200 s=f32:1e-39 seed=2 X=normal:3 --device=reference --out Y=@%t.2.npy
// RUN: fly-run %s --kernel=bf16 M=200 s=f32:1e-39 seed=2 X=normal:3 --expect Y=@%t.2.npy | FileCheck %s
// RUN: fly-run %s --kernel=f16 M=200 s=f32:30000.0 seed=-9 X=normal:3 --device=reference --out Y=@%t.3.npy
// RUN: fly-run %s --kernel=f16 M=200 s=f32:30000.0 seed=-9 X=normal:3 --expect Y=@%t.3.npy --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=f16 M=200 s=f32:1e-6 seed=77 X=normal:3 --device=reference --out Y=@%t.4.npy
// RUN: fly-run %s --kernel=f16 M=200 s=f32:1e-6 seed=77 X=normal:3 --expect Y=@%t.4.npy | FileCheck %s
// CHECK: right
// CHECK: Y: [[#]] of [[#]] equal (against @{{.*}}npy)

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @bf16(%X: !fly.ptr<f32>, %Y: !fly.ptr<bf16>, %M: i32, %s: f32, %seed: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 1]>} {
    %x = fly.view %X[%M, 48] : !fly.view<?x48xf32>
    %y = fly.view %Y[%M, 48] : !fly.view<?x48xbf16>
    %m = fly.grid to (%M) step (16)
    %t = fly.load %x[%m, 0] : !fly.view<?x48xf32> -> tensor<16x48xf32>
    %f = fly.splat %s : f32 -> tensor<16x48xf32>
    %u = arith.mulf %t, %f : tensor<16x48xf32>
    %own = arith.addi %seed, %m : i32
    %r = fly.cast %u rounding sr seed %own : tensor<16x48xf32> -> tensor<16x48xbf16>
    fly.store %r, %y[%m, 0] : tensor<16x48xbf16>, !fly.view<?x48xbf16>
    gpu.return
  }
  gpu.func @f16(%X: !fly.ptr<f32>, %Y: !fly.ptr<f16>, %M: i32, %s: f32, %seed: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 1]>} {
    %x = fly.view %X[%M, 48] : !fly.view<?x48xf32>
    %y = fly.view %Y[%M, 48] : !fly.view<?x48xf16>
    %m = fly.grid to (%M) step (16)
    %t = fly.load %x[%m, 0] : !fly.view<?x48xf32> -> tensor<16x48xf32>
    %f = fly.splat %s : f32 -> tensor<16x48xf32>
    %u = arith.mulf %t, %f : tensor<16x48xf32>
    %own = arith.addi %seed, %m : i32
    %r = fly.cast %u overflow saturate rounding sr seed %own : tensor<16x48xf32> -> tensor<16x48xf16>
    fly.store %r, %y[%m, 0] : tensor<16x48xf16>, !fly.view<?x48xf16>
    gpu.return
  }
}
