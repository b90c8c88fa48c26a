// What folds: conversions between equal layouts.
// RUN: fly-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @convert_to_the_same_layout
// CHECK-SAME: (%[[T:.*]]: tensor
// CHECK-NEXT: return %[[T]]
func.func @convert_to_the_same_layout(
    %t: tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>)
    -> tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>> {
  %s = fly.convert_layout %t
    : tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
    -> tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
  return %s : tensor<64x32xbf16, #fly.blocked<threads = [64, 4], vector = 8>>
}
