// RUN: fly-opt %s --fly-prove-access -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-prove-access --fly-prove-access -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-prove-access -split-input-file --remarks-filter=fly-prove-access 2>&1 | FileCheck %s --check-prefix=REMARK

!V = !fly.view<?x?xbf16>
!T = tensor<128x64xbf16>

// What the launch requires proves origins of the grid and of the pipeline, and
// the alignment of rows.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @required
  gpu.func @required(%A: !fly.ptr<bf16>, %M: i32, %K: i32) kernel {
    fly.require_multiple %M of 128
    fly.require_multiple %K of 64
    %a = fly.view %A[%M, %K] : !V
    %m = fly.grid to (%M) step (128)
    fly.pipeline %k = 0 to %K step 64
      prefetch {
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
        %t = fly.load %a[%m, %k] : !V -> !T
        fly.yield %t : !T
      } compute(%t: !T) at %k2 {
        // CHECK: fly.store %{{.*}} in_bounds [true, true] align 8
        fly.store %t, %a[%m, %k2] : !T, !V
        fly.yield
      }
    gpu.return
  }

  // A preshuffled view has whole blocks: K is a multiple of 64 bytes, also in the
  // view beside it.
  // CHECK-LABEL: gpu.func @preshuffled
  gpu.func @preshuffled(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %M: i32, %K: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%M, %K] : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>>
    %m = fly.grid to (%M) step (16)
    fly.pipeline %k = 0 to %K step 32
      prefetch {
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8 : !fly.view<?x?xbf16> ->
        %t = fly.load %a[%m, %k] : !V -> tensor<16x32xbf16>
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8 : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> ->
        %u = fly.load %b[%m, %k] : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> tensor<16x32xbf16>
        // CHECK: fly.load %{{.*}} in_bounds [false, false] align 4 : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> ->
        %w = fly.load %b[%m, 4] : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> tensor<17x32xbf16>
        fly.yield
      } compute {
      }
    gpu.return
  }

  // Two requirements of one value add up: 16 and 3 give 48.
  // CHECK-LABEL: gpu.func @requirements_add_up
  gpu.func @requirements_add_up(%A: !fly.ptr<bf16>, %M: i32) kernel {
    fly.require_multiple %M of 16
    fly.require_multiple %M of 3
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %m = fly.grid to (%M) step (48)
    // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
    %t = fly.load %a[%m, 0] : !fly.view<?x64xbf16> -> tensor<48x64xbf16>
    gpu.return
  }

  // Without requirements nothing is proved, and each remark says what would.
  // REMARK: [Missed] InBounds {{.*}}Function=not_required | Remark="load 'a' is not proved inside dimension 0 of its view: 'fly.require_multiple %M of 128' would prove it"
  // REMARK: [Missed] InBounds {{.*}}Function=not_required | Remark="load 'a' is not proved inside dimension 1 of its view: 'fly.require_multiple %K of 64' would prove it"
  // REMARK: [Missed] Alignment {{.*}}Function=not_required | Remark="rows of load 'a' start at multiples of 1 elements, accesses are of 2 bytes; 'fly.require_multiple %K of 8' would give 16-byte accesses"
  // CHECK-LABEL: gpu.func @not_required
  gpu.func @not_required(%A: !fly.ptr<bf16>, %M: i32 {fly.name = "M"}, %K: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    %m = fly.grid to (%M) step (128)
    fly.pipeline %k = 0 to %K step 64
      prefetch {
        // CHECK: fly.load %{{.*}} label "a" in_bounds [false, false] align 1
        %t = fly.load %a[%m, %k] label "a" : !V -> !T
        fly.yield %t : !T
      } compute(%t: !T) { fly.yield }
    gpu.return
  }

  // A requirement in a branch holds in no other place.
  // CHECK-LABEL: gpu.func @requirement_in_branch
  gpu.func @requirement_in_branch(%A: !fly.ptr<bf16>, %M: i32, %c: i1) kernel {
    scf.if %c {
      fly.require_multiple %M of 128
    }
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %m = fly.grid to (%M) step (128)
    // CHECK: fly.load %{{.*}} in_bounds [false, true] align 8
    %t = fly.load %a[%m, 0] : !fly.view<?x64xbf16> -> !T
    gpu.return
  }

  // The step of the walk must be a multiple of the tile as well.
  // REMARK: [Missed] InBounds {{.*}}Function=step_too_small | Remark="load is not proved inside dimension 0 of its view: the coordinate is no known multiple of 128"
  // CHECK-LABEL: gpu.func @step_too_small
  gpu.func @step_too_small(%A: !fly.ptr<bf16>, %M: i32) kernel {
    fly.require_multiple %M of 128
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %m = fly.grid to (%M) step (64)
    // CHECK: fly.load %{{.*}} in_bounds [false, true]
    %t = fly.load %a[%m, 0] : !fly.view<?x64xbf16> -> !T
    gpu.return
  }

  // Another extent than the bound of the walk proves nothing.
  // REMARK: [Missed] InBounds {{.*}}Function=another_bound | Remark="load is not proved inside dimension 0 of its view: nothing bounds the coordinate by the extent"
  // CHECK-LABEL: gpu.func @another_bound
  gpu.func @another_bound(%A: !fly.ptr<bf16>, %M: i32, %N: i32) kernel {
    fly.require_multiple %M of 128
    fly.require_multiple %N of 128
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %m = fly.grid to (%N) step (128)
    // CHECK: fly.load %{{.*}} in_bounds [false, true]
    %t = fly.load %a[%m, 0] : !fly.view<?x64xbf16> -> !T
    gpu.return
  }
}

