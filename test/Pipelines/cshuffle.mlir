// Results that change lanes on their way to memory: after a residual, in two
// types, one of them quantised to 8 bits, masked, and to rows by number. Exact, and the
// same bits as from where the lanes hold them.
// RUN: fly-run %s --kernel=outputs M=70 N=144 K=128 --out Y=@%t.y.npy --out Q=@%t.q.npy | FileCheck %s
// RUN: fly-run %s --kernel=outputs --schedule=y.epilogue=direct --schedule=q.epilogue=direct M=70 N=144 K=128 --expect Y=@%t.y.npy --expect Q=@%t.q.npy | FileCheck %s
// RUN: fly-run %s --chip=gfx950 --kernel=outputs --schedule=dot0.acc=plain M=64 N=128 K=64 | FileCheck %s
// RUN: fly-run %s --kernel=rows M=70 R=50 N=136 K=64 'Ids=i32[70]=iota' --out Y=@%t.r.npy | FileCheck %s
// RUN: fly-run %s --kernel=rows --schedule=y.epilogue=direct M=70 R=50 N=136 K=64 'Ids=i32[70]=iota' --expect Y=@%t.r.npy | FileCheck %s
// CHECK: right

// Every global store is of 16 bytes where nothing is masked, and all tiles lie
// over the operands', a mask as bytes.
// RUN: fly-compile %s --kernel=rows --emit=asm -o - | FileCheck %s --check-prefix=ISA
// ISA-NOT: _store_{{short|byte|dwordx2|dword }}
// ISA: global_store_dwordx4
// ISA-NOT: _store_{{short|byte|dwordx2|dword }}
// RUN: fly-compile %s --kernel=outputs --emit=explicit -o - | FileCheck %s --check-prefix=LDS
// LDS: fly.lds.struct @outputs_lds { a_0 : {{.*}} at 0, b_0 : {{.*}} at 8192, exchange0 : !fly.view<64x128xbf16, {{.*}} at 0, exchange1 : !fly.view<64x128xi8, {{.*}} at 0, exchange2 : !fly.view<64x128xi8, {{.*}} at 0 }

#sched = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 64}, waves = [1, 4],
    a = lds(stages = 1), b = lds(stages = 1), y = cshuffle, q = {epilogue = cshuffle, cache = stream}>
#sched2 = #fly.schedule<sizes = {BM = 64, BN = 128, BK = 64}, waves = [2, 2],
    a = lds(stages = 1), b = lds(stages = 1), y = {epilogue = cshuffle}>
!A   = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B   = tensor<?x?xbf16, #fly.tile<BN, BK>>
!Acc = tensor<?x?xf32, #fly.tile<BM, BN>>
!H   = tensor<?x?xbf16, #fly.tile<BM, BN>>
!Q   = tensor<?x?xi8, #fly.tile<BM, BN>>
!On  = tensor<?x?xi1, #fly.tile<BM, BN>>
!I   = tensor<?x?xi32, #fly.tile<BM, BN>>
!Ids = tensor<?xi32, #fly.tile<BM>>
!V   = !fly.view<?x?xbf16>
!VQ  = !fly.view<?x?xi8>
!VI  = !fly.view<?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @outputs(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %R: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>,
                    %Q: !fly.ptr<i8>, %M: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    fly.require_multiple %K of BK
    fly.require_multiple %N of 16
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %r = fly.view %R[%M, %N] : !V
    %y = fly.view %Y[%M, %N] : !V
    %q = fly.view %Q[%M, %N] : !VQ
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    %res = fly.load %r[%m, %n] : !V -> !H
    %wide = arith.extf %res : !H to !Acc
    %sum = arith.addf %acc, %wide : !Acc
    %top = arith.maximumf %sum, %zero : !Acc
    %h = arith.truncf %top : !Acc to !H
    fly.store %h, %y[%m, %n] label "y" : !H, !V
    // An eighth of it, where that is no multiple of 3.
    %eighth = fly.constant 0.125 : !Acc
    %small = arith.mulf %top, %eighth : !Acc
    %part = arith.fptosi %small : !Acc to !I
    %most = fly.constant 127 : !I
    %cut = arith.minsi %part, %most : !I
    %code = arith.trunci %cut : !I to !Q
    %int = arith.fptosi %top : !Acc to !I
    %three = fly.constant 3 : !I
    %rest = arith.remsi %int, %three : !I
    %none = fly.constant 0 : !I
    %on = arith.cmpi ne, %rest, %none : !I
    fly.store %code, %q[%m, %n] label "q" mask %on : !Q, !VQ, !On
    gpu.return
  }

  gpu.func @rows(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %Ids: !fly.ptr<i32>,
                 %M: i32, %R: i32, %N: i32, %K: i32) kernel attributes {fly.schedule = #sched2} {
    fly.require_multiple %K of BK
    fly.require_multiple %N of 8
    %a = fly.view %A[%M, %K] : !V
    %b = fly.view %B[%N, %K] : !V
    %y = fly.view %Y[%R, %N] : !V
    %i = fly.view %Ids[%M] : !VI
    %m, %n = fly.grid to (%M, %N) step (BM, BN)
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline %k = 0 to %K step BK iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[%m, %k] label "a" : !V -> !A
        %tb = fly.load %b[%n, %k] label "b" : !V -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !Acc
        fly.yield %d : !Acc
      }
    %h = arith.truncf %acc : !Acc to !H
    %ids = fly.load %i[%m] pad lowest : !VI -> !Ids
    fly.scatter %h, %y rows(%ids) at [%n] label "y" : !H, !V, !Ids
    gpu.return
  }
}
