// Columns of a tile in LDS are read by the instructions that transpose, where
// the chip has them: 4 rows of 16 bits, 8 of 8 bits; one lane's chunk is 4 or 8
// elements of a row. Wider elements, and other chips, element by element.
// RUN: fly-opt %s --fly-distribute | FileCheck %s
// RUN: sed s/gfx950/gfx942/ %s | fly-opt --fly-distribute | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: fly.read_transposed
#sched = #fly.schedule<waves = [1, 1], waves_per_eu = 1, grid = {order = n_fastest}, dot = {mfma = 32x32, acc = plain}>
#sched16 = #fly.schedule<waves = [1, 2], waves_per_eu = 1, grid = {order = n_fastest}, dot = {mfma = 16x16, acc = plain}>
#mma = #fly.mma<shape = [32, 32], waves = [1, 1]>
#mma16 = #fly.mma<shape = [16, 16], waves = [1, 2]>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  fly.lds.struct @S { a : !fly.view<64x32xbf16, lds>, b : !fly.view<64x64xi8, lds, #fly.swizzle<2, 4, 2>>, c : !fly.view<32x32xf32, lds> }

  // Lane 21 has column 21 and rows 0 to 3: its chunk is row 1, columns 20 to 23.
  // CHECK-LABEL: gpu.func @words
  gpu.func @words(%acc: vector<1xi32>) kernel attributes {fly.schedule = #sched} {
    // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
    // CHECK-COUNT-8: fly.read_transposed {{.*}} -> vector<4xbf16>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %f = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64x32xbf16, lds>
    %t = fly.load %f[0, 0] : !fly.view<64x32xbf16, lds> -> tensor<64x32xbf16, #fly.transposed<#fly.operand<b, #mma, pack = 8>>>
    %x = fly.transpose %t [1, 0] : tensor<64x32xbf16, #fly.transposed<#fly.operand<b, #mma, pack = 8>>> -> tensor<32x64xbf16, #fly.operand<b, #mma, pack = 8>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bytes
  gpu.func @bytes() kernel attributes {fly.schedule = #sched16} {
    // CHECK-COUNT-4: fly.read_transposed {{.*}} -> vector<8xi8>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %f = fly.lds.field %lds[b] : !fly.lds<@S> -> !fly.view<64x64xi8, lds, #fly.swizzle<2, 4, 2>>
    %t = fly.load %f[0, 0] : !fly.view<64x64xi8, lds, #fly.swizzle<2, 4, 2>> -> tensor<64x64xi8, #fly.transposed<#fly.operand<b, #mma16, pack = 16>>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @singles
  gpu.func @singles() kernel attributes {fly.schedule = #sched} {
    // CHECK-NOT: fly.read_transposed
    // CHECK: fly.read {{.*}} -> vector<1xf32>
    %lds = fly.lds.alloc : !fly.lds<@S>
    %f = fly.lds.field %lds[c] : !fly.lds<@S> -> !fly.view<32x32xf32, lds>
    %t = fly.load %f[0, 0] : !fly.view<32x32xf32, lds> -> tensor<32x32xf32, #fly.transposed<#fly.operand<b, #mma, pack = 4>>>
    gpu.return
  }
}
