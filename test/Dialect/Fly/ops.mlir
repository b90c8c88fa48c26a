// Every op as written and as printed: what the constraints of the definitions
// accept. The labels name the constraint.
// RUN: fly-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: gpu.func @sizes_and_requirements
gpu.module @tile [#rocdl.target<chip = "gfx942">] {
  gpu.func @sizes_and_requirements(%M: i32, %K: i32) kernel
      attributes {fly.schedule = #fly.schedule<sizes = {BM = 64, BK = 32}>} {
    // CHECK: fly.size BM
    %bm = fly.size BM
    // C1: a number or a name.
    // CHECK: fly.require_multiple %{{.*}} of 64
    fly.require_multiple %M of 64
    // CHECK: fly.require_multiple %{{.*}} of BK
    fly.require_multiple %K of BK
    %positive = arith.cmpi sgt, %M, %K : i32
    // CHECK: fly.require %{{.*}}, "M is larger than K"
    fly.require %positive, "M is larger than K"
    // Grid C1, C2, C3: bounds and steps as values, numbers and names.
    // CHECK: %{{.*}}:3 = fly.grid to (%{{.*}}, 512, BM) step (%{{.*}}, 64, BK)
    %a, %b, %c = fly.grid to (%M, 512, BM) step (%bm, 64, BK)
    gpu.return
  }
}

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%X: !fly.ptr<f32>, %N: i32, %s: f32) kernel {
    gpu.return
  }
}

// CHECK-LABEL: func.func @program
// CHECK-SAME: attributes {fly.program}
func.func @program(%X: !fly.ptr<f32>, %N: i32, %s: f32) attributes {fly.program} {
  // fly.workspace C1, C2; what is between launches is arith on scalars.
  %c2 = arith.constant 2 : i32
  %n2 = arith.muli %N, %c2 : i32
  // CHECK: %[[H:.*]] = fly.workspace[%{{.*}}, 64] {fly.name = "h"} : !fly.ptr<f32>
  %h = fly.workspace[%n2, 64] {fly.name = "h"} : !fly.ptr<f32>
  // CHECK: fly.workspace[1, 2, 3, %{{.*}}] : !fly.ptr<i32>
  %w = fly.workspace[1, 2, 3, %N] : !fly.ptr<i32>
  // fly.fill C1, C2, C3.
  // CHECK: fly.fill %[[H]][%{{.*}}, 64], neg_inf : !fly.ptr<f32>
  fly.fill %h[%n2, 64], neg_inf : !fly.ptr<f32>
  // CHECK: fly.fill %{{.*}}[1, 2, 3, %{{.*}}], -1 : !fly.ptr<i32>
  fly.fill %w[1, 2, 3, %N], -1 : !fly.ptr<i32>
  // fly.launch C1, C2, C3.
  // CHECK: fly.launch @kernels::@k(%[[H]], %{{.*}}, %{{.*}}) : !fly.ptr<f32>, i32, f32
  fly.launch @kernels::@k(%h, %n2, %s) : !fly.ptr<f32>, i32, f32
  return
}

// CHECK-LABEL: func.func private @grid_of_one_dimension
func.func private @grid_of_one_dimension(%M: i32) {
  // CHECK: fly.grid to (%{{.*}}) step (128)
  %m = fly.grid to (%M) step (128)
  return
}

// CHECK-LABEL: func.func private @views
func.func private @views(%p: !fly.ptr<bf16>, %M: i32, %K: i32, %ld: i32, %o: i64) {
  // C1, C2: extents and strides as values, numbers and names.
  // CHECK: fly.view %{{.*}}[%{{.*}}, %{{.*}}] : !fly.view<?x?xbf16>
  %0 = fly.view %p[%M, %K] : !fly.view<?x?xbf16>
  // CHECK: fly.view %{{.*}}[%{{.*}}, 64] strides [%{{.*}}, 1] at %{{.*}} : !fly.view<?x64xbf16>
  %1 = fly.view %p[%M, 64] strides [%ld, 1] at %o : !fly.view<?x64xbf16>
  // CHECK: fly.view %{{.*}}[BM, %{{.*}}] strides [1, 128] : !fly.view<?x?xbf16, #fly.strided<[1, 128]>>
  %2 = fly.view %p[BM, %K] strides [1, 128] : !fly.view<?x?xbf16, #fly.strided<[1, 128]>>
  return
}

