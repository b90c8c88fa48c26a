// y = x^T. Loads and stores move 16 bytes along the rows of their matrix, so the
// tile changes hands in between: the compiler puts it through LDS, in an order that
// it chooses by the chip's banks.
//
//   fly-run python-free-examples/05-transpose/transpose.mlir M=100 N=72

#sched = #fly.schedule<sizes = {BM = 64, BN = 64}, waves = [4, 1]>
!X = tensor<?x?xf32, #fly.tile<BM, BN>>
!Y = tensor<?x?xf32, #fly.tile<BN, BM>>
!V = !fly.view<?x?xf32>
gpu.module @transpose [#rocdl.target<chip = "gfx942">] {
  gpu.func @transpose(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel
      attributes {fly.schedule = #sched} {
    // Rows of both start at 16 bytes; without it: narrower accesses and a remark.
    fly.require_multiple %M of 4
    fly.require_multiple %N of 4
    %x = fly.view %X[%M, %N] : !V
    %y = fly.view %Y[%N, %M] : !V
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %xt = fly.load %x[%m, %n] label "x" : !V -> !X
    %yt = fly.transpose %xt [1, 0] : !X -> !Y
    fly.store %yt, %y[%n, %m] label "y" : !Y, !V
    gpu.return
  }
}
