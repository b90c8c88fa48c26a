// What the attributes of pointer arguments refuse.
// RUN: fly-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{has 'fly.workspace' on argument 0, which is no !fly.ptr}}
func.func private @workspace_of_a_number(i32 {fly.workspace})

// -----

// expected-error @+1 {{expects 'fly.workspace' of argument 0 to be without a value or "zeroed", got "zeros"}}
func.func private @workspace_word(!fly.ptr<f32> {fly.workspace = "zeros"})

// -----

// expected-error @+1 {{expects 'fly.may_alias' of argument 0 to be without a value, got true}}
func.func private @alias_value(!fly.ptr<f32> {fly.may_alias = true})

// -----

// expected-error @+1 {{has 'fly.may_alias' on argument 0, which is no !fly.ptr}}
func.func private @alias_of_a_number(i32 {fly.may_alias})

// -----

// expected-error @+1 {{expects 'fly.align' of argument 0 to be a power of two from 1 to 4096 (bytes), got 24 : i64}}
func.func private @odd_alignment(!fly.ptr<f32> {fly.align = 24})

// -----

// expected-error @+1 {{expects 'fly.align' of argument 0 to be a multiple of the 4 bytes of an element, got 2 : i32}}
func.func private @alignment_below_the_element(!fly.ptr<f32> {fly.align = 2 : i32})