// CHECK-LABEL: func.func private @accesses
func.func private @accesses(%v: !fly.view<?x?x?xf32>, %w: !fly.view<?x?xf32>, %i: i32, %mask: tensor<64x32xi1>) {
  // C1, C2: the tile has the last dimensions of the view.
  // CHECK: %[[T:.*]] = fly.load %{{.*}}[%{{.*}}, 0, BK] : !fly.view<?x?x?xf32> -> tensor<64x32xf32>
  %t = fly.load %v[%i, 0, BK] : !fly.view<?x?x?xf32> -> tensor<64x32xf32>
  // Clauses are taken in any order and printed in one; defaults are not printed.
  // CHECK: fly.load %{{.*}}[%{{.*}}, %{{.*}}] pad lowest cache stream label "a" mask %{{.*}} in_bounds [true, false] align 4 : !fly.view<?x?xf32>, tensor<64x32xi1> -> tensor<64x32xf32>
  %u = fly.load %w[%i, %i] align 4 in_bounds [true, false] mask %mask label "a" cache stream pad lowest
    : !fly.view<?x?xf32>, tensor<64x32xi1> -> tensor<64x32xf32>
  // CHECK: fly.load %{{.*}}[0, 0] : !fly.view
  %z = fly.load %w[0, 0] pad zero cache default : !fly.view<?x?xf32> -> tensor<64x32xf32>
  // CHECK: fly.load %{{.*}}[0, 0] pad neg_inf : !fly.view
  %n = fly.load %w[0, 0] pad neg_inf : !fly.view<?x?xf32> -> tensor<64x32xf32>
  // CHECK: fly.store %[[T]], %{{.*}}[%{{.*}}, 0, BK] cache stream label "c" in_bounds [false, false, true] align 2 : tensor<64x32xf32>, !fly.view<?x?x?xf32>
  fly.store %t, %v[%i, 0, BK] cache stream label "c" in_bounds [false, false, true] align 2
    : tensor<64x32xf32>, !fly.view<?x?x?xf32>
  // C3
  // CHECK: fly.store %[[T]], %{{.*}}[%{{.*}}, %{{.*}}] mask %{{.*}} : tensor<64x32xf32>, !fly.view<?x?xf32>, tensor<64x32xi1>
  fly.store %t, %w[%i, %i] mask %mask : tensor<64x32xf32>, !fly.view<?x?xf32>, tensor<64x32xi1>
  return
}

// CHECK-LABEL: func.func private @constants
func.func private @constants() {
  // C1
  // CHECK: fly.constant 0.000000e+00 : tensor<64x32xf32>
  %0 = fly.constant 0.0 : tensor<64x32xf32>
  // CHECK: fly.constant -2.500000e+00 : tensor<64xf16>
  %1 = fly.constant -2.5 : tensor<64xf16>
  // CHECK: fly.constant neg_inf : tensor<64xf32>
  %2 = fly.constant neg_inf : tensor<64xf32>
  // CHECK: fly.constant lowest : tensor<64xf8E4M3FN>
  %3 = fly.constant lowest : tensor<64xf8E4M3FN>
  // CHECK: fly.constant -128 : tensor<64xi8>
  %4 = fly.constant -128 : tensor<64xi8>
  // CHECK: fly.constant nan : tensor<?xbf16, #fly.tile<BM>>
  %5 = fly.constant nan : tensor<?xbf16, #fly.tile<BM>>
  // A float that MLIR would print as bits in hexadecimal stays a float.
  // CHECK: fly.constant 1.23456780000000000e+07 : tensor<64xf32>
  %6 = fly.constant 12345678.0 : tensor<64xf32>
  // CHECK: fly.constant -9223372036854775808 : tensor<64xi64>
  %7 = fly.constant -9223372036854775808 : tensor<64xi64>
  // CHECK: fly.size "B M"
  %8 = "fly.size"() <{name = "B M"}> : () -> i32
  return
}

