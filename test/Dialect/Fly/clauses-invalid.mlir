// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Clauses come in any order; what is none is said so.
!T = tensor<4x256xf32>
func.func private @any_order(%t: !T) {
  %r = fly.scan add %t along 1 reverse exclusive : !T -> !T
  return
}

// -----

!T = tensor<4x256xf32>
func.func private @unknown_of_a_reduction(%t: !T) {
  // expected-error @below {{unknown clause 'exclusive' of a reduction, expected: parts; then ':' and the types}}
  %r = fly.reduce add %t along 1 exclusive : !T -> tensor<4xf32>
  return
}

// -----

!T = tensor<4x256xf32>
func.func private @unknown_of_a_scan(%t: !T) {
  // expected-error @below {{unknown clause 'backwards' of a scan, expected one of: exclusive, reverse, scratch; then ':' and the types}}
  %r = fly.scan add %t along 1 backwards : !T -> !T
  return
}

// -----

!T = tensor<4x256xf32>
func.func private @twice(%t: !T) {
  // expected-error @below {{clause 'reverse' is given twice}}
  %r = fly.scan add %t along 1 reverse reverse : !T -> !T
  return
}

// -----

!T = tensor<4x256xf32>
func.func private @before_the_dimension(%t: !T) {
  // expected-error @below {{expected 'along' and a dimension behind the tiles; clauses stand behind that}}
  %r = fly.scan add %t exclusive along 1 : !T -> !T
  return
}

// -----

!T = tensor<4x256xf32>
func.func private @before_the_types(%t: !T) {
  // expected-error @below {{'combine' and its region stand behind the types of the results}}
  %r = fly.reduce %t along 1 combine(%a: f32, %b: f32) {
    fly.yield %a : f32
  } : !T -> tensor<4xf32>
  return
}
