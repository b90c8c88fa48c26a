// RUN: fly-opt %s --fly-check-legal --verify-diagnostics | FileCheck %s
// RUN: sed -e 's/gfx942/gfx950/' %s | fly-opt --fly-check-legal | FileCheck %s

// What is legal passes unchanged, without a word.

// CHECK-LABEL: gpu.module @m
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<64x128xi8, lds> }

  // Two groups of waves staggered by one barrier, with equal counts: the
  // conditions are on the wave, which all lanes agree on.
  // CHECK-LABEL: gpu.func @staggered
  gpu.func @staggered(%n: i32) kernel attributes {fly.waves = 4 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : index
    %w = fly.wave
    %late = arith.cmpi uge, %w, %c2 : index
    %early = arith.cmpi ult, %w, %c2 : index
    // CHECK: fly.barrier bare
    scf.if %late {
      fly.barrier bare
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      fly.barrier lds
    }
    scf.if %early {
      fly.barrier bare
    }
    gpu.return
  }

  // A scalar that all lanes read at one address is uniform too.
  // CHECK-LABEL: gpu.func @uniform_data
  gpu.func @uniform_data(%p: !fly.ptr<i32>, %n: i32) kernel attributes {fly.waves = 4 : i32} {
    %v = fly.view %p[%n] : !fly.view<?xi32>
    %b = gpu.block_id x
    %x = fly.read %v[%b] : !fly.view<?xi32> -> i32
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sgt, %x, %zero : i32
    scf.if %c {
      fly.barrier all
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @matrix
  gpu.func @matrix(%a: vector<4xbf16>, %c: vector<4xf32>, %h: vector<4xf16>, %d: vector<16xf32>) kernel attributes {fly.waves = 1 : i32} {
    %0 = amdgpu.mfma 16x16x16 %a * %a + %c blgp = none : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
    %1 = amdgpu.mfma 32x32x8 %h * %h + %d blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
    %2 = math.sqrt %c : vector<4xf32>
    gpu.return
  }
}
