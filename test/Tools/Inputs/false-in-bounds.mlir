// Row sums whose load says that columns are inside of X, and reads 64 of them:
// with N = 40 its pad shows in the sums. The reference believes the view.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @sums(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[%M, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%M] : !fly.view<?xf32>
    %m = fly.grid to (%M) step (16)
    %t = fly.load %x[%m, 0] pad one in_bounds [false, true] : !fly.view<?x?xf32> -> tensor<16x64xf32>
    %s = fly.reduce add %t along 1 : tensor<16x64xf32> -> tensor<16xf32>
    fly.store %s, %y[%m] : tensor<16xf32>, !fly.view<?xf32>
    gpu.return
  }
}
