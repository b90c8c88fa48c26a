// Two tiles of one LDS field, the first of which its lanes reach beyond: what the
// field holds there is the other's and stays.
// RUN: fly-run %s --expect Y=fill:1 | FileCheck %s
// CHECK: right
// CHECK: 2048 of 2048 equal (against fill:1)
!L = !fly.view<32x64xi32, lds>
!Y = !fly.view<32x64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { f : !L }
  gpu.func @k(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[32, 64] : !Y
    %s = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %s[f] : !fly.lds<@S> -> !L
    %a = fly.constant 3 : tensor<12x64xi32>
    %b = fly.constant 5 : tensor<20x64xi32>
    fly.store %b, %l[12, 0] : tensor<20x64xi32>, !L
    fly.store %a, %l[0, 0] : tensor<12x64xi32>, !L
    %t = fly.load %l[0, 0] : !L -> tensor<32x64xi32>
    %i = fly.iota along 0 : tensor<32x64xi32>
    %c12 = fly.constant 12 : tensor<32x64xi32>
    %c3 = fly.constant 3 : tensor<32x64xi32>
    %c5 = fly.constant 5 : tensor<32x64xi32>
    %in_a = arith.cmpi slt, %i, %c12 : tensor<32x64xi32>
    %e = arith.select %in_a, %c3, %c5 : tensor<32x64xi1>, tensor<32x64xi32>
    %ok = arith.cmpi eq, %t, %e : tensor<32x64xi32>
    %one = arith.extui %ok : tensor<32x64xi1> to tensor<32x64xi32>
    fly.store %one, %y[0, 0] : tensor<32x64xi32>, !Y
    gpu.return
  }
}
