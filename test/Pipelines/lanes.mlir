// fly.lanes as machine code, against formulas of the coordinates; the reference
// executor runs the same kernels.
// RUN: fly-run %S/../Reference/lanes.mlir --kernel=lanes --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %S/../Reference/lanes.mlir --kernel=lanes --chip=gfx942 --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %S/../Reference/lanes.mlir --kernel=accumulators --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=converted --expect Y=fill:1 | FileCheck %s
// RUN: fly-run %s --kernel=in_a_loop --chip=gfx950 --expect Y=fill:1 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=too_few 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: lanes.mlir:{{.*}}error: 'fly.lanes' op has a layout in which the 64 threads of the workgroup hold 256 of the 1024 elements of {{.*}}: fix: 'waves' of the schedule, or a layout of 64 threads
// RUN: not fly-run %s --kernel=copies --device=reference 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: error: lanes that hold one element of result 0 yield different values for it, thread 64 another than one before it

#B = #fly.blocked<threads = [16, 16], vector = 4>
!T = tensor<16x64xi32>
!Y = !fly.view<16x64xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // Loaded along columns, seen along rows: groups of four turn round.
  gpu.func @converted(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[16, 64] : !Y
    %i = fly.iota along 0 : tensor<64x16xi32>
    %j = fly.iota along 1 : tensor<64x16xi32>
    %c100 = fly.constant 100 : tensor<64x16xi32>
    %i100 = arith.muli %i, %c100 : tensor<64x16xi32>
    %x = arith.addi %i100, %j : tensor<64x16xi32>
    %sum = fly.reduce add %x along 1 : tensor<64x16xi32> -> tensor<64xi32>
    %t = fly.transpose %x [1, 0] : tensor<64x16xi32> -> !T
    %r = fly.lanes in #B (%v = %t) : (!T) -> !T {
      %a = vector.extract %v[0, 0, 0] : i32 from vector<1x1x4xi32>
      %b = vector.extract %v[0, 0, 1] : i32 from vector<1x1x4xi32>
      %c = vector.extract %v[0, 0, 2] : i32 from vector<1x1x4xi32>
      %d = vector.extract %v[0, 0, 3] : i32 from vector<1x1x4xi32>
      %f = vector.from_elements %d, %c, %b, %a : vector<4xi32>
      %w = vector.insert %f, %v[0, 0] : vector<4xi32> into vector<1x1x4xi32>
      fly.yield %w : vector<1x1x4xi32>
    }
    // Element (i, j) is 100 (j ^ 3) + i.
    %ti = fly.iota along 0 : !T
    %tj = fly.iota along 1 : !T
    %three = fly.constant 3 : !T
    %hundred = fly.constant 100 : !T
    %jx = arith.xori %tj, %three : !T
    %j100 = arith.muli %jx, %hundred : !T
    %e = arith.addi %j100, %ti : !T
    %ok = arith.cmpi eq, %r, %e : !T
    %one = arith.extui %ok : tensor<16x64xi1> to !T
    // Row sums: 1600 j + 120.
    %s = fly.broadcast %sum along 0 : tensor<64xi32> -> !T
    %sixteen = fly.constant 1600 : !T
    %rest = fly.constant 120 : !T
    %sj = arith.muli %tj, %sixteen : !T
    %se = arith.addi %sj, %rest : !T
    %s_ok = arith.cmpi eq, %s, %se : !T
    fly.assert %s_ok, "sums" : tensor<16x64xi1>
    fly.store %one, %y[0, 0] : !T, !Y
    gpu.return
  }

  // A counter a lane that a loop carries, and control flow in the region.
  gpu.func @in_a_loop(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %y = fly.view %Y[16, 64] : !Y
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %zero = fly.constant 0 : !T
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (!T) : i32 {
      %n = fly.lanes in #B (%v = %s) : (!T) -> !T {
        %lane = fly.lane
        %wave = fly.wave
        %w64 = arith.constant 64 : index
        %base = arith.muli %wave, %w64 : index
        %thread = arith.addi %base, %lane : index
        %number = arith.index_cast %thread : index to i32
        %step = arith.addi %number, %k : i32
        %b = vector.broadcast %step : i32 to vector<1x1x4xi32>
        %u = arith.addi %v, %b : vector<1x1x4xi32>
        fly.yield %u : vector<1x1x4xi32>
      }
      scf.yield %n : !T
    }
    // Thread 16 i + j / 4, three times, and 0 + 1 + 2.
    %i = fly.iota along 0 : !T
    %j = fly.iota along 1 : !T
    %four = fly.constant 4 : !T
    %sixteen = fly.constant 16 : !T
    %three = fly.constant 3 : !T
    %jd = arith.divui %j, %four : !T
    %i16 = arith.muli %i, %sixteen : !T
    %th = arith.addi %i16, %jd : !T
    %th3 = arith.muli %th, %three : !T
    %e = arith.addi %th3, %three : !T
    %ok = arith.cmpi eq, %r, %e : !T
    %one = arith.extui %ok : tensor<16x64xi1> to !T
    fly.store %one, %y[0, 0] : !T, !Y
    gpu.return
  }

  gpu.func @too_few(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %y = fly.view %Y[16, 64] : !Y
    %zero = fly.constant 0 : !T
    %r = fly.lanes in #B (%v = %zero) : (!T) -> !T {
      fly.yield %v : vector<1x1x4xi32>
    }
    fly.store %r, %y[0, 0] : !T, !Y
    gpu.return
  }

  // Waves beyond the layout's hold copies.
  gpu.func @copies(%Y: !fly.ptr<i32>) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 1]>} {
    %y = fly.view %Y[4, 64] : !fly.view<4x64xi32>
    %t = fly.lanes in #fly.blocked<threads = [4, 16], vector = 4> () : () -> tensor<4x64xi32> {
      %wave = fly.wave
      %n = arith.index_cast %wave : index to i32
      %v = vector.broadcast %n : i32 to vector<1x1x4xi32>
      fly.yield %v : vector<1x1x4xi32>
    }
    fly.store %t, %y[0, 0] : tensor<4x64xi32>, !fly.view<4x64xi32>
    gpu.return
  }
}