!A = tensor<?x?xbf16, #fly.tile<BM, BK>>
!B = tensor<?x?xbf16, #fly.tile<BN, BK>>
!C = tensor<?x?xf32, #fly.tile<BM, BN>>
// CHECK-LABEL: func.func private @tiles
func.func private @tiles(%a: !A, %b: !B, %c: !C, %s: f32, %row: tensor<64xf32>,
    %i8: tensor<64x32xi8>, %i32: tensor<64x64xi32>, %fp8: tensor<64x32xf8E4M3FNUZ>, %acc: tensor<64x64xf32>) {
  // Splat C1.
  // CHECK: fly.splat %{{.*}} : f32 -> tensor<64x32xf32>
  %0 = fly.splat %s : f32 -> tensor<64x32xf32>
  // Broadcast C1: the new dimension may be any.
  // CHECK: fly.broadcast %{{.*}} along 1 : tensor<64xf32> -> tensor<64x32xf32>
  %1 = fly.broadcast %row along 1 : tensor<64xf32> -> tensor<64x32xf32>
  // CHECK: fly.broadcast %{{.*}} along 0 : tensor<64xf32> -> tensor<32x64xf32>
  %2 = fly.broadcast %row along 0 : tensor<64xf32> -> tensor<32x64xf32>
  // Dot C1 by names, C2 by types.
  // CHECK: fly.dot %{{.*}}, %{{.*}}, %{{.*}} label "qk" : tensor<?x?xbf16, #fly.tile<BM, BK>>, tensor<?x?xbf16, #fly.tile<BN, BK>> -> tensor<?x?xf32, #fly.tile<BM, BN>>
  %3 = fly.dot %a, %b, %c label "qk" : !A, !B -> !C
  // CHECK: fly.dot {{.*}} : tensor<64x32xi8>, tensor<64x32xi8> -> tensor<64x64xi32>
  %4 = fly.dot %i8, %i8, %i32 : tensor<64x32xi8>, tensor<64x32xi8> -> tensor<64x64xi32>
  // CHECK: fly.dot {{.*}} : tensor<64x32xf8E4M3FNUZ>, tensor<64x32xf8E4M3FNUZ> -> tensor<64x64xf32>
  %5 = fly.dot %fp8, %fp8, %acc : tensor<64x32xf8E4M3FNUZ>, tensor<64x32xf8E4M3FNUZ> -> tensor<64x64xf32>
  // Bitcast C1, C2, C3; repeat C1, C2.
  // CHECK: fly.bitcast %{{.*}} : tensor<64x32xi8> -> tensor<64x64xi4>
  %bits = fly.bitcast %i8 : tensor<64x32xi8> -> tensor<64x64xi4>
  // CHECK: fly.repeat %{{.*}} by 2 along 0 : tensor<64xf32> -> tensor<128xf32>
  %twice = fly.repeat %row by 2 along 0 : tensor<64xf32> -> tensor<128xf32>
  // Cast C1.
  // CHECK: fly.activate gelu_erf %{{.*}} : tensor<64x64xf32>
  %act = fly.activate gelu_erf %acc : tensor<64x64xf32>
  // CHECK: fly.activate silu %{{.*}} fastmath<afn> : tensor<64x64xf32>
  %act2 = fly.activate silu %acc fastmath<afn> : tensor<64x64xf32>
  // CHECK: fly.cast %{{.*}} overflow saturate : tensor<64x64xf32> -> tensor<64x64xf16>
  %6 = fly.cast %acc overflow saturate : tensor<64x64xf32> -> tensor<64x64xf16>
  // CHECK: fly.cast %{{.*}} : tensor<64x64xf32> -> tensor<64x64xbf16>
  %7 = fly.cast %acc overflow ieee : tensor<64x64xf32> -> tensor<64x64xbf16>
  return
}

// CHECK-LABEL: func.func private @convert
func.func private @convert(%t: tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>) {
  // C1
  // CHECK: fly.convert_layout %{{.*}} : tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>> -> tensor<64x32xbf16, #fly.staged<"a", 0>>
  %s = fly.convert_layout %t : tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
    -> tensor<64x32xbf16, #fly.staged<"a", 0>>
  return
}

// CHECK-LABEL: func.func private @map
func.func private @map(%x: tensor<64x32xf32>, %h: tensor<64x32xbf16>, %r: tensor<64xf32>, %b: tensor<32xf32>, %s: f32) {
  // C1: operators, comparisons, functions, numbers. C2: each kind of binding.
  // CHECK: fly.map "x > 0 ? gelu_tanh(x * r + b) : -s / 1.5e1" (x = %{{.*}}, r = rows %{{.*}}, b = cols %{{.*}}, s = %{{.*}}) : (tensor<64x32xf32>, tensor<64xf32>, tensor<32xf32>, f32) -> tensor<64x32xbf16>
  %0 = fly.map "x > 0 ? gelu_tanh(x * r + b) : -s / 1.5e1" (x = %x, r = rows %r, b = cols %b, s = %s)
    : (tensor<64x32xf32>, tensor<64xf32>, tensor<32xf32>, f32) -> tensor<64x32xbf16>
  // CHECK: fly.map "max(min(x, 1), abs(h))" (x = %{{.*}}, h = %{{.*}})
  %1 = fly.map "max(min(x, 1), abs(h))" (x = %x, h = %h)
    : (tensor<64x32xf32>, tensor<64x32xbf16>) -> tensor<64x32xf32>
  return
}

