// Every tile is computed once, whatever the walk: each workgroup counts its
// tile, and stores what only it stores.
// RUN: fly-run %s M=70 N=130 B=3 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s --schedule=grid.xcd=on M=70 N=130 B=1 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s '--schedule=grid.xcd=by(b)' M=70 N=130 B=3 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s --schedule=grid.order=m_fastest '--schedule=grid.xcd=by(0)' M=7 N=130 B=3 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s '--schedule=grid.order=grouped(2)' --schedule=grid.xcd=on M=70 N=130 B=2 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s '--schedule=grid.order=grouped(3)' '--schedule=grid.xcd=by(n)' M=70 N=130 B=2 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s --schedule=grid.order=longest_first --chip=gfx950 M=70 N=30 B=2 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s --schedule=grid.order=longest_first '--schedule=grid.xcd=by(m)' --chip=gfx950 M=170 N=30 B=2 Count=zeros --expect Count=fill:1 | FileCheck %s
// CHECK: right

// Persistent: fewer workgroups than tiles, as many, and more.
// RUN: fly-run %s --schedule=grid.persistent=7 M=70 N=130 B=3 Count=zeros --expect Count=fill:1 | FileCheck %s --check-prefix=SEVEN
// SEVEN: right
// SEVEN: grid 7 workgroups
// RUN: fly-run %s --schedule=grid.persistent=8 --schedule=grid.xcd=on '--schedule=grid.order=grouped(2)' M=70 N=130 B=3 Count=zeros --expect Count=fill:1 | FileCheck %s
// RUN: fly-run %s --schedule=grid.persistent=on --chip=gfx950 M=70 N=130 B=1 Count=zeros --expect Count=fill:1 | FileCheck %s --check-prefix=MORE
// MORE: right
// MORE: grid 25 workgroups
#sched = #fly.schedule<sizes = {BM = 16, BN = 32}, waves = [1, 1]>
!T = tensor<?x?xi32, #fly.tile<BM, BN>>
!V = !fly.view<?x?x?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @count(%Y: !fly.ptr<i32>, %Count: !fly.ptr<i32>, %M: i32, %N: i32, %B: i32) kernel attributes {fly.schedule = #sched} {
    %bm = fly.size BM
    %bn = fly.size BN
    %c1 = arith.constant 1 : i32
    %gm = arith.ceildivui %M, %bm : i32
    %gn = arith.ceildivui %N, %bn : i32
    %y = fly.view %Y[%B, %M, %N] : !V
    %c = fly.view %Count[%B, %gm, %gn] : !V
    %m, %n, %b = fly.grid to (%M, %N, %B) step (BM, BN, 1)
    %i = fly.iota from %m along 0 : !T
    %j = fly.iota from %n along 1 : !T
    %bt = fly.splat %b : i32 -> !T
    %s = arith.muli %i, %j : !T
    %t = arith.addi %s, %bt : !T
    fly.store %t, %y[%b, %m, %n] : !T, !V
    %im = arith.divui %m, %bm : i32
    %in = arith.divui %n, %bn : i32
    %old = fly.atomic_rmw add %c1, %c[%b, %im, %in] relaxed agent : !V
    gpu.return
  }
}
