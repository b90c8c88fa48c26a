// LLVM looks at a loop before it knows what the loop's last block leaves
// outstanding. Nothing was when this one is entered, so it dropped the wait in
// front of the barrier, and the next round's barrier waited for no write.
// RUN: fly-compile %s --chip=gfx942 --werror -o %t.hsaco
// RUN: fly-report verify %t.hsaco | FileCheck %s --check-prefix=PROVED
// RUN: fly-run %s --chip=gfx942 N=5 Y=i32[128]=zeros | FileCheck %s
// RUN: fly-compile %s --chip=gfx950 --werror -o %t.hsaco
// PROVED: proved: waits, hazards, barriers, LDS order
// CHECK-NOT: races
// CHECK: ran
!L = !fly.view<128xi32, lds>
!V = !fly.view<128xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { f : !L }
  // Round by round, each lane takes the value of a lane of the other wave, plus
  // one.
  gpu.func @exchange(%Y: !fly.ptr<i32>, %N: i32) kernel attributes {fly.waves = 2 : i32} {
    %s = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %s[f] : !fly.lds<@S> -> !L
    %y = fly.view %Y[128] : !V
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %other = arith.xori %t, %c64 : index
    %one = arith.constant dense<1> : vector<1xi32>
    %i = arith.index_cast %t : index to i32
    %first = vector.broadcast %i : i32 to vector<1xi32>
    fly.write %first, %l[%t] in_bounds [true] : vector<1xi32>, !L
    // The write has ended when the loop begins, and so has the read.
    fly.barrier lds
    %own = fly.read %l[%other] in_bounds [true] : !L -> vector<1xi32>
    fly.write %own, %y[%t] in_bounds [true] : vector<1xi32>, !V
    %n = arith.index_cast %N : i32 to index
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%x = %own) -> vector<1xi32> {
      fly.barrier lds
      %theirs = fly.read %l[%other] in_bounds [true] : !L -> vector<1xi32>
      %more = arith.addi %theirs, %one : vector<1xi32>
      fly.barrier lds
      fly.write %more, %l[%t] in_bounds [true] : vector<1xi32>, !L
      scf.yield %more : vector<1xi32>
    }
    fly.write %last, %y[%t] in_bounds [true] : vector<1xi32>, !V
    gpu.return
  }
}
