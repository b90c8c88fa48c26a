// RUN: fly-opt %s --fly-resolve-schedule -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule --fly-resolve-schedule -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule -split-input-file --remarks-filter=fly-resolve-schedule 2>&1 | FileCheck %s --check-prefix=REMARK

// Nothing is said: all defaults. Two stages of (128 + 128) * 64 * 2 bytes are
// just gfx942's 65536.
// REMARK-DAG: [Passed] GridOrder {{.*}}Function=defaults | Remark="grid order = n_fastest: consecutive workgroups share the rows of the first operand"
// REMARK-DAG: [Passed] MfmaShape {{.*}}Function=defaults | Remark="mfma = 16x16: fits every tile that a 32x32 fits, with fewer registers a block"
// REMARK-DAG: [Passed] AccumulatorOrder {{.*}}Function=defaults | Remark="acc = transposed: the store is contiguous along columns, so a lane holds 4 contiguous columns"
// REMARK-DAG: [Passed] Waves {{.*}}Function=defaults | Remark="waves = [2, 2]: the split with the least LDS reads a matrix instruction"
// REMARK-DAG: [Passed] WavesPerEu {{.*}}Function=defaults | Remark="waves_per_eu = 1: one workgroup a compute unit leaves each wave the most registers"
// REMARK-DAG: [Passed] Stages {{.*}}Function=defaults | Remark="stages = 2: two of each take 65536 bytes of LDS, gfx942 has 65536"
// REMARK-DAG: [Passed] Swizzle {{.*}}Function=defaults | Remark="swizzle = xor: a wave reads the tile in 256 cycles (degree 4, 1 address register) as it is, 64 cycles (degree 1, 2 address registers) by xor, 64 cycles (degree 1, 1 address register) in rows 80 elements apart"
// REMARK-DAG: [Passed] LdsBytes {{.*}}Function=defaults | Remark="LDS: 65536 of 65536 bytes"
// 64 accumulators, 16 + 16 fragments, 16 + 16 prefetch, 16 addresses.
// REMARK-DAG: [Passed] Registers {{.*}}Function=defaults | Remark="estimated 144 of 512 vector registers a lane"
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @defaults
  // CHECK-SAME: dot0 = {acc = transposed, mfma = 16x16}
  // CHECK-SAME: grid = {order = n_fastest}
  // CHECK-SAME: load0 = lds(copy = sync, stages = 2, swizzle = xor)
  // CHECK-SAME: load1 = lds(copy = sync, stages = 2, swizzle = xor)
  // CHECK-SAME: store0 = {epilogue = direct}
  // CHECK-SAME: waves = [2, 2], waves_per_eu = 1
  gpu.func @defaults(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32) kernel {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %B[%N, %K] : !fly.view<?x?xbf16>
    %c = fly.view %C[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (128, 128)
    %z = fly.constant 0.0 : tensor<128x128xf32>
    %r = fly.pipeline %k = 0 to %K step 64 iter_args(%s = %z) : tensor<128x128xf32>
      prefetch {
        // CHECK: fly.load %{{.*}} label "load0"
        %ta = fly.load %a[%m, %k] : !fly.view<?x?xbf16> -> tensor<128x64xbf16>
        // CHECK: fly.load %{{.*}} label "load1"
        %tb = fly.load %b[%n, %k] : !fly.view<?x?xbf16> -> tensor<128x64xbf16>
        fly.yield %ta, %tb : tensor<128x64xbf16>, tensor<128x64xbf16>
      } compute(%ta: tensor<128x64xbf16>, %tb: tensor<128x64xbf16>) {
        // CHECK: fly.dot %{{.*}} label "dot0"
        %d = fly.dot %ta, %tb, %s : tensor<128x64xbf16>, tensor<128x64xbf16> -> tensor<128x128xf32>
        fly.yield %d : tensor<128x128xf32>
      }
    // CHECK: fly.store %{{.*}} label "store0"
    fly.store %r, %c[%m, %n] : tensor<128x128xf32>, !fly.view<?x?xf32>
    gpu.return
  }
}

// -----

