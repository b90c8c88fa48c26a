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
    // expected-error @below {{has a position in a register array that is no constant: fly.static_for gives constants}}
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

// -----

// Upstream's number for "poison" is no register.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @poison_position(%x: vector<4xf32>, %v: !fly.view<64xf32>, %i: index) kernel attributes {fly.waves = 1 : i32} {
    %a = arith.constant dense<1.0> : vector<4x4x4xf32>
    // expected-error @below {{has the position -1 in a dimension of 4}}
    %q = vector.insert %x, %a[-1, 1] : vector<4xf32> into vector<4x4x4xf32>
    gpu.return
  }
}

// -----

// Copies to LDS cannot be split, so what would split them is refused.
!V = !fly.view<?x?xi8>
!L = !fly.view<64x64xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L }
  gpu.func @half_outside(%A: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] strides [64, 1] : !V
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %c0 = arith.constant 0 : index
    %lane = fly.lane
    // expected-error @below {{copies 4 elements of which some may be outside: coordinate and extent of dimension 1 must be known multiples of 4 (fly.require_multiple), or 'whole' or in_bounds say it}}
    fly.dma %a[%lane, %c0] to %l[%c0, %c0] : vector<4xi8>, !V, !L
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi8>
!L = !fly.view<64x64xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L }
  gpu.func @unaligned(%A: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] : !V
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %c0 = arith.constant 0 : index
    %lane = fly.lane
    // expected-error @below {{copies 4 bytes from addresses that are known as multiples of 1, expected 4: make coordinates and strides known multiples, or say 'align 4'}}
    fly.dma %a[%lane, %c0] to %l[%c0, %c0] whole : vector<4xi8>, !V, !L
    gpu.return
  }
}

// -----

!V = !fly.view<?x64xi8>
!L = !fly.view<64x64xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L }
  gpu.func @target_by_lane(%A: !fly.ptr<i8>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, 64] : !V
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %c0 = arith.constant 0 : index
    %lane = fly.lane
    // expected-error @below {{has a target whose coordinate 0 differs between lanes: the wave has one target, and lane l writes l times the width behind it}}
    fly.dma %a[%lane, %c0] to %l[%lane, %c0] : vector<4xi8>, !V, !L
    gpu.return
  }
}

// -----

!V = !fly.view<?x64xi8>
!L = !fly.view<64x64xi8, lds>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L }
  gpu.func @target_unaligned(%A: !fly.ptr<i8>, %M: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, 64] : !V
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %lane = fly.lane
    // expected-error @below {{copies 16 bytes a lane to LDS addresses that are known as multiples of 8, expected 16}}
    fly.dma %a[%lane, %c0] to %l[%c0, %c8] : vector<16xi8>, !V, !L
    gpu.return
  }
}

// -----

// Elements of a chunk that the swizzle takes apart.
!L = !fly.view<64x64xi16, lds, #fly.swizzle<3, 2, 4>>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !L }
  gpu.func @torn_chunks() kernel attributes {fly.waves = 1 : i32} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %lds[a] : !fly.lds<@S> -> !L
    %c0 = arith.constant 0 : index
    // expected-error @below {{goes through #fly.swizzle<3, 2, 4>, which takes its chunks of 8 bytes apart}}
    %v = fly.read_transposed %l[%c0, %c0] : !L -> vector<4xi16>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi8, #fly.preshuffle<16, 64>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @flat_blocks(%A: !fly.ptr<i8>, %M: i32, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[%M, %N] : !V
    %c0 = arith.constant 0 : index
    // expected-error @below {{is 'flat', which has no meaning in #fly.preshuffle<16, 64>}}
    %v = fly.read %a[%c0, %c0] flat : !V -> i8
    gpu.return
  }
}