// CHECK-LABEL: func.func private @pipelines
func.func private @pipelines(%a: !fly.view<?xf32>, %o: !fly.view<?xf32>, %n: i32, %z: tensor<64xf32>) -> tensor<64xf32> {
  // C1, C2, C3; the label is printed as a symbol.
  // CHECK: %[[R:.*]] = fly.pipeline @kloop %{{.*}} = 0 to %{{.*}} step 64 iter_args(%{{.*}} = %{{.*}}) : tensor<64xf32> prefetch {
  // CHECK: } compute(%{{.*}}: tensor<64xf32>) {
  %r = fly.pipeline @kloop %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>
    prefetch {
      %t = fly.load %a[%k] : !fly.view<?xf32> -> tensor<64xf32>
      fly.yield %t : tensor<64xf32>
    } compute(%t: tensor<64xf32>) {
      %u = arith.addf %s, %t : tensor<64xf32>
      fly.yield %u : tensor<64xf32>
    }
  // A step by name, no carried value, nothing prefetched; compute stores and
  // uses its own induction variable.
  // CHECK: fly.pipeline %{{.*}} = %{{.*}} to BM step BK prefetch {
  // CHECK: } compute at %[[K:.*]] {
  // CHECK-NEXT: fly.store %[[R]], %{{.*}}[%[[K]]]
  fly.pipeline %k = %n to BM step BK prefetch {
    } compute at %kk {
      fly.store %r, %o[%kk] : tensor<64xf32>, !fly.view<?xf32>
    }
  return %r : tensor<64xf32>
}

// CHECK-LABEL: gpu.module @lds
gpu.module @lds [#rocdl.target<chip = "gfx942">] {
  // Struct C1, C2.
  // CHECK: fly.lds.struct @S { a : !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>, b : !fly.view<64x128xi8, lds> }
  fly.lds.struct @S { a : !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>, b : !fly.view<64x128xi8, lds> }
  // CHECK: fly.lds.struct @Empty { }
  fly.lds.struct @Empty { }
  gpu.func @fields(%r: index, %c: index) kernel attributes {fly.waves = 1 : i32} {
    // CHECK: %[[LDS:.*]] = fly.lds.alloc : !fly.lds<@S>
    %lds = fly.lds.alloc : !fly.lds<@S>
    // Field C1, C2.
    // CHECK: fly.lds.field %[[LDS]][a] : !fly.lds<@S> -> !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
    // CHECK: fly.lds.field %[[LDS]][b] {fly.unchecked} : !fly.lds<@S> -> !fly.view<32x128xi16, lds>
    %b = fly.lds.field %lds[b] {fly.unchecked} : !fly.lds<@S> -> !fly.view<32x128xi16, lds>
    // CHECK: fly.lane
    %lane = fly.lane
    // CHECK: fly.wave
    %wave = fly.wave
    // C1: a coordinate for each mode, or one for all of the layout.
    // CHECK: %[[OFFSET:.*]] = fly.layout.offset #fly.layout<S<3,3,3> o 0 o (8,64):(64,1)>[%{{.*}}, %{{.*}}]
    %offset = fly.layout.offset #fly.layout<S<3,3,3> o 0 o (8,64):(64,1)> [%r, %c]
    // CHECK: fly.layout.offset #fly.layout<(4,8):(8,1)>[%[[OFFSET]]]
    %whole = fly.layout.offset #fly.layout<(4,8):(8,1)> [%offset]
    // CHECK: fly.layout.coordinates #fly.layout<((2,3),4):((1,2),6)> of %{{.*}} : index, index
    %i, %j = fly.layout.coordinates #fly.layout<((2,3),4):((1,2),6)> of %whole : index, index
    // Read and write C1, C2: vectors of up to 16 bytes, and scalars.
    // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}} -> vector<16xi8>
    %v = fly.read %a[%lane, %c] : !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>> -> vector<16xi8>
    // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}} -> i16
    %e = fly.read %b[%r, %wave] : !fly.view<32x128xi16, lds> -> i16
    // CHECK: fly.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : vector<16xi8>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
    fly.write %v, %a[%lane, %c] : vector<16xi8>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
    gpu.return
  }
}

