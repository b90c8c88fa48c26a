// RUN: fly-opt %s -split-input-file -verify-diagnostics

func.func private @round_trip(%p: !fly.ptr<f32>) -> i1 {
  %a = fly.is_aligned %p to 16 : !fly.ptr<f32>
  return %a : i1
}

// -----

func.func private @no_power(%p: !fly.ptr<f32>) {
  // expected-error @below {{expects a power of two of bytes, got 12}}
  %a = fly.is_aligned %p to 12 : !fly.ptr<f32>
  return
}

// -----

func.func private @nothing(%p: !fly.ptr<f32>) {
  // expected-error @below {{expects a power of two of bytes, got 0}}
  %a = fly.is_aligned %p to 0 : !fly.ptr<f32>
  return
}
