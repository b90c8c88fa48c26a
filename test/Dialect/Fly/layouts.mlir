// RUN: fly-opt %s --verify-roundtrip | FileCheck %s
// RUN: fly-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// The layout as it is written, nested, with a swizzle, with unknown values, and
// what only quotes can say.
// CHECK-LABEL: func.func private @written
// CHECK-SAME: a = #fly.layout<(4,8):(8,1)>
// CHECK-SAME: b = #fly.layout<((2,3),4):((1,2),6)>
// CHECK-SAME: c = #fly.layout<S<3,4,3> o 16 o (8,64):(64,1)>
// CHECK-SAME: d = #fly.layout<(?M,4*?K):(4*?K,1)>
// CHECK-SAME: e = #fly.layout<"(ceil(?M/128),128):(128,1)">
// CHECK-SAME: f = #fly.layout<4:-1>
// CHECK-SAME: g = #fly.layout<(4,8):(8,1)>
func.func private @written() attributes {
  a = #fly.layout<(4,8):(8,1)>, b = #fly.layout<((2, 3), 4) : ((1, 2), 6)>,
  c = #fly.layout<S<3,4,3> o 16 o (8,64):(64,1)>, d = #fly.layout<(?M,4*?K):(4*?K,1)>,
  e = #fly.layout<"(ceil(?M/128),128):(128,1)">, f = #fly.layout<4:-1>,
  g = #fly.layout<"(4,8):(8,1)">}

// Operations of the algebra, with the results that its page has.
// CHECK-LABEL: func.func private @evaluated
// CHECK-SAME: a = #fly.layout<((2,3),3):((57,69),19)>
// CHECK-SAME: b = #fly.layout<2:6>
// CHECK-SAME: c = #fly.layout<((3,4),(6,5)):((6,18),(1,72))>
// CHECK-SAME: d = #fly.layout<(4,8):(8,1)>
// CHECK-SAME: e = #fly.layout<((4,2),(3,2),5):((1,4),(8,24),50)>
// CHECK-SAME: f = #fly.layout<((4,3),(2,2,5)):((1,8),(4,24,50))>
// CHECK-SAME: g = #fly.layout<((4,3),2,2,5):((1,8),4,24,50)>
// CHECK-SAME: h = #fly.layout<(4,3,2,2,5):(1,8,4,24,50)>
// CHECK-SAME: i = #fly.layout<((2,2),(2,3)):((4,1),(2,8))>
// CHECK-SAME: j = #fly.layout<12:1>
// CHECK-SAME: k = #fly.layout<(8,4):(4,1)>
// CHECK-SAME: l = #fly.layout<(5,8):(1,4)>
func.func private @evaluated() attributes {
  a = #fly.layout<composition((6,9):(19,69), (6,3):(3,1))>, b = #fly.layout<complement((3,2):(2,1), 12)>,
  c = #fly.layout<blocked_product((3,6):(6,1), (4,5):(1,4))>, d = #fly.layout<raked_product(8:1, 4:1)>,
  e = #fly.layout<logical_divide((8,6,5):(1,8,50), <4,3>)>, f = #fly.layout<zipped_divide((8,6,5):(1,8,50), <4,3>)>,
  g = #fly.layout<tiled_divide((8,6,5):(1,8,50), <4,3>)>, h = #fly.layout<flat_divide((8,6,5):(1,8,50), <4,3>)>,
  i = #fly.layout<logical_product((2,2):(4,1), 6:1)>, j = #fly.layout<coalesce((2,(1,6)):(1,(6,2)))>,
  k = #fly.layout<right_inverse((4,8):(8,1))>, l = #fly.layout<left_inverse((4,8):(1,5))>}

// View C7: modes as dimensions, in global memory with extents as unknown values.
// CHECK-LABEL: func.func private @views
// CHECK-SAME: !fly.view<8x16xf32, lds, #fly.layout<((2,4),16):((1,32),2)>>
// CHECK-SAME: !fly.view<?x64xbf16, #fly.layout<(?M,64):(1,?M)>>
func.func private @views(!fly.view<8x16xf32, lds, #fly.layout<((2,4),16):((1,32),2)>>,
                         !fly.view<?x64xbf16, #fly.layout<(?M,64):(1,?M)>>)

// Known coordinates fold, by the numbers of the algebra's page: (3,8) of the
// swizzled layout is 208, element 9 of ((2,3),4) is ((1,1),1). Those outside of
// the layout stay.
// FOLD-LABEL: func.func @folds
// FOLD-DAG: %[[O:.*]] = arith.constant 208 : index
// FOLD-DAG: %[[I:.*]] = arith.constant 3 : index
// FOLD-DAG: %[[J:.*]] = arith.constant 1 : index
// FOLD: %[[STAYS:.*]] = fly.layout.offset #fly.layout<(4,8):(8,1)>
// FOLD: return %[[O]], %[[I]], %[[J]], %[[STAYS]]
func.func @folds() -> (index, index, index, index) {
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %o = fly.layout.offset #fly.layout<S<3,3,3> o 0 o (8,64):(64,1)> [%c3, %c8]
  %i, %j = fly.layout.coordinates #fly.layout<((2,3),4):((1,2),6)> of %c9 : index, index
  %stays = fly.layout.offset #fly.layout<(4,8):(8,1)> [%c9, %c8]
  return %o, %i, %j, %stays : index, index, index, index
}