// CHECK-LABEL: func.func private @global_vectors
func.func private @global_vectors(%v: !fly.view<?x?xbf16>, %r: index, %c: index) {
  // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] pad one cache stream in_bounds [true, false] align 8 : !fly.view<?x?xbf16> -> vector<8xbf16>
  %0 = fly.read %v[%r, %c] pad one cache stream in_bounds [true, false] align 8 : !fly.view<?x?xbf16> -> vector<8xbf16>
  // CHECK: fly.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] cache stream in_bounds [false, true] align 8 : vector<8xbf16>, !fly.view<?x?xbf16>
  fly.write %0, %v[%r, %c] cache stream in_bounds [false, true] align 8 : vector<8xbf16>, !fly.view<?x?xbf16>
  return
}

// CHECK-LABEL: func.func private @order
func.func private @order() {
  // Hints C1.
  // CHECK: fly.sched.mfma 1
  fly.sched.mfma 1
  // CHECK: fly.sched.dsrd 2
  fly.sched.dsrd 2
  // CHECK: fly.sched.dswr 3
  fly.sched.dswr 3
  // CHECK: fly.sched.vmem 4
  fly.sched.vmem 4
  // CHECK: fly.sched.vmem_write 5
  fly.sched.vmem_write 5
  // CHECK: fly.sched.valu 6
  fly.sched.valu 6
  // CHECK: fly.sched.salu 7
  fly.sched.salu 7
  // CHECK: fly.sched.trans 8
  fly.sched.trans 8
  // CHECK: fly.sched.barrier
  fly.sched.barrier
  // Priority C1.
  // CHECK: fly.setprio 3
  fly.setprio 3
  // CHECK: fly.barrier lds
  fly.barrier lds
  // CHECK: fly.barrier all
  fly.barrier all
  // CHECK: fly.barrier bare
  fly.barrier bare
  // Wait C1: either counter, up to its maximum.
  // CHECK: fly.wait vm(63) lgkm(15)
  fly.wait vm(63) lgkm(15)
  // CHECK: fly.wait lgkm(0)
  fly.wait lgkm(0)
  // CHECK: fly.wait vm(2)
  fly.wait vm(2)
  return
}

// CHECK-LABEL: func.func private @along
func.func private @along(%n: i32, %x: tensor<64x32xf32>, %i: tensor<64x32xi32>,
                         %t: tensor<?x?xf32, #fly.tile<BM, BN>>, %w: !fly.view<4x64xi32, lds>) {
  // Iota C1.
  // CHECK: fly.iota along 0 : tensor<64xi32>
  %a = fly.iota along 0 : tensor<64xi32>
  // CHECK: fly.iota from %{{.*}} along 1 : tensor<?x?xi32, #fly.tile<BM, BN>>
  %b = fly.iota from %n along 1 : tensor<?x?xi32, #fly.tile<BM, BN>>
  // Transpose C1.
  // CHECK: fly.transpose %{{.*}} [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %c = fly.transpose %x [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  // Reduce C1, C2: a kind, extents by name.
  // CHECK: fly.reduce max_nan %{{.*}} along 1 : tensor<64x32xf32> -> tensor<64xf32>
  %d = fly.reduce max_nan %x along 1 : tensor<64x32xf32> -> tensor<64xf32>
  // CHECK: fly.reduce add %{{.*}} along 0 : tensor<?x?xf32, #fly.tile<BM, BN>> -> tensor<?xf32, #fly.tile<BN>>
  %e = fly.reduce add %t along 0 : tensor<?x?xf32, #fly.tile<BM, BN>> -> tensor<?xf32, #fly.tile<BN>>
  // C3: a region over two tiles.
  // CHECK: fly.reduce %{{.*}}, %{{.*}} along 1 : tensor<64x32xf32>, tensor<64x32xi32> -> (tensor<64xf32>, tensor<64xi32>) combine(%[[A:.*]]: f32, %[[AI:.*]]: i32, %{{.*}}: f32, %{{.*}}: i32) {
  // CHECK: fly.yield %[[A]], %[[AI]] : f32, i32
  %f, %g = fly.reduce %x, %i along 1 : tensor<64x32xf32>, tensor<64x32xi32>
      -> (tensor<64xf32>, tensor<64xi32>) combine(%p: f32, %pi: i32, %q: f32, %qi: i32) {
    fly.yield %p, %pi : f32, i32
  }
  // Scan C1, C2.
  // CHECK: fly.scan add %{{.*}} along 1 exclusive reverse : tensor<64x32xi32> -> tensor<64x32xi32>
  %h = fly.scan add %i along 1 exclusive reverse : tensor<64x32xi32> -> tensor<64x32xi32>
  // C4.
  // CHECK: fly.scan add %{{.*}} along 1 scratch(%{{.*}} : !fly.view<4x64xi32, lds>) : tensor<64x32xi32> -> tensor<64x32xi32>
  %hs = fly.scan add %i along 1 scratch(%w : !fly.view<4x64xi32, lds>) : tensor<64x32xi32> -> tensor<64x32xi32>
  // C3.
  // CHECK: fly.scan %{{.*}} along 0 reverse : tensor<64x32xf32> -> tensor<64x32xf32> combine(%[[A:.*]]: f32, %{{.*}}: f32) {
  // CHECK: fly.yield %[[A]] : f32
  %j = fly.scan %x along 0 reverse : tensor<64x32xf32> -> tensor<64x32xf32> combine(%p: f32, %q: f32) {
    fly.yield %p : f32
  }
  return
}

