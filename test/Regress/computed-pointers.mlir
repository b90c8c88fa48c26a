// Of a pointer that is chosen while the kernel runs nothing is known but that
// its elements are aligned: it was taken to be aligned to 16 bytes. The
// reference executor took the choice for arithmetic, and aborted.
// RUN: fly-opt %s --fly-prove-access | FileCheck %s --check-prefix=ALIGN
// RUN: fly-run %s M=32 N=1 'X=bf16[32x64]=rand:1' 'Z=bf16[32x64]=rand:2' --expect Y=rand:1 | FileCheck %s
// RUN: fly-run %s M=32 N=0 'X=bf16[32x64]=rand:1' 'Z=bf16[32x64]=rand:2' --expect Y=rand:2 | FileCheck %s
// CHECK: Y: 2048 of 2048 equal (against reference)
// CHECK: Y: 2048 of 2048 equal (against rand:
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<bf16> {fly.align = 2}, %Z: !fly.ptr<bf16> {fly.align = 2}, %Y: !fly.ptr<bf16>,
              %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %zero = arith.constant 0 : i32
    %takesX = arith.cmpi sgt, %N, %zero : i32
    %p = arith.select %takesX, %X, %Z : !fly.ptr<bf16>
    %x = fly.view %p[%M, 64] : !fly.view<?x64xbf16>
    %y = fly.view %Y[%M, 64] : !fly.view<?x64xbf16>
    %m = fly.grid to (%M) step (16)
    // ALIGN: fly.load %{{.*}} align 1 : !fly.view<?x64xbf16>
    %t = fly.load %x[%m, 0] : !fly.view<?x64xbf16> -> tensor<16x64xbf16>
    // ALIGN: fly.store %{{.*}} align 8 : tensor<16x64xbf16>
    fly.store %t, %y[%m, 0] : tensor<16x64xbf16>, !fly.view<?x64xbf16>
    gpu.return
  }
}
