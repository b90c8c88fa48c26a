// Stages that were asked for and cannot be: one error each, with both places.
// RUN: fly-opt %s --fly-form-pipelines --split-input-file --verify-diagnostics

#sched = #fly.schedule<loop = {stages = {kk = -1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @unknown_label(%v: !V, %q: tensor<16x64xbf16>, %z: tensor<16x16xf32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    // expected-error @+1 {{schedule entry 'loop': 'stages' names 'kk', which is no load or dot at the top level of this loop; it has: k, qk}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x16xf32>) : i32 {
      %k = fly.load %v[%n, 0] label "k" : !V -> tensor<16x64xbf16>
      %d = fly.dot %q, %k, %o label "qk" : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

#sched = #fly.schedule<loop = {stages = {k = 1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @behind(%v: !V, %q: tensor<16x64xbf16>, %z: tensor<16x16xf32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    // expected-error @+1 {{schedule entry 'loop': 'stages' gives 'k' the stage 1; expected a number from -8 to 0}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x16xf32>) : i32 {
      %k = fly.load %v[%n, 0] label "k" : !V -> tensor<16x64xbf16>
      %d = fly.dot %q, %k, %o label "qk" : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

#sched = #fly.schedule<loop = {stages = {qk = -1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @carried(%v: !V, %q: tensor<16x64xbf16>, %z: tensor<16x16xf32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    // expected-error @+2 {{schedule entry 'loop': fly.dot 'qk' cannot run 1 iterations ahead: it takes %arg5, which the iteration before it yields}}
    // expected-note @+1 {{carried by this loop}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x16xf32>) : i32 {
      %k = fly.load %v[%n, 0] label "k" : !V -> tensor<16x64xbf16>
      // expected-note @+1 {{this op}}
      %d = fly.dot %q, %k, %o label "qk" : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

#sched = #fly.schedule<loop = {stages = {k = 0, qk = -1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @late(%v: !V, %q: tensor<16x64xbf16>, %z: tensor<16x16xf32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    // expected-error @+1 {{schedule entry 'loop': fly.load 'k' is to run 0 iterations ahead, but what takes its value runs 1 ahead}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x16xf32>) : i32 {
      // expected-note @+1 {{this op}}
      %k = fly.load %v[%n, 0] label "k" : !V -> tensor<16x64xbf16>
      // expected-note @+1 {{this fly.dot 'qk'}}
      %d = fly.dot %q, %k, %z label "qk" : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
      %s = arith.addf %d, %o : tensor<16x16xf32>
      scf.yield %s : tensor<16x16xf32>
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

#sched = #fly.schedule<loop = {stages = {k = -1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @overtakes(%p: !fly.ptr<bf16>, %q: tensor<16x64xbf16>, %z: tensor<16x16xf32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %v = fly.view %p[%N, 64] : !V
    %w = fly.view %p[%N, 64] : !V
    // expected-error @+1 {{schedule entry 'loop': fly.load 'k' cannot run ahead: the loop may write what it reads}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x16xf32>) : i32 {
      // expected-note @+1 {{this op}}
      %k = fly.load %v[%n, 0] label "k" : !V -> tensor<16x64xbf16>
      %d = fly.dot %q, %k, %o label "qk" : tensor<16x64xbf16>, tensor<16x64xbf16> -> tensor<16x16xf32>
      // expected-note @+1 {{by this op}}
      fly.store %k, %w[%n, 0] : tensor<16x64xbf16>, !V
      scf.yield %d : tensor<16x16xf32>
    } {fly.label = "loop"}
    gpu.return
  }
}

// -----

#sched = #fly.schedule<loop = {stages = {k = -1}}>
!V = !fly.view<?x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @index(%v: !V, %z: tensor<16x64xbf16>, %N: index) kernel attributes {fly.schedule = #sched} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    // expected-error @+1 {{cannot have stages: it needs tiles and a signed i32 induction variable that grows}}
    %r = scf.for %n = %c0 to %N step %c16 iter_args(%o = %z) -> (tensor<16x64xbf16>) {
      %i = arith.index_cast %n : index to i32
      %k = fly.load %v[%i, 0] label "k" : !V -> tensor<16x64xbf16>
      scf.yield %k : tensor<16x64xbf16>
    } {fly.label = "loop"}
    gpu.return
  }
}
