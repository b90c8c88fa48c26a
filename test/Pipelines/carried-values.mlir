// Tiles of elements below a register go round loops and come out right: masks of
// lanes, bytes of which a lane has two, elements of 4 bits. The numbers of rounds
// are none, one and several, also beside another loop.
// RUN: fly-run %s --kernel=mask N=0 | FileCheck %s
// RUN: fly-run %s --kernel=mask N=3 | FileCheck %s
// RUN: fly-run %s --kernel=bytes N=0 | FileCheck %s
// RUN: fly-run %s --kernel=bytes N=1 | FileCheck %s
// RUN: fly-run %s --kernel=bytes N=5 | FileCheck %s
// RUN: fly-run %s --kernel=nibbles N=3 | FileCheck %s
// CHECK: right

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @mask(%X: !fly.ptr<i32>, %Y: !fly.ptr<i32>, %N: i32) kernel {
    %x = fly.view %X[64, 128] : !fly.view<64x128xi32>
    %y = fly.view %Y[64, 128] : !fly.view<64x128xi32>
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %c = fly.load %x[%z, %z] : !fly.view<64x128xi32> -> tensor<64x128xi32>
    %zero = fly.constant 0 : tensor<64x128xi32>
    %three = fly.constant 1 : tensor<64x128xi32>
    %m0 = arith.cmpi sgt, %c, %zero : tensor<64x128xi32>
    %r:2 = scf.for %i = %z to %N step %o iter_args(%m = %m0, %v = %c) -> (tensor<64x128xi1>, tensor<64x128xi32>) : i32 {
      %n = arith.addi %v, %three : tensor<64x128xi32>
      %w = arith.select %m, %n, %v : tensor<64x128xi1>, tensor<64x128xi32>
      %odd = arith.andi %w, %three : tensor<64x128xi32>
      %p = arith.cmpi eq, %odd, %zero : tensor<64x128xi32>
      scf.yield %p, %w : tensor<64x128xi1>, tensor<64x128xi32>
    }
    fly.store %r#1, %y[%z, %z] : tensor<64x128xi32>, !fly.view<64x128xi32>
    gpu.return
  }
  gpu.func @bytes(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>, %N: i32) kernel {
    %x = fly.view %X[16, 32] : !fly.view<16x32xi8>
    %y = fly.view %Y[16, 32] : !fly.view<16x32xi8>
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %c = fly.load %x[%z, %z] : !fly.view<16x32xi8> -> tensor<16x32xi8>
    %r = scf.for %i = %z to %N step %o iter_args(%m = %c) -> (tensor<16x32xi8>) : i32 {
      %n = arith.addi %m, %c : tensor<16x32xi8>
      scf.yield %n : tensor<16x32xi8>
    }
    fly.store %r, %y[%z, %z] : tensor<16x32xi8>, !fly.view<16x32xi8>
    gpu.return
  }
  gpu.func @nibbles(%X: !fly.ptr<i4>, %Y: !fly.ptr<i32>, %N: i32) kernel {
    %x = fly.view %X[64, 128] : !fly.view<64x128xi4>
    %y = fly.view %Y[64, 128] : !fly.view<64x128xi32>
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %c = fly.load %x[%z, %z] : !fly.view<64x128xi4> -> tensor<64x128xi4>
    %r = scf.for %i = %z to %N step %o iter_args(%m = %c) -> (tensor<64x128xi4>) : i32 {
      %n = arith.addi %m, %c : tensor<64x128xi4>
      scf.yield %n : tensor<64x128xi4>
    }
    %e = arith.extui %r : tensor<64x128xi4> to tensor<64x128xi32>
    fly.store %e, %y[%z, %z] : tensor<64x128xi32>, !fly.view<64x128xi32>
    gpu.return
  }
}
