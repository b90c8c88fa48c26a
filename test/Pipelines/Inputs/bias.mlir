// Y[n] = n / 8 - 8 by a division, in bf16 and in f32.
!X = tensor<128xf32>
gpu.module @bias [#rocdl.target<chip = "gfx942">] {
  gpu.func @bias(%Y: !fly.ptr<bf16>, %Z: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<>} {
    %y = fly.view %Y[128] : !fly.view<128xbf16>
    %z = fly.view %Z[128] : !fly.view<128xf32>
    %i = fly.iota along 0 : tensor<128xi32>
    %n = arith.sitofp %i : tensor<128xi32> to !X
    %eight = fly.constant 8.0 : !X
    %q = arith.divf %n, %eight : !X
    %b = arith.subf %q, %eight : !X
    %h = arith.truncf %b : !X to tensor<128xbf16>
    fly.store %h, %y[0] : tensor<128xbf16>, !fly.view<128xbf16>
    fly.store %b, %z[0] : !X, !fly.view<128xf32>
    gpu.return
  }
}
