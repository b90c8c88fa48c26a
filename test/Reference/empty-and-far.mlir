// A tile without elements has no rows to read as other bits: its number was
// divided by. A slice whose end has more than 64 bits is not inside of anything.
// RUN: fly-run %s --kernel=empty --device=reference --expect Y=fill:7 | FileCheck %s
// CHECK: right
// RUN: not fly-run %s --kernel=far --device=reference 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: 'tensor.extract_slice' op reaches from 2 to 9223372036854775807 in dimension 0 of a tile of 8
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @empty(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %t = fly.constant 1 : tensor<4x0xi8>
    %i = fly.bitcast %t : tensor<4x0xi8> -> tensor<4x0xi16>
    %z = fly.constant 7.0 : tensor<64xf32>
    fly.store %z, %y[0] : tensor<64xf32>, !fly.view<64xf32>
    gpu.return
  }

  gpu.func @far(%Y: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %y = fly.view %Y[3] : !fly.view<3xf32>
    %t = fly.constant 7.0 : tensor<8xf32>
    %s = tensor.extract_slice %t[2] [3] [9223372036854775807] : tensor<8xf32> to tensor<3xf32>
    fly.store %s, %y[0] : tensor<3xf32>, !fly.view<3xf32>
    gpu.return
  }
}
