// RUN: fly-opt %s --fly-plan-grid -split-input-file -verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{has no 'fly.schedule': run fly-resolve-schedule first}}
  gpu.func @not_resolved() kernel {
    %z = fly.constant 0.0 : tensor<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'waves' is not resolved: run fly-resolve-schedule first}}
  gpu.func @waves_not_resolved() kernel attributes {fly.schedule = #fly.schedule<waves = auto>} {
    %z = fly.constant 0.0 : tensor<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // The threads of so many waves do not fit 64 bits.
  // expected-error @+1 {{schedule entry 'waves' is not resolved: run fly-resolve-schedule first}}
  gpu.func @too_many_waves() kernel attributes {fly.schedule = #fly.schedule<waves = [2147483647, 2147483647]>} {
    %z = fly.constant 0.0 : tensor<64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @dot_not_resolved() kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %z = fly.constant 0.0 : tensor<64x64xf32>
    %a = fly.constant 0.0 : tensor<64x64xbf16>
    // expected-error @+1 {{has no resolved entry in the schedule: run fly-resolve-schedule first}}
    %d = fly.dot %a, %a, %z : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    gpu.return
  }
}

// -----

// Nothing says how large a workgroup is.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{has no tiles and no 'fly.waves', so nothing says how many waves a workgroup has}}
  gpu.func @no_waves() kernel {
    gpu.return
  }
}

// -----

// A bound that only the device knows.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @bound_of_the_device(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    // expected-note @+1 {{'arith.fptosi' has no form on the host}}
    %n = arith.fptosi %x : f32 to i32
    // expected-error @+1 {{its bound must be computed from kernel arguments alone, by integer arithmetic}}
    %m = fly.grid to (%n) step (64)
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @multiple_of_the_device(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    // expected-note @+1 {{'arith.fptosi' has no form on the host}}
    %n = arith.fptosi %x : f32 to i32
    // expected-error @+1 {{its value must be computed from kernel arguments alone}}
    fly.require_multiple %n of 64
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @condition_of_the_device(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    // expected-note @+1 {{'arith.cmpf' has no form on the host}}
    %c = arith.cmpf olt, %x, %x : f32
    // expected-error @+1 {{its condition must be computed from kernel arguments alone}}
    fly.require %c, "x < x"
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @name_left(%x: i32) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @+1 {{'fly.require_multiple' op has the size 'BK' in place of a number: run fly-instantiate first}}
    fly.require_multiple %x of BK
    gpu.return
  }
}

// -----

// Requirements that no launch meets.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @never_a_multiple() kernel attributes {fly.waves = 1 : i32} {
    %c96 = arith.constant 96 : i32
    // expected-error @+1 {{can never hold: 96 is not a multiple of 64}}
    fly.require_multiple %c96 of 64
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @never_true() kernel attributes {fly.waves = 1 : i32} {
    %c96 = arith.constant 96 : i32
    %less = arith.cmpi slt, %c96, %c96 : i32
    // expected-error @+1 {{can never hold: N must not exceed BN}}
    fly.require %less, "N must not exceed BN"
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @requirement_in_branch(%x: i32, %c: i1) kernel attributes {fly.waves = 1 : i32} {
    scf.if %c {
      // expected-error @+1 {{must be at the top level of the kernel: it holds for the whole launch}}
      fly.require_multiple %x of 64
    }
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @too_many_work_items() kernel attributes {fly.waves = 4 : i32} {
    // expected-error @+1 {{has 4294967296 work items, limit is 4294967295}}
    %m, %n = fly.grid to (4096, 4096) step (1, 1)
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{argument 'arg0' of kernel 'memref_argument' has type 'memref<4xf32>', which cannot be passed at a launch; pass !fly.ptr or a number}}
  gpu.func @memref_argument(%A: memref<4xf32>) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{has two arguments of the name 'M'}}
  gpu.func @same_names(%M: i32 {fly.name = "M"}, %N: i32 {fly.name = "M"}) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}

// -----

// 31 bits of bytes inside one tile: by number, and where nobody can check.
#sched = #fly.schedule<waves = [1, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @tile_of_2_gib(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[64, 64] strides [16777216, 1] : !fly.view<64x64xf32>
    // expected-error @+1 {{spans 4227858688 bytes with its tile, limit is 2147483647}}
    %t = fly.load %a[0, 0] : !fly.view<64x64xf32> -> tensor<64x64xf32>
    gpu.return
  }
}

// -----

#sched = #fly.schedule<waves = [1, 1]>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @stride_of_the_device(%A: !fly.ptr<f32>, %x: f32) kernel attributes {fly.schedule = #sched} {
    %ld = arith.fptosi %x : f32 to i32
    // expected-note @+1 {{the view}}
    %a = fly.view %A[64, 64] strides [%ld, 1] : !fly.view<64x64xf32>
    // expected-error @+1 {{reaches a view whose strides are not computed from kernel arguments alone}}
    %t = fly.load %a[0, 0] : !fly.view<64x64xf32> -> tensor<64x64xf32>
    gpu.return
  }
}

// -----

// The launch's bytes are one piece.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @A { x : !fly.view<?xi8, lds> }
  fly.lds.struct @B { y : !fly.view<?xi8, lds> }
  gpu.func @two_dynamic_members() kernel attributes {fly.waves = 1 : i32} {
    %a = fly.lds.alloc : !fly.lds<@A>
    %a2 = fly.lds.alloc : !fly.lds<@A>
    // expected-error @+1 {{has the dynamic member 'B.y' beside 'A.x': both would begin where the launch's bytes do}}
    %b = fly.lds.alloc : !fly.lds<@B>
    gpu.return
  }
}