// CHECK-LABEL: func.func private @rows
func.func private @rows(%x: !fly.view<?x?xf16>, %v: !fly.view<?x?xi32>, %r: tensor<64xi32>,
                        %m: tensor<64x32xi1>, %k: i32, %ok: i1) {
  // Load_scalar C1, C2.
  // CHECK: fly.load_scalar %{{.*}}[%{{.*}}, 0] : !fly.view<?x?xi32> -> i32
  %s = fly.load_scalar %v[%k, 0] : !fly.view<?x?xi32> -> i32
  // Gather C1, C2.
  // CHECK: fly.gather %{{.*}} rows(%{{.*}}) at [%{{.*}}] pad neg_inf cache stream label "x" : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  %t = fly.gather %x rows(%r) at [%k] pad neg_inf cache stream label "x" : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  // C3.
  // CHECK: fly.gather %{{.*}} rows(%{{.*}}) at [0] mask %{{.*}} : !fly.view<?x?xf16>, tensor<64xi32>, tensor<64x32xi1> -> tensor<64x32xf16>
  %u = fly.gather %x rows(%r) at [0] mask %m : !fly.view<?x?xf16>, tensor<64xi32>, tensor<64x32xi1> -> tensor<64x32xf16>
  // Scatter C1, C2, C3.
  // CHECK: fly.scatter %{{.*}}, %{{.*}} rows(%{{.*}}) at [8] label "y" mask %{{.*}} : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>, tensor<64x32xi1>
  fly.scatter %t, %x rows(%r) at [8] label "y" mask %m : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>, tensor<64x32xi1>
  // Atomic C1, C2.
  // CHECK: fly.gather %{{.*}} rows(%{{.*}}) at [0] in_bounds [false, true] align 8 : !fly.view
  %g = fly.gather %x rows(%r) at [0] in_bounds [false, true] align 8 : !fly.view<?x?xf16>, tensor<64xi32> -> tensor<64x32xf16>
  // CHECK: fly.scatter %{{.*}}, %{{.*}} rows(%{{.*}}) at [8] in_bounds [false, true] align 4 : tensor
  fly.scatter %t, %x rows(%r) at [8] in_bounds [false, true] align 4 : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64xi32>
  // CHECK: fly.atomic add %{{.*}}, %{{.*}}[0, 0] in_bounds [true, true] align 8 relaxed agent : tensor
  fly.atomic add %t, %x[0, 0] in_bounds [true, true] align 8 relaxed agent : tensor<64x32xf16>, !fly.view<?x?xf16>
  // CHECK: fly.atomic add %{{.*}}, %{{.*}}[%{{.*}}, 0] mask %{{.*}} relaxed agent : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64x32xi1>
  fly.atomic add %t, %x[%k, 0] mask %m relaxed agent : tensor<64x32xf16>, !fly.view<?x?xf16>, tensor<64x32xi1>
  // CHECK: fly.atomic umax %{{.*}}, %{{.*}}[0, 0] seq_cst system : tensor<64xi32>, !fly.view<?x?xi32>
  fly.atomic umax %r, %v[0, 0] seq_cst system : tensor<64xi32>, !fly.view<?x?xi32>
  // Atomic_rmw C1, C2.
  // CHECK: fly.atomic_rmw xchg %{{.*}}, %{{.*}}[%{{.*}}, 1] acq_rel agent : !fly.view<?x?xi32>
  %o = fly.atomic_rmw xchg %s, %v[%k, 1] acq_rel agent : !fly.view<?x?xi32>
  // Fence C1.
  // CHECK: fly.fence acquire workgroup
  fly.fence acquire workgroup
  // Assert C1.
  // CHECK: fly.assert %{{.*}}, "text" : i1
  fly.assert %ok, "text" : i1
  // CHECK: fly.assert %{{.*}}, "all" : tensor<64x32xi1>
  fly.assert %m, "all" : tensor<64x32xi1>
  // Print C1.
  // CHECK: fly.print "here"
  fly.print "here"
  // CHECK: fly.print "{} and {}", %{{.*}}, %{{.*}} : i32, tensor<64xi32>
  fly.print "{} and {}", %k, %r : i32, tensor<64xi32>
  return
}

