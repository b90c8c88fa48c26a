// What each constraint of fly.pipeline refuses.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

func.func @store_in_prefetch(%t: tensor<64xf32>, %v: !fly.view<?xf32>, %n: i32) {
  // expected-note @+1 {{in this pipeline}}
  fly.pipeline %k = 0 to %n step 64 prefetch {
      // C1
      // expected-error @+1 {{may write memory, so it cannot run ahead in prefetch: move it to compute}}
      fly.store %t, %v[%k] : tensor<64xf32>, !fly.view<?xf32>
    } compute {
    }
  return
}

// -----

func.func @nested_store_in_prefetch(%t: tensor<64xf32>, %v: !fly.view<?xf32>, %n: i32, %c: i1) {
  // expected-note @+1 {{in this pipeline}}
  fly.pipeline %k = 0 to %n step 64 prefetch {
      scf.if %c {
        // C1
        // expected-error @+1 {{may write memory}}
        fly.store %t, %v[%k] : tensor<64xf32>, !fly.view<?xf32>
      }
    } compute {
    }
  return
}

// -----

func.func @prefetched_count(%v: !fly.view<?xf32>, %n: i32) {
  fly.pipeline %k = 0 to %n step 64 prefetch {
      %t = fly.load %v[%k] : !fly.view<?xf32> -> tensor<64xf32>
      // C2
      // expected-error @+1 {{prefetched value: expected 0 values, got 1}}
      fly.yield %t : tensor<64xf32>
    } compute {
    }
  return
}

// -----

func.func @prefetched_type(%v: !fly.view<?xf32>, %n: i32) {
  fly.pipeline %k = 0 to %n step 64 prefetch {
      %t = fly.load %v[%k] : !fly.view<?xf32> -> tensor<64xf32>
      // C2
      // expected-error @+1 {{prefetched value 0: expected 'tensor<32xf32>', got 'tensor<64xf32>'}}
      fly.yield %t : tensor<64xf32>
    } compute(%t: tensor<32xf32>) {
    }
  return
}

// -----

func.func @carried_type(%n: i32, %z: tensor<64xf32>, %h: tensor<64xf16>) {
  %r = fly.pipeline %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>
    prefetch {
    } compute {
      // C2
      // expected-error @+1 {{carried value 0: expected 'tensor<64xf32>', got 'tensor<64xf16>'}}
      fly.yield %h : tensor<64xf16>
    }
  return
}

// -----

func.func @nothing_carried(%n: i32, %z: tensor<64xf32>) {
  // C2: an empty compute yields nothing.
  // expected-error @+1 {{carried value: expected 1 values, got 0}}
  %r = fly.pipeline %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>
    prefetch {
    } compute {
    }
  return
}

// -----

func.func @iter_arg_types(%n: i32, %z: tensor<64xf32>) {
  // C2
  // expected-error @+1 {{expected 1 types of iter_args, got 2}}
  %r:2 = fly.pipeline %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>, tensor<64xf32>
    prefetch {
    } compute {
    }
  return
}

// -----

func.func @prefetch_sees_no_iter_arg(%n: i32, %z: tensor<64xf32>) {
  // expected-error @+1 {{region entry argument '%s' is already in use}}
  %r = fly.pipeline %k = 0 to %n step 64 iter_args(%s = %z) : tensor<64xf32>
    prefetch {
      // expected-note @+1 {{previously referenced here}}
      %t = arith.addf %s, %z : tensor<64xf32>
    } compute {
      fly.yield %s : tensor<64xf32>
    }
  return
}

// -----

func.func @step(%n: i32) {
  // C3
  // expected-error @+1 {{expects a positive step, got 0}}
  fly.pipeline %k = 0 to %n step 0 prefetch {
    } compute {
    }
  return
}

// -----

func.func @bounds_that_do_not_fit_the_operands(%n: i32) {
  // expected-error @+1 {{expects its lower bound either as a value or in the attribute}}
  "fly.pipeline"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, static_bounds = [unit, 0, 1]}> ({
  ^bb0(%k: i32):
    fly.yield
  }, {
  ^bb0(%k: i32):
    fly.yield
  }) : (i32) -> ()
  return
}

