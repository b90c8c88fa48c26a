// The work of matrix products in the launch contract: expressions over the
// arguments, sums where an end depends on the tile, upper bounds where memory
// decides, nothing where only memory knows.
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid | FileCheck %s
#sched = #fly.schedule<waves = [1, 1]>
!A = tensor<32x32xbf16>
!H = tensor<32x32xf16>
!C = tensor<32x32xf32>
!V = !fly.view<?x?xbf16>
!W = !fly.view<?x?xf16>
!O = !fly.view<?x?xf32>
!I = !fly.view<?xi32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // What is no part of a size counts as often as it turns: R products a tile,
  // and tiles' sizes cancel.
  // CHECK-LABEL: gpu.func @repeated
  // CHECK-SAME: work = [{a = "bf16", b = "bf16", flop = "2 * M * N * R * K"}]
  gpu.func @repeated(%A: !fly.ptr<bf16> {fly.name = "A"}, %C: !fly.ptr<f32> {fly.name = "C"}, %M: i32 {fly.name = "M"},
                     %N: i32 {fly.name = "N"}, %K: i32 {fly.name = "K"}, %R: i32 {fly.name = "R"})
      kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %a = fly.view %A[%M, %K] : !V
    %c = fly.view %C[%M, %N] : !O
    %m, %n = fly.grid to (%M, %N) step (32, 32)
    %z = fly.constant 0.0 : !C
    %s = scf.for %r = %c0 to %R step %c1 iter_args(%x = %z) -> (!C) : i32 {
      %q = scf.for %k = %c0 to %K step %c32 iter_args(%y = %x) -> (!C) : i32 {
        %t = fly.load %a[%m, %k] : !V -> !A
        %d = fly.dot %t, %t, %y : !A, !A -> !C
        scf.yield %d : !C
      }
      scf.yield %q : !C
    }
    fly.store %s, %c[%m, %n] : !C, !O
    gpu.return
  }

  // A causal mask: the loop ends behind the tile's rows. Two products of a turn
  // are counted together, those of another type apart.
  // CHECK-LABEL: gpu.func @causal
  // CHECK-SAME: work = [{a = "bf16", b = "bf16", flop = "128 * min(32, S - tile.0) * max(min(tile.0 + 32, S), 0)"
  // CHECK-SAME: over = [{by = "32", counter = "tile.0", from = "0", to = "S"}]}
  // CHECK-SAME: {a = "f16", b = "f16", flop = "64 * min(32, S - tile.0) * max(min(tile.0 + 32, S), 0)"
  gpu.func @causal(%A: !fly.ptr<bf16> {fly.name = "A"}, %B: !fly.ptr<f16> {fly.name = "B"}, %C: !fly.ptr<f32> {fly.name = "C"}, %S: i32 {fly.name = "S"})
      kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %a = fly.view %A[%S, 32] : !V
    %b = fly.view %B[%S, 32] : !W
    %c = fly.view %C[%S, 32] : !O
    %m = fly.grid to (%S) step (32)
    %z = fly.constant 0.0 : !C
    %behind = arith.addi %m, %c32 : i32
    %end = arith.minsi %behind, %S : i32
    %s = scf.for %n = %c0 to %end step %c32 iter_args(%x = %z) -> (!C) : i32 {
      %t = fly.load %a[%n, 0] : !V -> !A
      %h = fly.load %b[%n, 0] : !W -> !H
      %d = fly.dot %t, %t, %x : !A, !A -> !C
      %e = fly.dot %t, %t, %d : !A, !A -> !C
      %f = fly.dot %h, %h, %e : !H, !H -> !C
      scf.yield %f : !C
    }
    fly.store %s, %c[%m, 0] : !C, !O
    gpu.return
  }

  // Conditions: one of the arguments; one of memory; and two branches that do
  // the same, as the versions of a kernel.
  // CHECK-LABEL: gpu.func @branches
  // CHECK-SAME: work = [{a = "bf16", b = "bf16", flop = "select(S > 100, 2048 * S, 0)"}
  // CHECK-SAME: {a = "bf16", at_most = true, b = "bf16", flop = "2048 * S"}
  // CHECK-SAME: {a = "bf16", b = "bf16", flop = "2048 * S"}]
  gpu.func @branches(%A: !fly.ptr<bf16> {fly.name = "A"}, %C: !fly.ptr<f32> {fly.name = "C"}, %L: !fly.ptr<i32> {fly.name = "L"}, %S: i32 {fly.name = "S"})
      kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c100 = arith.constant 100 : i32
    %a = fly.view %A[%S, 32] : !V
    %c = fly.view %C[%S, 32] : !O
    %l = fly.view %L[1] : !I
    %m = fly.grid to (%S) step (32)
    %z = fly.constant 0.0 : !C
    %t = fly.load %a[%m, 0] : !V -> !A
    %live = fly.load_scalar %l[0] : !I -> i32
    %many = arith.cmpi sgt, %S, %c100 : i32
    %some = arith.cmpi slt, %m, %live : i32
    scf.if %many {
      %d = fly.dot %t, %t, %z : !A, !A -> !C
      fly.store %d, %c[%m, 0] : !C, !O
    }
    scf.if %some {
      %d = fly.dot %t, %t, %z : !A, !A -> !C
      fly.store %d, %c[%m, 0] : !C, !O
    }
    scf.if %some {
      %d = fly.dot %t, %t, %z : !A, !A -> !C
      fly.store %d, %c[%m, 0] : !C, !O
    } else {
      %d = fly.dot %t, %t, %z : !A, !A -> !C
      fly.store %d, %c[%m, 0] : !C, !O
    }
    gpu.return
  }

  // A loop whose end lies in memory.
  // CHECK-LABEL: gpu.func @in_memory
  // CHECK-SAME: work = [{a = "bf16", b = "bf16"}]
  gpu.func @in_memory(%A: !fly.ptr<bf16> {fly.name = "A"}, %C: !fly.ptr<f32> {fly.name = "C"}, %L: !fly.ptr<i32> {fly.name = "L"}, %S: i32 {fly.name = "S"})
      kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %a = fly.view %A[%S, 32] : !V
    %c = fly.view %C[%S, 32] : !O
    %l = fly.view %L[1] : !I
    %m = fly.grid to (%S) step (32)
    %z = fly.constant 0.0 : !C
    %end = fly.load_scalar %l[0] : !I -> i32
    %s = scf.for %n = %c0 to %end step %c32 iter_args(%x = %z) -> (!C) : i32 {
      %t = fly.load %a[%n, 0] : !V -> !A
      %d = fly.dot %t, %t, %x : !A, !A -> !C
      scf.yield %d : !C
    }
    fly.store %s, %c[%m, 0] : !C, !O
    gpu.return
  }

  // Nothing is multiplied.
  // CHECK-LABEL: gpu.func @copy
  // CHECK-NOT: work =
  // CHECK: gpu.return
  gpu.func @copy(%A: !fly.ptr<bf16> {fly.name = "A"}, %S: i32 {fly.name = "S"}) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%S, 32] : !V
    %m = fly.grid to (%S) step (32)
    %t = fly.load %a[%m, 0] : !V -> !A
    fly.store %t, %a[%m, 0] : !A, !V
    gpu.return
  }
}