// CHECK-LABEL: @lane_atomics
func.func private @lane_atomics(%x: f32, %p: vector<2xbf16>, %c: !fly.view<?x?xf32>, %h: !fly.view<?xbf16>, %r: index) {
  // CHECK: fly.update add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] in_bounds [false, true] relaxed agent : f32, !fly.view<?x?xf32>
  fly.update add %x, %c[%r, %r] in_bounds [false, true] relaxed agent : f32, !fly.view<?x?xf32>
  // CHECK: fly.update xchg %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] acq_rel system : f32, !fly.view<?x?xf32> -> f32
  %old = fly.update xchg %x, %c[%r, %r] acq_rel system : f32, !fly.view<?x?xf32> -> f32
  // CHECK: fly.update add %{{.*}}, %{{.*}}[%{{.*}}] relaxed workgroup : vector<2xbf16>, !fly.view<?xbf16>
  fly.update add %p, %h[%r] relaxed workgroup : vector<2xbf16>, !fly.view<?xbf16>
  return
}

// CHECK-LABEL: @records
func.func private @records(%c: !fly.view<?xi32>, %ok: i1, %t: tensor<4x8xf16>, %m: i32) {
  // CHECK: fly.event
  %n = fly.event
  // CHECK: fly.record 0 to %{{.*}} : !fly.view<?xi32> at(%{{.*}}, %{{.*}}) unless %{{.*}} : i1 values %{{.*}} : i32
  fly.record 0 to %c : !fly.view<?xi32> at(%m, %n) unless %ok : i1 values %m : i32
  // CHECK: fly.record 7 to %{{.*}} : !fly.view<?xi32> at() values %{{.*}}, %{{.*}} : tensor<4x8xf16>, i32
  fly.record 7 to %c : !fly.view<?xi32> at() values %t, %m : tensor<4x8xf16>, i32
  return
}

