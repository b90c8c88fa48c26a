// The ops that hand-written kernels have, and the forms of reads and writes.
// Labels name the constraint that a line meets.
// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s

!Acc = vector<4x4x4xf32>
!L = !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>

gpu.module @structs [#rocdl.target<chip = "gfx942">] {
  // Lds.struct C1, C2.
  // CHECK: fly.lds.struct @U union { tile : !fly.view<64x128xi8, lds>, sums : !fly.view<256xf32, lds> }
  fly.lds.struct @U union { tile : !fly.view<64x128xi8, lds>, sums : !fly.view<256xf32, lds> }
  // CHECK: fly.lds.struct @D { row : !fly.view<64xf32, lds>, rest : !fly.view<?x64xf32, lds> }
  fly.lds.struct @D { row : !fly.view<64xf32, lds>, rest : !fly.view<?x64xf32, lds> }
  // As large as the largest member, not as both.
  // CHECK: fly.lds.struct @O { a : !fly.view<64xi8, lds> at 0, b : !fly.view<64xi8, lds> at 64, own : !fly.view<16xi8, lds>, all : !fly.view<128xi8, lds> at 0 }
  fly.lds.struct @O { a : !fly.view<64xi8, lds> at 0, b : !fly.view<64xi8, lds> at 64, own : !fly.view<16xi8, lds>, all : !fly.view<128xi8, lds> at 0 }
  // CHECK: fly.lds.struct @Full union
  fly.lds.struct @Full union { a : !fly.view<65536xi8, lds>, b : !fly.view<16384xf32, lds> }
}

// CHECK-LABEL: func.func private @unrolled
func.func private @unrolled(%acc: !Acc, %x: vector<4xf32>, %flag: i1) -> (!Acc, i1) {
  // Static_for C1, C2.
  // CHECK: fly.static_for %{{.*}} = 0 to 4 {
  // CHECK-NEXT: }
  fly.static_for %i = 0 to 4 {
  }
  // CHECK: fly.static_for %{{.*}} = -2 to BM step 2 {
  fly.static_for %i = -2 to BM step 2 {
    fly.yield
  }
  // CHECK: %[[R:.*]]:2 = fly.static_for %[[I:.*]] = 0 to 4 step STEP iter_args(%[[S:.*]] = %{{.*}}, %[[F:.*]] = %{{.*}}) : vector<4x4x4xf32>, i1 attributes {note = "x"} {
  // CHECK-NEXT: %[[T:.*]] = vector.insert %{{.*}}, %[[S]] [%[[I]], 1] : vector<4xf32> into vector<4x4x4xf32>
  // CHECK-NEXT: fly.yield %[[T]], %[[F]] : vector<4x4x4xf32>, i1
  %r, %g = fly.static_for %i = 0 to 4 step STEP iter_args(%s = %acc, %f = %flag) : !Acc, i1 attributes {note = "x"} {
    %t = vector.insert %x, %s[%i, 1] : vector<4xf32> into !Acc
    fly.yield %t, %f : !Acc, i1
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %r, %g : !Acc, i1
}

// CHECK-LABEL: func.func private @accesses
func.func private @accesses(%a: !fly.view<?x?xi8>, %b: !fly.view<?x?xbf16, #fly.preshuffle<16, 64>>, %l: !L,
                            %t: !fly.view<64x64xbf16, lds>, %r: index, %c: index) {
  // Read C3, C4.
  // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] flat align 4 : !fly.view<?x?xi8> -> vector<4xi8>
  %0 = fly.read %a[%r, %c] flat align 4 : !fly.view<?x?xi8> -> vector<4xi8>
  // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] pad one in_bounds [true, false] whole : !fly.view<?x?xi8> -> vector<16xi8>
  %1 = fly.read %a[%r, %c] pad one in_bounds [true, false] whole : !fly.view<?x?xi8> -> vector<16xi8>
  // CHECK: fly.read %{{.*}}[%{{.*}}, %{{.*}}] {block} : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> vector<8xbf16>
  %2 = fly.read %b[%r, %c] {block} : !fly.view<?x?xbf16, #fly.preshuffle<16, 64>> -> vector<8xbf16>
  // CHECK: fly.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] whole : vector<16xi8>, !fly.view<?x?xi8>
  fly.write %1, %a[%r, %c] whole : vector<16xi8>, !fly.view<?x?xi8>
  // CHECK: fly.write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] cache stream flat : vector<4xi8>, !fly.view<?x?xi8>
  fly.write %0, %a[%r, %c] cache stream flat : vector<4xi8>, !fly.view<?x?xi8>
  // Dma C1, C2.
  // CHECK: fly.dma %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}] cache stream in_bounds [false, true] align 4 : vector<4xi8>, !fly.view<?x?xi8>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
  fly.dma %a[%r, %c] to %l[%r, %c] cache stream in_bounds [false, true] align 4 : vector<4xi8>, !fly.view<?x?xi8>, !L
  // CHECK: fly.dma %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}] flat whole : i8, !fly.view<?x?xi8>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
  fly.dma %a[%r, %c] to %l[%r, %c] flat whole : i8, !fly.view<?x?xi8>, !L
  // Copy C1, C2, C3.
  // CHECK: fly.copy %{{.*}}[0, 128] to %{{.*}} cache stream in_bounds [false, true] align 16 : !fly.view<?x?xi8>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>
  fly.copy %a[0, 128] to %l cache stream in_bounds [false, true] align 16 : !fly.view<?x?xi8>, !L
  // Read_transposed C1, C2.
  // CHECK: fly.read_transposed %{{.*}}[%{{.*}}, %{{.*}}] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
  %3 = fly.read_transposed %t[%r, %c] : !fly.view<64x64xbf16, lds> -> vector<4xbf16>
  // CHECK: fly.read_transposed %{{.*}}[%{{.*}}, %{{.*}}] : !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>> -> vector<16xi6>
  %4 = fly.read_transposed %l[%r, %c] : !L -> vector<16xi6>
  // Swizzle C1.
  // CHECK: fly.swizzle %{{.*}} by #fly.swizzle<3, 4, 3>
  %5 = fly.swizzle %c by #fly.swizzle<3, 4, 3>
  return
}
