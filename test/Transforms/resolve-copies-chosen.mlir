// RUN: fly-opt %s --fly-resolve-schedule -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Who says nothing of the copy gets the one of fewer instructions: past the
// registers where a copy is as wide as a load, nothing is in its way and it has
// a buffer of its own to arrive in, and the time: 4 * 8 * 2 instructions of 4
// passes take 1024 cycles, 2 * 2 * 2 take 128.
// REMARK-DAG: Function=chosen | Remark="copy = async: 4 copies of 16 bytes a lane for 4 loads and 4 LDS writes, 16 registers less"
// REMARK-DAG: Function=late | Remark="copy = sync: with two buffers a copy has one iteration to arrive, whose matrix instructions take 128 cycles of the 880 that memory may take; three buffers would give it two"
// REMARK-DAG: Function=three_buffers | Remark="copy = async: 2 copies of 16 bytes a lane for 2 loads and 2 LDS writes, 8 registers less"
// REMARK-DAG: Function=narrow | Remark="copy = sync: a copy past the registers takes 4 bytes a lane, a load 16"
// REMARK-DAG: Function=unproved | Remark="copy = sync: the last vector of a row may be partly outside; 'fly.require_multiple %K of 8' would exclude it"
// REMARK-DAG: Function=one_buffer | Remark="copy = sync: LDS holds one buffer, so it would begin when the last tile has been read"
// REMARK-DAG: Function=one_stage | Remark="copy = sync: it is under way for 1 iteration, for which a copy takes 2 buffers, not 1"

// CHECK-LABEL: gpu.func @chosen
// CHECK-SAME: a = lds(copy = async, stages = 2, swizzle = xor)
!A = tensor<128x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<128x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @chosen(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[128, 256] : !fly.view<128x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x256xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @late
// CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @late(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @three_buffers
// CHECK-SAME: a = lds(copy = async, stages = 3, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @three_buffers(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], a = lds(stages = 3), b = lds(stages = 3)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @narrow
// CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @narrow(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @unproved
// CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @unproved(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2]>} {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @one_buffer
// CHECK-SAME: a = lds(copy = sync, stages = 1, swizzle = xor)
!A = tensor<512x128xbf16>
!B = tensor<64x128xbf16>
!C = tensor<512x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @one_buffer(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[512, 64] : !fly.view<512x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 128 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<512x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @one_stage
// CHECK-SAME: a = lds(copy = sync, stages = 1, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @one_stage(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], a = lds(stages = 1), b = lds(stages = 1)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @asked
// CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @asked(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], a = lds(copy = sync), b = lds(copy = async)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %a[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}
