// C = A * B^T with few tiles of C and a long K: S workgroups share each tile's
// K, then a second kernel adds their parts in a fixed order, so that the result
// is the same in every run. A program of two kernels and a workspace.
//
//   fly-run python-free-examples/06-split-k/split-k.mlir M=48 N=80 K=512 S=4

#gemm = #fly.schedule<sizes = {BM = 32, BN = 64, BK = 64}, waves = [2, 2], a = lds(stages = 2), b = lds(stages = 2)>
#sum  = #fly.schedule<sizes = {BM = 16, BN = 64}, waves = [4, 1]>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32,  #fly.tile<BM, BN>>
!V   = !fly.view<?x?xbf16>
!VP  = !fly.view<?x?x?xf32>
!VC  = !fly.view<?x?xf32>

gpu.module @gemm [#rocdl.target<chip = "gfx942">] {
  gpu.func @partial(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %Part: !fly.ptr<f32>,
                    %M: i32, %N: i32, %K: i32, %S: i32) kernel attributes {fly.schedule = #gemm} {
    %bk = fly.size BK
    %c0 = arith.constant 0 : i32
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %part = fly.view %Part[%S, %M, %N] : !VP
    %m, %n, %s = fly.grid to (%M, %N, %S) step (BM, BN, 1)

    // This workgroup's K: whole tiles, none where S is more than there are. The
    // maximum says that no coordinate is negative.
    %k0    = arith.maxsi %K, %c0 : i32
    %tiles = arith.ceildivui %k0, %bk : i32
    %each  = arith.ceildivui %tiles, %S : i32
    %len   = arith.muli %each, %bk : i32
    %lo    = arith.muli %s, %len : i32
    %end   = arith.addi %lo, %len : i32
    %hi    = arith.minsi %end, %K : i32
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = %lo to %hi step BK iter_args(%x = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %x : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %part[%s, %m, %n] : !Acc, !VP
    gpu.return
  }
}

gpu.module @reduce [#rocdl.target<chip = "gfx942">] {
  gpu.func @sum(%Part: !fly.ptr<f32>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %S: i32)
      kernel attributes {fly.schedule = #sum} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %part = fly.view %Part[%S, %M, %N] : !VP
    %c = fly.view %C[%M, %N] : !VC
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %sum = scf.for %i = %c0 to %S step %c1 iter_args(%x = %zero) -> (!Acc) : i32 {
      %p = fly.load %part[%i, %m, %n] : !VP -> !Acc
      %y = arith.addf %x, %p : !Acc
      scf.yield %y : !Acc
    }
    fly.store %sum, %c[%m, %n] : !Acc, !VC
    gpu.return
  }
}

func.func @split_k(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %M: i32, %N: i32, %K: i32, %S: i32)
    attributes {fly.program} {
  %part = fly.workspace[%S, %M, %N] : !fly.ptr<f32>
  fly.launch @gemm::@partial(%A, %B, %part, %M, %N, %K, %S)
      : !fly.ptr<bf16>, !fly.ptr<bf16>, !fly.ptr<f32>, i32, i32, i32, i32
  fly.launch @reduce::@sum(%part, %C, %M, %N, %S) : !fly.ptr<f32>, !fly.ptr<f32>, i32, i32, i32
  return
}
