// What programs and their ops refuse. C1.. are the labels of the definitions.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{cannot carry 'fly.program': it belongs on a func.func}}
module attributes {fly.program} {}

// -----

// expected-error @+1 {{expects 'fly.program' without a value, got 1 : i64}}
func.func @value() attributes {fly.program = 1} {
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{with 'fly.program' must stand beside the gpu.modules of its kernels, in the outer module}}
  func.func @inside() attributes {fly.program} {
    return
  }
}

// -----

// expected-error @+1 {{with 'fly.program' returns nothing, results are written to memory; it has 1 results}}
func.func @result(%x: i32) -> i32 attributes {fly.program} {
  return %x : i32
}

// -----

// expected-error @+1 {{with 'fly.program' takes !fly.ptr and numbers, argument 1 is 'tensor<4xf32>'}}
func.func @tile(%x: i32, %t: tensor<4xf32>) attributes {fly.program} {
  return
}

// -----

// expected-error @+1 {{with 'fly.program' needs a body of one block, got 0}}
func.func private @declaration() attributes {fly.program}

// -----

// expected-note @+1 {{the program}}
func.func @while(%n: i1) attributes {fly.program} {
  // expected-error @+1 {{'scf.while' op cannot stand in a program, which holds fly.workspace, fly.fill, fly.launch, arith on scalars, and scf.if and scf.for around them}}
  scf.while : () -> () {
    scf.condition(%n)
  } do {
    scf.yield
  }
  return
}

// -----

// expected-note @+1 {{the program}}
func.func @loop_with_values(%n: i32) attributes {fly.program} {
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{'scf.for' op has results, but a program's branches and loops hand on nothing: choose between numbers by arith.select, compute what changes from turn to turn from the counter, and launch in each branch with its own memory}}
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%s = %n) -> (i32) : i32 {
    scf.yield %s : i32
  }
  return
}

// -----

// expected-note @+1 {{the program}}
func.func @branch_with_values(%c: i1, %n: i32) attributes {fly.program} {
  // expected-error @+1 {{'scf.if' op has results}}
  %r = scf.if %c -> (i32) {
    scf.yield %n : i32
  } else {
    scf.yield %n : i32
  }
  return
}

// -----

// expected-note @+1 {{the program}}
func.func @unsigned_loop(%n: i32) attributes {fly.program} {
  // expected-error @+1 {{'scf.for' op is unsigned, but a program's loop counts signed numbers}}
  scf.for unsigned %i = %n to %n step %n : i32 {
  }
  return
}

// -----

// expected-note @+1 {{the program}}
func.func @nested(%c: i1) attributes {fly.program} {
  scf.if %c {
    // expected-error @+1 {{'arith.constant' op cannot stand in a program}}
    %w = arith.constant dense<0.0> : vector<4xf32>
  }
  return
}

// -----

func.func @workspace_in_a_branch(%c: i1) attributes {fly.program} {
  scf.if %c {
    // expected-error @+1 {{stands in a program alone, outside of branches and loops: a func.func with 'fly.program'}}
    %h = fly.workspace[4] : !fly.ptr<f32>
  }
  return
}

// -----

func.func @fill_in_a_branch_outside(%p: !fly.ptr<f32>, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{stands in a program alone: a func.func with 'fly.program'}}
    fly.fill %p[4], 0.0 : !fly.ptr<f32>
  }
  return
}

// -----

// expected-note @+1 {{the program}}
func.func @tiles() attributes {fly.program} {
  // expected-error @+1 {{'arith.constant' op cannot stand in a program}}
  %t = arith.constant dense<0.0> : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{has 'fly.workspace' on argument 0: it belongs on an argument of a kernel; a program makes workspaces by fly.workspace}}
func.func @kernel_attribute(%x: !fly.ptr<f32> {fly.workspace}) attributes {fly.program} {
  return
}

// -----

func.func @workspace_outside() {
  // expected-error @+1 {{stands in a program alone, outside of branches and loops: a func.func with 'fly.program'}}
  %h = fly.workspace[4] : !fly.ptr<f32>
  return
}

// -----

func.func @fill_outside(%p: !fly.ptr<f32>) {
  // expected-error @+1 {{stands in a program alone: a func.func with 'fly.program'}}
  fly.fill %p[4], 0.0 : !fly.ptr<f32>
  return
}

// -----

func.func @launch_outside() {
  // expected-error @+1 {{stands in a program alone: a func.func with 'fly.program'}}
  fly.launch @m::@k()
  return
}

// -----

func.func @no_extents() attributes {fly.program} {
  // expected-error @+1 {{expects one to 4 extents, got 0}}
  %h = "fly.workspace"() <{static_extents = []}> : () -> !fly.ptr<f32>
  return
}

// -----

func.func @negative() attributes {fly.program} {
  // expected-error @+1 {{expects extents of at least 0, dimension 1 has -1}}
  %h = fly.workspace[4, -1] : !fly.ptr<f32>
  return
}

// -----

func.func @size(%p: !fly.ptr<f32>) attributes {fly.program} {
  // expected-error @+1 {{has the name 'BM' as extent 0: a program has no schedule, write a number or a value}}
  fly.fill %p[BM], 0.0 : !fly.ptr<f32>
  return
}

// -----

func.func @five(%p: !fly.ptr<f32>) attributes {fly.program} {
  // expected-error @+1 {{expects one to 4 extents, got 5}}
  fly.fill %p[1, 1, 1, 1, 1], 0.0 : !fly.ptr<f32>
  return
}

// -----

func.func @counts(%p: !fly.ptr<f32>) attributes {fly.program} {
  // expected-error @+1 {{has 0 extents as values where the attribute says 1}}
  "fly.fill"(%p) <{static_extents = [unit], value = 0}> : (!fly.ptr<f32>) -> ()
  return
}

// -----

func.func @fraction(%p: !fly.ptr<i32>) attributes {fly.program} {
  // expected-error @+1 {{value 5.000000e-01 : f64 does not exist in 'i32'}}
  fly.fill %p[4], 0.5 : !fly.ptr<i32>
  return
}

// -----

func.func @name() attributes {fly.program} {
  // expected-error @+1 {{expects 'fly.name' to be a string, got 1 : i64}}
  %h = fly.workspace[4] {fly.name = 1} : !fly.ptr<f32>
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @unknown() attributes {fly.program} {
  // expected-error @+1 {{knows no kernel @m::@l; the module has @m::@k}}
  fly.launch @m::@l()
  return
}

// -----

// expected-note @+1 {{the function}}
func.func private @helper()
func.func @no_kernel() attributes {fly.program} {
  // expected-error @+1 {{expects a kernel in a gpu.module, @helper is none}}
  fly.launch @helper()
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{the kernel}}
  gpu.func @k(%p: !fly.ptr<f32>, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @too_few(%p: !fly.ptr<f32>) attributes {fly.program} {
  // expected-error @+1 {{passes 1 arguments, the kernel takes 2}}
  fly.launch @m::@k(%p) : !fly.ptr<f32>
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{the kernel}}
  gpu.func @k(%p: !fly.ptr<f32>, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
func.func @type(%p: !fly.ptr<bf16>, %n: i32) attributes {fly.program} {
  // expected-error @+1 {{passes '!fly.ptr<bf16>' as argument 0, the kernel takes '!fly.ptr<f32>'}}
  fly.launch @m::@k(%p, %n) : !fly.ptr<bf16>, i32
  return
}
