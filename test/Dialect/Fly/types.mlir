// Types as written and as printed: what each constraint of FlyTypes.td accepts.
// RUN: fly-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func private @pointers
// CHECK-SAME: (!fly.ptr<bf16>, !fly.ptr<i8>, !fly.ptr<f8E4M3FN>)
func.func private @pointers(!fly.ptr<bf16>, !fly.ptr<i8>, !fly.ptr<f8E4M3FN>)

// View C1: one to four dimensions.
// CHECK-LABEL: func.func private @ranks
// CHECK-SAME: (!fly.view<?xf32>, !fly.view<1x?x3x4xf32>)
func.func private @ranks(!fly.view<?xf32>, !fly.view<1x?x3x4xf32>)

// View C2: an LDS view may leave its first extent open, and no other.
// CHECK-LABEL: func.func private @lds_views
// CHECK-SAME: (!fly.view<?x128xi8, lds>, !fly.view<64x128xi8, lds>)
func.func private @lds_views(!fly.view<?x128xi8, lds>, !fly.view<64x128xi8, lds>)

// View C3: swizzles are layouts of LDS views of whole bytes.
// CHECK-LABEL: func.func private @swizzled
// CHECK-SAME: (!fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>)
func.func private @swizzled(!fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>)

// View C4: one stride a dimension.
// CHECK-LABEL: func.func private @strided
// CHECK-SAME: (!fly.view<?x?xf16, #fly.strided<[?, 1]>>, !fly.view<?x?xf16, #fly.strided<[1, 64]>>)
func.func private @strided(!fly.view<?x?xf16, #fly.strided<[?, 1]>>,
                           !fly.view<?x?xf16, #fly.strided<[1, 64]>>)

// CHECK-LABEL: func.func private @handle
// CHECK-SAME: (!fly.lds<@S>)
func.func private @handle(!fly.lds<@S>)

// View C6: global, whole blocks where the type knows the extents; bytes count.
// CHECK-LABEL: func.func private @preshuffled
// CHECK-SAME: (!fly.view<?x?xf8E4M3FNUZ, #fly.preshuffle<16, 64>>, !fly.view<?x32x96xbf16, #fly.preshuffle<16, 64>>)
func.func private @preshuffled(!fly.view<?x?xf8E4M3FNUZ, #fly.preshuffle<16, 64>>,
                               !fly.view<?x32x96xbf16, #fly.preshuffle<16, 64>>)