// CHECK-LABEL: func.func @stages
// CHECK-SAME: %[[A:.*]]: !fly.view<?xf32>, %[[N:.*]]: i32, %[[Z:.*]]: tensor<64xf32>
func.func @stages(%a: !fly.view<?xf32>, %n: i32, %z: tensor<64xf32>) -> tensor<64xf32> {
  // Pipeline C1, C2, C4.
  // CHECK: fly.pipeline @loop %[[K:.*]] = 0 to %[[N]] step 64 iter_args(%[[S:.*]] = %[[Z]]) : tensor<64xf32> prefetch ahead 4 {
  // CHECK: fly.yield %{{.*}} : tensor<64xf32>
  // CHECK: } stage(%[[T:.*]]: tensor<64xf32>) at %[[K1:.*]] ahead 3 {
  // CHECK: fly.splat %[[K1]]
  // CHECK: } stage(%[[E:.*]]: tensor<64xf32>, %{{.*}}: tensor<64xi32>) ahead 1 {
  // CHECK: fly.yield %[[E]] : tensor<64xf32>
  // CHECK: } compute(%{{.*}}: tensor<64xf32>) {
  // CHECK: arith.addf %[[S]],
  %r = fly.pipeline @loop %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>
    prefetch ahead 4 {
      %t = fly.load %a[%k] : !fly.view<?xf32> -> tensor<64xf32>
      fly.yield %t : tensor<64xf32>
    } stage(%t: tensor<64xf32>) at %k1 ahead 3 {
      %i = fly.splat %k1 : i32 -> tensor<64xi32>
      fly.yield %t, %i : tensor<64xf32>, tensor<64xi32>
    } stage(%e: tensor<64xf32>, %i: tensor<64xi32>) ahead 1 {
      fly.yield %e : tensor<64xf32>
    } compute(%e: tensor<64xf32>) {
      %x = arith.addf %s, %e : tensor<64xf32>
      fly.yield %x : tensor<64xf32>
    }
  // One stage more than usual, as far ahead as usual.
  // CHECK: fly.pipeline %{{.*}} = 0 to %[[N]] step 64 prefetch {
  // CHECK: } stage {
  // CHECK: } compute {
  fly.pipeline %k = 0 to %n step 64 prefetch {
    } stage {
    } compute {
    }
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func.func @at_random
func.func @at_random(%t: tensor<64xf32>, %seed: i32) {
  // Cast C2.
  // CHECK: fly.cast %{{.*}} rounding sr seed %{{.*}} : tensor<64xf32> -> tensor<64xbf16>
  %a = fly.cast %t rounding sr seed %seed : tensor<64xf32> -> tensor<64xbf16>
  // CHECK: fly.cast %{{.*}} overflow saturate rounding sr seed %{{.*}} : tensor<64xf32> -> tensor<64xf8E5M2FNUZ>
  %b = fly.cast %t overflow saturate rounding sr seed %seed : tensor<64xf32> -> tensor<64xf8E5M2FNUZ>
  return
}

// CHECK-LABEL: func.func @lanes
// CHECK-SAME: %[[T:.*]]: tensor<16x64xf32>, %[[I:.*]]: tensor<16x64xi32>
func.func @lanes(%t: tensor<16x64xf32>, %i: tensor<16x64xi32>) {
  // Lanes C1, C2, C3.
  // CHECK: %{{.*}}:2 = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%[[V:.*]] = %[[T]], %[[W:.*]] = %[[I]]) : (tensor<16x64xf32>, tensor<16x64xi32>) -> (tensor<16x64xi32>, tensor<16x64xf32>) {
  // CHECK: fly.yield %[[W]], %[[V]] : vector<1x1x4xi32>, vector<1x1x4xf32>
  %a, %b = fly.lanes in #fly.blocked<threads = [16, 16], vector = 4> (%v = %t, %w = %i)
      : (tensor<16x64xf32>, tensor<16x64xi32>) -> (tensor<16x64xi32>, tensor<16x64xf32>) {
    fly.yield %w, %v : vector<1x1x4xi32>, vector<1x1x4xf32>
  }
  // CHECK: fly.lanes in #fly.blocked<threads = [64], vector = 1> () : () -> tensor<64xi32> {
  %l = fly.lanes in #fly.blocked<threads = [64], vector = 1> () : () -> tensor<64xi32> {
    %lane = fly.lane
    %n = arith.index_cast %lane : index to i32
    %r = vector.broadcast %n : i32 to vector<1x1xi32>
    fly.yield %r : vector<1x1xi32>
  }
  return
}

// CHECK-LABEL: func.func @scaled
func.func @scaled(%a: tensor<64x128xf8E4M3FN>, %sa: tensor<64x4xf8E8M0FNU>,
                  %b: tensor<32x128xf4E2M1FN>, %sb: tensor<32x4xf8E8M0FNU>, %c: tensor<64x32xf32>) {
  // Dot_scaled C1, C2, C3.
  // CHECK: fly.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} label "x" : tensor<64x128xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<32x128xf4E2M1FN>, tensor<32x4xf8E8M0FNU> -> tensor<64x32xf32>
  %d = fly.dot_scaled %a scale %sa, %b scale %sb, %c label "x"
    : tensor<64x128xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<32x128xf4E2M1FN>, tensor<32x4xf8E8M0FNU> -> tensor<64x32xf32>
  return
}

// CHECK-LABEL: func.func @aligned
func.func @aligned(%p: !fly.ptr<f32>) -> i1 {
  // Is_aligned C1.
  // CHECK: fly.is_aligned %{{.*}} to 16 : !fly.ptr<f32>
  %wide = fly.is_aligned %p to 16 : !fly.ptr<f32>
  return %wide : i1
}
