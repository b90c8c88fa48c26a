// Loops, branches, calls and sizes on scalars and tiles.
// RUN: fly-run %s --kernel=loop N=0 --device=reference --expect Y=fill:3 | FileCheck %s
// RUN: fly-run %s --kernel=loop N=1 --device=reference --expect Y=fill:4 | FileCheck %s
// RUN: fly-run %s --kernel=loop N=4 --device=reference --expect Y=fill:9 | FileCheck %s
// RUN: fly-run %s --kernel=collatz N=27 --device=reference --expect Y=fill:111 | FileCheck %s
// RUN: fly-run %s --kernel=helper --device=reference --expect Y=fill:48 | FileCheck %s
// RUN: fly-run %s --kernel=unrolled --device=reference --expect Y=fill:4 | FileCheck %s
// RUN: fly-run %s --kernel=unrolled --expect Y=fill:4 | FileCheck %s
// CHECK: right

// RUN: not fly-run %s --kernel=unknown --device=reference 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: the reference executor runs tile IR and does not know 'vector.step'
// UNKNOWN: remark: in workgroup (0) of the reference run
// RUN: not fly-run %s --kernel=divide N=0 --device=reference 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: error: division by zero
// RUN: not fly-run %s --kernel=require N=7 --device=reference 2>&1 | FileCheck %s --check-prefix=REQUIRE
// REQUIRE: error: launch refused: N must be even (N=7)

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @twice(%t: tensor<?xf32, #fly.tile<BM>>) -> tensor<?xf32, #fly.tile<BM>> {
    %r = arith.addf %t, %t : tensor<?xf32, #fly.tile<BM>>
    return %r : tensor<?xf32, #fly.tile<BM>>
  }

  // 1, and 0 + 1 + 2 more; the bound is a size.
  gpu.func @unrolled(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<sizes = {BM = 4, REP = 3}>} {
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %one = fly.constant 1.0 : tensor<?xf32, #fly.tile<BM>>
    %sum = fly.static_for %i = 0 to REP iter_args(%s = %one) : tensor<?xf32, #fly.tile<BM>> {
      %n = arith.index_cast %i : index to i32
      %f = arith.uitofp %n : i32 to f32
      %t = fly.splat %f : f32 -> tensor<?xf32, #fly.tile<BM>>
      %u = arith.addf %s, %t : tensor<?xf32, #fly.tile<BM>>
      fly.yield %u : tensor<?xf32, #fly.tile<BM>>
    }
    fly.store %sum, %y[0] : tensor<?xf32, #fly.tile<BM>>, !fly.view<4xf32>
    gpu.return
  }

  // 3, and 1 + 2 + 3 more up to the trip count, in scalar steps of 2.
  gpu.func @loop(%Y: !fly.ptr<f32>, %N: i32) kernel {
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %n2 = arith.muli %N, %c2 : i32
    %three = fly.constant 3.0 : tensor<4xf32>
    %sum = scf.for %i = %c0 to %n2 step %c2 iter_args(%s = %three) -> (tensor<4xf32>) : i32 {
      %h = arith.divui %i, %c2 : i32
      %f = arith.uitofp %h : i32 to f32
      %t = fly.splat %f : f32 -> tensor<4xf32>
      %u = arith.addf %s, %t : tensor<4xf32>
      scf.yield %u : tensor<4xf32>
    }
    // At N = 1 the loop adds 0; one more where N is 1, to tell it from 0.
    %c1 = arith.constant 1 : i32
    %isOne = arith.cmpi eq, %N, %c1 : i32
    %r = scf.if %isOne -> (tensor<4xf32>) {
      %one = fly.constant 1.0 : tensor<4xf32>
      %v = arith.addf %sum, %one : tensor<4xf32>
      scf.yield %v : tensor<4xf32>
    } else {
      scf.yield %sum : tensor<4xf32>
    }
    fly.store %r, %y[0] : tensor<4xf32>, !fly.view<4xf32>
    gpu.return
  }

  // The Collatz sequence of 27 has 111 steps.
  gpu.func @collatz(%Y: !fly.ptr<i32>, %N: i32) kernel {
    %y = fly.view %Y[1] : !fly.view<1xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %n, %steps = scf.while (%a = %N, %s = %c0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %a, %c1 : i32
      scf.condition(%go) %a, %s : i32, i32
    } do {
    ^bb0(%a: i32, %s: i32):
      %odd = arith.andi %a, %c1 : i32
      %isOdd = arith.cmpi eq, %odd, %c1 : i32
      %half = arith.shrui %a, %c1 : i32
      %triple = arith.muli %a, %c3 : i32
      %next = arith.addi %triple, %c1 : i32
      %b = arith.select %isOdd, %next, %half : i32
      %t = arith.addi %s, %c1 : i32
      scf.yield %b, %t : i32, i32
    }
    %tile = fly.splat %steps : i32 -> tensor<1xi32>
    fly.store %tile, %y[0] : tensor<1xi32>, !fly.view<1xi32>
    gpu.return
  }

  // Names of sizes in a helper are those of the kernel that calls it.
  gpu.func @helper(%Y: !fly.ptr<f32>) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 8}>} {
    %y = fly.view %Y[BM] : !fly.view<?xf32>
    %t = fly.constant 12.0 : tensor<?xf32, #fly.tile<BM>>
    %u = func.call @twice(%t) : (tensor<?xf32, #fly.tile<BM>>) -> tensor<?xf32, #fly.tile<BM>>
    %v = func.call @twice(%u) : (tensor<?xf32, #fly.tile<BM>>) -> tensor<?xf32, #fly.tile<BM>>
    fly.store %v, %y[0] : tensor<?xf32, #fly.tile<BM>>, !fly.view<?xf32>
    gpu.return
  }

  gpu.func @unknown(%Y: !fly.ptr<f32>) kernel {
    %y = fly.view %Y[4] : !fly.view<4xf32>
    %s = arith.constant 1.0 : f32
    %v = vector.step : vector<4xindex>
    %t = fly.constant 1.0 : tensor<4xf32>
    fly.store %t, %y[0] : tensor<4xf32>, !fly.view<4xf32>
    gpu.return
  }

  gpu.func @divide(%Y: !fly.ptr<i32>, %N: i32) kernel {
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %t = fly.splat %N : i32 -> tensor<4xi32>
    %q = arith.divsi %t, %t : tensor<4xi32>
    fly.store %q, %y[0] : tensor<4xi32>, !fly.view<4xi32>
    gpu.return
  }

  gpu.func @require(%Y: !fly.ptr<i32>, %N: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %r = arith.remsi %N, %c2 : i32
    %even = arith.cmpi eq, %r, %c0 : i32
    fly.require %even, "N must be even"
    %y = fly.view %Y[4] : !fly.view<4xi32>
    %t = fly.splat %N : i32 -> tensor<4xi32>
    fly.store %t, %y[0] : tensor<4xi32>, !fly.view<4xi32>
    gpu.return
  }
}
