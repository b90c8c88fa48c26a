!L = !fly.view<64xf32, lds>
!V = !fly.view<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { f : !L }
  // Through LDS and back, squared, and less its own square.
  gpu.func @debugged(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %s[f] : !fly.lds<@S> -> !L
    %x = fly.view %X[64] : !V
    %y = fly.view %Y[64] : !V
    %t = gpu.thread_id x
    %v = fly.read %x[%t] in_bounds [true] : !V -> vector<1xf32>
    fly.write %v, %l[%t] in_bounds [true] : vector<1xf32>, !L
    fly.barrier lds
    %c1 = arith.constant 1 : index
    %other = arith.xori %t, %c1 : index
    %w = fly.read %l[%other] in_bounds [true] : !L -> vector<1xf32>
    %q = arith.mulf %w, %w : vector<1xf32>
    %r = arith.subf %q, %q : vector<1xf32>
    %z = arith.addf %r, %v : vector<1xf32>
    fly.write %z, %y[%t] in_bounds [true] : vector<1xf32>, !V
    gpu.return
  }
}
