// LDS views with layouts of the algebra, and the ops on layouts, as machine code:
// what goes through a view lies where a closed form says, which a view of the
// same bytes without a layout reads.
// RUN: fly-run %s --kernel=nested --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=nested --chip=gfx950 --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=swizzled --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=vectors --expect Y=iota | FileCheck %s
// RUN: fly-run %s --kernel=ops --expect Y=iota | FileCheck %s
// CHECK: right

!Nested = !fly.view<8x16xi32, lds, #fly.layout<((2,4),16):((1,32),2)>>
!Swizzled = !fly.view<8x16xi32, lds, #fly.layout<S<3,0,3> o 0 o (8,16):(16,1)>>
!Chunks = !fly.view<8x16xi32, lds, #fly.layout<S<2,2,2> o 0 o (8,16):(16,1)>>
!Flat = !fly.view<128xi32, lds>
!Y = !fly.view<128xi32>

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @N { f : !Nested }
  fly.lds.struct @S { f : !Swizzled }
  fly.lds.struct @C { f : !Chunks }

  // Element (r, c) is at r % 2 + r / 2 * 32 + 2 * c.
  gpu.func @nested(%Y: !fly.ptr<i32> {fly.name = "Y"}) kernel attributes {fly.waves = 2 : i32} {
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %s = fly.lds.alloc : !fly.lds<@N>
    %l = fly.lds.field %s[f] : !fly.lds<@N> -> !Nested
    %flat = fly.lds.field %s[f] {fly.unchecked} : !fly.lds<@N> -> !Flat
    %y = fly.view %Y[128] : !Y
    %t = gpu.thread_id x
    %r = arith.divui %t, %c16 : index
    %c = arith.remui %t, %c16 : index
    %v = arith.index_cast %t : index to i32
    fly.write %v, %l[%r, %c] : i32, !Nested
    fly.barrier lds
    %a = arith.remui %r, %c2 : index
    %b = arith.divui %r, %c2 : index
    %b32 = arith.muli %b, %c32 : index
    %cc = arith.muli %c, %c2 : index
    %ab = arith.addi %a, %b32 : index
    %at = arith.addi %ab, %cc : index
    %w = fly.read %flat[%at] : !Flat -> i32
    fly.write %w, %y[%t] : i32, !Y
    gpu.return
  }

  // Element x = 16 * r + c is at x ^ (x / 8 % 8).
  gpu.func @swizzled(%Y: !fly.ptr<i32> {fly.name = "Y"}) kernel attributes {fly.waves = 2 : i32} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %s = fly.lds.alloc : !fly.lds<@S>
    %l = fly.lds.field %s[f] : !fly.lds<@S> -> !Swizzled
    %flat = fly.lds.field %s[f] {fly.unchecked} : !fly.lds<@S> -> !Flat
    %y = fly.view %Y[128] : !Y
    %t = gpu.thread_id x
    %r = arith.divui %t, %c16 : index
    %c = arith.remui %t, %c16 : index
    %v = arith.index_cast %t : index to i32
    fly.write %v, %l[%r, %c] : i32, !Swizzled
    fly.barrier lds
    %x8 = arith.divui %t, %c8 : index
    %bits = arith.remui %x8, %c8 : index
    %at = arith.xori %t, %bits : index
    %w = fly.read %flat[%at] : !Flat -> i32
    fly.write %w, %y[%t] : i32, !Y
    gpu.return
  }

  // Written one by one, read four at a time, which the swizzle keeps together.
  gpu.func @vectors(%Y: !fly.ptr<i32> {fly.name = "Y"}) kernel attributes {fly.waves = 2 : i32} {
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %s = fly.lds.alloc : !fly.lds<@C>
    %l = fly.lds.field %s[f] : !fly.lds<@C> -> !Chunks
    %y = fly.view %Y[128] : !Y
    %t = gpu.thread_id x
    %r = arith.divui %t, %c16 : index
    %c = arith.remui %t, %c16 : index
    %v = arith.index_cast %t : index to i32
    fly.write %v, %l[%r, %c] : i32, !Chunks
    fly.barrier lds
    %q = arith.remui %t, %c32 : index
    %qr = arith.divui %q, %c4 : index
    %qm = arith.remui %q, %c4 : index
    %qc = arith.muli %qm, %c4 : index
    %w = fly.read %l[%qr, %qc] align 4 : !Chunks -> vector<4xi32>
    %q4 = arith.muli %q, %c4 : index
    fly.write %w, %y[%q4] align 4 : vector<4xi32>, !Y
    gpu.return
  }

  // Coordinates of t in a shape, the offset of a nested layout, and back by its
  // inverse: the layout is a permutation of 128.
  gpu.func @ops(%Y: !fly.ptr<i32> {fly.name = "Y"}) kernel attributes {fly.waves = 2 : i32} {
    %y = fly.view %Y[128] : !Y
    %t = gpu.thread_id x
    %r, %c = fly.layout.coordinates #fly.layout<((2,4),16):((1,32),2)> of %t : index, index
    %at = fly.layout.offset #fly.layout<S<3,0,3> o 0 o ((2,4),16):((1,32),2)> [%r, %c]
    %plain = fly.layout.offset #fly.layout<S<3,0,3> o 0 o 128:1> [%at]
    %back = fly.layout.offset #fly.layout<right_inverse(((2,4),16):((1,32),2))> [%plain]
    %v = arith.index_cast %t : index to i32
    fly.write %v, %y[%back] : i32, !Y
    gpu.return
  }
}
