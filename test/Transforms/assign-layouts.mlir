// RUN: fly-opt %s --fly-assign-layouts | FileCheck %s

#sched = #fly.schedule<waves = [2, 2], waves_per_eu = 1, grid = {order = n_fastest},
    a = lds(stages = 2, swizzle = xor, copy = sync), b = regs(depth = 1),
    dot0 = {mfma = 16x16, acc = transposed}, c = {epilogue = direct}>

// Operand a goes through LDS, so it is loaded in the copy layout and converted
// at the dot; operand b stays in registers and is loaded as the dot reads it.
// The row and column tiles take slices of the accumulator's layout.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @dot_and_epilogue
  gpu.func @dot_and_epilogue(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<bf16>, %R: !fly.ptr<f32>, %M: i32)
      kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 64] : !fly.view<?x64xbf16>
    %b = fly.view %B[%M, 64] : !fly.view<?x64xbf16>
    %c = fly.view %C[%M, 128] : !fly.view<?x128xbf16>
    %r = fly.view %R[%M] : !fly.view<?xf32>
    // CHECK: fly.load {{.*}} label "a" : {{.*}} -> tensor<128x64xbf16, #fly.blocked<threads = [32, 8], vector = 8>>
    %ta = fly.load %a[0, 0] label "a" : !fly.view<?x64xbf16> -> tensor<128x64xbf16>
    // CHECK: %[[B:.*]] = fly.load {{.*}} label "b" : {{.*}} -> tensor<128x64xbf16, #fly.operand<b, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>, pack = 8>>
    %tb = fly.load %b[0, 0] label "b" : !fly.view<?x64xbf16> -> tensor<128x64xbf16>
    // CHECK: fly.constant {{.*}} : tensor<128x128xf32, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>>
    %z = fly.constant 0.0 : tensor<128x128xf32>
    // CHECK: %[[A:.*]] = fly.convert_layout %{{.*}} -> tensor<128x64xbf16, #fly.operand<a, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>, pack = 8>>
    // CHECK: fly.dot %[[A]], %[[B]],
    %d = fly.dot %ta, %tb, %z label "dot0" : tensor<128x64xbf16>, tensor<128x64xbf16> -> tensor<128x128xf32>
    // CHECK: fly.load {{.*}} -> tensor<128xf32, #fly.slice<1, 128, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>>>
    %row = fly.load %r[0] : !fly.view<?xf32> -> tensor<128xf32>
    // CHECK: fly.broadcast {{.*}} -> tensor<128x128xf32, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>>
    %rb = fly.broadcast %row along 1 : tensor<128xf32> -> tensor<128x128xf32>
    // CHECK: arith.mulf {{.*}} : tensor<128x128xf32, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>>
    %s = arith.mulf %d, %rb : tensor<128x128xf32>
    // CHECK: arith.truncf {{.*}} to tensor<128x128xbf16, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true>>
    %o = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xbf16>
    fly.store %o, %c[0, 0] label "c" : tensor<128x128xbf16>, !fly.view<?x128xbf16>
    gpu.return
  }

  // Without a dot, tiles are copied 16 bytes a thread; rows narrower than the
  // workgroup put several rows side by side.
  // CHECK-LABEL: gpu.func @copy
  gpu.func @copy(%A: !fly.ptr<f16>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 256] : !fly.view<?x256xf16>
    // CHECK: fly.load {{.*}} -> tensor<16x256xf16, #fly.blocked<threads = [8, 32], vector = 8>>
    %t = fly.load %a[0, 0] : !fly.view<?x256xf16> -> tensor<16x256xf16>
    // CHECK: fly.store {{.*}} : tensor<16x256xf16, #fly.blocked<threads = [8, 32], vector = 8>>
    fly.store %t, %a[16, 0] : tensor<16x256xf16>, !fly.view<?x256xf16>
    gpu.return
  }

  // A row of 48 bytes has three 16-byte chunks: rounds stay whole.
  // CHECK-LABEL: gpu.func @odd_row
  gpu.func @odd_row(%A: !fly.ptr<f16>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 24] : !fly.view<?x24xf16>
    // CHECK: fly.load {{.*}} -> tensor<16x24xf16, #fly.blocked<threads = [85, 3], vector = 8>>
    %t = fly.load %a[0, 0] : !fly.view<?x24xf16> -> tensor<16x24xf16>
    fly.store %t, %a[16, 0] : tensor<16x24xf16>, !fly.view<?x24xf16>
    gpu.return
  }
}
