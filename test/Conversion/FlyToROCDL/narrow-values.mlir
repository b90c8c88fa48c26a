// RUN: fly-opt %s --fly-convert-to-rocdl -split-input-file | FileCheck %s

// What loops carry fills registers: two bytes go round as a dword, which the
// matrix instruction takes as it is.
gpu.module @carried [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @scales
  // CHECK: llvm.br ^[[LOOP:bb[0-9]+]]({{.*}} : i32, vector<1xi32>, vector<4xf32>)
  // CHECK: ^[[LOOP]]({{%[0-9]+}}: i32, [[S:%[0-9]+]]: vector<1xi32>
  // CHECK: rocdl.mfma.scale.f32.16x16x128.f8f6f4
  gpu.func @scales(%C: !fly.ptr<f32>, %S: !fly.ptr<f8E8M0FNU>) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[64, 4] : !fly.view<64x4xf32>
    %s = fly.view %S[64, 16] : !fly.view<64x16xf8E8M0FNU>
    %lane = fly.lane
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %one = arith.constant dense<1.0> : vector<32xf4E2M1FN>
    %poison = ub.poison : vector<4xf8E8M0FNU>
    %first = fly.read %s[%lane, %c0] in_bounds [true, true] : !fly.view<64x16xf8E8M0FNU> -> vector<2xf8E8M0FNU>
    %r:2 = scf.for %i = %c0 to %c8 step %c2 iter_args(%now = %first, %acc = %zero) -> (vector<2xf8E8M0FNU>, vector<4xf32>) {
      %next = fly.read %s[%lane, %i] in_bounds [true, true] : !fly.view<64x16xf8E8M0FNU> -> vector<2xf8E8M0FNU>
      %wide = vector.insert_strided_slice %now, %poison {offsets = [0], strides = [1]} : vector<2xf8E8M0FNU> into vector<4xf8E8M0FNU>
      %d = amdgpu.scaled_mfma 16x16x128 (%wide[1] * %one) * (%wide[1] * %one) + %acc : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
      scf.yield %next, %d : vector<2xf8E8M0FNU>, vector<4xf32>
    }
    fly.write %r#1, %c[%lane, %c0] in_bounds [true, true] : vector<4xf32>, !fly.view<64x4xf32>
    gpu.return
  }
}

// -----

// Quotients of known multiples are exact shifts, of numbers from 0 on shifts.
gpu.module @quotients [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: llvm.func @quotients
  // CHECK-NOT: llvm.sdiv
  // CHECK: llvm.ashr exact
  // CHECK-NOT: llvm.sdiv
  // CHECK: llvm.lshr
  // CHECK: llvm.sdiv
  gpu.func @quotients(%C: !fly.ptr<f32>, %K: i32 {fly.multiple_of = 64 : i64}, %N: i32) kernel attributes {fly.waves = 1 : i32} {
    %c = fly.view %C[%K] : !fly.view<?xf32>
    %v = arith.constant 1.0 : f32
    %c32 = arith.constant 32 : i32
    %c0 = arith.constant 0 : i32
    %a = arith.divsi %K, %c32 : i32
    %positive = arith.maxsi %N, %c0 : i32
    %b = arith.divsi %positive, %c32 : i32
    %d = arith.divsi %N, %c32 : i32
    %ai = arith.index_cast %a : i32 to index
    %bi = arith.index_cast %b : i32 to index
    %di = arith.index_cast %d : i32 to index
    fly.write %v, %c[%ai] : f32, !fly.view<?xf32>
    fly.write %v, %c[%bi] : f32, !fly.view<?xf32>
    fly.write %v, %c[%di] : f32, !fly.view<?xf32>
    gpu.return
  }
}
