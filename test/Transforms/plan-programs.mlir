// The launch contract of a program: the kernels' contracts over its arguments.
// RUN: fly-opt %s --fly-plan-programs -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-plan-programs --fly-plan-programs -split-input-file | FileCheck %s

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32, %s: f32) kernel attributes {
      fly.waves = 1 : i32,
      fly.contract = {kernel = "k", chip = "gfx942", block = [64, 1, 1], grid = ["N ceildiv 64", "1", "1"],
        lds = {static = 0, dynamic = "0"},
        arguments = [
          {name = "X", kind = "pointer", type = "f32", offset = 0, size = 8, access = "read", alignment = 16,
           extents = ["N"], strides = ["1"]},
          {name = "Y", kind = "pointer", type = "f32", offset = 8, size = 8, access = "write", alignment = 64,
           extents = ["N", "4"], strides = ["4", "1"]},
          {name = "N", kind = "scalar", type = "i32", offset = 16, size = 4},
          {name = "s", kind = "scalar", type = "f32", offset = 20, size = 4}],
        requirements = [{expr = "N", multiple_of = "8"}, {expr = "N < 1000", message = "N is too large"}]}} {
    gpu.return
  }
}

// CHECK-LABEL: func.func @p
// CHECK-SAME: fly.contract = {arguments = [
// X is read; Y is written first, so it is no input.
// CHECK-SAME: {access = "read", alignment = 16 : i64, kind = "pointer", name = "X", offset = 0 : i64, size = 8 : i64, type = "f32"}
// CHECK-SAME: {access = "write", alignment = 16 : i64, kind = "pointer", name = "Y", offset = 8 : i64, size = 8 : i64, type = "f32"}
// CHECK-SAME: {kind = "scalar", name = "T", offset = 16 : i64, size = 4 : i64, type = "i32"}
// CHECK-SAME: {kind = "scalar", name = "s", offset = 20 : i64, size = 4 : i64, type = "f32"}]
// CHECK-SAME: chip = "gfx942", program = "p", requirements = []
// CHECK-SAME: steps = [{bits = 1065353216 : i64, extents = ["T", "4"], fill = "Y"}
// CHECK-SAME: {arguments = [{argument = "X", extents = ["T * 2"], memory = "X", offset = 0 : i64, strides = ["1"]}, {argument = "Y", extents = ["T * 2", "4"], memory = "h", offset = 8 : i64, strides = ["4", "1"]}, {argument = "N", offset = 16 : i64, value = "T * 2"}, {argument = "s", float = [{argument = "s"}], offset = 20 : i64}], grid = ["T * 2 ceildiv 64", "1", "1"], launch = "k", requirements = [{expr = "T * 2", multiple_of = "8"}, {expr = "T * 2 < 1000", message = "N is too large"}]}
// CHECK-SAME: {arguments = [{argument = "X", extents = ["T"], memory = "Y", offset = 0 : i64, strides = ["1"]}, {argument = "Y", extents = ["T", "4"], memory = "h", offset = 8 : i64, strides = ["4", "1"]}, {argument = "N", offset = 16 : i64, value = "T"}, {argument = "s", float = [{argument = "s"}, {number = 2 : i64}, "mul", {integer = "T * 2"}, "div"], offset = 20 : i64}]
// CHECK-SAME: workspaces = [{access = "read_write", alignment = 64 : i64, extents = ["T * 2", "4"], name = "h", type = "f32"}]
func.func @p(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %T: i32, %s: f32) attributes {fly.program} {
  %c2 = arith.constant 2 : i32
  %t2 = arith.muli %T, %c2 : i32
  %two = arith.constant 2.0 : f32
  %s2 = arith.mulf %s, %two : f32
  %tf = arith.sitofp %t2 : i32 to f32
  %scale = arith.divf %s2, %tf : f32
  %h = fly.workspace[%t2, 4] : !fly.ptr<f32>
  fly.fill %Y[%T, 4], 1.0 : !fly.ptr<f32>
  fly.launch @m::@k(%X, %h, %t2, %s) : !fly.ptr<f32>, !fly.ptr<f32>, i32, f32
  fly.launch @m::@k(%Y, %h, %T, %scale) : !fly.ptr<f32>, !fly.ptr<f32>, i32, f32
  return
}

