// What moves no whole bytes, or needs elements by themselves.
// RUN: fly-opt %s --fly-pack-tiles -split-input-file -verify-diagnostics

!V = !fly.view<?x?xf4E2M1FN>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @start(%A: !fly.ptr<f4E2M1FN>, %M: i32, %K: i32, %k: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    // expected-error @+1 {{moves rows of 32 'f4E2M1FN' that start at multiples of 1: both must be multiples of 2, which are 1 byte (fly.require_multiple on strides and sizes says so)}}
    %t = fly.load %a[0, %k] : !V -> tensor<16x32xf4E2M1FN>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xf6E2M3FN>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @width(%A: !fly.ptr<f6E2M3FN>, %M: i32, %K: i32, %k: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    // expected-error @+1 {{moves rows of 30 'f6E2M3FN' that start at multiples of 64: both must be multiples of 4, which are 3 bytes}}
    %t = fly.load %a[0, %k] align 64 : !V -> tensor<16x30xf6E2M3FN>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi4, #fly.strided<[1, ?]>>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @columns(%A: !fly.ptr<i4>, %M: i32, %K: i32) kernel {
    %a = fly.view %A[%M, %K] strides [1, %M] : !V
    // expected-error @+1 {{moves elements of 'i4', 2 in 1 bytes, so the last dimension of its view must be the contiguous one}}
    %t = fly.load %a[0, 0] align 32 : !V -> tensor<16x32xi4>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi4>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @mask(%A: !fly.ptr<i4>, %M: i32, %K: i32, %on: tensor<16x32xi1>) kernel {
    %a = fly.view %A[%M, %K] : !V
    // expected-error @+1 {{masks elements of 'i4', which share bytes: load all of them and select}}
    %t = fly.load %a[0, 0] mask %on align 32 : !V, tensor<16x32xi1> -> tensor<16x32xi4>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi4>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @pad(%A: !fly.ptr<i4>, %M: i32, %K: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    // expected-error @+1 {{pads elements of 'i4' with one: those that share bytes read as zero outside}}
    %t = fly.load %a[0, 0] pad one align 32 : !V -> tensor<16x32xi4>
    gpu.return
  }
}

// -----

!V = !fly.view<?x?xi4>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @scalar(%A: !fly.ptr<i4>, %M: i32, %K: i32) kernel {
    %a = fly.view %A[%M, %K] : !V
    // expected-error @+1 {{'fly.load_scalar' op uses a view of 'i4', which is loaded and stored as tiles alone}}
    %t = fly.load_scalar %a[%M, %K] : !V -> i4
    gpu.return
  }
}
