// RUN: fly-opt %s --fly-lower-checks=keep=true -split-input-file -verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @lanes(%ok: i1) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{is compiled in kernels on tiles alone, and this one has none}}
    fly.assert %ok, "must hold" : i1
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @wide(%t: tensor<4xi128>) kernel {
    // expected-error @below {{has a value of 'i128', and records hold numbers of at most 64 bits}}
    fly.print "{}", %t : tensor<4xi128>
    gpu.return
  }
}
