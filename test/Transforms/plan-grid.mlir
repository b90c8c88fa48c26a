// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid --fly-plan-grid -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-resolve-schedule --fly-plan-grid -split-input-file --remarks-filter=fly-plan-grid 2>&1 | FileCheck %s --check-prefix=REMARK

// The walk is along the last dimension; the contract has everything by name.
// REMARK: [Passed] Grid {{.*}}Function=gemm | Remark="workgroups: M ceildiv 128 * (N ceildiv 64), order n_fastest"
!T = tensor<128x64xbf16>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @gemm
  // CHECK-SAME: %[[M:[a-z0-9]+]]: i32 {fly.name = "M"}, %[[N:[a-z0-9]+]]: i32 {fly.multiple_of = 64 : i64, fly.name = "N"}
  // CHECK-SAME: fly.contract = {
  // CHECK-SAME: arguments = [
  // CHECK-SAME: {access = "read", alignment = 16 : i64, extents = ["M", "N"], kind = "pointer", name = "A", offset = 0 : i64, size = 8 : i64, strides = ["ld", "1"], type = "bf16"}
  // CHECK-SAME: {access = "write", alignment = 16 : i64, extents = ["M", "N"], kind = "pointer", name = "C", offset = 8 : i64, size = 8 : i64, strides = ["N", "1"], type = "bf16"}
  // CHECK-SAME: {kind = "scalar", name = "M", offset = 16 : i64, size = 4 : i64, type = "i32"}
  // CHECK-SAME: {kind = "scalar", name = "N", offset = 20 : i64, size = 4 : i64, type = "i32"}
  // CHECK-SAME: {kind = "scalar", name = "ld", offset = 24 : i64, size = 4 : i64, type = "i32"}
  // CHECK-SAME: block = [256, 1, 1], chip = "gfx942", grid = ["M ceildiv 128 * (N ceildiv 64)", "1", "1"], kernel = "gemm", lds = {dynamic = "0", static = 0 : i64}
  // T01(b): a launch with N = 96 says "N=96 is not a multiple of 64".
  // CHECK-SAME: requirements = [{expr = "N", multiple_of = "64"}
  // CHECK-SAME: {expr = "M <= ld", message = "rows must not overlap"}
  // CHECK-SAME: {expr = "M ceildiv 128 * (N ceildiv 64) * 256 < 4294967296", message = "the grid has 2^32 work items or more"}
  // CHECK-SAME: {expr = "(127 * ld + max(64, N)) * 2 < 2147483648", message = "rows of %A are too long or too far apart: a tile spans 2 GiB"}
  // CHECK-SAME: {expr = "(127 * N + max(64, N)) * 2 < 2147483648", message = "rows of %C are too long or too far apart: a tile spans 2 GiB"}
  gpu.func @gemm(%A: !fly.ptr<bf16> {fly.name = "A"}, %C: !fly.ptr<bf16> {fly.name = "C"}, %M: i32 {fly.name = "M"},
                 %N: i32 {fly.name = "N"}, %ld: i32 {fly.name = "ld"}) kernel {
    // CHECK-NOT: fly.require
    fly.require_multiple %N of 64
    %fits = arith.cmpi sle, %M, %ld : i32
    fly.require %fits, "rows must not overlap"
    %a = fly.view %A[%M, %N] strides [%ld, 1] : !fly.view<?x?xbf16>
    %c = fly.view %C[%M, %N] : !fly.view<?x?xbf16>
    // CHECK: %[[ID:.*]] = gpu.block_id x
    // CHECK: %[[I:.*]] = arith.index_cast %[[ID]] : index to i32
    // CHECK: %[[C64:.*]] = arith.constant 64 : i32
    // CHECK: %[[C63:.*]] = arith.constant 63 : i32
    // CHECK: %[[UP:.*]] = arith.addi %[[N]], %[[C63]] : i32
    // CHECK: %[[COLS:.*]] = arith.divui %[[UP]], %[[C64]] : i32
    // CHECK: %[[COL:.*]] = arith.remui %[[I]], %[[COLS]] : i32
    // CHECK: %[[ROW:.*]] = arith.divui %[[I]], %[[COLS]] : i32
    // CHECK: %[[N0:.*]] = arith.muli %[[COL]], %[[C64]] overflow<nsw> : i32
    // CHECK: %[[C128:.*]] = arith.constant 128 : i32
    // CHECK: %[[M0:.*]] = arith.muli %[[ROW]], %[[C128]] overflow<nsw> : i32
    %m, %n = fly.grid to (%M, %N) step (128, 64)
    // CHECK: fly.load %{{.*}}[%[[M0]], %[[N0]]]
    %t = fly.load %a[%m, %n] : !fly.view<?x?xbf16> -> !T
    fly.store %t, %c[%m, %n] : !T, !fly.view<?x?xbf16>
    gpu.return
  }
}