// T03: 112 rows split over no more than one wave of rows, and its copy of
// 14336 bytes is guarded. Two stages of (112 + 256) * 64 * 2 do not fit. The
// bias goes to registers. What is written is kept.
// REMARK-DAG: [Passed] Waves {{.*}}Function=partial_tile | Remark="waves = [1, 4]:
// REMARK-DAG: [Passed] GuardedCopy {{.*}}Function=partial_tile | Remark="the tile of 14336 bytes is no multiple of 4096 (256 threads * 16 bytes): the copy is guarded, some threads are idle in its last round"
// REMARK-DAG: [Passed] Stages {{.*}}Function=partial_tile | Remark="stages = 1: two of each take 94208 bytes of LDS, gfx942 has 65536"
#sched = #fly.schedule<sizes = {BM = 112}, waves = auto, kloop = {mfma = auto, acc = plain}, b = lds(swizzle = none),
    grid = {order = m_fastest}, c = direct>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @partial_tile
  // CHECK-SAME: a = lds(copy = sync, stages = 1, swizzle = xor)
  // CHECK-SAME: b = lds(copy = sync, stages = 1, swizzle = none)
  // CHECK-SAME: bias = regs(depth = 1)
  // CHECK-SAME: c = {epilogue = direct}
  // CHECK-SAME: dot0 = {acc = plain, mfma = 16x16}
  // CHECK-SAME: grid = {order = m_fastest}
  // CHECK-SAME: kloop = {acc = plain, mfma = 16x16}
  // CHECK-SAME: sizes = {BM = 112}
  // CHECK-SAME: waves = [1, 4], waves_per_eu = 1
  gpu.func @partial_tile(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %Bias: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[112, 64] : !fly.view<112x64xbf16>
    %b = fly.view %B[256, 64] : !fly.view<256x64xbf16>
    %c = fly.view %C[112, 256] : !fly.view<112x256xf32>
    %w = fly.view %Bias[256] : !fly.view<256xf32>
    %z = fly.constant 0.0 : tensor<112x256xf32>
    %r = fly.pipeline @kloop %k = 0 to 64 step 64 iter_args(%s = %z) : tensor<112x256xf32>
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<112x64xbf16> -> tensor<112x64xbf16>
        %tb = fly.load %b[0, %k] label "b" : !fly.view<256x64xbf16> -> tensor<256x64xbf16>
        fly.yield %ta, %tb : tensor<112x64xbf16>, tensor<256x64xbf16>
      } compute(%ta: tensor<112x64xbf16>, %tb: tensor<256x64xbf16>) {
        %d = fly.dot %ta, %tb, %s : tensor<112x64xbf16>, tensor<256x64xbf16> -> tensor<112x256xf32>
        fly.yield %d : tensor<112x256xf32>
      }
    %v = fly.load %w[0] label "bias" : !fly.view<256xf32> -> tensor<256xf32>
    %bb = fly.broadcast %v along 0 : tensor<256xf32> -> tensor<112x256xf32>
    %o = arith.addf %r, %bb : tensor<112x256xf32>
    fly.store %o, %c[0, 0] label "c" : tensor<112x256xf32>, !fly.view<112x256xf32>
    gpu.return
  }
}

// -----

