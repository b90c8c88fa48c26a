// RUN: fly-opt %s --fly-convert-to-rocdl | FileCheck %s

// `llvm.noalias` on an argument says that no other pointer reaches its memory.
// So none may have it where one argument may be the memory of any other: beside
// %C, %A is not alone either.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: llvm.func @one_may_alias(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noundef}, %{{[^:]*}}: !llvm.ptr<1> {llvm.noundef}, %{{[^:]*}}: i32 {llvm.noundef})
  gpu.func @one_may_alias(%A: !fly.ptr<f32>, %C: !fly.ptr<f32> {fly.may_alias}, %n: i32) kernel
      attributes {fly.waves = 1 : i32} {
    gpu.return
  }
  // CHECK-LABEL: llvm.func @none_aliases(
  // CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias, llvm.noundef}, %{{[^:]*}}: !llvm.ptr<1> {llvm.noalias, llvm.noundef})
  gpu.func @none_aliases(%A: !fly.ptr<f32>, %C: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    gpu.return
  }
}
