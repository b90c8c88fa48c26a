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

  // The value of an upstream constant has the tile's type, layout included.
  // CHECK-LABEL: gpu.func @upstream_constants
  gpu.func @upstream_constants(%A: !fly.ptr<f32>, %M: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 4] : !fly.view<?x4xf32>
    // CHECK: arith.constant dense<1.000000e+00> : tensor<2x4xf32, #fly.blocked<threads = [256, 1], vector = 4>>
    %one = arith.constant dense<1.0> : tensor<2x4xf32>
    // CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], {{.*}}> : tensor<2x4xf32, #fly.blocked<threads = [256, 1], vector = 4>>
    %two = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
    %t = arith.addf %one, %two : tensor<2x4xf32>
    fly.store %t, %a[0, 0] : tensor<2x4xf32>, !fly.view<?x4xf32>
    gpu.return
  }

  // A tile keeps its layout round a while loop.
  // CHECK-LABEL: gpu.func @while_loop
  gpu.func @while_loop(%A: !fly.ptr<f16>, %M: i32, %N: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%M, 256] : !fly.view<?x256xf16>
    %c0 = arith.constant 0 : i32
    %t = fly.load %a[0, 0] : !fly.view<?x256xf16> -> tensor<16x256xf16>
    // CHECK: scf.while ({{.*}}) : (i32, tensor<16x256xf16, #fly.blocked<threads = [8, 32], vector = 8>>) -> (i32, tensor<16x256xf16, #fly.blocked<threads = [8, 32], vector = 8>>)
    %r:2 = scf.while (%i = %c0, %s = %t) : (i32, tensor<16x256xf16>) -> (i32, tensor<16x256xf16>) {
      %more = arith.cmpi slt, %i, %N : i32
      scf.condition(%more) %i, %s : i32, tensor<16x256xf16>
    } do {
    ^bb0(%i: i32, %s: tensor<16x256xf16>):
      %n = arith.addf %s, %s : tensor<16x256xf16>
      %j = arith.addi %i, %i : i32
      scf.yield %j, %n : i32, tensor<16x256xf16>
    }
    fly.store %r#1, %a[0, 0] : tensor<16x256xf16>, !fly.view<?x256xf16>
    gpu.return
  }
}
