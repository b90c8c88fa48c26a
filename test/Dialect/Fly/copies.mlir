// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s --mlir-print-op-generic | fly-opt | FileCheck %s

!L = !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>

// CHECK-LABEL: func.func private @copies
func.func private @copies(%a: !fly.view<?x?xbf16>, %b: !fly.view<?x?x?xi8>, %s: !fly.view<?x?xbf16, #fly.strided<[?, 1]>>,
                          %l: !L, %r: !fly.view<256xi8, lds>, %m: i32, %k: i32) {
  // CHECK: fly.copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} align 8 : !fly.view<?x?xbf16>, !fly.view<64x64xbf16, lds, #fly.swizzle<3, 4, 3>>
  fly.copy %a[%m, %k] to %l align 8 : !fly.view<?x?xbf16>, !L
  // CHECK: fly.copy %{{.*}}[%{{.*}}, 0] to %{{.*}} cache stream in_bounds [false, true] :
  fly.copy %s[%m, 0] to %l cache stream in_bounds [false, true] : !fly.view<?x?xbf16, #fly.strided<[?, 1]>>, !L
  // Leading dimensions pick one index each.
  // CHECK: fly.copy %{{.*}}[0, %{{.*}}, 256] to %{{.*}} : !fly.view<?x?x?xi8>, !fly.view<256xi8, lds>
  fly.copy %b[0, %m, 256] to %r : !fly.view<?x?x?xi8>, !fly.view<256xi8, lds>
  return
}
