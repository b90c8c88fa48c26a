// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-schedule-hot-loop --split-input-file --remarks-filter='fly-schedule.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A raised priority holds for what stands between it and its end, so that an
// author who asks for one has ordered the loop: it stays as it is.
// CHECK-LABEL: gpu.func @priority
// CHECK: scf.for
// CHECK-NEXT: fly.read
// CHECK-NEXT: fly.setprio 1
// CHECK-NEXT: amdgpu.mfma
// CHECK-NEXT: fly.setprio 0
// CHECK-NEXT: scf.yield
// REMARK: the loop has hints of its author
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @priority(%b: !fly.view<64xbf16, lds>, %zero: vector<4xf32>, %n: index) kernel attributes {fly.waves = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = arith.constant 0 : index
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %x = fly.read %b[%i] : !fly.view<64xbf16, lds> -> vector<4xbf16>
      fly.setprio 1
      %d = amdgpu.mfma 16x16x16 %x * %x + %acc blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
      fly.setprio 0
      scf.yield %d : vector<4xf32>
    }
    gpu.return
  }
}