// The same tile on two chips: one stage fits gfx942, two fit gfx950. A number
// of waves is split by rule. A store that is contiguous along rows wants plain
// accumulators, also behind elementwise code.
!A = tensor<256x64xf16>
!Acc = tensor<256x256xf32>
#sched = #fly.schedule<waves = 8, kloop = {mfma = 32x32}>
gpu.module @chip942 [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @eight_waves
  // CHECK-SAME: a = lds(copy = sync, stages = 1, swizzle = xor)
  // CHECK-SAME: b = lds(copy = sync, stages = 1, swizzle = xor)
  // CHECK-SAME: d = {acc = plain, mfma = 32x32}
  // CHECK-SAME: waves = [2, 4], waves_per_eu = 2
  gpu.func @eight_waves(%P: !fly.ptr<f16>, %C: !fly.ptr<f16>, %M: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %P[%M, %K] : !fly.view<?x?xf16>
    %c = fly.view %C[%M, 256] strides [1, %M] : !fly.view<?x?xf16, #fly.strided<[1, ?]>>
    %z = fly.constant 0.0 : !Acc
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !Acc
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xf16> -> !A
        %tb = fly.load %a[256, %k] label "b" : !fly.view<?x?xf16> -> !A
        fly.yield %ta, %tb : !A, !A
      } compute(%ta: !A, %tb: !A) {
        %d = fly.dot %ta, %tb, %s label "d" : !A, !A -> !Acc
        fly.yield %d : !Acc
      }
    %h = arith.truncf %r : !Acc to tensor<256x256xf16>
    fly.store %h, %c[0, 0] label "c" : tensor<256x256xf16>, !fly.view<?x?xf16, #fly.strided<[1, ?]>>
    gpu.return
  }
}
gpu.module @chip950 [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @eight_waves
  // CHECK-SAME: a = lds(copy = sync, stages = 2, swizzle = xor)
  // CHECK-SAME: b = lds(copy = sync, stages = 2, swizzle = xor)
  gpu.func @eight_waves(%P: !fly.ptr<f16>, %C: !fly.ptr<f16>, %M: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %P[%M, %K] : !fly.view<?x?xf16>
    %c = fly.view %C[%M, 256] : !fly.view<?x?xf16>
    %z = fly.constant 0.0 : !Acc
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !Acc
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<?x?xf16> -> !A
        %tb = fly.load %a[256, %k] label "b" : !fly.view<?x?xf16> -> !A
        fly.yield %ta, %tb : !A, !A
      } compute(%ta: !A, %tb: !A) {
        %d = fly.dot %ta, %tb, %s label "d" : !A, !A -> !Acc
        fly.yield %d : !Acc
      }
    %h = arith.truncf %r : !Acc to tensor<256x256xf16>
    fly.store %h, %c[0, 0] label "c" : tensor<256x256xf16>, !fly.view<?x?xf16>
    gpu.return
  }
}

// -----