// -----

// The other order; three dimensions; constants are computed.
#sched = #fly.schedule<grid = {order = m_fastest}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @m_fastest
  // CHECK-SAME: %[[B:[a-z0-9]+]]: i32
  // CHECK-SAME: grid = ["24 * B", "1", "1"]
  gpu.func @m_fastest(%A: !fly.ptr<f32>, %B: i32) kernel attributes {fly.schedule = #sched} {
    %a = fly.view %A[%B, 200, 300] : !fly.view<?x200x300xf32>
    // CHECK: %[[I:.*]] = arith.index_cast
    // CHECK: %[[C4:.*]] = arith.constant 4 : i32
    // CHECK: %[[X:.*]] = arith.remui %[[I]], %[[C4]] : i32
    // CHECK: %[[R:.*]] = arith.divui %[[I]], %[[C4]] : i32
    // CHECK: %[[C6:.*]] = arith.constant 6 : i32
    // CHECK: %[[Y:.*]] = arith.remui %[[R]], %[[C6]] : i32
    // CHECK: %[[Z:.*]] = arith.divui %[[R]], %[[C6]] : i32
    // CHECK: %[[M0:.*]] = arith.muli %[[X]], %{{.*}} overflow<nsw> : i32
    // CHECK: %[[N0:.*]] = arith.muli %[[Y]], %{{.*}} overflow<nsw> : i32
    %m, %n, %b = fly.grid to (200, 300, %B) step (64, 50, 1)
    // CHECK: fly.load %{{.*}}[%[[Z]], %[[M0]], %[[N0]]]
    %t = fly.load %a[%b, %m, %n] : !fly.view<?x200x300xf32> -> tensor<64x50xf32>
    fly.store %t, %a[%b, %m, %n] : tensor<64x50xf32>, !fly.view<?x200x300xf32>
    gpu.return
  }
}

// -----

// Arithmetic on the host. What unsigned ops read must not be negative.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @host_arithmetic
  // CHECK-SAME: name = "flag", offset = 8 : i64, size = 1 : i64, type = "i1"
  // CHECK-SAME: name = "scale", offset = 12 : i64, size = 4 : i64, type = "f32"
  // CHECK-SAME: name = "ld", offset = 16 : i64, size = 8 : i64, type = "i64"
  // CHECK-SAME: name = "M", offset = 24 : i64, size = 4 : i64, type = "i32"
  // CHECK-SAME: grid = ["(min(max(M, 1), 512) + 3) floordiv 2 ceildiv 64", "1", "1"]
  // CHECK-SAME: {expr = "select(flag != 1, M < 512 or ld mod 16 == 0, 1)", message = "conditions"}
  // CHECK-SAME: {expr = "ld >= 0", message = "ld must not be negative"}
  // CHECK-SAME: {expr = "min(max(M, 1), 512) + 3 >= 0"
  gpu.func @host_arithmetic(%A: !fly.ptr<f32>, %flag: i1, %scale: f32, %ld: i64, %M: i32) kernel {
    %true = arith.constant true
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c512 = arith.constant 512 : i32
    %w0 = arith.constant 0 : i64
    %w16 = arith.constant 16 : i64
    %short = arith.cmpi slt, %M, %c512 : i32
    %rest = arith.remui %ld, %w16 : i64
    %whole = arith.cmpi eq, %rest, %w0 : i64
    %either = arith.ori %short, %whole : i1
    %not = arith.xori %flag, %true : i1
    %all = arith.select %not, %either, %true : i1
    fly.require %all, "conditions"
    %x = arith.maxsi %M, %c1 : i32
    %y = arith.minsi %x, %c512 : i32
    %s = arith.addi %y, %c3 : i32
    %h = arith.divui %s, %c2 : i32
    %a = fly.view %A[%M] : !fly.view<?xf32>
    %m = fly.grid to (%h) step (64)
    %t = fly.load %a[%m] : !fly.view<?xf32> -> tensor<64xf32>
    gpu.return
  }
}

// -----

