// Sums of products of i8 wrap: 2147483647 + 1 * 1 in the first element, and
// nothing elsewhere. The kernel compares by itself.
// RUN: fly-run %s --expect Bad=zeros | FileCheck %s
// RUN: fly-run %s --chip=gfx950 --size=BK=64 --expect Bad=zeros | FileCheck %s
// CHECK: right
// CHECK: Bad: 256 of 256 equal
#sched = #fly.schedule<sizes = {BM = 16, BK = 64}, waves = [1, 1]>
!A = tensor<?x?xi8, #fly.tile<BM, BK>>
!AI = tensor<?x?xi32, #fly.tile<BM, BK>>
!C = tensor<?x?xi32, #fly.tile<BM, BM>>
!V = !fly.view<16x16xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @wrap(%D: !fly.ptr<i32>, %Bad: !fly.ptr<i32>) kernel attributes {fly.schedule = #sched} {
    %d = fly.view %D[16, 16] : !V
    %bad = fly.view %Bad[16, 16] : !V
    %g = fly.grid to (1) step (1)
    // 1 in row 0, column 0; 0 elsewhere.
    %r = fly.iota along 0 : !AI
    %c = fly.iota along 1 : !AI
    %sum = arith.ori %r, %c : !AI
    %none = fly.constant 0 : !AI
    %first = arith.cmpi eq, %sum, %none : !AI
    %one8 = fly.constant 1 : !A
    %none8 = fly.constant 0 : !A
    %a = arith.select %first, %one8, %none8 : tensor<?x?xi1, #fly.tile<BM, BK>>, !A
    %most = fly.constant 2147483647 : !C
    %p = fly.dot %a, %a, %most : !A, !A -> !C
    %rr = fly.iota along 0 : !C
    %cc = fly.iota along 1 : !C
    %at = arith.ori %rr, %cc : !C
    %zero = fly.constant 0 : !C
    %isFirst = arith.cmpi eq, %at, %zero : !C
    %least = fly.constant -2147483648 : !C
    %expected = arith.select %isFirst, %least, %most : tensor<?x?xi1, #fly.tile<BM, BM>>, !C
    %differ = arith.cmpi ne, %p, %expected : !C
    %count = arith.extui %differ : tensor<?x?xi1, #fly.tile<BM, BM>> to !C
    fly.store %p, %d[0, 0] : !C, !V
    fly.store %count, %bad[0, 0] : !C, !V
    gpu.return
  }
}
