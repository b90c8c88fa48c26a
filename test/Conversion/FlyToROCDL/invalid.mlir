// RUN: fly-opt %s --fly-convert-to-rocdl --split-input-file --verify-diagnostics -o /dev/null

gpu.module @no_waves [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{needs 'fly.waves', the waves of a workgroup}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// expected-error @below {{targets gfx1250, which Fly describes but does not compile for; it compiles for: gfx942, gfx950}}
gpu.module @chip [#rocdl.target<chip = "gfx1250">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}

// -----

gpu.module @divergent_base [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %o = arith.index_cast %l : index to i64
    %a = fly.view %A[64] at %o : !fly.view<64xi32>
    // expected-error @below {{has a view that differs between lanes: use fly.read or fly.update}}
    %x = fly.load_scalar %a[0] : !fly.view<64xi32> -> i32
    gpu.return
  }
}

// -----

gpu.module @divergent_shuffle [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i8>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %o = arith.index_cast %l : index to i64
    // expected-error @below {{has an extent or offset that differs between lanes, which preshuffled views must not}}
    %a = fly.view %A[64, 64] at %o : !fly.view<64x64xi8, #fly.preshuffle<16, 64>>
    %x = fly.read %a[%l, %l] : !fly.view<64x64xi8, #fly.preshuffle<16, 64>> -> i8
    gpu.return
  }
}

// -----

gpu.module @atomic_shuffle [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %a = fly.view %A[64, 16] : !fly.view<64x16xi32, #fly.preshuffle<16, 64>>
    // expected-error @below {{cannot be compiled for '!fly.view<64x16xi32, #fly.preshuffle<16, 64>>': preshuffled views of rank 2 are, for reads and writes of lanes}}
    fly.update add %n, %a[%l, %l] relaxed agent : i32, !fly.view<64x16xi32, #fly.preshuffle<16, 64>>
    gpu.return
  }
}

// -----

gpu.module @divergent_value [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %v = arith.index_cast %l : index to i32
    %a = fly.view %A[64] : !fly.view<64xi32>
    // expected-error @below {{has a value that differs between lanes: use fly.update}}
    %x = fly.atomic_rmw add %v, %a[0] relaxed agent : !fly.view<64xi32>
    gpu.return
  }
}

// -----

gpu.module @divergent_coordinate [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %v = arith.index_cast %l : index to i32
    %c = arith.constant 1 : i32
    %a = fly.view %A[64] : !fly.view<64xi32>
    // expected-error @below {{has a coordinate that differs between lanes: use fly.read or fly.update}}
    %x = fly.atomic_rmw add %c, %a[%v] relaxed agent : !fly.view<64xi32>
    gpu.return
  }
}

// -----

gpu.module @negative_stride [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    // expected-error @below {{has the stride -1 in dimension 0; strides must not be negative}}
    %a = fly.view %A[%n] strides [-1] : !fly.view<?xi32, #fly.strided<[?]>>
    %x = fly.read %a[%l] : !fly.view<?xi32, #fly.strided<[?]>> -> i32
    gpu.return
  }
}

// -----

gpu.module @no_infinity [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %a = fly.view %A[60] : !fly.view<60xi32>
    // expected-error @below {{pads with neg_inf, which 'i32' does not have}}
    %x = fly.read %a[%l] pad neg_inf : !fly.view<60xi32> -> i32
    gpu.return
  }
}

// -----

gpu.module @view_through_control_flow [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>, %c: i1) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %a = fly.view %A[60] : !fly.view<60xi32>
    %b = fly.view %A[64] : !fly.view<64xi32>
    %v = scf.if %c -> (!fly.view<60xi32>) {
      scf.yield %a : !fly.view<60xi32>
    } else {
      scf.yield %a : !fly.view<60xi32>
    }
    // expected-error @below {{needs a view made by fly.view or fly.lds.field, got one that control flow hands on}}
    %x = fly.read %v[%l] : !fly.view<60xi32> -> i32
    gpu.return
  }
}

// -----

gpu.module @dynamic_register [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%i: i32) kernel attributes {fly.waves = 1 : i32} {
    %z = arith.constant dense<0.0> : vector<4x4xf32>
    %x = arith.index_cast %i : i32 to index
    // expected-error @below {{has a dynamic position in a register array}}
    %r = vector.extract %z[%x] : vector<4xf32> from vector<4x4xf32>
    gpu.return
  }
}

// -----

gpu.module @array_op [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %z = arith.constant dense<0.0> : vector<4x8xf32>
    // expected-error @below {{'vector.transpose' op on register arrays (vectors of rank above 1) is not supported}}
    %t = vector.transpose %z, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    gpu.return
  }
}

// -----

gpu.module @tile_level [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%m: i32) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{cannot be lowered to ROCDL: it belongs to the tile level}}
    fly.require_multiple %m of 4
    gpu.return
  }
}

// -----

// What follows a chunk of 16 bytes lies elsewhere.
gpu.module @across_chunks [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<bf16>, %M: i32, %K: i32) kernel attributes {fly.waves = 1 : i32} {
    %l = fly.lane
    %a = fly.view %A[%M, %K] : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>>
    // expected-error @below {{moves 4 elements of a preshuffled row from a column that is no known multiple of that}}
    %x = fly.read %a[%l, %l] : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> vector<4xbf16>
    gpu.return
  }
}

// -----

gpu.module @scalar_of_a_shuffle [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%A: !fly.ptr<i32>, %M: i32, %K: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %K] : !fly.view<?x?xi32, #fly.preshuffle<16, 64>>
    // expected-error @below {{cannot be compiled for '!fly.view<?x?xi32, #fly.preshuffle<16, 64>>': preshuffled views of rank 2 are, for reads and writes of lanes}}
    %x = fly.load_scalar %a[0, 0] : !fly.view<?x?xi32, #fly.preshuffle<16, 64>> -> i32
    gpu.return
  }
}
