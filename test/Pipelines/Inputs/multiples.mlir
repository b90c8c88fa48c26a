// Y[i] = i * step.
!T = tensor<64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @multiples(%Y: !fly.ptr<i32>, %N: i32, %step: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %y = fly.view %Y[%N] : !fly.view<?xi32>
    %n = fly.grid to (%N) step (64)
    %i = fly.iota from %n along 0 : !T
    %s = fly.splat %step : i32 -> !T
    %t = arith.muli %i, %s : !T
    fly.store %t, %y[%n] : !T, !fly.view<?xi32>
    gpu.return
  }
}
