// RUN: fly-opt %s --fly-resolve-schedule -split-input-file -verify-diagnostics

// Keys and words: each error lists the known ones.
!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule key 'w' is no label of this kernel; labels: kloop, a, b, c, dot0; keys of the kernel: sizes, consts, waves, waves_per_eu, grid, codegen}}
  gpu.func @unknown_label(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<w = regs>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_policy(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = vgprs>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+1 {{schedule entry 'a': is 'vgprs'; known for a load: lds, regs, auto}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_key(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(stage = 2)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+1 {{schedule entry 'a': unknown key 'stage' of 'lds' (did you mean 'stages'?); known: stages, swizzle, copy, first_pack, read, cache}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_stages(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<b = lds(stages = 9)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        // expected-error @+1 {{schedule entry 'b': 'stages' is 9; expected a number from 1 to 8 or auto}}
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_swizzle(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<b = lds(swizzle = padded)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        // expected-error @+1 {{schedule entry 'b': 'swizzle' is 'padded'; known: none, xor, pad, auto}}
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_copy(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<b = lds(copy = dma)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        // expected-error @+1 {{schedule entry 'b': 'copy' is 'dma'; known: sync, async, auto}}
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_positional(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<b = lds(2)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        // expected-error @+1 {{schedule entry 'b': arguments of 'lds' are named, as in lds(stages = 2)}}
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @load_depth(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<b = regs(depth = 9)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        // expected-error @+1 {{schedule entry 'b': 'depth' is 9; expected a number from 1 to 8 or auto}}
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @loop_key(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = {mfm = 16x16}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    // expected-error @+1 {{schedule entry 'kloop': unknown key 'mfm' of a dot or loop (did you mean 'mfma'?); known: mfma, acc, a, hot_loop, unroll, stages}}
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @loop_shape(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = {mfma = 4x4}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    // expected-error @+1 {{schedule entry 'kloop': 'mfma' is '4x4'; known: 16x16, 32x32, auto}}
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @loop_word(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = fast>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    // expected-error @+1 {{schedule entry 'kloop': is 'fast'; a dot or loop has entries in braces, as in {mfma = 16x16, acc = auto}}}
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @dot_acc(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<dot0 = {acc = swapped}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{schedule entry 'dot0': 'acc' is 'swapped'; known: plain, transposed, auto}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @store_epilogue(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<c = {epilogue = shuffle}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    // expected-error @+1 {{schedule entry 'c': 'epilogue' is 'shuffle' (did you mean 'cshuffle'?); known: direct, cshuffle, auto}}
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @store_policy(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<c = lds(stages = 1)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    // expected-error @+1 {{schedule entry 'c': is 'lds(...)'; a store has entries in braces, as in {epilogue = direct}}}
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'order' is 'hilbert'; known: n_fastest, m_fastest, grouped, longest_first, auto}}
  gpu.func @grid_order(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<grid = {order = hilbert}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'xcd' is 'yes'; known: off, on, by, auto}}
  gpu.func @grid_key(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<grid = {xcd = yes}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': is 'n_fastest'; expected entries in braces, as in {order = n_fastest}}}
  gpu.func @grid_word(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<grid = n_fastest>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'codegen': no form of code generation; known: auto, vgpr, vgpr_ilp, agpr, agpr_ilp, vgpr_hints, agpr_hints}}
  gpu.func @codegen_settings(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<codegen = {strategy = minreg}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'consts' is not bound: run fly-instantiate first}}
  gpu.func @consts_not_bound(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<consts = {arg2 = 64}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// Waves.
!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'waves': expected rows and columns, as in [2, 2], a number of waves, or auto}}
  gpu.func @waves_word(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = many>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'waves': the number of waves must be a power of two from 1 to 16 (1024 threads on gfx942), got [3, 1]}}
  gpu.func @waves_of_three(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [3, 1]>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'waves': the number of waves must be a power of two from 1 to 16 (1024 threads on gfx942), got [8, 4]}}
  gpu.func @waves_too_many(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [8, 4]>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'waves_per_eu': expected a number from 2 (a workgroup of 8 waves on 4 SIMDs) to 8, or auto}}
  gpu.func @waves_per_eu_too_few(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = 8, waves_per_eu = 1>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// T03's rows over waves of rows.
!A = tensor<112x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<112x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{fix: waves = [1, 4] fits this tile}}
  gpu.func @rows_do_not_split(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [4, 1]>} {
    %a = fly.view %A[112, %K] : !fly.view<112x?xbf16>
    %b = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %c = fly.view %C[112, 256] : !fly.view<112x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<112x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<256x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{tile of 112x256 does not split over waves = [4, 1]: 112 rows are not a multiple of 64 (4 waves * mfma of 16)}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<112x256xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<128x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{fix: waves = [4, 2] fits this tile}}
  gpu.func @columns_do_not_split(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [1, 8], kloop = {mfma = 32x32}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[64, %K] : !fly.view<64x?xbf16>
    %c = fly.view %C[128, 64] : !fly.view<128x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<64x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{tile of 128x64 does not split over waves = [1, 8]: 64 columns are not a multiple of 256 (8 waves * mfma of 32)}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x64xf32>
    gpu.return
  }
}

// -----

!A = tensor<16x64xbf16>
!B = tensor<64x64xbf16>
!C = tensor<16x64xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @tile_smaller_than_mfma(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = {mfma = 32x32}>} {
    %a = fly.view %A[16, %K] : !fly.view<16x?xbf16>
    %b = fly.view %A[64, %K] : !fly.view<64x?xbf16>
    %c = fly.view %C[16, 64] : !fly.view<16x64xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<16x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<64x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{tile of 16x64 does not split over waves = [1, 1]: 16 rows are not a multiple of 32 (1 waves * mfma of 32)}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<16x64xf32>
    gpu.return
  }
}

// -----

// K of the tile: rows of 64 bytes, whole packs.
!A = tensor<128x16xbf16>
!B = tensor<128x16xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @short_rows(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<kloop = {mfma = 32x32}>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 16 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{has rows of 16 * 2 = 32 bytes along k, which are not a multiple of 64: use a tile_k that is a multiple of 32 for 'bf16'}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x48xbf16>
!B = tensor<128x48xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @rows_of_48(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 48 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{has rows of 48 * 2 = 96 bytes along k, which are not a multiple of 64}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// LDS: the limit is inclusive, each buffer is listed.
!A = tensor<128x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<128x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+4 {{LDS buffers of kernel 'lds_over_gfx942' need 98304 bytes on gfx942, limit is 65536}}
  // expected-note @+3 {{a: 2 stages of 128x64 elements of 16 bits = 32768}}
  // expected-note @+2 {{b: 2 stages of 256x64 elements of 16 bits = 65536}}
  // expected-note @+1 {{fix: stages = 1 needs 49152 bytes}}
  gpu.func @lds_over_gfx942(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 2), b = lds(stages = 2)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %c = fly.view %C[128, 256] : !fly.view<128x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<256x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x256xf32>
    gpu.return
  }
}

// -----

!A = tensor<256x256xbf16>
!B = tensor<256x256xbf16>
!C = tensor<256x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // expected-error @+4 {{LDS buffers of kernel 'lds_over_gfx950' need 262144 bytes on gfx950, limit is 163840}}
  // expected-note @+3 {{a: 1 stage of 256x256 elements of 16 bits = 131072}}
  // expected-note @+2 {{b: 1 stage of 256x256 elements of 16 bits = 131072}}
  // expected-note @+1 {{fix: smaller tiles, or regs for an operand}}
  gpu.func @lds_over_gfx950(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %b = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %c = fly.view %C[256, 256] : !fly.view<256x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 256 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<256x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<256x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<256x256xf32>
    gpu.return
  }
}

// -----

// Registers: 256 + 32 + 32 + 32 + 32 + 16 do not fit two waves a SIMD.
!A = tensor<256x64xbf16>
!B = tensor<256x64xbf16>
!C = tensor<256x256xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+8 {{kernel 'registers_over' needs an estimated 400 vector registers a lane, limit is 256 on gfx942 with 2 waves a SIMD}}
  // expected-note @+7 {{accumulators: 256x256 / (64 lanes * 4 waves) = 256}}
  // expected-note @+6 {{fragments of A: 128x32 * 2 bytes / (64 lanes * 4 bytes) = 32}}
  // expected-note @+5 {{prefetch of A: 32768 bytes in 16-byte loads of 256 threads = 32}}
  // expected-note @+4 {{fragments of B: 128x32 * 2 bytes / (64 lanes * 4 bytes) = 32}}
  // expected-note @+3 {{prefetch of B: 32768 bytes in 16-byte loads of 256 threads = 32}}
  // expected-note @+2 {{addresses (estimate) = 16}}
  // expected-note @+1 {{fix: a smaller waves_per_eu}}
  gpu.func @registers_over(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], waves_per_eu = 2>} {
    %a = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %b = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %c = fly.view %C[256, 256] : !fly.view<256x256xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<256x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<256x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<256x256xf32>
    gpu.return
  }
}

// -----

!A = tensor<256x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<256x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+8 {{needs an estimated 912 vector registers a lane, limit is 512 on gfx942 with 1 wave a SIMD}}
  // expected-note @+7 {{accumulators: 256x128 / (64 lanes * 1 waves) = 512}}
  // expected-note @+6 {{fragments of A: 256x64}}
  // expected-note @+5 {{prefetch of A: a second set of fragments = 128}}
  // expected-note @+4 {{fragments of B: 128x64}}
  // expected-note @+3 {{prefetch of B: a second set of fragments = 64}}
  // expected-note @+2 {{addresses (estimate) = 16}}
  // expected-note @+1 {{fix: smaller tiles}}
  gpu.func @registers_of_one_wave(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<waves = 1, a = regs, b = regs>} {
    %a = fly.view %A[256, %K] : !fly.view<256x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[256, 128] : !fly.view<256x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<256x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<256x128xf32>
    gpu.return
  }
}

// -----

// Swizzles and stages where they make no sense.
!A = tensor<128x96xbf16>
!B = tensor<128x96xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @swizzle_of_odd_rows(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<a = lds(swizzle = xor)>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 96 iter_args(%s = %z) : !C
      prefetch {
        // expected-error @+2 {{cannot be swizzled by xor: a row of 192 bytes is 12 chunks of 16 bytes, no power of two}}
        // expected-note @+1 {{fix: swizzle = pad or none, or a tile of a power of two in k}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @lds_without_dot(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<x = lds>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    // expected-error @+1 {{loads a tile that no dot reads as it is, so it has no use in LDS: schedule it as regs}}
    %x = fly.load %c[0, 0] label "x" : !fly.view<128x128xf32> -> !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// Labels.
!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @label_of_two_kinds(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        // expected-note @+1 {{the other op}}
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{has the label 'a' of a load: ops of two kinds cannot share an entry}}
        %d = fly.dot %ta, %tb, %s label "a" : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @label_is_a_key(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{cannot have the label 'grid': schedules use that key for all of the kernel}}
        %d = fly.dot %ta, %tb, %s label "grid" : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// T05: the flavour of 8-bit floats belongs to the chip.
!A = tensor<128x64xf8E4M3FN>
!B = tensor<128x64xf8E4M3FN>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @ocp_on_gfx942(%A: !fly.ptr<f8E4M3FN>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xf8E4M3FN>
    %b = fly.view %A[128, %K] : !fly.view<128x?xf8E4M3FN>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xf8E4M3FN> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xf8E4M3FN> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{has operands of 'f8E4M3FN', but the matrix unit of gfx942 takes f8E4M3FNUZ}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xf8E5M2FNUZ>
!B = tensor<128x64xf8E5M2FNUZ>
!C = tensor<128x128xf32>
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @fnuz_on_gfx950(%A: !fly.ptr<f8E5M2FNUZ>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xf8E5M2FNUZ>
    %b = fly.view %A[128, %K] : !fly.view<128x?xf8E5M2FNUZ>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xf8E5M2FNUZ> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xf8E5M2FNUZ> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        // expected-error @+1 {{has operands of 'f8E5M2FNUZ', but the matrix unit of gfx950 takes f8E5M2}}
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// Chips.
!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
// expected-error @+1 {{targets gfx1250, which Fly describes but does not compile for; it compiles for: gfx942, gfx950}}
gpu.module @m [#rocdl.target<chip = "gfx1250">] {
  gpu.func @chip_that_is_only_described(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

!A = tensor<128x64xbf16>
!B = tensor<128x64xbf16>
!C = tensor<128x128xf32>
// expected-error @+1 {{targets the unknown chip 'gfx94x'; known chips: gfx942, gfx950}}
gpu.module @m [#rocdl.target<chip = "gfx94x">] {
  gpu.func @unknown_chip(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32) kernel attributes {fly.schedule = #fly.schedule<>} {
    %a = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %b = fly.view %A[128, %K] : !fly.view<128x?xbf16>
    %c = fly.view %C[128, 128] : !fly.view<128x128xf32>
    %z = fly.constant 0.0 : !C
    %r = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %z) : !C
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !fly.view<128x?xbf16> -> !A
        %tb = fly.load %b[0, %k] label "b" : !fly.view<128x?xbf16> -> !B
        fly.yield %ta, %tb : !A, !B
      } compute(%ta: !A, %tb: !B) {
        %d = fly.dot %ta, %tb, %s : !A, !B -> !C
        fly.yield %d : !C
      }
    fly.store %r, %c[0, 0] label "c" : !C, !fly.view<128x128xf32>
    gpu.return
  }
}

// -----

// LDS without a pipeline that hands the tile over.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @lds_without_pipeline(%A: !fly.ptr<bf16>) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 1)>} {
    %v = fly.view %A[64, 64] : !fly.view<64x64xbf16>
    %z = fly.constant 0.0 : tensor<64x64xf32>
    // expected-error @+1 {{cannot go through LDS: it is not in the prefetch of a fly.pipeline, which hands tiles over; schedule it as regs}}
    %a = fly.load %v[0, 0] label "a" : !fly.view<64x64xbf16> -> tensor<64x64xbf16>
    %d = fly.dot %a, %a, %z : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    gpu.return
  }
}

// -----

// A target without a chip does not mean the one that LLVM would take.
// expected-error @+1 {{has a target that gives no chip, as in [#rocdl.target<chip = "gfx942">]; known chips: gfx942, gfx950}}
gpu.module @m [#rocdl.target] {
  gpu.func @no_chip(%A: !fly.ptr<f32>) kernel {
    %a = fly.view %A[64] : !fly.view<64xf32>
    %x = fly.load %a[0] : !fly.view<64xf32> -> tensor<64xf32>
    gpu.return
  }
}

// -----

// Words with arguments; dimensions that are none.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'order' is 'grouped(0)'; expected the tiles of the first dimension that are walked together, from 1 to 65536, as in grouped(8)}}
  gpu.func @grouped(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<grid = {order = grouped(0)}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'xcd' is 'by'; expected a dimension of the grid, by its name or its number from 0, as in by(h)}}
  gpu.func @by(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<grid = {xcd = by}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'xcd' is by(h), which is no dimension of the grid: the kernel has no fly.grid}}
  gpu.func @xcd(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<grid = {order = n_fastest, xcd = by(h)}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @xcd_name(%t: tensor<16x64xf32>, %H: i32, %B: i32) kernel attributes {fly.schedule = #fly.schedule<grid = {xcd = by(heads)}>} {
    // expected-error @+1 {{schedule entry 'grid': 'xcd' is by(heads), which is no dimension of the grid (did you mean 'head'?); its dimensions: head, batch; their numbers: 0 to 1}}
    %h, %b = fly.grid to (%H, %B) step (1, 1) {fly.name = ["head", "batch"]}
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @xcd_number(%t: tensor<16x64xf32>, %H: i32, %B: i32) kernel attributes {fly.schedule = #fly.schedule<grid = {xcd = by(2)}>} {
    // expected-error @+1 {{schedule entry 'grid': 'xcd' is by(2), which is no dimension of the grid; its dimensions: h, b; their numbers: 0 to 1}}
    %h, %b = fly.grid to (%H, %B) step (1, 1)
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'grid': 'persistent' is 0; expected a number of workgroups from 1 to 1048576, on, off or auto}}
  gpu.func @persistent(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<grid = {persistent = 0}>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{schedule entry 'versions': known: auto, off}}
  gpu.func @versions(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<versions = 2>} {
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @depth(%v: !fly.view<?x?xf32>) kernel attributes {fly.schedule = #fly.schedule<a = regs(depth = 0, cache = stream)>} {
    // expected-error @+1 {{schedule entry 'a': 'depth' is 0; expected a number from 1 to 8 or auto}}
    %t = fly.load %v[0, 0] label "a" : !fly.view<?x?xf32> -> tensor<16x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @first_pack(%v: !fly.view<?x?xf32>) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 2, first_pack = kept)>} {
    // expected-error @+1 {{schedule entry 'a': 'first_pack' is 'kept'; known: off, carried, auto}}
    %t = fly.load %v[0, 0] label "a" : !fly.view<?x?xf32> -> tensor<16x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @read(%v: !fly.view<?x?xf32>) kernel attributes {fly.schedule = #fly.schedule<a = lds(stages = 3, read = turned)>} {
    // expected-error @+1 {{schedule entry 'a': 'read' is 'turned'; known: plain, transposed, auto}}
    %t = fly.load %v[0, 0] label "a" : !fly.view<?x?xf32> -> tensor<16x64xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @from_acc(%a: tensor<32x64xbf16>, %c: tensor<32x32xf32>) kernel attributes {fly.schedule = #fly.schedule<pv = {mfma = 32x32, a = acc}>} {
    // expected-error @+1 {{schedule entry 'pv': 'a' is 'acc'; known: regs, from_acc, auto}}
    %d = fly.dot %a, %a, %c label "pv" : tensor<32x64xbf16>, tensor<32x64xbf16> -> tensor<32x32xf32>
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @stages_of_a_pipeline(%n: i32, %t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedule<loop = {stages = {}}>} {
    // expected-error @+1 {{schedule entry 'loop': 'stages' is for plain loops; the regions of this fly.pipeline are its stages}}
    fly.pipeline @loop %k = 0 to %n step 64 prefetch {
      } compute {
      }
    gpu.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // expected-error @+1 {{has a schedule for each of several chips: run fly-instantiate first}}
  gpu.func @several(%t: tensor<16x64xf32>) kernel attributes {fly.schedule = #fly.schedules<{gfx950 = #fly.schedule<waves = 4>}>} {
    gpu.return
  }
}
