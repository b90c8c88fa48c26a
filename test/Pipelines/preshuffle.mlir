// Preshuffled views on the device: copies that shuffle and unshuffle, matrices
// of experts, GEMMs that read B so. Extents of parts of blocks are refused.
// RUN: fly-run %s --kernel=shuffle_bytes M=48 N=192 X=iota | FileCheck %s
// RUN: fly-run %s --kernel=shuffle_bytes --chip=gfx950 M=16 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=unshuffle_words M=32 N=96 X=iota | FileCheck %s
// RUN: fly-run %s --kernel=odd_tiles M=64 N=64 X=iota | FileCheck %s
// RUN: fly-run %s --kernel=experts E=3 I=64 K=64 | FileCheck %s
// RUN: fly-run %s --kernel=gemm M=50 N=96 K=192 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --chip=gfx950 M=16 N=64 K=64 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --size BK=32 M=33 N=112 K=160 | FileCheck %s
// RUN: fly-run %s --kernel=gemm --schedule 'b=lds(stages=2)' M=50 N=96 K=192 | FileCheck %s
// RUN: fly-run %s --kernel=gemm8 M=50 N=96 K=192 | FileCheck %s
// RUN: fly-run %s --kernel=gemm8 M=16 N=64 K=0 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=gemm M=16 N=56 K=192 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not fly-run %s --kernel=shuffle_bytes M=16 N=96 2>&1 | FileCheck %s --check-prefix=COLUMNS
// ROWS: N=56{{.*}}16
// COLUMNS: N=96{{.*}}64