// Rows of 96 elements are 12 chunks: no XOR swizzle, so they are padded. An operand from registers
// takes no LDS. Free labels step around taken ones.
// REMARK-DAG: [Passed] Swizzle {{.*}}Function=odd_rows | Remark="swizzle = pad: a wave reads the tile in 96 cycles (degree 2, 1 address register) as it is, no xor in rows of 192 bytes, 48 cycles (degree 1, 1 address register) in rows 112 elements apart"
// REMARK-DAG: [Passed] LdsBytes {{.*}}Function=odd_rows | Remark="LDS: 28608 of 65536 bytes"
#sched = #fly.schedule<b = {depth = 1}, load1 = {stages = 2}, waves_per_eu = 2>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @odd_rows
  // CHECK-SAME: b = regs(depth = 1)
  // CHECK-SAME: load0 = regs(depth = 1), load1 = lds(copy = sync, stages = 2, swizzle = pad)
  // CHECK-SAME: waves = [2, 2], waves_per_eu = 2
  gpu.func @odd_rows(%P: !fly.ptr<bf16>, %K: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %P[64, %K] : !fly.view<64x?xbf16>
    // CHECK: fly.load %{{.*}}[0, 0] label "load0"
    %x = fly.load %a[0, 0] label "load0" : !fly.view<64x?xbf16> -> tensor<64x16xbf16>
    %z = fly.constant 0.0 : tensor<64x64xf32>
    %r = fly.pipeline %k = 0 to %K step 96 iter_args(%s = %z) : tensor<64x64xf32>
      prefetch {
        // CHECK: fly.load %{{.*}} label "load1"
        %ta = fly.load %a[0, %k] : !fly.view<64x?xbf16> -> tensor<64x96xbf16>
        %tb = fly.load %a[0, %k] label "b" : !fly.view<64x?xbf16> -> tensor<64x96xbf16>
        fly.yield %ta, %tb : tensor<64x96xbf16>, tensor<64x96xbf16>
      } compute(%ta: tensor<64x96xbf16>, %tb: tensor<64x96xbf16>) {
        %d = fly.dot %ta, %tb, %s : tensor<64x96xbf16>, tensor<64x96xbf16> -> tensor<64x64xf32>
        fly.yield %d : tensor<64x64xf32>
      }
    gpu.return
  }

  // Without dots all is in registers, and rows of waves copy.
  // CHECK-LABEL: gpu.func @no_dot
  // CHECK-SAME: waves = [4, 1], waves_per_eu = 1
  // CHECK-SAME: x = regs(depth = 1)
  gpu.func @no_dot(%P: !fly.ptr<f32>) kernel {
    %a = fly.view %P[64, 64] : !fly.view<64x64xf32>
    %x = fly.load %a[0, 0] label "x" : !fly.view<64x64xf32> -> tensor<64x64xf32>
    fly.store %x, %a[0, 0] : tensor<64x64xf32>, !fly.view<64x64xf32>
    gpu.return
  }

  // With 4 waves the accumulators alone would take 256 registers a lane.
  // REMARK-DAG: [Passed] Waves {{.*}}Function=many_accumulators | Remark="waves = [2, 4]: the split with the least LDS reads a matrix instruction; 4 waves would have 256 accumulators a lane"
  // CHECK-LABEL: gpu.func @many_accumulators
  // CHECK-SAME: waves = [2, 4], waves_per_eu = 2
  gpu.func @many_accumulators() kernel {
    %z = fly.constant 0.0 : tensor<256x256xf32>
    %a = fly.constant 0.0 : tensor<256x64xbf16>
    %d = fly.dot %a, %a, %z : tensor<256x64xbf16>, tensor<256x64xbf16> -> tensor<256x256xf32>
    gpu.return
  }

  // A tile that 4 waves do not split takes 2.
  // CHECK-LABEL: gpu.func @few_blocks
  // CHECK-SAME: waves = [1, 2], waves_per_eu = 1
  gpu.func @few_blocks() kernel {
    %z = fly.constant 0.0 : tensor<16x32xf32>
    %a = fly.constant 0.0 : tensor<16x64xbf16>
    %b = fly.constant 0.0 : tensor<32x64xbf16>
    %d = fly.dot %a, %b, %z : tensor<16x64xbf16>, tensor<32x64xbf16> -> tensor<16x32xf32>
    gpu.return
  }

  // Without a pipeline that hands tiles over, operands come from registers;
  // the entry of an upstream loop holds the defaults of its dots.
  // CHECK-LABEL: gpu.func @plain_loop
  // CHECK-SAME: a = regs(depth = 1), b = regs(depth = 1), dot0 = {acc = plain, mfma = 32x32}
  // CHECK-SAME: kloop = {acc = plain, mfma = 32x32}
  gpu.func @plain_loop(%P: !fly.ptr<bf16>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = {mfma = 32x32}>} {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %v = fly.view %P[64, %K] : !fly.view<64x?xbf16>
    %z = fly.constant 0.0 : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %K step %c64 iter_args(%s = %z) -> (tensor<64x64xf32>) : i32 {
      %a = fly.load %v[0, %k] label "a" : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
      %b = fly.load %v[0, %k] label "b" : !fly.view<64x?xbf16> -> tensor<64x64xbf16>
      %d = fly.dot %a, %b, %s : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {fly.label = "kloop"}
    gpu.return
  }

  // An explicit kernel has no schedule.
  // CHECK-LABEL: gpu.func @explicit_kernel
  // CHECK-NOT: fly.schedule
  gpu.func @explicit_kernel(%P: !fly.ptr<f32>) kernel {
    gpu.return
  }
}

// -----

// A cache policy alone leaves it to the rule where the tile goes: this one does
// not run ahead, so to registers.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @cache_alone
  // CHECK-SAME: bias = regs(cache = stream, depth = 1)
  gpu.func @cache_alone(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<bias = {cache = stream}>} {
    %a = fly.view %A[64] : !fly.view<64xf32>
    %x = fly.load %a[0] label "bias" : !fly.view<64xf32> -> tensor<64xf32>
    fly.store %x, %a[0] : tensor<64xf32>, !fly.view<64xf32>
    gpu.return
  }
}