// -----

// Constants: the last tile of a static extent, and one that sticks out.
// REMARK: [Missed] InBounds {{.*}}Function=constants | Remark="load is not proved inside dimension 0 of its view: extent 200 is no multiple of 64"
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @constants
  gpu.func @constants(%A: !fly.ptr<f32>) kernel {
    %a = fly.view %A[192, 64] : !fly.view<192x64xf32>
    %b = fly.view %A[200, 66] : !fly.view<200x66xf32>
    %m = fly.grid to (192) step (64)
    %m2 = arith.constant 128 : i32
    // CHECK: fly.load %{{.*}} in_bounds [true, true] align 4
    %t = fly.load %a[%m, 0] : !fly.view<192x64xf32> -> tensor<64x64xf32>
    // CHECK: fly.load %{{.*}} in_bounds [true, true] align 4
    %u = fly.load %a[%m2, 0] : !fly.view<192x64xf32> -> tensor<64x64xf32>
    // Rows of 66 elements start at even elements; 192 + 64 > 200.
    // CHECK: fly.load %{{.*}} in_bounds [false, true] align 2
    %v = fly.load %b[192, 2] : !fly.view<200x66xf32> -> tensor<64x64xf32>
    // CHECK: fly.load %{{.*}} in_bounds [true, false] align 1
    %w = fly.load %b[8, 3] : !fly.view<200x66xf32> -> tensor<64x64xf32>
    // Two walks over 200: 128 + 64 is inside, 192 + 64 is not.
    fly.pipeline %k = 0 to 200 step 64
      prefetch {
        // CHECK: fly.load %{{.*}} in_bounds [false, true] align 2
        %x = fly.load %b[%k, 0] : !fly.view<200x66xf32> -> tensor<64x64xf32>
        fly.yield %x : tensor<64x64xf32>
      } compute(%x: tensor<64x64xf32>) { fly.yield }
    fly.pipeline %k = 0 to 130 step 64
      prefetch {
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 2
        %x = fly.load %b[%k, 0] : !fly.view<200x66xf32> -> tensor<64x64xf32>
        fly.yield %x : tensor<64x64xf32>
      } compute(%x: tensor<64x64xf32>) { fly.yield }
    // A negative coordinate is outside.
    %minus = arith.constant -64 : i32
    // CHECK: fly.load %{{.*}} in_bounds [false, true]
    %y = fly.load %a[%minus, 0] : !fly.view<192x64xf32> -> tensor<64x64xf32>
    gpu.return
  }
}

// -----

