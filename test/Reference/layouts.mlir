// Views of global memory with layouts of the algebra, on the reference executor:
// a view of the same memory without one finds each element where a closed form
// says. To compile them is one error.
// RUN: fly-run %s --kernel=nested --device=reference --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=columns --device=reference M=6 N=10 | FileCheck %s --check-prefix=RAN
// RUN: fly-run %s --kernel=columns --device=reference M=8 N=16 | FileCheck %s --check-prefix=RAN
// RUN: fly-run %s --kernel=columns --device=reference M=0 N=10 | FileCheck %s --check-prefix=RAN
// CHECK: right
// RAN: columns  reference  ran
// RUN: not fly-compile %s --kernel=columns -o %t 2>&1 | FileCheck %s --check-prefix=COMPILE
// COMPILE: layouts.mlir:[[#@LINE+29]]:{{.*}}error: {{.*}}cannot be compiled: no pass lowers the layout #fly.layout<(?M,?N):(1,?M)> of global memory

!Nested = !fly.view<8x16xi32, #fly.layout<((2,4),16):((1,32),2)>>
!Columns = !fly.view<?x?xi32, #fly.layout<(?M,?N):(1,?M)>>
!T = tensor<8x16xi32>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Y becomes iota: element (r, c) is number r % 2 + r / 2 * 32 + 2 * c.
  gpu.func @nested(%Y: !fly.ptr<i32>) kernel {
    %y = fly.view %Y[8, 16] : !Nested
    %r = fly.iota along 0 : !T
    %c = fly.iota along 1 : !T
    %two = fly.constant 2 : !T
    %wide = fly.constant 32 : !T
    %a = arith.remui %r, %two : !T
    %b = arith.divui %r, %two : !T
    %b32 = arith.muli %b, %wide : !T
    %c2 = arith.muli %c, %two : !T
    %ab = arith.addi %a, %b32 : !T
    %v = arith.addi %ab, %c2 : !T
    fly.store %v, %y[0, 0] : !T, !Nested
    gpu.return
  }

  // Column-major, of extents that the launch knows: what is outside is dropped,
  // what is inside is read back by a view of strides.
  gpu.func @columns(%Y: !fly.ptr<i32>, %M: i32, %N: i32) kernel {
    %r = fly.iota along 0 : !T
    %c = fly.iota along 1 : !T
    %y = fly.view %Y[%M, %N] : !Columns
    %plain = fly.view %Y[%N, %M] : !fly.view<?x?xi32>
    %ten = fly.constant 10 : !T
    %tenth = arith.muli %r, %ten : !T
    %v = arith.addi %tenth, %c : !T
    fly.store %v, %y[0, 0] : !T, !Columns
    %back = fly.load %plain[0, 0] : !fly.view<?x?xi32> -> tensor<16x8xi32>
    %br = fly.iota along 1 : tensor<16x8xi32>
    %bc = fly.iota along 0 : tensor<16x8xi32>
    %bten = fly.constant 10 : tensor<16x8xi32>
    %b0 = arith.muli %br, %bten : tensor<16x8xi32>
    %want = arith.addi %b0, %bc : tensor<16x8xi32>
    %m = fly.splat %M : i32 -> tensor<16x8xi32>
    %n = fly.splat %N : i32 -> tensor<16x8xi32>
    %in0 = arith.cmpi slt, %br, %m : tensor<16x8xi32>
    %in1 = arith.cmpi slt, %bc, %n : tensor<16x8xi32>
    %in = arith.andi %in0, %in1 : tensor<16x8xi1>
    %zero = fly.constant 0 : tensor<16x8xi32>
    %expected = arith.select %in, %want, %zero : tensor<16x8xi1>, tensor<16x8xi32>
    %same = arith.cmpi eq, %back, %expected : tensor<16x8xi32>
    fly.assert %same, "element (r, c) is number r + c * M" : tensor<16x8xi1>
    gpu.return
  }
}
