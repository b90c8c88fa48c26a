// A coordinate far beyond the extent is outside, as any other: its byte offset
// has more than 32 bits, and what was left of it led to the beginning of the
// view. A store went there, too.
// RUN: fly-run %s --kernel=line N=64 C=1073741824 X=fill:7 --expect Y=zeros --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=line N=64 C=1073741800 X=fill:7 --expect Y=zeros --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=line N=64 C=2147483640 X=fill:7 --expect Y=zeros --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=line N=64 C=0 X=fill:7 --expect Y=fill:7 --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=rows N=60 C=2147483640 X=fill:7 --expect Y=zeros --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=rows N=60 C=2147483647 X=fill:7 --expect Y=zeros --expect X=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=lanes r=1048576 X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=lanes r=-1048576 X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=lanes r=15 X=fill:7 --expect Y=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=before r=1048576 X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=before r=20 X=fill:7 --expect Y=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=constants X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=shuffled r=1048576 X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=shuffled r=15 X=fill:7 --expect Y=fill:7 | FileCheck %s
// RUN: fly-run %s --kernel=block r=1048576 X=fill:7 --expect Y=zeros | FileCheck %s
// RUN: fly-run %s --kernel=block r=0 X=fill:7 --expect Y=fill:7 | FileCheck %s
// CHECK: right
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // 2^30 elements of four bytes are 2^32 bytes.
  gpu.func @line(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32, %C: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %zero = arith.constant 0 : i32
    %x = fly.view %X[%N] : !fly.view<?xf32>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %c = arith.maxsi %C, %zero : i32
    %t = fly.load %x[%c] : !fly.view<?xf32> -> tensor<64xf32>
    fly.store %t, %y[0] : tensor<64xf32>, !fly.view<64xf32>
    fly.store %t, %x[%c] : tensor<64xf32>, !fly.view<?xf32>
    gpu.return
  }

  // The sum of the origin and of what lanes add to it leaves the signed numbers.
  gpu.func @rows(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %N: i32, %C: i32)
      kernel attributes {fly.schedule = #fly.schedule<waves = [1, 1]>} {
    %zero = arith.constant 0 : i32
    %x = fly.view %X[16, %N] : !fly.view<16x?xf32>
    %y = fly.view %Y[16, 64] : !fly.view<16x64xf32>
    %c = arith.maxsi %C, %zero : i32
    %t = fly.load %x[0, %c] : !fly.view<16x?xf32> -> tensor<16x64xf32>
    fly.store %t, %y[0, 0] : tensor<16x64xf32>, !fly.view<16x64xf32>
    fly.store %t, %x[0, %c] : tensor<16x64xf32>, !fly.view<16x?xf32>
    gpu.return
  }

  // Row 2^20 of rows of 2^12 bytes.
  gpu.func @lanes(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %r: i32) kernel attributes {fly.waves = 1 : i32} {
    %x = fly.view %X[16, 1024] : !fly.view<16x1024xf32>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %l = fly.lane
    %row = arith.index_cast %r : i32 to index
    %v = fly.read %x[%row, %l] in_bounds [false, true] : !fly.view<16x1024xf32> -> f32
    fly.write %v, %y[%l] in_bounds [true] : f32, !fly.view<64xf32>
    gpu.return
  }

  // What is taken from a far row leaves it outside.
  gpu.func @before(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %r: i32) kernel attributes {fly.waves = 1 : i32} {
    %zero = arith.constant 0 : index
    %five = arith.constant 5 : index
    %x = fly.view %X[16, 1024] : !fly.view<16x1024xf32>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %l = fly.lane
    %far = arith.index_cast %r : i32 to index
    %positive = arith.maxsi %far, %zero : index
    %row = arith.subi %positive, %five : index
    %v = fly.read %x[%row, %l] in_bounds [false, true] : !fly.view<16x1024xf32> -> f32
    fly.write %v, %y[%l] in_bounds [true] : f32, !fly.view<64xf32>
    gpu.return
  }

  // 2^20 rows of 2^12 bytes.
  gpu.func @constants(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    %row = arith.constant 1048576 : index
    %x = fly.view %X[16, 1024] : !fly.view<16x1024xf32>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %l = fly.lane
    %v = fly.read %x[%row, %l] in_bounds [false, true] : !fly.view<16x1024xf32> -> f32
    fly.write %v, %y[%l] in_bounds [true] : f32, !fly.view<64xf32>
    gpu.return
  }

  // Rows of blocks, and blocks, of as many bytes.
  gpu.func @shuffled(%X: !fly.ptr<f32>, %Y: !fly.ptr<f32>, %r: i32) kernel attributes {fly.waves = 1 : i32} {
    %zero = arith.constant 0 : i32
    %x = fly.view %X[16, 1024] : !fly.view<16x1024xf32, #fly.preshuffle<16, 64>>
    %y = fly.view %Y[64] : !fly.view<64xf32>
    %l = fly.lane
    %p = arith.maxsi %r, %zero : i32
    %row = arith.index_cast %p : i32 to index
    %v = fly.read %x[%row, %l] in_bounds [false, true] : !fly.view<16x1024xf32, #fly.preshuffle<16, 64>> -> f32
    fly.write %v, %y[%l] in_bounds [true] : f32, !fly.view<64xf32>
    gpu.return
  }

  gpu.func @block(%X: !fly.ptr<bf16>, %Y: !fly.ptr<bf16>, %r: i32) kernel attributes {fly.waves = 1 : i32} {
    %zero = arith.constant 0 : i32
    %c8 = arith.constant 8 : index
    %col = arith.constant 0 : index
    %x = fly.view %X[16, 2048] : !fly.view<16x2048xbf16, #fly.preshuffle<16, 64>>
    %y = fly.view %Y[512] : !fly.view<512xbf16>
    %l = fly.lane
    %p = arith.maxsi %r, %zero : i32
    %row = arith.index_cast %p : i32 to index
    %v = fly.read %x[%row, %col] in_bounds [false, true] {block} : !fly.view<16x2048xbf16, #fly.preshuffle<16, 64>> -> vector<8xbf16>
    %at = arith.muli %l, %c8 : index
    fly.write %v, %y[%at] in_bounds [true] : vector<8xbf16>, !fly.view<512xbf16>
    gpu.return
  }
}