// Arithmetic: halves of a step, an inner loop, a quotient.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @halves
  gpu.func @halves(%A: !fly.ptr<bf16>, %M: i32, %K: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    fly.require_multiple %K of 64
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %m = fly.grid to (%M) step (1)
    scf.for %k = %c0 to %K step %c64 : i32 {
      %k1 = arith.addi %k, %c32 : i32
      // The second half of the step is inside, three quarters are not.
      // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
      %t = fly.load %a[%m, %k1] : !fly.view<?x?xbf16> -> tensor<32xbf16>
      // CHECK: fly.load %{{.*}} in_bounds [true, false] align 8
      %u = fly.load %a[%m, %k1] : !fly.view<?x?xbf16> -> tensor<48xbf16>
      scf.for %i = %c0 to %c64 step %c32 : i32 {
        %k2 = arith.addi %i, %k : i32
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
        %v = fly.load %a[%m, %k2] : !fly.view<?x?xbf16> -> tensor<32xbf16>
      }
    }
    gpu.return
  }

  // Half of K: the loop ends where the first view ends; K / 2 stays a multiple.
  // CHECK-LABEL: gpu.func @quotient
  gpu.func @quotient(%A: !fly.ptr<bf16>, %K: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %positive = arith.cmpi sge, %K, %c0 : i32
    fly.require %positive, "K must not be negative"
    fly.require_multiple %K of 128
    %h = arith.divui %K, %c2 : i32
    %h2 = arith.divui %K, %c2 : i32
    %a = fly.view %A[64, %h] : !fly.view<64x?xbf16>
    scf.for %k = %c0 to %h2 step %c64 : i32 {
      // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
      %t = fly.load %a[0, %k] : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
    }
    gpu.return
  }

  // A part of K from a split: below the smaller of two bounds is below both.
  // CHECK-LABEL: gpu.func @split_k
  gpu.func @split_k(%A: !fly.ptr<bf16>, %K: i32) kernel {
    fly.require_multiple %K of 64
    %c512 = arith.constant 512 : i32
    %a = fly.view %A[64, %K] : !fly.view<64x?xbf16>
    %k0 = fly.grid to (%K) step (512)
    %last = arith.addi %k0, %c512 : i32
    %k1 = arith.minsi %last, %K : i32
    fly.pipeline %k = %k0 to %k1 step 64
      prefetch {
        // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
        %t = fly.load %a[0, %k] : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
        fly.yield %t : tensor<64x64xbf16>
      } compute(%t: tensor<64x64xbf16>) { fly.yield }
    gpu.return
  }

  // One tile for a whole positive multiple; an N of 0 would be outside.
  // CHECK-LABEL: gpu.func @first_tile
  gpu.func @first_tile(%A: !fly.ptr<bf16>, %N: i32, %Z: i32) kernel {
    fly.require_multiple %N of 64
    fly.require_multiple %Z of 64
    %a = fly.view %A[64, %N] : !fly.view<64x?xbf16>
    %b = fly.view %A[64, %Z] : !fly.view<64x?xbf16>
    %n = fly.grid to (%N) step (64)
    // CHECK: fly.load %{{.*}} in_bounds [true, true] align 8
    %t = fly.load %a[0, 0] : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
    // CHECK: fly.load %{{.*}} in_bounds [true, false] align 8
    %u = fly.load %b[0, 0] : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
    gpu.return
  }

  // A required range is a range.
  // CHECK-LABEL: gpu.func @required_range
  gpu.func @required_range(%A: !fly.ptr<bf16>, %N: i32, %i: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %c100 = arith.constant 100 : i32
    %long = arith.cmpi sle, %c100, %N : i32
    %low = arith.cmpi sge, %i, %c0 : i32
    %high = arith.cmpi slt, %i, %c64 : i32
    %both = arith.andi %low, %high : i1
    fly.require %long, "N >= 100"
    fly.require %both, "0 <= i < 64"
    %a = fly.view %A[%N] : !fly.view<?xbf16>
    // CHECK: fly.load %{{.*}} in_bounds [true] align 1
    %t = fly.load %a[%i] : !fly.view<?xbf16> -> tensor<32xbf16>
    // CHECK: fly.load %{{.*}} in_bounds [false] align 1
    %u = fly.load %a[%i] : !fly.view<?xbf16> -> tensor<64xbf16>
    gpu.return
  }

  // A product that may wrap keeps only the power of two of its divisor: 32.
  // CHECK-LABEL: gpu.func @wrapping_product
  gpu.func @wrapping_product(%A: !fly.ptr<f32>, %M: i32, %N: i32) kernel {
    fly.require_multiple %M of 96
    %p = arith.muli %M, %N : i32
    %a = fly.view %A[%p, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%p) step (96)
    // CHECK: fly.load %{{.*}} in_bounds [false, true] align 4
    %t = fly.load %a[%m, 0] : !fly.view<?x64xf32> -> tensor<96x64xf32>
    // CHECK: fly.load %{{.*}} in_bounds [true, true] align 4
    %u = fly.load %a[%m, 0] : !fly.view<?x64xf32> -> tensor<32x64xf32>
    gpu.return
  }
}

// -----

