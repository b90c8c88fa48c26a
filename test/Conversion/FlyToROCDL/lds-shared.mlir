// Fields at bytes of a shared object: one global, an address each, and alias
// scopes that keep apart what does not meet.
// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// CHECK-DAG: #[[A:.*]] = #llvm.alias_scope<id = "k.S_a", {{.*}}description = "S_a">
// CHECK-DAG: #[[B:.*]] = #llvm.alias_scope<id = "k.S_b", {{.*}}description = "S_b">
// CHECK-DAG: #[[C:.*]] = #llvm.alias_scope<id = "k.S_c", {{.*}}description = "S_c">
// CHECK-DAG: #[[OWN:.*]] = #llvm.alias_scope<id = "k.S_own", {{.*}}description = "S_own">
// CHECK-DAG: llvm.mlir.global internal @S{{[_0-9]*}}() {{.*}} : !llvm.array<512 x i8>
// CHECK-DAG: llvm.mlir.global internal @S_own() {{.*}} : !llvm.array<256 x i8>
// CHECK-LABEL: llvm.func @k
// CHECK-DAG: %[[S:.*]] = llvm.mlir.addressof @S{{[_0-9]*}} :
// CHECK-DAG: llvm.getelementptr %{{.*}}[256] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: llvm.store {{.*}}alias_scopes = [#[[A]]]{{.*}}noalias_scopes = [#[[B]], #[[OWN]]]
// CHECK: llvm.store {{.*}}alias_scopes = [#[[B]]]{{.*}}noalias_scopes = [#[[A]], #[[OWN]]]
// CHECK: llvm.store {{.*}}alias_scopes = [#[[OWN]]]{{.*}}noalias_scopes = [#[[A]], #[[B]], #[[C]]]
// CHECK: llvm.load {{.*}}alias_scopes = [#[[C]]]{{.*}}noalias_scopes = [#[[OWN]]]
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64xf32, lds> at 0, b : !fly.view<64xf32, lds> at 256, own : !fly.view<64xf32, lds>,
                      c : !fly.view<128xf32, lds> at 0 }
  gpu.func @k(%p: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64xf32, lds>
    %b = fly.lds.field %lds[b] : !fly.lds<@S> -> !fly.view<64xf32, lds>
    %own = fly.lds.field %lds[own] : !fly.lds<@S> -> !fly.view<64xf32, lds>
    %c = fly.lds.field %lds[c] : !fly.lds<@S> -> !fly.view<128xf32, lds>
    %l = fly.lane
    %v = arith.constant 1.0 : f32
    fly.write %v, %a[%l] : f32, !fly.view<64xf32, lds>
    fly.write %v, %b[%l] : f32, !fly.view<64xf32, lds>
    fly.write %v, %own[%l] : f32, !fly.view<64xf32, lds>
    %x = fly.read %c[%l] : !fly.view<128xf32, lds> -> f32
    %out = fly.view %p[64] : !fly.view<64xf32>
    fly.write %x, %out[%l] : f32, !fly.view<64xf32>
    gpu.return
  }
}
