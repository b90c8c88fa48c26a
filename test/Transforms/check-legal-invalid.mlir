// RUN: fly-opt %s --fly-check-legal --split-input-file --verify-diagnostics

// expected-error @below {{targets the unknown chip 'gfx94x'; known chips: gfx942, gfx950}}
gpu.module @unknown_chip [#rocdl.target<chip = "gfx94x">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}

// -----

gpu.module @fp8_flavour [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%c: vector<4xf32>) kernel attributes {fly.waves = 1 : i32} {
    %a = ub.poison : vector<8xf8E4M3FN>
    // expected-error @below {{uses 'f8E4M3FN', but gfx942 has the FNUZ flavour: use f8E4M3FNUZ}}
    %d = amdgpu.mfma 16x16x32 %a * %a + %c blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @fp8_truncation [#rocdl.target<chip = "gfx950">] {
  gpu.func @k(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{uses 'f8E4M3FNUZ', but gfx950 has the OCP flavour: use f8E4M3FN}}
    %d = amdgpu.packed_trunc_2xfp8 %x, undef into undef[word 0] : f32 to vector<4xf8E4M3FNUZ>
    gpu.return
  }
}

// -----

gpu.module @mfma_k [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%c: vector<4xi32>) kernel attributes {fly.waves = 1 : i32} {
    %a = ub.poison : vector<16xi8>
    // expected-error @below {{16x16x64 of i8 is not a matrix instruction of gfx942; legal K: 32}}
    %d = amdgpu.mfma 16x16x64 %a * %a + %c blgp = none : vector<16xi8>, vector<16xi8>, vector<4xi32>
    gpu.return
  }
}

// -----

gpu.module @mfma_intrinsic [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%a: vector<8xbf16>, %c: vector<4xf32>) kernel attributes {fly.waves = 1 : i32} {
    %z = arith.constant 0 : i32
    // expected-error @below {{is not a matrix instruction of gfx942; legal K of 16x16 bf16: 16}}
    %d = rocdl.mfma.f32.16x16x32.bf16 %a, %a, %c, %z, %z, %z : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @scaled [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%c: vector<4xf32>) kernel attributes {fly.waves = 1 : i32} {
    %a = ub.poison : vector<32xf4E2M1FN>
    %s = ub.poison : vector<4xf8E8M0FNU>
    // expected-error @below {{which gfx942 does not have: needs gfx950}}
    %d = amdgpu.scaled_mfma 16x16x128 (%s[0] * %a) * (%s[0] * %a) + %c : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
    gpu.return
  }
}

// -----

gpu.module @dma [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %i = arith.constant 0 : index
    %src = ub.poison : memref<64xf32, #amdgpu.address_space<fat_raw_buffer>>
    %dst = ub.poison : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{copies 16 bytes a lane from global memory to LDS, which gfx942 cannot; it copies 1, 2, 4 bytes}}
    amdgpu.gather_to_lds %src[%i], %dst[%i] : vector<4xf32>, memref<64xf32, #amdgpu.address_space<fat_raw_buffer>>, memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @intrinsic_of_another_chip [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: i32) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{is an intrinsic that gfx942 does not have: needs gfx950}}
    %r = rocdl.permlane32.swap %x, %x, false, false : (i32, i32) -> !llvm.struct<(i32, i32)>
    // expected-error @below {{is an intrinsic that Fly does not know on gfx942}}
    rocdl.s.wait.dscnt 0
    gpu.return
  }
}

// -----

gpu.module @divergent_barrier [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 2 : i32} {
    %c64 = arith.constant 64 : index
    // expected-note @below {{its condition differs between lanes because of this value; conditions on fly.wave and on workgroup numbers are uniform}}
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %c64 : index
    // expected-note @below {{under this 'scf.if'}}
    scf.if %first {
      // expected-error @below {{is reached by some lanes of a wave only: every lane must arrive}}
      fly.barrier lds
    }
    gpu.return
  }
}

// -----

