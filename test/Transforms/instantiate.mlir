// RUN: fly-opt %s --fly-instantiate -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-instantiate --fly-instantiate -split-input-file | FileCheck %s
// RUN: fly-opt %s --fly-instantiate -split-input-file --remarks-filter=fly-instantiate 2>&1 | FileCheck %s --check-prefix=REMARK

// Every place that may hold a name gets its number.
// REMARK: remark: [Passed] Instantiated | Category:fly-instantiate | Function=names | Remark="sizes: BK = 32, BM = 64, D = 128"
#sched = #fly.schedule<sizes = {BM = 64, BK = 32, D = 128}, t = regs>
!T = tensor<?x?xf32, #fly.tile<BM, BK>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @names
  // CHECK-SAME: sizes = {BK = 32, BM = 64, D = 128}
  gpu.func @names(%A: !fly.ptr<f32>, %M: i32, %K: i32) kernel attributes {fly.schedule = #sched} {
    // CHECK: fly.require_multiple %{{.*}} of 32
    fly.require_multiple %K of BK
    // CHECK: %[[BM:.*]] = arith.constant 64 : i32
    %bm = fly.size BM
    // CHECK: %[[VIEW:.*]] = fly.view %{{.*}}[%{{.*}}, 128] strides [128, 1] : !fly.view<?x128xf32>
    %a = fly.view %A[%M, D] strides [D, 1] : !fly.view<?x128xf32>
    // CHECK: fly.grid to (%{{.*}}) step (64)
    %m = fly.grid to (%M) step (BM)
    %m1 = arith.addi %m, %bm : i32
    // CHECK: fly.constant 0.000000e+00 : tensor<64x32xf32>
    %z = fly.constant 0.0 : !T
    // CHECK: fly.pipeline @l %{{.*}} = 0 to 128 step 32 iter_args({{.*}}) : tensor<64x32xf32>
    %r = fly.pipeline @l %k = 0 to D step BK iter_args(%s = %z) : !T
      prefetch {
        // CHECK: fly.load %[[VIEW]][%{{.*}}, %{{.*}}] label "t" : !fly.view<?x128xf32> -> tensor<64x32xf32>
        %t = fly.load %a[%m1, %k] label "t" : !fly.view<?x128xf32> -> !T
        fly.yield %t : !T
      } compute(%t: !T) {
        // CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<64x32xf32>
        %n = arith.addf %s, %t : !T
        fly.yield %n : !T
      }
    // CHECK: fly.store %{{.*}}, %[[VIEW]][%{{.*}}, 32] : tensor<64x32xf32>
    fly.store %r, %a[%m, BK] : !T, !fly.view<?x128xf32>
    gpu.return
  }
}

// -----

// Two kernels give one name two values; the helper that both call is inlined
// into each with its own, also through another helper, and is gone after that.
!T = tensor<?xf32, #fly.tile<B>>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-NOT: func.func
  func.func private @twice(%x: !T) -> !T {
    %y = arith.addf %x, %x : !T
    return %y : !T
  }
  func.func private @four_times(%x: !T) -> (!T, !T) {
    %y = func.call @twice(%x) : (!T) -> !T
    %z = func.call @twice(%y) : (!T) -> !T
    return %y, %z : !T, !T
  }
  func.func private @never_called(%x: !T) { return }
  // CHECK-LABEL: gpu.func @small
  gpu.func @small(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<sizes = {B = 64}>} {
    %a = fly.view %A[B] : !fly.view<?xf32>
    // CHECK: %[[X:.*]] = fly.load
    %x = fly.load %a[0] : !fly.view<?xf32> -> !T
    // CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : tensor<64xf32>
    // CHECK: %[[Z:.*]] = arith.addf %[[Y]], %[[Y]] : tensor<64xf32>
    %y, %z = func.call @four_times(%x) : (!T) -> (!T, !T)
    // CHECK: arith.mulf %[[Y]], %[[Z]]
    %w = arith.mulf %y, %z : !T
    fly.store %w, %a[0] : !T, !fly.view<?xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @large
  gpu.func @large(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<sizes = {B = 256}>} {
    %a = fly.view %A[B] : !fly.view<?xf32>
    %x = fly.load %a[0] : !fly.view<?xf32> -> !T
    // CHECK: arith.addf %{{.*}} : tensor<256xf32>
    %y = func.call @twice(%x) : (!T) -> !T
    fly.store %y, %a[0] : !T, !fly.view<?xf32>
    gpu.return
  }
}