// -----

// Unsigned and rounding ops rely on values that are not negative.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: requirements = [{expr = "T >= 0", message = "T must not be negative"}]
// CHECK-SAME: extents = ["T floordiv 2"], name = "h"
func.func @unsigned(%T: i32) attributes {fly.program} {
  %c2 = arith.constant 2 : i32
  %half = arith.divui %T, %c2 : i32
  %h = fly.workspace[%half] : !fly.ptr<f32>
  return
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32) kernel attributes {
      fly.waves = 1 : i32,
      fly.contract = {kernel = "k", chip = "gfx942", block = [64, 1, 1], grid = ["N ceildiv 64", "1", "1"],
        lds = {static = 0, dynamic = "0"},
        arguments = [
          {name = "X", kind = "pointer", type = "f32", offset = 0, size = 8, access = "read", alignment = 16,
           extents = ["N"], strides = ["1"]},
          {name = "Y", kind = "pointer", type = "f32", offset = 8, size = 8, access = "write", alignment = 16,
           extents = ["N"], strides = ["1"]},
          {name = "N", kind = "scalar", type = "i32", offset = 16, size = 4}],
        requirements = []}} {
    gpu.return
  }
}

// The counter's name is none of an argument's. What an unsigned op of a branch
// reads is required where the branch is taken. Y is written in one branch alone
// before it is read, so it is an input; Z is written in both.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: {access = "read_write", {{[^}]*}} name = "Y"
// CHECK-SAME: {access = "write", {{[^}]*}} name = "Z"
// CHECK-SAME: requirements = [],
// CHECK-SAME: steps = [{by = "2", for = "loop1", from = "0", steps = [
// CHECK-SAME: {else = [{bits = 0 : i64, extents = ["loop1"], fill = "Z"}], if = "loop1 < loop0", then = [{require = [{expr = "loop1 >= 0", message = "loop1 must not be negative"}]}, {arguments = [{argument = "X", extents = ["loop1 floordiv 2"], memory = "h", offset = 0 : i64, strides = ["1"]}, {argument = "Y", extents = ["loop1 floordiv 2"], memory = "Y"
// CHECK-SAME: grid = ["loop1 floordiv 2 ceildiv 64", "1", "1"], launch = "k"
// CHECK-SAME: fill = "Z"}]}
// CHECK-SAME: launch = "k", requirements = []}, {arguments = [{argument = "X", extents = ["loop0"], memory = "Z"
// CHECK-SAME: to = "loop0"}]
func.func @branches(%Y: !fly.ptr<f32>, %Z: !fly.ptr<f32>, %T: i32 {fly.name = "loop0"}) attributes {fly.program} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %h = fly.workspace[%T] : !fly.ptr<f32>
  scf.for %i = %c0 to %T step %c2 : i32 {
    %less = arith.cmpi slt, %i, %T : i32
    scf.if %less {
      %half = arith.divui %i, %c2 : i32
      fly.launch @m::@k(%h, %Y, %half) : !fly.ptr<f32>, !fly.ptr<f32>, i32
      fly.fill %Z[%i], 0.0 : !fly.ptr<f32>
    } else {
      fly.fill %Z[%i], 0.0 : !fly.ptr<f32>
    }
    fly.launch @m::@k(%Y, %h, %T) : !fly.ptr<f32>, !fly.ptr<f32>, i32
    fly.launch @m::@k(%Z, %h, %T) : !fly.ptr<f32>, !fly.ptr<f32>, i32
  }
  return
}