gpu.module @divergent_loop [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{its condition differs between lanes}}
    %lane = fly.lane
    // expected-note @below {{under this 'scf.for'}}
    scf.for %i = %c0 to %lane step %c1 {
      // expected-error @below {{is reached by some lanes of a wave only}}
      fly.barrier bare
    }
    gpu.return
  }
}

// -----

// Two structs that fit alone but not together.
gpu.module @lds [#rocdl.target<chip = "gfx942">] {
  // expected-note @below {{LDS struct 'A' takes 49152: a 32768 + b 16384}}
  fly.lds.struct @A { a : !fly.view<32768xi8, lds>, b : !fly.view<16384xi8, lds> }
  // expected-note @below {{LDS struct 'B' takes 16400: c 16385}}
  fly.lds.struct @B { c : !fly.view<16385xi8, lds> }
  // expected-error @below {{needs 65552 bytes of LDS on gfx942, the limit is 65536}}
  gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
    %a = fly.lds.alloc : !fly.lds<@A>
    %b = fly.lds.alloc : !fly.lds<@B>
    gpu.return
  }
}

// -----

gpu.module @math [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: f32, %y: f64) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{would need a device library}}
    // expected-note @below {{fly-expand-math replaces it; run that pass before}}
    %0 = math.tanh %x : f32
    // expected-error @below {{on 'f32' would need a device library, which Fly does not have; functions of f32, f16 and bf16 that it has: exp, exp2, expm1, log, log2, log10, log1p, rsqrt, sqrt, tanh, erf, sin, cos, powf, and fly.activate}}
    %1 = math.tan %x : f32
    // expected-error @below {{on 'f64' would need a device library}}
    %2 = math.exp %y : f64
    // expected-error @below {{would need a device library}}
    // expected-note @below {{fly-expand-math replaces it; run that pass before}}
    %3 = fly.activate silu %x : f32
    gpu.return
  }
}

// -----

gpu.module @unsupported [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%m: i32) kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{is not supported in explicit kernels}}
    %p = memref.alloca() : memref<4xf32>
    // expected-error @below {{'llvm.inline_asm' op is not supported in explicit kernels: Fly cannot check what it does}}
    llvm.inline_asm "s_nop 0", "" : () -> ()
    // expected-error @below {{'gpu.barrier' op is not supported in explicit kernels}}
    // expected-note @below {{use 'fly.barrier all', or 'fly.barrier lds'}}
    gpu.barrier
    // expected-error @below {{belongs to the tile level, but the kernel is to be lowered}}
    // expected-note @below {{fly-plan-grid moves it into the launch contract}}
    fly.require_multiple %m of 4
    gpu.return
  }
  // A pass that was left out is one error a kernel, not one an op.
  gpu.func @tiles() kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{belongs to the tile level}}
    // expected-note @below {{fly-distribute turns tiles into what each lane does}}
    %z = fly.constant 0.0 : tensor<4x4xf32>
    %a = arith.addf %z, %z : tensor<4x4xf32>
    gpu.return
  }
  gpu.func @tiles_of_arith() kernel attributes {fly.waves = 1 : i32} {
    // expected-error @below {{'arith.constant' op works on a tile, but the kernel is to be lowered}}
    // expected-note @below {{fly-distribute turns tiles into what each lane does}}
    %z = arith.constant dense<0.0> : tensor<4x4xf32>
    %a = arith.addf %z, %z : tensor<4x4xf32>
    gpu.return
  }
}

// -----

// Eight waves have half of the registers each.
gpu.module @too_many [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{kernel 'k' keeps about 640 vector registers alive, a wave of gfx942 has 256, and code that needs more than 384 is not compiled}}
  // expected-note @below {{fix: 3 times as many waves, or tiles of as much less}}
  gpu.func @k(%n: i32) kernel attributes {fly.waves = 8 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : vector<16x10x4xf32>
    // expected-note @below {{the most are alive here}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (vector<16x10x4xf32>) : i32 {
      %t = arith.addf %s, %s : vector<16x10x4xf32>
      scf.yield %t : vector<16x10x4xf32>
    }
    %e = vector.extract %r[0, 0, 0] : f32 from vector<16x10x4xf32>
    gpu.return
  }
}

