gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%C: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<sizes = {R = 3, W = 64}>} {
    %c = fly.view %C[R, W] : !fly.view<?x?xi32>
    %lane = fly.lane
    %w = fly.size W
    fly.static_for %i = 0 to R {
      %x = arith.index_cast %i : index to i32
      %y = arith.muli %x, %w : i32
      %l = arith.index_cast %lane : index to i32
      %z = arith.addi %y, %l : i32
      fly.write %z, %c[%i, %lane] : i32, !fly.view<?x?xi32>
    }
    gpu.return
  }
}
