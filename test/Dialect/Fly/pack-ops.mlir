// Tiles of packed elements, and layouts of them: each constraint met, and the
// printed form parses again.
// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s

// CHECK-LABEL: func.func private @bitcasts
func.func private @bitcasts(%bytes: tensor<64x48xi8>, %row: tensor<32xf32>,
                            %names: tensor<?x?xi8, #fly.tile<BM, BB>>) {
  // Bitcast C1, C2, C3.
  // CHECK: fly.bitcast %{{.*}} : tensor<64x48xi8> -> tensor<64x96xi4>
  %0 = fly.bitcast %bytes : tensor<64x48xi8> -> tensor<64x96xi4>
  // CHECK: fly.bitcast %{{.*}} : tensor<64x48xi8> -> tensor<64x64xf6E2M3FN>
  %1 = fly.bitcast %bytes : tensor<64x48xi8> -> tensor<64x64xf6E2M3FN>
  // CHECK: fly.bitcast %{{.*}} : tensor<32xf32> -> tensor<64xbf16>
  %2 = fly.bitcast %row : tensor<32xf32> -> tensor<64xbf16>
  // CHECK: fly.bitcast %{{.*}} : tensor<?x?xi8, #fly.tile<BM, BB>> -> tensor<?x?xf4E2M1FN, #fly.tile<BM, BK>>
  %3 = fly.bitcast %names : tensor<?x?xi8, #fly.tile<BM, BB>> -> tensor<?x?xf4E2M1FN, #fly.tile<BM, BK>>
  return
}

// CHECK-LABEL: func.func private @repeats
func.func private @repeats(%scale: tensor<64x4xf16>) {
  // Repeat C1, C2.
  // CHECK: fly.repeat %{{.*}} by 32 along 1 : tensor<64x4xf16> -> tensor<64x128xf16>
  %0 = fly.repeat %scale by 32 along 1 : tensor<64x4xf16> -> tensor<64x128xf16>
  // CHECK: fly.repeat %{{.*}} by 2 along 0 : tensor<64x4xf16> -> tensor<128x4xf16>
  %1 = fly.repeat %scale by 2 along 0 : tensor<64x4xf16> -> tensor<128x4xf16>
  return
}

// CHECK-LABEL: func.func private @dots
func.func private @dots(%a: tensor<64x32xf32>, %c: tensor<64x64xf32>, %d: tensor<64x32xf64>, %e: tensor<64x64xf64>,
                        %f: tensor<64x32xf8E4M3FN>, %g: tensor<64x32xf8E5M2>) {
  // Dot C2: f64, two formats of 8-bit floats.
  // CHECK: fly.dot %{{.*}} : tensor<64x32xf64>, tensor<64x32xf64> -> tensor<64x64xf64>
  %0 = fly.dot %d, %d, %e : tensor<64x32xf64>, tensor<64x32xf64> -> tensor<64x64xf64>
  // CHECK: fly.dot %{{.*}} : tensor<64x32xf8E4M3FN>, tensor<64x32xf8E5M2> -> tensor<64x64xf32>
  %1 = fly.dot %f, %g, %c : tensor<64x32xf8E4M3FN>, tensor<64x32xf8E5M2> -> tensor<64x64xf32>
  // Dot C3.
  // CHECK: fly.dot %{{.*}}, %{{.*}}, %{{.*}} xf32 label "x" : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  %2 = fly.dot %a, %a, %c xf32 label "x" : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x64xf32>
  return
}

#acc = #fly.mma<shape = [16, 16], waves = [1, 4]>
// CHECK-LABEL: func.func private @layouts
// CHECK-SAME: #fly.blocked<threads = [16, 4], vector = 8, rows = 4>
// CHECK-SAME: #fly.mma<shape = [16, 16], waves = [2, 2], f64 = true>
// CHECK-SAME: #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true, f64 = true>
// CHECK-SAME: #fly.repeated<1, 32, #fly.operand<b, #fly.mma<shape = [16, 16], waves = [1, 4]>, pack = 8>>
func.func private @layouts(tensor<64x32xbf16, #fly.blocked<threads = [16, 4], vector = 8, rows = 4>>,
    tensor<64x64xf64, #fly.mma<shape = [16, 16], waves = [2, 2], f64 = true>>,
    tensor<64x64xf64, #fly.mma<shape = [16, 16], waves = [2, 2], transposed = true, f64 = true>>,
    tensor<64x4xf16, #fly.repeated<1, 32, #fly.operand<b, #acc, pack = 8>>>)