// -----

// The chip's flavour, but nothing adds it.
gpu.module @fp8_arith [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: f32) kernel attributes {fly.waves = 1 : i32} {
    %a = arith.constant dense<1.0> : vector<4xf8E4M3FNUZ>
    // expected-error @+1 {{'arith.addf' op computes on 'f8E4M3FNUZ', which no pass lowers; types of elementwise code and of reductions: f16, bf16, f32, f64}}
    %b = arith.addf %a, %a : vector<4xf8E4M3FNUZ>
    gpu.return
  }
}

// -----

// Of hand-written kernels, what a chip lacks.
gpu.module @hand_written [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64x64xi8, lds> }
  gpu.func @k(%A: !fly.ptr<i8>) kernel attributes {fly.waves = 1 : i32} {
    %a = fly.view %A[64, 64] : !fly.view<64x64xi8>
    %s = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %s[a] : !fly.lds<@S> -> !fly.view<64x64xi8, lds>
    %c0 = arith.constant 0 : index
    // expected-error @below {{'fly.dma' op copies 16 bytes a lane from global memory to LDS, which gfx942 cannot; it copies 1, 2, 4 bytes}}
    fly.dma %a[%c0, %c0] to %l[%c0, %c0] : vector<16xi8>, !fly.view<64x64xi8>, !fly.view<64x64xi8, lds>
    // expected-error @below {{'fly.read_transposed' op is an intrinsic that gfx942 does not have: needs gfx950}}
    %t = fly.read_transposed %l[%c0, %c0] : !fly.view<64x64xi8, lds> -> vector<8xi8>
    %x = arith.constant 1 : i32
    %w = arith.constant 48 : i32
    // expected-error @below {{'gpu.shuffle' op is supported on values of 8, 16, 32 or 64 bits, over a constant width that is a power of two of at most 64 lanes}}
    %y, %ok = gpu.shuffle xor %x, %x, %w : i32
    gpu.return
  }
}

// -----

// What LLVM's target selects of the llvm dialect, and what not, which would
// have no place when LLVM says so.
gpu.module @llvm_ops [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: f32, %h: f16, %y: f64, %n: i32) kernel attributes {fly.waves = 1 : i32} {
    %0 = llvm.intr.exp(%x) : (f32) -> f32
    %1 = llvm.intr.pow(%h, %h) : (f16, f16) -> f16
    llvm.fence syncscope("agent-one-as") seq_cst
    llvm.fence seq_cst
    // expected-error @below {{'llvm.intr.cosh' op on 'f32' would need a device library, which Fly does not have: use the math dialect}}
    %2 = llvm.intr.cosh(%x) : (f32) -> f32
    // expected-error @below {{'llvm.intr.exp' op on 'f64' would need a device library}}
    %3 = llvm.intr.exp(%y) : (f64) -> f64
    // expected-error @below {{'llvm.call_intrinsic' op on 'f32' would need a device library}}
    %4 = llvm.call_intrinsic "llvm.tan.f32"(%x) : (f32) -> f32
    // expected-error @below {{'llvm.call_intrinsic' op names 'llvm.nonsense', which is no intrinsic of LLVM}}
    llvm.call_intrinsic "llvm.nonsense"() : () -> ()
    // expected-error @below {{'llvm.fence' op has the scope 'foo', which the chip does not have; known: agent, cluster, workgroup, wavefront, singlethread, or none for the whole system}}
    llvm.fence syncscope("foo") seq_cst
    // expected-error @below {{'llvm.alloca' op has a pointer into address space 77, which the chip does not have; it has 0 (flat), 1 (global), 3 (LDS)}}
    %5 = llvm.alloca %n x f32 : (i32) -> !llvm.ptr<77>
    // expected-error @below {{'scf.execute_region' op is not supported in explicit kernels: control flow is scf.for, scf.if and scf.while}}
    scf.execute_region {
      scf.yield
    }
    gpu.return
  }
}
