// RUN: fly-opt %s --fly-plan-grid --fly-plan-programs -verify-diagnostics -split-input-file

#sched = #fly.schedule<waves = [1, 1], grid = {order = n_fastest}>
!V = !fly.view<?xf32>
!T = tensor<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%N] : !V
    %y = fly.view %Y[%N] : !V
    %n = fly.grid to (%N) step (64)
    %t = fly.load %x[%n] : !V -> !T
    fly.store %t, %y[%n] : !T, !V
    gpu.return
  }
}
func.func @one_memory_twice(%X: !fly.ptr<f32>, %N: i32) attributes {fly.program} {
  // expected-error @+1 {{passes one memory as 'X' and 'Y', which the kernel takes for two and writes: mark one of them {fly.may_alias} in the kernel}}
  fly.launch @m::@k(%X, %X, %N) : !fly.ptr<f32>, !fly.ptr<f32>, i32
  return
}

// -----

// What is read alone, or may alias, may be one memory.
#sched = #fly.schedule<waves = [1, 1], grid = {order = n_fastest}>
!V = !fly.view<?xf32>
!T = tensor<64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %Z: !fly.ptr<f32>, %Y: !fly.ptr<f32> {fly.may_alias}, %N: i32)
      kernel attributes {fly.schedule = #sched} {
    %x = fly.view %X[%N] : !V
    %z = fly.view %Z[%N] : !V
    %y = fly.view %Y[%N] : !V
    %n = fly.grid to (%N) step (64)
    %t = fly.load %x[%n] : !V -> !T
    %u = fly.load %z[%n] : !V -> !T
    %s = arith.addf %t, %u : !T
    fly.store %s, %y[%n] : !T, !V
    gpu.return
  }
}
func.func @allowed(%X: !fly.ptr<f32>, %N: i32) attributes {fly.program} {
  fly.launch @m::@k(%X, %X, %X, %N) : !fly.ptr<f32>, !fly.ptr<f32>, !fly.ptr<f32>, i32
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%s: f32) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @float_arithmetic(%s: f32) attributes {fly.program} {
  // expected-note @+1 {{'arith.remf' is none of these}}
  %t = arith.remf %s, %s : f32
  // expected-error @+1 {{passes 'arg0', which must be computed by add, sub, mul and div of f32, from numbers and the program's arguments}}
  fly.launch @m::@k(%t) : f32
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%n: i32) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @no_form_on_the_host(%n: i32) attributes {fly.program} {
  // expected-note @+1 {{'arith.xori' has no form on the host}}
  %t = arith.xori %n, %n : i32
  // expected-error @+1 {{passes 'arg0', which must be computed from the program's arguments by integer arithmetic}}
  fly.launch @m::@k(%t) : i32
  return
}

// -----

func.func @extent(%n: i32, %s: f32) attributes {fly.program} {
  // expected-note @+1 {{'arith.fptosi' has no form on the host}}
  %t = arith.fptosi %s : f32 to i32
  // expected-error @+1 {{extents must be computed from the program's arguments by integer arithmetic}}
  %h = fly.workspace[%t] : !fly.ptr<f32>
  return
}

// -----

func.func @names(%n: i32 {fly.name = "h"}) attributes {fly.program} {
  // expected-error @+1 {{has the name 'h' of another memory of the program}}
  %h = fly.workspace[%n] {fly.name = "h"} : !fly.ptr<f32>
  return
}

// -----

gpu.module @a [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
gpu.module @b [#rocdl.target<chip = "gfx950">] {
  gpu.func @l() kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @two_chips() attributes {fly.program} {
  fly.launch @a::@k()
  // expected-error @+1 {{launches a kernel for gfx950 in a program for gfx942: a program runs on one chip}}
  fly.launch @b::@l()
  return
}

// -----

func.func @condition(%Y: !fly.ptr<f32>, %n: i32, %s: f32) attributes {fly.program} {
  // expected-note @+1 {{'arith.cmpf' has no form on the host}}
  %c = arith.cmpf oeq, %s, %s : f32
  // expected-error @+1 {{condition must be computed from the program's arguments by integer arithmetic}}
  scf.if %c {
    fly.fill %Y[%n], 0.0 : !fly.ptr<f32>
  }
  return
}

// -----

func.func @bound(%Y: !fly.ptr<f32>, %n: i32, %s: f32) attributes {fly.program} {
  // expected-note @+1 {{'arith.fptosi' has no form on the host}}
  %t = arith.fptosi %s : f32 to i32
  // expected-error @+1 {{step must be computed from the program's arguments by integer arithmetic}}
  scf.for %i = %n to %n step %t : i32 {
    fly.fill %Y[%i], 0.0 : !fly.ptr<f32>
  }
  return
}
