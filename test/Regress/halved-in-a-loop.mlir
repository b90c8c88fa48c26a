// A coordinate that a loop halves is a multiple of less each time: 64, 32, .. 2.
// It was taken for a multiple of 64, and reads of four elements for aligned to 16
// bytes. What a loop carries is assumed to have a divisor only as long as the next
// value has it, too.
// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s --check-prefix=LLVM
// RUN: fly-run %s X=iota --expect Y=fill:126 | FileCheck %s
// CHECK: right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { row : !fly.view<256xf32, lds> }
  gpu.func @k(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %x = fly.view %X[256] : !fly.view<256xf32>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %row = fly.lds.field %lds[row] : !fly.lds<@S> -> !fly.view<256xf32, lds>
    %l = fly.lane
    %l4 = arith.muli %l, %c4 : index
    %v = fly.read %x[%l4] in_bounds [true] align 4 : !fly.view<256xf32> -> vector<4xf32>
    fly.write %v, %row[%l4] align 4 : vector<4xf32>, !fly.view<256xf32, lds>
    fly.barrier lds
    // LLVM: llvm.store {{.*}} alignment = 16 : i64
    // LLVM-COUNT-4: llvm.load {{.*}} alignment = 4 : i64
    %sum, %at = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %zero, %o = %c64) -> (vector<4xf32>, index) {
      %e = fly.read %row[%o] : !fly.view<256xf32, lds> -> vector<4xf32>
      %n = arith.addf %s, %e : vector<4xf32>
      %h = arith.shrui %o, %c1 : index
      scf.yield %n, %h : vector<4xf32>, index
    }
    %r = vector.extract %sum[0] : f32 from vector<4xf32>
    fly.write %r, %y[%l] in_bounds [true] : f32, !fly.view<64xf32>
    gpu.return
  }
}
