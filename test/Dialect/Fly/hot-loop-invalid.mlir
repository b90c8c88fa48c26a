// RUN: fly-opt %s -verify-diagnostics -split-input-file

func.func @unknown_word(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'fly.hot_loop': expected off, on, guide, hints, pingpong, interleave or a pattern such as [mfma(4), dsrd(1)], got "fast"}}
  scf.for %k = %c0 to %n step %c1 {
  } {fly.hot_loop = "fast"}
  return
}

// -----

func.func @no_group(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'fly.hot_loop': the pattern has 'mfma(0)'; expected mfma(n), dsrd(n)}}
  scf.for %k = %c0 to %n step %c1 {
  } {fly.hot_loop = [#fly.policy<mfma(0)>]}
  return
}

// -----

func.func @empty_pattern(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'fly.hot_loop': the pattern is empty; to have no hints write off}}
  scf.for %k = %c0 to %n step %c1 {
  } {fly.hot_loop = []}
  return
}

// -----

func.func @no_copies(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{expects 'fly.unroll' to be a positive i64, got 0 : i64}}
  scf.for %k = %c0 to %n step %c1 {
  } {fly.unroll = 0 : i64}
  return
}
