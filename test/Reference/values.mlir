// Where values are rounded, and what elementwise code computes.
// RUN: fly-run %s --kernel=wide --device=reference --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=rounds --device=reference --expect Y=fill:256 | FileCheck %s
// RUN: fly-run %s --kernel=saturates --device=reference --expect Y=fill:65504 | FileCheck %s
// RUN: fly-run %s --kernel=map --device=reference --expect Y=fill:5 | FileCheck %s
// RUN: fly-run %s --kernel=integers --device=reference --expect Y=fill:-8 | FileCheck %s
// RUN: fly-run %s --kernel=broadcast X=iota --device=reference --expect Y=iota | FileCheck %s
// CHECK: right

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // f32 stays wide between roundings: 2^30 + 1 - 2^30 is 1, which f32 loses.
  gpu.func @wide(%Y: !fly.ptr<f32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %big = fly.constant 1073741824.0 : tensor<4xf32>
    %one = fly.constant 1.0 : tensor<4xf32>
    %s = arith.addf %big, %one : tensor<4xf32>
    %d = arith.subf %s, %big : tensor<4xf32>
    fly.store %d, %y[0] : tensor<4xf32>, !fly.view<4xf32>
    gpu.return
  }

  // 257 is between the bf16 numbers 256 and 258: ties go to even. A narrow
  // type rounds at each op: 256 + 1 is 256 again.
  gpu.func @rounds(%Y: !fly.ptr<bf16>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xbf16>
    %x = fly.constant 257.0 : tensor<4xf32>
    %h = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
    %one = fly.constant 1.0 : tensor<4xbf16>
    %s = arith.addf %h, %one : tensor<4xbf16>
    %t = arith.addf %s, %one : tensor<4xbf16>
    fly.store %t, %y[0] : tensor<4xbf16>, !fly.view<4xbf16>
    gpu.return
  }

  gpu.func @saturates(%Y: !fly.ptr<f16>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xf16>
    %x = fly.constant 1000000.0 : tensor<4xf32>
    %h = fly.cast %x overflow saturate : tensor<4xf32> -> tensor<4xf16>
    fly.store %h, %y[0] : tensor<4xf16>, !fly.view<4xf16>
    gpu.return
  }

  // relu(-3) + max(2, 1) + (2 < 3 ? 6 : 9) / 2
  gpu.func @map(%Y: !fly.ptr<f32>) kernel {
    %y = fly.view %Y[2, 2] : !fly.view<2x2xf32>
    %x = fly.constant -3.0 : tensor<2x2xf32>
    %r = fly.constant 2.0 : tensor<2xf32>
    %c = fly.constant 3.0 : tensor<2xbf16>
    %o = fly.map "relu(x) + max(r, 1) + (r < c ? 6 : 9) / 2" (x = %x, r = rows %r, c = cols %c)
      : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xbf16>) -> tensor<2x2xf32>
    fly.store %o, %y[0, 0] : tensor<2x2xf32>, !fly.view<2x2xf32>
    gpu.return
  }

  // i8 wraps: 100 + 148 = 248 = -8; and -8 shifted right and left again.
  gpu.func @integers(%Y: !fly.ptr<i8>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi8>
    %a = fly.constant 100 : tensor<4xi8>
    %b = fly.constant 148 : tensor<4xi8>
    %s = arith.addi %a, %b : tensor<4xi8>
    %one = fly.constant 1 : tensor<4xi8>
    %r = arith.shrsi %s, %one : tensor<4xi8>
    %l = arith.shli %r, %one : tensor<4xi8>
    fly.store %l, %y[0] : tensor<4xi8>, !fly.view<4xi8>
    gpu.return
  }

  // Y[i, j] = 3 i + j from a row and a column tile.
  gpu.func @broadcast(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel {
    %x = fly.view %X[3] : !fly.view<3xf32>
    %y = fly.view %Y[3, 3] : !fly.view<3x3xf32>
    %v = fly.load %x[0] : !fly.view<3xf32> -> tensor<3xf32>
    %three = fly.constant 3.0 : tensor<3xf32>
    %t = arith.mulf %v, %three : tensor<3xf32>
    %r = fly.broadcast %t along 1 : tensor<3xf32> -> tensor<3x3xf32>
    %c = fly.broadcast %v along 0 : tensor<3xf32> -> tensor<3x3xf32>
    %s = arith.addf %r, %c : tensor<3x3xf32>
    fly.store %s, %y[0, 0] : tensor<3x3xf32>, !fly.view<3x3xf32>
    gpu.return
  }
}
