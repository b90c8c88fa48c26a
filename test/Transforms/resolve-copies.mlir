// RUN: fly-opt %s --fly-resolve-schedule -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file --remark-format=emitRemark --remarks-filter='fly-.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Which loads are copied past the registers, with which width, and what stands
// in the way of others.
// REMARK-DAG: Function=wide | Remark="copy = async: 2 copies of 16 bytes a lane"
// REMARK-DAG: Function=narrow | Remark="copy = async: 8 copies of 4 bytes a lane"
// REMARK-DAG: Function=padded | Remark="copy = sync: outside elements shall be one, a copy makes them zero"
// REMARK-DAG: Function=unproved | Remark="copy = sync: the last vector of a row may be partly outside; 'fly.require_multiple %K of 2' would exclude it"

// CHECK-LABEL: gpu.func @wide
// CHECK-SAME: a = lds(copy = async, stages = 3, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @wide(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(copy = async, stages = 3)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
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
// CHECK-SAME: a = lds(copy = async, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @narrow(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(copy = async)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
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

// CHECK-LABEL: gpu.func @padded
// CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @padded(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(copy = async)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] pad one label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
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
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @unproved(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(copy = async)>} {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}
