// Elementwise code with rows, columns and scalars broadcast, and sums of rows and
// columns, of several types and ragged extents: no LDS, 16-byte accesses.
// RUN: sed 's/ELEMENT/f32/g; s/MULTIPLY/mulf/; s/PLUS/addf/' %s > %t.f32.mlir
// RUN: sed 's/ELEMENT/f16/g; s/MULTIPLY/mulf/; s/PLUS/addf/' %s > %t.f16.mlir
// RUN: sed 's/ELEMENT/bf16/g; s/MULTIPLY/mulf/; s/PLUS/addf/' %s > %t.bf16.mlir
// RUN: fly-run %t.f32.mlir --kernel=floats M=30 N=104 s=0.5 | FileCheck %s
// RUN: fly-run %t.f16.mlir --kernel=floats --chip=gfx950 M=65 N=72 s=0.5 | FileCheck %s
// RUN: fly-run %t.bf16.mlir --kernel=floats "--schedule=waves=[1,2]" M=7 N=264 s=0.5 | FileCheck %s
// RUN: sed '/func @f[l]oats/,/^  }/d; s/ELEMENT/i32/g; s/MULTIPLY/muli/; s/PLUS/addi/' %s > %t.i32.mlir
// RUN: sed '/func @f[l]oats/,/^  }/d; s/ELEMENT/i8/g; s/MULTIPLY/muli/; s/PLUS/addi/' %s > %t.i8.mlir
// RUN: fly-run %t.i32.mlir --kernel=products M=30 N=104 s=7 | FileCheck %s
// RUN: fly-run %t.i8.mlir --kernel=products --chip=gfx950 M=65 N=80 s=-3 | FileCheck %s
// CHECK: right
// CHECK: LDS 0, spills 0
// RUN: fly-compile %t.bf16.mlir --emit=asm | FileCheck %s --check-prefix=ASM
// ASM: buffer_load_dwordx4
// ASM: buffer_store_dwordx4
// ASM-NOT: ds_
// ASM: buffer_load_dwordx4
// ASM: buffer_store_dwordx4
// ASM: .group_segment_fixed_size: 0

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @floats(%X: !fly.ptr<ELEMENT>, %R: !fly.ptr<ELEMENT>, %C: !fly.ptr<f32>, %Y: !fly.ptr<ELEMENT>, %M: i32, %N: i32, %s: f32)
      kernel attributes {fly.schedule = #fly.schedule<>} {
    fly.require_multiple %N of 8
    %x = fly.view %X[%M, %N] : !fly.view<?x?xELEMENT>
    %r = fly.view %R[%M] : !fly.view<?xELEMENT>
    %c = fly.view %C[%N] : !fly.view<?xf32>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xELEMENT>
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xELEMENT> -> tensor<16x64xELEMENT>
    %rows = fly.load %r[%m] : !fly.view<?xELEMENT> -> tensor<16xELEMENT>
    %columns = fly.load %c[%n] : !fly.view<?xf32> -> tensor<64xf32>
    %o = fly.map "x * r + c * s" (x = %t, r = rows %rows, c = cols %columns, s = %s)
         : (tensor<16x64xELEMENT>, tensor<16xELEMENT>, tensor<64xf32>, f32) -> tensor<16x64xELEMENT>
    fly.store %o, %y[%m, %n] : tensor<16x64xELEMENT>, !fly.view<?x?xELEMENT>
    gpu.return
  }

  gpu.func @products(%X: !fly.ptr<ELEMENT>, %R: !fly.ptr<ELEMENT>, %Y: !fly.ptr<ELEMENT>, %M: i32, %N: i32, %s: ELEMENT)
      kernel attributes {fly.schedule = #fly.schedule<>} {
    fly.require_multiple %N of 8
    %x = fly.view %X[%M, %N] : !fly.view<?x?xELEMENT>
    %r = fly.view %R[%M] : !fly.view<?xELEMENT>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xELEMENT>
    %m, %n = fly.grid to (%M, %N) step (16, 64)
    %t = fly.load %x[%m, %n] : !fly.view<?x?xELEMENT> -> tensor<16x64xELEMENT>
    %rows = fly.load %r[%m] : !fly.view<?xELEMENT> -> tensor<16xELEMENT>
    %rb = fly.broadcast %rows along 1 : tensor<16xELEMENT> -> tensor<16x64xELEMENT>
    %sb = fly.splat %s : ELEMENT -> tensor<16x64xELEMENT>
    %u = arith.MULTIPLY %t, %rb : tensor<16x64xELEMENT>
    %v = arith.PLUS %u, %sb : tensor<16x64xELEMENT>
    fly.store %v, %y[%m, %n] : tensor<16x64xELEMENT>, !fly.view<?x?xELEMENT>
    gpu.return
  }
}