// What is known when compiling is no requirement of the launch.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @known_requirements
  // CHECK-SAME: extents = ["256"]
  // CHECK-SAME: grid = ["4", "1", "1"]
  // CHECK-SAME: requirements = []
  gpu.func @known_requirements(%A: !fly.ptr<f32>) kernel {
    %c2 = arith.constant 2 : i32
    %c512 = arith.constant 512 : i32
    %n = arith.divui %c512, %c2 : i32
    %fits = arith.cmpi slt, %n, %c512 : i32
    fly.require %fits, "n < 512"
    fly.require_multiple %n of 64
    %a = fly.view %A[%n] : !fly.view<?xf32>
    %m = fly.grid to (%n) step (64)
    %t = fly.load %a[%m] : !fly.view<?xf32> -> tensor<64xf32>
    gpu.return
  }
}

// -----

// Memory behind a pointer: two views or an offset make a line up to the last
// element; an extent that the host cannot know leaves it out; a workspace.
// REMARK: [Missed] UnknownSize {{.*}}Function=memory | Remark="the memory behind argument 'B' has an extent that the host cannot compute
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @memory
  // CHECK-SAME: {access = "read_write", alignment = 16 : i64, extents = ["max(max(0, (M - 1) * 64 + 64), off + (M - 1) + 1)"], {{.*}}name = "A", {{.*}}strides = ["1"]
  // CHECK-SAME: {access = "none", alignment = 16 : i64, kind = "pointer", name = "unused"
  // CHECK-SAME: {access = "read", alignment = 16 : i64, kind = "pointer", name = "B"
  // CHECK-SAME: {access = "write", alignment = 16 : i64, extents = ["M", "64"], {{.*}}name = "W", {{.*}}strides = ["64", "1"], type = "f32", workspace = true}
  gpu.func @memory(%A: !fly.ptr<f32>, %unused: !fly.ptr<f32>, %B: !fly.ptr<f32>, %W: !fly.ptr<f32> {fly.workspace},
                   %M: i32, %off: i64) kernel {
    %a = fly.view %A[%M, 64] : !fly.view<?x64xf32>
    %o = fly.view %A[%M] at %off : !fly.view<?xf32>
    %w = fly.view %W[%M, 64] : !fly.view<?x64xf32>
    %m = fly.grid to (%M) step (64)
    %b = fly.view %B[%m] : !fly.view<?xf32>
    %t = fly.load %a[%m, 0] : !fly.view<?x64xf32> -> tensor<64x64xf32>
    %r = fly.load %b[0] : !fly.view<?xf32> -> tensor<64xf32>
    fly.store %r, %o[%m] : tensor<64xf32>, !fly.view<?xf32>
    fly.store %t, %w[%m, 0] : tensor<64x64xf32>, !fly.view<?x64xf32>
    gpu.return
  }
}

// -----

// Kernels without a grid are one workgroup; explicit ones say their waves.
// REMARK: [Passed] Grid {{.*}}Function=explicit | Remark="the kernel has no fly.grid: the contract says one workgroup"
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  // CHECK-LABEL: gpu.func @explicit
  // CHECK-SAME: block = [128, 1, 1], chip = "gfx950", grid = ["1", "1", "1"]
  // CHECK-SAME: requirements = []
  gpu.func @explicit(%A: !fly.ptr<f32>) kernel attributes {fly.waves = 2 : i32} {
    gpu.return
  }
  // CHECK-LABEL: gpu.func @known_block
  // CHECK-SAME: block = [192, 1, 1]
  gpu.func @known_block(%A: !fly.ptr<f32>) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    gpu.return
  }
  // CHECK-LABEL: gpu.func @helper
  // CHECK-NOT: fly.contract
  gpu.func @helper(%A: !fly.ptr<f32>) {
    gpu.return
  }
}

// -----

// Lanes address a view in 31 bits: beyond, reads would give zeros.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @lanes
  // CHECK-SAME: requirements = [{expr = "({{.*}}) * 2 < 2147483644", message = "a view of %A spans 2 GiB, lanes address less: begin it further on by 'at'"}
  gpu.func @lanes(%A: !fly.ptr<bf16> {fly.name = "A"}, %M: i32 {fly.name = "M"}, %N: i32 {fly.name = "N"}) kernel attributes {fly.waves = 2 : i32} {
    %a = fly.view %A[%M, %N] : !fly.view<?x?xbf16>
    %lane = fly.lane
    %x = fly.read %a[%lane, %lane] : !fly.view<?x?xbf16> -> bf16
    gpu.return
  }
}
