// RUN: fly-opt %s --fly-insert-waits | FileCheck %s
// RUN: fly-run %s N=0 --expect q=fill:255 --check=all
// RUN: fly-run %s N=3 --expect q=fill:258 --check=all
// RUN: fly-run %s N=3 --expect q=fill:258 --check=all --chip=gfx950

!L = !fly.view<256xi32, lds>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !L }
  // A while is left behind its first region, which writes LDS, though the second
  // one ends with nothing outstanding.
  // CHECK-LABEL: gpu.func @k
  // CHECK: } do {
  // CHECK: fly.wait lgkm(0)
  // CHECK-NEXT: fly.barrier bare
  // CHECK: scf.yield
  // CHECK: fly.wait lgkm(0)
  // CHECK-NEXT: fly.barrier bare
  // CHECK: fly.read
  gpu.func @k(%q: !fly.ptr<i32>, %N: i32) kernel attributes {fly.waves = 4 : i32} {
    %t = gpu.thread_id x
    %c255 = arith.constant 255 : index
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %s[a] : !fly.lds<@S> -> !L
    %x = arith.index_cast %t : index to i32
    %r = arith.subi %c255, %t : index
    %e = scf.while (%i = %c0) : (i32) -> i32 {
      %z = arith.addi %x, %i : i32
      fly.write %z, %a[%t] : i32, !L
      %go = arith.cmpi slt, %i, %N : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      fly.barrier bare
      %j = arith.addi %i, %c1 : i32
      scf.yield %j : i32
    }
    fly.barrier bare
    %y = fly.read %a[%r] : !L -> i32
    %o = fly.view %q[256] : !fly.view<256xi32>
    %sum = arith.addi %y, %x : i32
    fly.write %sum, %o[%t] : i32, !fly.view<256xi32>
    gpu.return
  }
}
