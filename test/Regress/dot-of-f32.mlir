// A lane holds one f32 of an operand: the instruction wants it as a scalar.
// RUN: fly-run %s M=33 N=65 K=50 | FileCheck %s
// RUN: fly-run %s M=33 N=65 K=50 --chip=gfx950 --schedule=kloop.mfma=32x32,waves=[1,2] | FileCheck %s
// CHECK: f32  {{gfx942|gfx950}}  right (2145 of 2145 equal)
!A = tensor<32x32xf32>
!B = tensor<64x32xf32>
!Acc = tensor<32x64xf32>
!V = !fly.view<?x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @f32(%A: !fly.ptr<f32>, %B: !fly.ptr<f32>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 4]>} {
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %c = fly.view %C[%M, %N] : !V
    %m, %n = fly.grid to (%M, %N) step (32, 64)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %c[%m, %n] : !Acc, !V
    gpu.return
  }
}
