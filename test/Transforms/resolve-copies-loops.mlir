// RUN: fly-opt %s --fly-resolve-schedule -split-input-file --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s

// The time that a copy has to arrive is that of the matrix instructions of its
// loop, those of a loop in it among them: 4 * 8 * 2 instructions of 16 cycles.
// CHECK-DAG: Function=outer | Remark="copy = async: 4 copies of 16 bytes a lane
!A = tensor<128x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<128x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @outer(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], b = regs>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[128, 256] : !fly.view<128x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @outer %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        fly.yield %ta : !A
      } compute(%ta: !A) {
        %n = fly.pipeline @inner %j = 0 to %K step 64 iter_args(%i = %s) : !C
          prefetch {
            %tb = fly.load %a[0, %j] label "b" : !fly.view<?x?xbf16> -> !B
            fly.yield %tb : !B
          } compute(%tb: !B) {
            %d = fly.dot %ta, %tb, %i : !A, !B -> !C
            fly.yield %d : !C
          }
        fly.yield %n : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x256xf32>
    gpu.return
  }
}

// -----

// Of one label, and in a loop without dots: nothing passes the time there.
// CHECK-DAG: Function=two_loops | Remark="copy = sync: with two buffers a copy has one iteration to arrive, which has no matrix instructions; three buffers would give it two"
!A = tensor<128x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<128x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @two_loops(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %S: !fly.ptr<bf16>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[128, 256] : !fly.view<128x256xf32>
    %o = fly.view %S[128, 64] : !fly.view<128x64xbf16>
    %z = fly.constant 0.0 : !C
    %za = fly.constant 0.0 : !A
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    %sum = fly.pipeline @sums %k = 0 to %K step 64 iter_args(%s = %za) : !A
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        fly.yield %ta : !A
      } compute(%ta: !A) {
        %d = arith.addf %ta, %s : !A
        fly.yield %d : !A
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x256xf32>
    fly.store %sum, %o[0, 0] label "s" : !A, !fly.view<128x64xbf16>
    gpu.return
  }
}
