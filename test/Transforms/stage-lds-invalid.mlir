// RUN: fly-opt %s --fly-stage-lds -split-input-file -verify-diagnostics

!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @read_after_overwrite(%x: !fly.ptr<f32>) kernel {
    %t = fly.constant 0.0 : !G
    // expected-note @+1 {{the tile it reads}}
    %first = fly.convert_layout %t : !G -> !S0
    %second = fly.convert_layout %t : !G -> !S0
    // expected-error @+1 {{reads a tile of LDS slot #fly.staged<"a", 0> that has been overwritten}}
    %v = fly.convert_layout %first : !S0 -> !G
    gpu.return
  }
}

// -----

// The second trip round the loop would read what the first one wrote.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @read_round_the_loop(%x: !fly.ptr<f32>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = fly.constant 0.0 : !G
    // expected-note @+1 {{the tile it reads}}
    %first = fly.convert_layout %t : !G -> !S0
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error @+1 {{that has been overwritten}}
      %v = fly.convert_layout %first : !S0 -> !G
      %second = fly.convert_layout %v : !G -> !S0
    }
    gpu.return
  }
}

// -----

!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!H = tensor<32x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @two_tiles_one_label(%x: !fly.ptr<f32>) kernel {
    %g = fly.constant 0.0 : !G
    %h = fly.constant 0.0 : !H
    %a = fly.convert_layout %g : !G -> tensor<64x32xf32, #fly.staged<"a", 0>>
    // expected-error @+1 {{where the slot holds 'tensor<64x32xf32, #fly.staged<"a", 0>>': labels of different tiles must differ}}
    %b = fly.convert_layout %h : !H -> tensor<32x32xf32, #fly.staged<"a", 0>>
    gpu.return
  }
}

// -----

!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @computed_in_lds(%x: !fly.ptr<f32>) kernel {
    %g = fly.constant 0.0 : tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
    %a = fly.convert_layout %g : tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>> -> !S0
    // expected-error @+1 {{takes a tile that lies in LDS, #fly.staged<"a", 0>; read it by fly.convert_layout first}}
    %b = arith.addf %a, %a : !S0
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @made_in_lds(%x: !fly.ptr<f32>) kernel {
    // expected-error @+1 {{gives a tile that lies in LDS; fly.convert_layout makes them, scf.for and scf.if hand them on}}
    %a = fly.constant 0.0 : tensor<64x32xf32, #fly.staged<"a", 0>>
    gpu.return
  }
}

// -----

// The second trip would read what the first one wrote.
!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
!S0 = tensor<64x32xf32, #fly.staged<"a", 0>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @read_round_a_while(%x: !fly.ptr<f32>, %n: i1) kernel {
    %t = fly.constant 0.0 : !G
    // expected-note @+1 {{the tile it reads}}
    %first = fly.convert_layout %t : !G -> !S0
    scf.while : () -> () {
      // expected-error @+1 {{reads a tile of LDS slot #fly.staged<"a", 0> that has been overwritten}}
      %v = fly.convert_layout %first : !S0 -> !G
      scf.condition(%n)
    } do {
      %second = fly.convert_layout %t : !G -> !S0
      scf.yield
    }
    gpu.return
  }
}

// -----

!G = tensor<64x32xf32, #fly.blocked<threads = [8, 8], vector = 4>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{has tiles in a flow graph; control flow at tile level is scf}}
  gpu.func @flow_graph(%x: !fly.ptr<f32>) kernel {
    %t = fly.constant 0.0 : !G
    cf.br ^next
  ^next:
    gpu.return
  }
}
