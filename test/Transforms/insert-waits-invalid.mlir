// RUN: fly-opt %s --fly-insert-waits --split-input-file --verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @flow_graph(%c: i1) kernel attributes {fly.waves = 2 : i32} {
    cf.cond_br %c, ^a, ^b
  ^a:
    // expected-error @below {{stands in a kernel with a flow graph, where waits cannot be placed; use 'fly.barrier lds', or scf for control flow}}
    fly.barrier bare
    cf.br ^b
  ^b:
    gpu.return
  }
}
