// One tile handed over twice is one buffer; two tiles cannot share one.
// RUN: split-file %s %t
// RUN: fly-run %t/one.mlir K=200 | FileCheck %s
// RUN: fly-run %t/one.mlir K=64 --schedule=a.stages=1 | FileCheck %s
// CHECK: one  gfx942  right (4096 of 4096 equal)
// Loaded to registers as one side wants it, the tile is exchanged for the other.
// RUN: fly-run %t/one.mlir K=130 --schedule=a=regs | FileCheck %s
// RUN: not fly-run %t/two.mlir K=200 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: two.mlir:14:15: error: 'fly.load' op shares the LDS buffer of label 'a' with another load of its pipeline: give it a label of its own
// TWO: two.mlir:13:15: note: the other load
// RUN: fly-run %t/two.mlir K=200 --schedule=a=regs | FileCheck %s --check-prefix=REGS
// REGS: two  gfx942  right (4096 of 4096 equal)

//--- one.mlir
!T = tensor<64x64xbf16>
!Acc = tensor<64x64xf32>
!V = !fly.view<64x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @one(%A: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], a = lds(stages = 2)>} {
    %a = fly.view %A[64, %K] : !V
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !V -> !T
        fly.yield %ta, %ta, %ta : !T, !T, !T
      } compute(%x: !T, %y: !T, %z: !T) {
        %d = fly.dot %x, %y, %s : !T, !T -> !Acc
        %e = fly.dot %z, %x, %d : !T, !T -> !Acc
        fly.yield %e : !Acc
      }
    fly.store %acc, %c[0, 0] : !Acc, !fly.view<64x64xf32>
    gpu.return
  }
}

//--- two.mlir
!T = tensor<64x64xbf16>
!Acc = tensor<64x64xf32>
!V = !fly.view<64x?xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @two(%A: !fly.ptr<bf16>, %B: !fly.ptr<bf16>, %C: !fly.ptr<f32>, %K: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [2, 2], a = lds(stages = 2)>} {
    %a = fly.view %A[64, %K] : !V
    %b = fly.view %B[64, %K] : !V
    %c = fly.view %C[64, 64] : !fly.view<64x64xf32>
    %zero = fly.constant 0.0 : !Acc
    %acc = fly.pipeline @kloop %k = 0 to %K step 64 iter_args(%s = %zero) : !Acc
      prefetch {
        %ta = fly.load %a[0, %k] label "a" : !V -> !T
        %tb = fly.load %b[0, %k] label "a" : !V -> !T
        fly.yield %ta, %tb : !T, !T
      } compute(%x: !T, %y: !T) {
        %d = fly.dot %x, %y, %s : !T, !T -> !Acc
        fly.yield %d : !Acc
      }
    fly.store %acc, %c[0, 0] : !Acc, !fly.view<64x64xf32>
    gpu.return
  }
}
