// More registers alive in program order than a wave has are a remark at the place:
// LLVM finds orders with fewer, so it is no warning, which --werror would refuse.

// RUN: fly-opt %s --fly-check-legal --remark-format=emitRemark --remarks-filter=fly-check-legal -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK: RegistersTight{{.*}}Function=k{{.*}}about 640 vector registers are alive here, a wave of gfx942 has 512: spills, unless LLVM finds a better order

gpu.module @report_only [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%n: i32) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : vector<16x10x4xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (vector<16x10x4xf32>) : i32 {
      %t = arith.addf %s, %s : vector<16x10x4xf32>
      scf.yield %t : vector<16x10x4xf32>
    }
    %e = vector.extract %r[0, 0, 0] : f32 from vector<16x10x4xf32>
    gpu.return
  }
}
