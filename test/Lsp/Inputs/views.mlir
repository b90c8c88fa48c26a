func.func private @views(!fly.view<?x?xbf16, #fly.strided<[1, ?]>>, !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>,
  !fly.view<4x4xf32, #fly.strided<[8, 2]>>)
func.func private @map(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = fly.map "gelu_tanh(x)" (x = %a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @lane(vector<8xbf16>)