// -----

// Inputs widen to f32 while they are small, constants are made once, the
// result is rounded once.
!Acc = tensor<64x32xf32>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @map_roles
  // CHECK-SAME: %{{.*}}: !fly.ptr<bf16>{{.*}}, %[[SCALE:[a-z0-9]+]]: f16
  gpu.func @map_roles(%A: !fly.ptr<bf16>, %scale: f16) kernel attributes {fly.schedule = #fly.schedule<>} {
    %v = fly.view %A[64, 32] : !fly.view<64x32xbf16>
    %w = fly.view %A[32] : !fly.view<32xbf16>
    // CHECK: %[[X:.*]] = fly.load %{{.*}} -> tensor<64x32xbf16>
    %x = fly.load %v[0, 0] : !fly.view<64x32xbf16> -> tensor<64x32xbf16>
    // CHECK: %[[B:.*]] = fly.load %{{.*}} -> tensor<32xbf16>
    %b = fly.load %w[0] : !fly.view<32xbf16> -> tensor<32xbf16>
    // CHECK: %[[R:.*]] = fly.constant
    %r = fly.constant 2.0 : tensor<64xf32>
    // CHECK: %[[XF:.*]] = arith.extf %[[X]] : tensor<64x32xbf16> to tensor<64x32xf32>
    // CHECK: %[[RT:.*]] = fly.broadcast %[[R]] along 1 : tensor<64xf32> -> tensor<64x32xf32>
    // CHECK: %[[P:.*]] = arith.mulf %[[XF]], %[[RT]]
    // CHECK: %[[BF:.*]] = arith.extf %[[B]] : tensor<32xbf16> to tensor<32xf32>
    // CHECK: %[[BT:.*]] = fly.broadcast %[[BF]] along 0 : tensor<32xf32> -> tensor<64x32xf32>
    // CHECK: %[[Q:.*]] = arith.addf %[[P]], %[[BT]]
    // CHECK: %[[SF:.*]] = arith.extf %[[SCALE]] : f16 to f32
    // CHECK: %[[ST:.*]] = fly.splat %[[SF]] : f32 -> tensor<64x32xf32>
    // CHECK: %[[D:.*]] = arith.divf %[[Q]], %[[ST]]
    // CHECK: %[[ZERO:.*]] = fly.constant 0.000000e+00
    // CHECK: %[[MAX:.*]] = arith.maxnumf %[[D]], %[[ZERO]]
    // CHECK: %[[OUT:.*]] = arith.truncf %[[MAX]] : tensor<64x32xf32> to tensor<64x32xbf16>
    %o = fly.map "relu((x * r + b) / s)" (x = %x, r = rows %r, b = cols %b, s = %scale)
      : (tensor<64x32xbf16>, tensor<64xf32>, tensor<32xbf16>, f16) -> tensor<64x32xbf16>
    // CHECK: fly.store %[[OUT]]
    fly.store %o, %v[0, 0] : tensor<64x32xbf16>, !fly.view<64x32xbf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @map_functions
  gpu.func @map_functions(%A: !fly.ptr<f32>) kernel attributes {fly.schedule = #fly.schedule<>} {
    %v = fly.view %A[64, 32] : !fly.view<64x32xf32>
    // CHECK: %[[X:.*]] = fly.load
    %x = fly.load %v[0, 0] : !fly.view<64x32xf32> -> !Acc
    // CHECK: %[[SILU:.*]] = fly.activate silu %[[X]] : tensor<64x32xf32>
    // CHECK: %[[GELU:.*]] = fly.activate gelu_tanh %[[X]] : tensor<64x32xf32>
    // CHECK: %[[SUM:.*]] = arith.addf %[[SILU]], %[[GELU]]
    %a = fly.map "silu(x) + gelu_tanh(x)" (x = %x) : (!Acc) -> !Acc
    // CHECK: fly.store %[[SUM]]
    fly.store %a, %v[0, 0] : !Acc, !fly.view<64x32xf32>
    // CHECK: %[[LT:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : tensor<64x32xf32>
    // CHECK: %[[MIN:.*]] = arith.minnumf
    // CHECK: %[[ABS:.*]] = math.absf
    // CHECK: %[[SEL:.*]] = arith.select %[[LT]], %[[MIN]], %[[ABS]]
    %b = fly.map "x < 0 ? min(x, 2) : abs(x)" (x = %x) : (!Acc) -> !Acc
    // CHECK: fly.store %[[SEL]]
    fly.store %b, %v[0, 0] : !Acc, !fly.view<64x32xf32>
    // CHECK: %[[SIN:.*]] = math.sin
    // CHECK: %[[FLOOR:.*]] = math.floor
    // CHECK: math.powf %[[SIN]], %[[FLOOR]]
    // CHECK: fly.activate gelu_erf
    %d = fly.map "pow(sin(x), floor(x)) + gelu_erf(x)" (x = %x) : (!Acc) -> !Acc
    fly.store %d, %v[0, 0] : !Acc, !fly.view<64x32xf32>
    // CHECK: math.exp2
    // CHECK: math.sqrt
    // CHECK: arith.subf
    // CHECK: fly.activate sigmoid
    // CHECK: arith.cmpf une
    // CHECK: math.rsqrt
    // CHECK: math.tanh
    %c = fly.map "exp2(x) - sqrt(x) != sigmoid(x) ? rsqrt(x) : tanh(x)" (x = %x) : (!Acc) -> !Acc
    fly.store %c, %v[0, 0] : !Acc, !fly.view<64x32xf32>
    gpu.return
  }
}

