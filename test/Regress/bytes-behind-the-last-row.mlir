// The range of a view of bytes was rounded up to dwords for accesses of two bytes:
// the first elements of the row behind the last one were read from memory.
// RUN: fly-run %s | FileCheck %s
// RUN: fly-run %s --chip=gfx942 | FileCheck %s
// CHECK: right (315 of 315 equal)
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @k(%X: !fly.ptr<i8>, %Y: !fly.ptr<i8>) kernel attributes {fly.schedule = #fly.schedule<>} {
    %x = fly.view %X[43, 6] : !fly.view<43x6xi8>
    %y = fly.view %Y[45, 7] : !fly.view<45x7xi8>
    %t = fly.load %x[0, 0] : !fly.view<43x6xi8> -> tensor<45x8xi8>
    fly.store %t, %y[0, 0] : tensor<45x8xi8>, !fly.view<45x7xi8>
    gpu.return
  }
}
