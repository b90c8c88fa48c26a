// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// Register arrays become lists of registers: no aggregate is left anywhere.

// CHECK-NOT: llvm.array
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Each register of the array is carried by itself.
  // CHECK-LABEL: llvm.func @loop(
  // CHECK: llvm.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]](%{{.*}} : i32, vector<4xf32>, vector<4xf32>)
  // CHECK: ^[[BODY]](%{{.*}}: i32, %[[A:.*]]: vector<4xf32>, %[[B:.*]]: vector<4xf32>):
  // CHECK: %[[A1:.*]] = llvm.fadd %[[A]], %{{.*}} : vector<4xf32>
  // CHECK: %[[B1:.*]] = llvm.fadd %[[B]], %{{.*}} : vector<4xf32>
  // CHECK: llvm.cond_br %{{.*}}, ^[[BODY]](%{{.*}}, %[[A1]], %[[B1]] : i32, vector<4xf32>, vector<4xf32>)
  gpu.func @loop(%C: !fly.ptr<f32>, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[2, 4] : !fly.view<2x4xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : vector<2x1x4xf32>
    %step = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]]]> : vector<2x1x4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (vector<2x1x4xf32>) : i32 {
      %t = arith.addf %s, %step : vector<2x1x4xf32>
      scf.yield %t : vector<2x1x4xf32>
    }
    %a = vector.extract %r[0, 0] : vector<4xf32> from vector<2x1x4xf32>
    %b = vector.extract %r[1, 0] : vector<4xf32> from vector<2x1x4xf32>
    fly.write %a, %c[%i0, %i0] in_bounds [true, true] : vector<4xf32>, !fly.view<2x4xf32>
    fly.write %b, %c[%i1, %i0] in_bounds [true, true] : vector<4xf32>, !fly.view<2x4xf32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @shapes(
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1> {{{.*}}}, %[[F:.*]]: f32
  gpu.func @shapes(%C: !fly.ptr<f32>, %f: f32, %c: i1) kernel attributes {fly.waves = 1 : i32} {
    %v = fly.view %C[8] : !fly.view<8xf32>
    %i0 = arith.constant 0 : index
    %i4 = arith.constant 4 : index
    %array = vector.broadcast %f : f32 to vector<2x2x2xf32>
    // A branch that yields an array yields registers (here all the same).
    // CHECK: llvm.cond_br
    // CHECK: llvm.fmul %{{.*}} : vector<2xf32>
    // CHECK: llvm.br ^[[JOIN:bb[0-9]+]](%{{.*}} : vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
    %x = scf.if %c -> (vector<2x2x2xf32>) {
      %y = arith.mulf %array, %array : vector<2x2x2xf32>
      scf.yield %y : vector<2x2x2xf32>
    } else {
      scf.yield %array : vector<2x2x2xf32>
    }
    // Insertions, slices and casts only name other registers.
    // CHECK: ^[[JOIN]](%[[R0:.*]]: vector<2xf32>, %[[R1:.*]]: vector<2xf32>, %[[R2:.*]]: vector<2xf32>, %[[R3:.*]]: vector<2xf32>)
    %row = vector.extract %x[1] : vector<2x2xf32> from vector<2x2x2xf32>
    %swapped = vector.insert %row, %x[0] : vector<2x2xf32> into vector<2x2x2xf32>
    %slice = vector.extract_strided_slice %swapped {offsets = [0, 1], sizes = [1, 1], strides = [1, 1]} : vector<2x2x2xf32> to vector<1x1x2xf32>
    %pair = vector.shape_cast %slice : vector<1x1x2xf32> to vector<2xf32>
    // CHECK: llvm.bitcast %[[R3]] : vector<2xf32> to vector<2xi32>
    fly.write %pair, %v[%i0] in_bounds [true] : vector<2xf32>, !fly.view<8xf32>
    // CHECK: llvm.insertelement %[[F]], %[[R3]]
    %set = vector.insert %f, %x[1, 1, 0] : f32 into vector<2x2x2xf32>
    %last = vector.extract %set[1, 1] : vector<2xf32> from vector<2x2x2xf32>
    fly.write %last, %v[%i4] in_bounds [true] : vector<2xf32>, !fly.view<8xf32>
    gpu.return
  }
}