// Alignment: strides, 64-bit offsets, the contiguous dimension, picked indices.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @alignment
  gpu.func @alignment(%A: !fly.ptr<bf16>, %M: i32, %K: i32, %ld: i32, %e: i32) kernel {
    fly.require_multiple %ld of 4
    fly.require_multiple %K of 8
    %ldw = arith.extsi %ld : i32 to i64
    %ew = arith.extsi %e : i32 to i64
    %off = arith.muli %ldw, %ew : i64
    %m = fly.grid to (%M) step (16)
    // Padding between rows of 4 elements.
    %a = fly.view %A[%M, %K] strides [%ld, 1] : !fly.view<?x?xbf16>
    // CHECK: fly.load %{{.*}} align 4
    %t = fly.load %a[%m, 0] : !fly.view<?x?xbf16> -> tensor<16x64xbf16>
    // One row alone starts at a multiple of 16 rows.
    // CHECK: fly.load %{{.*}} align 8
    %r = fly.load %a[%m, 0] : !fly.view<?x?xbf16> -> tensor<64xbf16>
    // An offset of whole rows of 4.
    %b = fly.view %A[%M, %K] at %off : !fly.view<?x?xbf16>
    // CHECK: fly.load %{{.*}} align 4
    %u = fly.load %b[%m, 0] : !fly.view<?x?xbf16> -> tensor<16x64xbf16>
    // Contiguous along the first dimension: rows run down.
    %c = fly.view %A[%M, %K] strides [1, %ld] : !fly.view<?x?xbf16, #fly.strided<[1, ?]>>
    // CHECK: fly.load %{{.*}} align 4
    %v = fly.load %c[%m, 0] : !fly.view<?x?xbf16, #fly.strided<[1, ?]>> -> tensor<16x64xbf16>
    // Rank 3, the first dimension picked: gaps are K and M * K.
    %d = fly.view %A[%e, %M, %K] : !fly.view<?x?x?xbf16>
    // CHECK: fly.load %{{.*}} align 8
    %w = fly.load %d[%e, %m, 8] : !fly.view<?x?x?xbf16> -> tensor<16x64xbf16>
    // Nothing is contiguous.
    %f = fly.view %A[%M, %K] strides [%ld, %ld] : !fly.view<?x?xbf16, #fly.strided<[?, ?]>>
    // CHECK: fly.load %{{.*}} align 1
    %x = fly.load %f[%m, 0] : !fly.view<?x?xbf16, #fly.strided<[?, ?]>> -> tensor<16x64xbf16>
    gpu.return
  }

  // Alignment counts elements of 16 bytes.
  // CHECK-LABEL: gpu.func @alignment_by_type
  gpu.func @alignment_by_type(%A: !fly.ptr<f8E4M3FNUZ>, %B: !fly.ptr<f64>) kernel {
    %a = fly.view %A[64, 64] : !fly.view<64x64xf8E4M3FNUZ>
    %b = fly.view %B[64, 64] : !fly.view<64x64xf64>
    // CHECK: fly.load %{{.*}} align 16
    %t = fly.load %a[0, 0] : !fly.view<64x64xf8E4M3FNUZ> -> tensor<64x64xf8E4M3FNUZ>
    // CHECK: fly.load %{{.*}} align 2
    %u = fly.load %b[0, 0] : !fly.view<64x64xf64> -> tensor<64x64xf64>
    gpu.return
  }

  // What is known already is kept.
  // CHECK-LABEL: gpu.func @kept
  gpu.func @kept(%A: !fly.ptr<bf16>, %M: i32, %K: i32, %i: i32) kernel {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    // CHECK: fly.load %{{.*}} in_bounds [true, false] align 8
    %t = fly.load %a[%i, %i] in_bounds [true, false] align 8 : !fly.view<?x?xbf16> -> tensor<16x64xbf16>
    gpu.return
  }
}

// -----

// A pointer that is aligned to less than 16 bytes takes narrower accesses.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // REMARK: [Missed] Alignment {{.*}}Function=narrow_pointer | Remark="rows of load 'a' start at multiples of 2 elements, accesses are of 4 bytes; %A is aligned to 4 bytes, without 'fly.align' to 16"
  // CHECK-LABEL: gpu.func @narrow_pointer
  gpu.func @narrow_pointer(%A: !fly.ptr<bf16> {fly.name = "A", fly.align = 4}, %B: !fly.ptr<bf16> {fly.align = 64}) kernel {
    %a = fly.view %A[64, 64] : !fly.view<64x64xbf16>
    %b = fly.view %B[64, 64] : !fly.view<64x64xbf16>
    // CHECK: fly.load {{.*}} align 2
    %t = fly.load %a[0, 0] label "a" : !fly.view<64x64xbf16> -> tensor<64x64xbf16>
    // CHECK: fly.store {{.*}} align 8
    fly.store %t, %b[0, 0] : tensor<64x64xbf16>, !fly.view<64x64xbf16>
    gpu.return
  }
}
