// RUN: not fly-opt %s --fly-convert-to-rocdl --mlir-print-ir-after-failure -o /dev/null 2>&1 | FileCheck %s

// Where the pass refuses, the module is as it was, the first kernel too.

// CHECK: error: 'fly.require_multiple' op cannot be lowered to ROCDL
// CHECK: IR Dump After
// CHECK: gpu.func @fine
// CHECK: fly.barrier lds
// CHECK: gpu.func @refused
// CHECK: fly.require_multiple
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @fine() kernel attributes {fly.waves = 1 : i32} {
    fly.barrier lds
    gpu.return
  }
  gpu.func @refused(%m: i32) kernel attributes {fly.waves = 1 : i32} {
    fly.require_multiple %m of 4
    gpu.return
  }
}