// -----

// An explicit kernel may use any dialect: nothing is refused or changed.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @explicit_kernel
  gpu.func @explicit_kernel(%A: !fly.ptr<f32>) kernel attributes {fly.waves = 1 : i32} {
    // CHECK: vector.extract
    %v = arith.constant dense<0.0> : vector<4xf32>
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    gpu.return
  }
}

// -----

// A fixed argument stays in the list; its uses are the constant, and a
// requirement refuses other values. The entry is gone.
// REMARK: [Passed] Fixed {{.*}}Function=fixed_argument | Remark="K is fixed to 128"
#sched = #fly.schedule<consts = {K = 128, arg2 = 1}>
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  // CHECK-LABEL: gpu.func @fixed_argument
  // CHECK-SAME: %[[A:.*]]: !fly.ptr<f32>{{.*}}, %[[K:.*]]: i32 {fly.name = "K"}, %[[FLAG:.*]]: i1)
  // CHECK-SAME: fly.schedule = #fly.schedule<>
  gpu.func @fixed_argument(%A: !fly.ptr<f32>, %K: i32 {fly.name = "K"}, %0: i1) kernel attributes {fly.schedule = #sched} {
    // CHECK: %[[C:.*]] = arith.constant 128 : i32
    // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[C]] : i32
    // CHECK: fly.require %[[SAME]], "K is fixed to 128 by the schedule"
    // CHECK: %[[T:.*]] = arith.constant true
    // CHECK: %[[SET:.*]] = arith.cmpi eq, %[[FLAG]], %[[T]] : i1
    // CHECK: fly.require %[[SET]], "arg2 is fixed to 1 by the schedule"
    // CHECK: fly.view %[[A]][%[[C]]]
    %a = fly.view %A[%K] : !fly.view<?xf32>
    // CHECK: scf.if %[[T]]
    scf.if %0 {
      %x = fly.load %a[0] : !fly.view<?xf32> -> tensor<64xf32>
      fly.store %x, %a[64] : tensor<64xf32>, !fly.view<?xf32>
    }
    gpu.return
  }
}

