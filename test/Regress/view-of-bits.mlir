// Truth values have no bytes of their own in memory.
// RUN: not fly-compile %s -o %t.hsaco 2>&1 | FileCheck %s
// CHECK: view-of-bits.mlir:[[@LINE+7]]:{{[0-9]+}}: error: {{.*}} cannot read elements of 'i1', which are no whole bytes: keep truth values as i8 and compare with 0
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%K: !fly.ptr<i1>, %Y: !fly.ptr<i32>, %M: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %k = fly.view %K[%M, 64] : !fly.view<?x64xi1>
    %y = fly.view %Y[%M, 64] : !fly.view<?x64xi32>
    %m = fly.grid to (%M) step (16)
    // The load, not an op that a pass made.
    %on = fly.load %k[%m, 0] : !fly.view<?x64xi1> -> tensor<16x64xi1>
    %t = arith.extui %on : tensor<16x64xi1> to tensor<16x64xi32>
    fly.store %t, %y[%m, 0] : tensor<16x64xi32>, !fly.view<?x64xi32>
    gpu.return
  }
}
