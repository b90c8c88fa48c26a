// Pipelines that carry nothing and only store: one and three iterations ahead,
// of every trip count around the depth, made of a plain loop, and with a
// pipeline of its own inside that carries a sum.
// RUN: fly-run %s --kernel=copy N=0 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=copy N=64 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=copy N=192 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=far N=64 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=far N=192 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=far N=320 X=iota --expect Y=iota --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=plain N=320 X=iota --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=nested N=128 K=64 A=fill:1 B=fill:1 --expect C=fill:65 | FileCheck %s
// RUN: fly-run %s --kernel=nested N=64 K=130 A=fill:1 B=fill:1 --expect C=fill:131 --chip=gfx950 | FileCheck %s
// RUN: fly-run %s --kernel=nested N=200 K=200 | FileCheck %s
// CHECK: right

#steps = #fly.schedule<waves = [2, 2], loop = {stages = {x = -2}}>
#sums = #fly.schedule<waves = [2, 2], a = lds(stages = 2), b = lds(stages = 3)>
!T = tensor<64xf32>
!V = !fly.view<?xf32>
!A = tensor<64x64xbf16>
!C = tensor<64x64xf32>
!VA = !fly.view<?x?xbf16>
!VC = !fly.view<64x?xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @copy(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%N] : !V
    %y = fly.view %Y[%N] : !V
    fly.pipeline %n = 0 to %N step 64
      prefetch {
        %t = fly.load %x[%n] : !V -> !T
        fly.yield %t : !T
      } compute(%t: !T) at %i {
        fly.store %t, %y[%i] : !T, !V
        fly.yield
      }
    gpu.return
  }

  gpu.func @far(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %x = fly.view %X[%N] : !V
    %y = fly.view %Y[%N] : !V
    fly.pipeline %n = 0 to %N step 64
      prefetch ahead 3 {
        %t = fly.load %x[%n] : !V -> !T
        fly.yield %t : !T
      } compute(%t: !T) at %i {
        fly.store %t, %y[%i] : !T, !V
        fly.yield
      }
    gpu.return
  }

  gpu.func @plain(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #steps} {
    %x = fly.view %X[%N] : !V
    %y = fly.view %Y[%N] : !V
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    scf.for %n = %c0 to %N step %c64 : i32 {
      %t = fly.load %x[%n] label "x" : !V -> !T
      fly.store %t, %y[%n] : !T, !V
    } {fly.label = "loop"}
    gpu.return
  }

  // C = A * B^T + the first 64 columns of B, tile by tile of N.
  gpu.func @nested(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %N: i32, %K: i32) kernel attributes {fly.schedule = #sums} {
    %a = fly.view %A[64, %K] : !fly.view<64x?xbf16>
    %b = fly.view %B[%N, %K] : !VA
    %c = fly.view %C[64, %N] : !VC
    %zero = fly.constant 0.0 : !C
    fly.pipeline %n = 0 to %N step 64
      prefetch {
        %t = fly.load %b[%n, 0] : !VA -> !A
        fly.yield %t : !A
      } compute(%t: !A) at %i {
        %sum = fly.pipeline %k = 0 to %K step 64 iter_args(%s = %zero) : !C
          prefetch {
            %ta = fly.load %a[0, %k] label "a" : !fly.view<64x?xbf16> -> !A
            %tb = fly.load %b[%i, %k] label "b" : !VA -> !A
            fly.yield %ta, %tb : !A, !A
          } compute(%ta: !A, %tb: !A) {
            %d = fly.dot %ta, %tb, %s : !A, !A -> !C
            fly.yield %d : !C
          }
        %w = arith.extf %t : !A to !C
        %o = arith.addf %sum, %w : !C
        fly.store %o, %c[0, %i] : !C, !VC
        fly.yield
      }
    gpu.return
  }
}