// -----

// A loop of constant bounds is unrolled: the index is a constant and picks a
// register, also where it went through a helper and arithmetic.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  func.func private @add(%acc: vector<2x2x4xf32>, %x: vector<4xf32>, %i: index) -> vector<2x2x4xf32> {
    %c2 = arith.constant 2 : index
    %r = arith.remui %i, %c2 : index
    %q = arith.divui %i, %c2 : index
    %old = vector.extract %acc[%r, %q] : vector<4xf32> from vector<2x2x4xf32>
    %new = arith.addf %old, %x : vector<4xf32>
    %out = vector.insert %new, %acc[%r, %q] : vector<4xf32> into vector<2x2x4xf32>
    return %out : vector<2x2x4xf32>
  }
  // CHECK-LABEL: gpu.func @unrolls
  // The schedule of an explicit kernel has given its numbers and is gone.
  // CHECK-NOT: fly.schedule
  // CHECK-NOT: static_for
  // CHECK: %[[A:.*]] = vector.extract %[[ACC:.*]][1, 0]
  // CHECK: %[[B:.*]] = arith.addf %[[A]], %[[X:.*]] :
  // CHECK: %[[C:.*]] = vector.insert %[[B]], %[[ACC]] [1, 0]
  // What was inserted at (1, 0) does not show at (1, 1).
  // CHECK: %[[D:.*]] = vector.extract %[[ACC]][1, 1]
  // CHECK: %[[E:.*]] = arith.addf %[[D]], %[[X]] :
  // CHECK: vector.insert %[[E]], %[[C]] [1, 1]
  // CHECK: fly.write %[[E]],
  gpu.func @unrolls(%acc: vector<2x2x4xf32>, %x: vector<4xf32>, %c: !fly.view<8x8xf32>, %k: index) kernel
      attributes {fly.waves = 1 : i32, fly.schedule = #fly.schedule<sizes = {END = 4}>} {
    %r = fly.static_for %i = 1 to END step 2 iter_args(%s = %acc) : vector<2x2x4xf32> {
      %t = func.call @add(%s, %x, %i) : (vector<2x2x4xf32>, vector<4xf32>, index) -> vector<2x2x4xf32>
      fly.yield %t : vector<2x2x4xf32>
    }
    // No iteration: what it starts with.
    %none = fly.static_for %i = 4 to 4 iter_args(%s = %r) : vector<2x2x4xf32> {
      fly.yield %acc : vector<2x2x4xf32>
    }
    %used = vector.extract %none[1, 1] : vector<4xf32> from vector<2x2x4xf32>
    fly.write %used, %c[%k, %k] : vector<4xf32>, !fly.view<8x8xf32>
    // Nested, without results: four accesses of two indices.
    // CHECK: fly.write {{.*}}[%[[C0:c0.*]], %[[C0]]]
    // CHECK: fly.write {{.*}}[%[[C0]], %[[C1:c1.*]]]
    // CHECK: fly.write {{.*}}[%[[C1]], %[[C0]]]
    // CHECK: fly.write {{.*}}[%[[C1]], %[[C1]]]
    // CHECK-NOT: fly.write
    fly.static_for %i = 0 to 2 {
      fly.static_for %j = 0 to 2 {
        fly.write %x, %c[%i, %j] : vector<4xf32>, !fly.view<8x8xf32>
      }
    }
    gpu.return
  }
}
