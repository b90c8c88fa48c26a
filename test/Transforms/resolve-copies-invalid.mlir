// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics

// A copy has no idle lanes.
!A = tensor<16x32xbf16>
!B = tensor<128x32xbf16>
!C = tensor<16x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_whole_rounds(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 8], a = lds(copy = async)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[16, 128] : !fly.view<16x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+2 {{cannot be copied to LDS past the registers: a tile of 1024 bytes in rows of 64 is no whole number of rounds of 512 threads * 4 bytes, the least that gfx942 copies of elements of 16 bits}}
        // expected-note @+1 {{fix: copy = sync, whose last round is guarded, a larger tile, or fewer waves}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<16x128xf32>
    gpu.return
  }
}

// -----

// Elements stay whole: of 8 bytes 16 are the least.
!A = tensor<64x8xf64>
!B = tensor<32x8xf64>
!C = tensor<64x32xf64>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @no_whole_rounds_of_pairs(%A: !fly.ptr<f64>, %C: !fly.ptr<f64>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 2], a = lds(copy = async)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xf64>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xf64>
    %c = fly.view %C[64, 32] : !fly.view<64x32xf64>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 8 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+2 {{cannot be copied to LDS past the registers: a tile of 4096 bytes in rows of 64 is no whole number of rounds of 512 threads * 16 bytes, the least that gfx950 copies of elements of 64 bits}}
        // expected-note @+1 {{fix: copy = sync, whose last round is guarded, a larger tile, or fewer waves}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xf64> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xf64> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x32xf64>
    gpu.return
  }
}

// -----

// Copies leave no gaps.
!A = tensor<64x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @padded_copy(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(copy = async, swizzle = pad)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+2 {{cannot be padded: copies past the registers fill LDS without gaps}}
        // expected-note @+1 {{fix: swizzle = xor, or copy = sync}}
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

// Buffers come round together.
!A = tensor<32x32xbf16>
!B = tensor<64x32xbf16>
!C = tensor<32x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @repetition(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 5), b = lds(stages = 7)>} {
    fly.require_multiple %K of 8
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[32, 64] : !fly.view<32x64xf32>
    %z = fly.constant 0.0 : !C
    // expected-error @+1 {{has LDS buffers that come round together every 35 iterations (stages of a 5, b 7), at most 12 are laid out: choose stages that divide each other}}
    %r = fly.pipeline @kloop %k = 0 to %K step 32 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<?x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<32x64xf32>
    gpu.return
  }
}

// -----

// In a loop of three stages its author says how far ahead.
!A = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @stages_beyond(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 4)>} {
    fly.require_multiple %K of 64
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    // expected-note @+1 {{fix: another distance in this loop, or stages = 3}}
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch ahead 3 {
        // expected-error @+1 {{cannot run 3 iterations ahead for stages = 4: its pipeline has 3 stages, which take its tile 2 iterations later}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        fly.yield %t : !A
      } stage(%t: !A) ahead 1 {
        %d = fly.dot %t, %t, %z : !A, !A -> !C
        fly.yield %d : !C
      } compute(%d: !C) {
        %n = arith.addf %s, %d : !C
        fly.yield %n : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

!A = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @depth_beyond(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = regs(depth = 3)>} {
    fly.require_multiple %K of 64
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    // expected-note @+1 {{fix: another distance in this loop, or depth = 2}}
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch ahead 3 {
        // expected-error @+1 {{cannot run 3 iterations ahead for depth = 3: its pipeline has 3 stages, which take its tile 2 iterations later}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        fly.yield %t : !A
      } stage(%t: !A) ahead 1 {
        %d = fly.dot %t, %t, %z : !A, !A -> !C
        fly.yield %d : !C
      } compute(%d: !C) {
        %n = arith.addf %s, %d : !C
        fly.yield %n : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// A copy needs a slot for each tile under way and one that is read.
!A = tensor<64x64xbf16>
!C = tensor<64x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @slots_missing(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 2, copy = async)>} {
    fly.require_multiple %K of 64
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch ahead 3 {
        // expected-error @+1 {{is under way for 2 iterations, so copies past the registers need 3 stages, got 2}}
        %t = fly.load %a[0, %k] label "a" : !fly.view<?x?xbf16> -> !A
        fly.yield %t : !A
      } stage(%t: !A) ahead 1 {
        %d = fly.dot %t, %t, %z : !A, !A -> !C
        fly.yield %d : !C
      } compute(%d: !C) {
        %n = arith.addf %s, %d : !C
        fly.yield %n : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<64x64xf32>
    gpu.return
  }
}

// -----

// Nothing runs ahead without a pipeline.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @no_pipeline(%v: !fly.view<?x?xf32>) kernel attributes {fly.schedule = #fly.schedule<a = regs(depth = 2)>} {
    // expected-error @+1 {{cannot run 2 iterations ahead: it is not in the prefetch of a fly.pipeline}}
    %t = fly.load %v[0, 0] label "a" : !fly.view<?x?xf32> -> tensor<16x64xf32>
    gpu.return
  }
}
