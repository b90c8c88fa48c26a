// Leading coordinates that pick one index of a view: batches and experts, also
// such that are outside, where the tile reads as the pad and is not written.
// RUN: fly-run %s --kernel=batch B=3 M=50 N=70 | FileCheck %s
// RUN: fly-run %s --kernel=batch --chip=gfx950 B=2 M=16 N=64 | FileCheck %s
// RUN: fly-run %s --kernel=outside B=3 N=300 | FileCheck %s
// RUN: fly-run %s --kernel=outside --chip=gfx950 B=1 N=8 | FileCheck %s
// RUN: fly-run %s --kernel=expert E=4 N=100 Ids=i32[6]=iota G=6 | FileCheck %s
// RUN: fly-run %s --kernel=parts M=20 N=40 | FileCheck %s
// CHECK: right

#sched = #fly.schedule<sizes = {BM = 16, BN = 64}>
#line = #fly.schedule<sizes = {BN = 64}>
!T = tensor<?x?xf32, #fly.tile<BM, BN>>
!R = tensor<?xf32, #fly.tile<BN>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @batch(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %B: i32, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%B, %M, %N] : !fly.view<?x?x?xf32>
    %y = fly.view %Y[%B, %M, %N] : !fly.view<?x?x?xf32>
    %b, %m, %n = fly.grid to (%B, %M, %N) step (1, BM, BN)
    %t = fly.load %x[%b, %m, %n] : !fly.view<?x?x?xf32> -> !T
    %u = arith.addf %t, %t : !T
    fly.store %u, %y[%b, %m, %n] : !T, !fly.view<?x?x?xf32>
    gpu.return
  }

  // Row b + 1 of the last workgroup does not exist.
  gpu.func @outside(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %Z: !fly.ptr<f32>, %B: i32, %N: i32) kernel attributes {fly.schedule = #line} {
    %x = fly.view %X[%B, %N] : !fly.view<?x?xf32>
    %y = fly.view %Y[%B, %N] : !fly.view<?x?xf32>
    %z = fly.view %Z[%B, %N] : !fly.view<?x?xf32>
    %b, %n = fly.grid to (%B, %N) step (1, BN)
    %one = arith.constant 1 : i32
    %next = arith.addi %b, %one : i32
    %t = fly.load %x[%next, %n] pad one : !fly.view<?x?xf32> -> !R
    fly.store %t, %y[%b, %n] : !R, !fly.view<?x?xf32>
    %zero = fly.constant 0.0 : !R
    fly.store %zero, %z[0, %n] : !R, !fly.view<?x?xf32>
    fly.store %t, %z[%next, %n] : !R, !fly.view<?x?xf32>
    gpu.return
  }

  // The index comes from memory; ids 4 and 5 are no experts.
  gpu.func @expert(%W: !fly.ptr<f32>, %Ids: !fly.ptr<i32>, %Y: !fly.ptr<f32>, %E: i32, %N: i32, %G: i32) kernel attributes {fly.schedule = #line} {
    %w = fly.view %W[%E, %N] : !fly.view<?x?xf32>
    %ids = fly.view %Ids[%G] : !fly.view<?xi32>
    %y = fly.view %Y[%G, %N] : !fly.view<?x?xf32>
    %g, %n = fly.grid to (%G, %N) step (1, BN)
    %id = fly.load_scalar %ids[%g] : !fly.view<?xi32> -> i32
    %zero = arith.constant 0 : i32
    %e = arith.maxsi %id, %zero : i32
    %t = fly.load %w[%e, %n] pad lowest : !fly.view<?x?xf32> -> !R
    fly.store %t, %y[%g, %n] : !R, !fly.view<?x?xf32>
    gpu.return
  }

  // A plane of a static view, by number.
  gpu.func @parts(%P: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %p = fly.view %P[4, %M, %N] : !fly.view<4x?x?xf32>
    %y = fly.view %Y[%M, %N] : !fly.view<?x?xf32>
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %a = fly.load %p[0, %m, %n] : !fly.view<4x?x?xf32> -> !T
    %b = fly.load %p[3, %m, %n] : !fly.view<4x?x?xf32> -> !T
    %c = fly.load %p[4, %m, %n] pad one : !fly.view<4x?x?xf32> -> !T
    %s = arith.addf %a, %b : !T
    %u = arith.addf %s, %c : !T
    fly.store %u, %y[%m, %n] : !T, !fly.view<?x?xf32>
    gpu.return
  }
}