#sched = #fly.schedule<sizes = {BM = 16, BN = 64}>
#gemm = #fly.schedule<sizes = {BM = 32, BN = 64, BK = 64}, waves = [1, 4], b = regs(depth = 1)>
!Shuffled8 = !fly.view<?x?xi8, #fly.preshuffle<16, 64>>
!Shuffled16 = !fly.view<?x?xbf16, #fly.preshuffle<16, 64>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @shuffle_bytes(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi8>
    %y = fly.view %Y[%M, %N] : !Shuffled8
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi8> -> tensor<?x?xi8, #fly.tile<BM, BN>>
    fly.store %t, %y[%m, %n] : tensor<?x?xi8, #fly.tile<BM, BN>>, !Shuffled8
    gpu.return
  }

  gpu.func @unshuffle_words(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi32, #fly.preshuffle<16, 64>>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %t = fly.load %x[%m, %n] pad lowest : !fly.view<?x?xi32, #fly.preshuffle<16, 64>> -> tensor<?x?xi32, #fly.tile<BM, BN>>
    fly.store %t, %y[%m, %n] : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    gpu.return
  }

  // Tiles that start in the middle of blocks and of chunks, other blocks, a mask.
  gpu.func @odd_tiles(%X: !fly.ptr<i16>, %Y: !fly.ptr<i16>, %M: i32, %N: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 2]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xi16, #fly.preshuffle<32, 128>>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xi16, #fly.preshuffle<8, 32>>
    %m, %n = fly.grid to (%M, %N) step (12, 20)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xi16, #fly.preshuffle<32, 128>> -> tensor<12x20xi16>
    %row = fly.iota from %m along 0 : tensor<12x20xi32>
    %seven = fly.constant 7 : tensor<12x20xi32>
    %bits = arith.andi %row, %seven : tensor<12x20xi32>
    %some = arith.cmpi ne, %bits, %seven : tensor<12x20xi32>
    fly.store %t, %y[%m, %n] mask %some : tensor<12x20xi16>, !fly.view<?x?xi16, #fly.preshuffle<8, 32>>, tensor<12x20xi1>
    gpu.return
  }

  // A matrix of a view of rank 3, beyond the last one nothing.
  gpu.func @experts(%W: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %E: i32, %I: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    %w = fly.view %W[%E, %I, %K] : !fly.view<?x?x?xbf16, #fly.preshuffle<16, 64>>
    %y = fly.view %Y[%E, %I, %K] : !fly.view<?x?x?xbf16>
    %e, %i, %k = fly.grid to (%E, %I, %K) step (1, BM, BN)
    %one = arith.constant 1 : i32
    %next = arith.addi %e, %one : i32
    %t = fly.load %w[%next, %i, %k] pad one : !fly.view<?x?x?xbf16, #fly.preshuffle<16, 64>> -> tensor<?x?xbf16, #fly.tile<BM, BN>>
    fly.store %t, %y[%e, %i, %k] : tensor<?x?xbf16, #fly.tile<BM, BN>>, !fly.view<?x?x?xbf16>
    gpu.return
  }

  gpu.func @gemm(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #gemm} {
    fly.require_multiple %K of BK
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16>
    %b = fly.view %B[%N, %K] : !Shuffled16
    %c = fly.view %C[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : tensor<?x?xf32, #fly.tile<BM, BN>>
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : tensor<?x?xf32, #fly.tile<BM, BN>>
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !fly.view<?x?xbf16> -> tensor<?x?xbf16, #fly.tile<BM, BK>>
        %tb = fly.load %b[%n, %k] label "b" : !Shuffled16 -> tensor<?x?xbf16, #fly.tile<BN, BK>>
        fly.yield %ta, %tb : tensor<?x?xbf16, #fly.tile<BM, BK>>, tensor<?x?xbf16, #fly.tile<BN, BK>>
      } compute(%ta: tensor<?x?xbf16, #fly.tile<BM, BK>>, %tb: tensor<?x?xbf16, #fly.tile<BN, BK>>) {
        %d = fly.dot %ta, %tb, %s : tensor<?x?xbf16, #fly.tile<BM, BK>>, tensor<?x?xbf16, #fly.tile<BN, BK>> -> tensor<?x?xf32, #fly.tile<BM, BN>>
        fly.yield %d : tensor<?x?xf32, #fly.tile<BM, BN>>
      }
    fly.store %acc, %c[%m, %n] label "c" : tensor<?x?xf32, #fly.tile<BM, BN>>, !fly.view<?x?xf32>
    gpu.return
  }

  gpu.func @gemm8(%A: !fly.ptr<i8>, %B: !fly.ptr<i8>, %C: !fly.ptr<i32>, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #gemm} {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xi8>
    %b = fly.view %B[%N, %K] : !Shuffled8
    %c = fly.view %C[%M, %N] : !fly.view<?x?xi32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0 : tensor<?x?xi32, #fly.tile<BM, BN>>
    %acc = fly.pipeline @kloop %k = 0 to %K step BK iter_args(%s = %zero) : tensor<?x?xi32, #fly.tile<BM, BN>>
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !fly.view<?x?xi8> -> tensor<?x?xi8, #fly.tile<BM, BK>>
        %tb = fly.load %b[%n, %k] label "b" : !Shuffled8 -> tensor<?x?xi8, #fly.tile<BN, BK>>
        fly.yield %ta, %tb : tensor<?x?xi8, #fly.tile<BM, BK>>, tensor<?x?xi8, #fly.tile<BN, BK>>
      } compute(%ta: tensor<?x?xi8, #fly.tile<BM, BK>>, %tb: tensor<?x?xi8, #fly.tile<BN, BK>>) {
        %d = fly.dot %ta, %tb, %s : tensor<?x?xi8, #fly.tile<BM, BK>>, tensor<?x?xi8, #fly.tile<BN, BK>> -> tensor<?x?xi32, #fly.tile<BM, BN>>
        fly.yield %d : tensor<?x?xi32, #fly.tile<BM, BN>>
      }
    fly.store %acc, %c[%m, %n] label "c" : tensor<?x?xi32, #fly.tile<BM, BN>>, !fly.view<?x?xi32>
    gpu.return
  }
}