// -----

func.func @yield_elsewhere() {
  // expected-error @+1 {{expects parent op to be one of 'fly.pipeline, fly.reduce, fly.scan, fly.lanes, fly.static_for'}}
  fly.yield
}

// -----

func.func @empty_label(%n: i32) {
  // expected-error @+1 {{has an empty label: leave it out, or name the entry of the schedule that it takes}}
  "fly.pipeline"(%n) <{label = "", operandSegmentSizes = array<i32: 0, 1, 0, 0>, static_bounds = [0, unit, 64]}> ({
    ^bb0(%k: i32):
      "fly.yield"() : () -> ()
    }, {
    ^bb0(%k: i32):
      "fly.yield"() : () -> ()
    }) : (i32) -> ()
  return
}

// -----

func.func @store_in_a_stage(%t: tensor<64xf32>, %v: !fly.view<?xf32>, %n: i32) {
  // expected-note @+1 {{in this pipeline}}
  fly.pipeline %k = 0 to %n step 64 prefetch {
    } stage {
      // C1
      // expected-error @+1 {{may write memory, so it cannot run ahead in a stage: move it to compute}}
      fly.store %t, %v[%k] : tensor<64xf32>, !fly.view<?xf32>
    } compute {
    }
  return
}

// -----

func.func @stage_takes_more(%v: !fly.view<?xf32>, %n: i32) {
  fly.pipeline %k = 0 to %n step 64 prefetch {
      %t = fly.load %v[%k] : !fly.view<?xf32> -> tensor<64xf32>
      // C2
      // expected-error @+1 {{prefetched value 0: expected 'tensor<32xf32>', got 'tensor<64xf32>'}}
      fly.yield %t : tensor<64xf32>
    } stage(%t: tensor<32xf32>) {
      fly.yield %t : tensor<32xf32>
    } compute(%t: tensor<32xf32>) {
    }
  return
}

// -----

func.func @stage_yields_less(%v: !fly.view<?xf32>, %n: i32) {
  fly.pipeline %k = 0 to %n step 64 prefetch {
    } stage {
      // C2
      // expected-error @+1 {{handed value: expected 1 values, got 0}}
      fly.yield
    } compute(%t: tensor<32xf32>) {
    }
  return
}

// -----

func.func @ahead_of_some(%n: i32) {
  // C4
  // expected-error @+1 {{expected 'ahead' on each of the 2 stages before compute, or on none, got 1}}
  fly.pipeline %k = 0 to %n step 64 prefetch ahead 2 {
    } stage {
    } compute {
    }
  return
}

// -----

func.func @ahead_by_nothing(%n: i32) {
  // C4
  // expected-error @+1 {{has stage 0 run 0 iterations ahead of compute, expected 1 at least}}
  fly.pipeline %k = 0 to %n step 64 prefetch ahead 0 {
    } compute {
    }
  return
}

// -----

func.func @ahead_rises(%n: i32) {
  // C4
  // expected-error @+1 {{has stage 1 run 2 iterations ahead of compute, expected less than the 2 of the stage before it}}
  fly.pipeline %k = 0 to %n step 64 prefetch ahead 2 {
    } stage ahead 2 {
    } compute {
    }
  return
}

// -----

func.func @ahead_of_too_few(%n: i32) {
  // C4
  // expected-error @+1 {{expects 'ahead' for each of the 1 stages before compute, got 2}}
  "fly.pipeline"(%n) <{ahead = array<i64: 2, 1>, operandSegmentSizes = array<i32: 0, 1, 0, 0>, static_bounds = [0, unit, 64]}> ({
  ^bb0(%k: i32):
    fly.yield
  }, {
  ^bb0(%k: i32):
    fly.yield
  }) : (i32) -> ()
  return
}

// -----

func.func @stage_without_a_counter(%n: i32) {
  // expected-error @+1 {{expects a stage to take an i32 induction variable and what the stage before it yields}}
  "fly.pipeline"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, static_bounds = [0, unit, 64]}> ({
  ^bb0(%k: i32):
    fly.yield
  }, {
  ^bb0(%k: i32):
    fly.yield
  }, {
    fly.yield
  }) : (i32) -> ()
  return
}
