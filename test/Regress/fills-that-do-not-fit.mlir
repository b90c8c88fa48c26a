// A fill of an integer buffer is an integer of its type; it was cut to one, and
// what a double does not hold became another number.
// RUN: fly-run %s --kernel=bytes X=fill:200 --expect Y=fill:-56 | FileCheck %s
// RUN: fly-run %s --kernel=longs X=fill:9007199254740993 --expect Y=fill:1 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=bytes X=fill:300 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: 'fill:300': buffer 'X' holds i8: it does not fit 8 bits
// RUN: not fly-run %s --kernel=bytes X=fill:1.5 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: 'fill:1.5': buffer 'X' holds i8: expected an integer
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @bytes(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[64] : !fly.view<64xi8>
    %y = fly.view %Y[64] : !fly.view<64xi8>
    %t = fly.load %x[0] : !fly.view<64xi8> -> tensor<64xi8>
    fly.store %t, %y[0] : tensor<64xi8>, !fly.view<64xi8>
    gpu.return
  }

  gpu.func @longs(%X: !fly.ptr<i64>, %Y: !fly.ptr<i64>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %x = fly.view %X[64] : !fly.view<64xi64>
    %y = fly.view %Y[64] : !fly.view<64xi64>
    %t = fly.load %x[0] : !fly.view<64xi64> -> tensor<64xi64>
    %most = fly.constant 9007199254740992 : tensor<64xi64>
    %rest = arith.subi %t, %most : tensor<64xi64>
    fly.store %rest, %y[0] : tensor<64xi64>, !fly.view<64xi64>
    gpu.return
  }
}
