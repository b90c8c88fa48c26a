// Explicit level: what each lane does. 64x256x128 fp8, four waves along N, A through LDS (ping and pong), B preshuffled.
!fp8 = f8E4M3FNUZ
!A16 = vector<16x!fp8>                 // one 16-byte LDS pack
!B8  = vector<8x!fp8>
!BT  = vector<2x4x16x!fp8>             // B of one K tile: [k step][ni]
!GA  = vector<2x16x!fp8>               // A of the next K tile on its way to LDS
!C4  = vector<4xf32>
!Acc = vector<4x4x4xf32>               // accumulators: [mi][ni], 64 registers
!VA  = !fly.view<?x?x!fp8>
!VB  = !fly.view<?x?x!fp8, #fly.preshuffle<16, 64>>
!VC  = !fly.view<?x?xbf16>
!L   = !fly.view<64x128x!fp8, lds, #fly.swizzle<3, 4, 3>>   // reader and writer get the swizzle from the type: no one-sided swizzle

gpu.module @pingpong [#rocdl.target<chip = "gfx942">] {
  // Two objects, so that alias analysis keeps them apart. The budget is checked per chip, member by member.
  fly.lds.struct @S { a_ping : !L, a_pong : !L }

  func.func private @mma_row(%acc: !Acc, %a: !A16, %b: !BT, %i: index) -> !Acc {
    %c4 = arith.constant 4 : index
    %mi = arith.remui %i, %c4 : index
    %ks = arith.divui %i, %c4 : index
    %a0 = vector.extract_strided_slice %a {offsets = [0], sizes = [8], strides = [1]} : !A16 to !B8
    %a1 = vector.extract_strided_slice %a {offsets = [8], sizes = [8], strides = [1]} : !A16 to !B8
    // static_for: unrolled by the first pass, its index is then a constant. With vectors of vectors this replaces Python.
    %r = fly.static_for %ni = 0 to 4 iter_args(%s = %acc) : !Acc {
      %b16 = vector.extract %b[%ks, %ni] : !A16 from !BT
      %b0 = vector.extract_strided_slice %b16 {offsets = [0], sizes = [8], strides = [1]} : !A16 to !B8
      %b1 = vector.extract_strided_slice %b16 {offsets = [8], sizes = [8], strides = [1]} : !A16 to !B8
      %c = vector.extract %s[%mi, %ni] : !C4 from !Acc
      %d = amdgpu.mfma 16x16x32 %a0 * %b0 + %c blgp = none : !B8, !B8, !C4
      %e = amdgpu.mfma 16x16x32 %a1 * %b1 + %d blgp = none : !B8, !B8, !C4
      %t = vector.insert %e, %s[%mi, %ni] : !C4 into !Acc
      fly.yield %t : !Acc
    }
    return %r : !Acc
  }

  // one A pack: row 16*mi + lane%16, byte 64*ks + 16*(lane/16)
  func.func private @read_a(%l: !L, %i: index, %lane: index) -> !A16 {
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %mi = arith.remui %i, %c4 : index
    %ks = arith.divui %i, %c4 : index
    %r = arith.remui %lane, %c16 : index
    %g = arith.divui %lane, %c16 : index
    %m0 = arith.muli %mi, %c16 : index
    %row = arith.addi %m0, %r : index
    %k0 = arith.muli %ks, %c64 : index
    %k1 = arith.muli %g, %c16 : index
    %col = arith.addi %k0, %k1 : index
    %v = fly.read %l[%row, %col] : !L -> !A16              // ds_read_b128, offsets folded into the immediate
    return %v : !A16
  }

  func.func private @load_b(%b: !VB, %n: index, %k: index) -> !BT {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %z = ub.poison : !BT
    %r = fly.static_for %ks = 0 to 2 iter_args(%s = %z) : !BT {
      %kk = arith.muli %ks, %c64 : index
      %k1 = arith.addi %k, %kk : index
      %q = fly.static_for %ni = 0 to 4 iter_args(%t = %s) : !BT {
        %nn = arith.muli %ni, %c16 : index
        %n1 = arith.addi %n, %nn : index
        // a 16x64 block of the preshuffled layout, 16 bytes a lane: "block" coordinates, the lane part is the layout's
        %v = fly.read %b[%n1, %k1] {block} : !VB -> !A16
        %u = vector.insert %v, %t[%ks, %ni] : !A16 into !BT
        fly.yield %u : !BT
      }
      fly.yield %q : !BT
    }
    return %r : !BT
  }

  // One phase: compute on %cur, fetch the next K tile into %nxt.
  func.func private @phase(%acc: !Acc, %bt: !BT, %a0: !A16, %cur: !L, %nxt: !L, %a: !VA, %b: !VB,
                           %row: index, %col: index, %lrow: index, %n: index, %k: index, %lane: index) -> (!Acc, !BT, !A16) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c32 = arith.constant 32 : index
    %ak = arith.addi %k, %col : index
    %gz = ub.poison : !GA
    %ga = fly.static_for %i = 0 to 2 iter_args(%s = %gz) : !GA {
      %o = arith.muli %i, %c32 : index
      %r = arith.addi %row, %o : index
      %v = fly.read %a[%r, %ak] : !VA -> !A16              // buffer_load_dwordx4; beyond K or M: zeros
      %t = vector.insert %v, %s[%i] : !A16 into !GA
      fly.yield %t : !GA
    }
    %bn = func.call @load_b(%b, %n, %k) : (!VB, index, index) -> !BT
    // the pack for step i+1 is read while step i computes
    %s7, %a7 = fly.static_for %i = 0 to 7 iter_args(%s = %acc, %x = %a0) : !Acc, !A16 {
      %i1 = arith.addi %i, %c1 : index
      %y = func.call @read_a(%cur, %i1, %lane) : (!L, index, index) -> !A16
      %t = func.call @mma_row(%s, %x, %bt, %i) : (!Acc, !A16, !BT, index) -> !Acc
      fly.yield %t, %y : !Acc, !A16
    }
    %s8 = func.call @mma_row(%s7, %a7, %bt, %c7) : (!Acc, !A16, !BT, index) -> !Acc
    fly.static_for %i = 0 to 2 {
      %o = arith.muli %i, %c32 : index
      %r = arith.addi %lrow, %o : index
      %v = vector.extract %ga[%i] : !A16 from !GA
      fly.write %v, %nxt[%r, %col] : !A16, !L              // ds_write_b128
      fly.yield
    }
    // hints: 10 loads, 7 LDS reads, 64 MFMA, 2 LDS writes; the pass that checks the emitted code counts them
    fly.sched.vmem 2
    fly.static_for %i = 0 to 7 {
      fly.sched.vmem 1
      fly.sched.mfma 4
      fly.sched.dsrd 1
      fly.sched.mfma 4
      fly.yield
    }
    fly.sched.vmem 1
    fly.sched.mfma 4
    fly.sched.dswr 2
    fly.sched.mfma 4
    fly.sched.barrier
    fly.wait lgkm(0)                                       // my LDS writes are done ...
    fly.barrier lds                                        // ... and everybody's: s_barrier, LDS ordered, global loads stay in flight
    %p = func.call @read_a(%nxt, %c0, %lane) : (!L, index, index) -> !A16     // A0 prefetch
    return %s8, %bn, %p : !Acc, !BT, !A16
  }

  gpu.func @gemm(%A: !fly.ptr<!fp8>, %B: !fly.ptr<!fp8>, %C: !fly.ptr<bf16>, %M: i32, %N: i32, %K: i32) kernel
      attributes {fly.waves = 4 : i32, fly.waves_per_eu = 2 : i32} {
    fly.require_multiple %K of 256
    fly.require_multiple %N of 256
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %a = fly.view %A[%M, %K] : !VA
    %b = fly.view %B[%N, %K] : !VB
    %bm, %bn = fly.grid to (%M, %N) step (64, 256)
    %m = arith.index_cast %bm : i32 to index
    %n0 = arith.index_cast %bn : i32 to index
    %Kx = arith.index_cast %K : i32 to index
    %lane = fly.lane
    %wave = fly.wave                                       // uniform: lives in an SGPR
    %tid = gpu.thread_id x
    %lds = fly.lds.alloc : !fly.lds<@S>
    %ping = fly.lds.field %lds[a_ping] : !fly.lds<@S> -> !L
    %pong = fly.lds.field %lds[a_pong] : !fly.lds<@S> -> !L
    %lrow = arith.divui %tid, %c8 : index                  // 8 chunks of 16 bytes a row
    %ch = arith.remui %tid, %c8 : index
    %col = arith.muli %ch, %c16 : index
    %row = arith.addi %m, %lrow : index
    %wn = arith.muli %wave, %c64 : index
    %n = arith.addi %n0, %wn : index

    // prologue: tile 0 into pong, its B into registers
    %zb = ub.poison : !BT
    %za = ub.poison : !A16
    %zero = arith.constant dense<0.0> : !Acc
    %x0 = fly.read %a[%row, %col] : !VA -> !A16
    fly.write %x0, %pong[%lrow, %col] : !A16, !L
    %c32 = arith.constant 32 : index
    %row2 = arith.addi %row, %c32 : index
    %lrow2 = arith.addi %lrow, %c32 : index
    %x1 = fly.read %a[%row2, %col] : !VA -> !A16
    fly.write %x1, %pong[%lrow2, %col] : !A16, !L
    %b0 = func.call @load_b(%b, %n, %c0) : (!VB, index, index) -> !BT
    fly.wait lgkm(0)
    fly.barrier lds
    %p0 = func.call @read_a(%pong, %c0, %lane) : (!L, index, index) -> !A16

    %acc, %bl, %al = scf.for %k = %c0 to %Kx step %c256 iter_args(%s = %zero, %bt = %b0, %ap = %p0) -> (!Acc, !BT, !A16) {
      %k1 = arith.addi %k, %c128 : index
      %k2 = arith.addi %k, %c256 : index
      %s1, %bt1, %ap1 = func.call @phase(%s, %bt, %ap, %pong, %ping, %a, %b, %row, %col, %lrow, %n, %k1, %lane)
          : (!Acc, !BT, !A16, !L, !L, !VA, !VB, index, index, index, index, index, index) -> (!Acc, !BT, !A16)
      %s2, %bt2, %ap2 = func.call @phase(%s1, %bt1, %ap1, %ping, %pong, %a, %b, %row, %col, %lrow, %n, %k2, %lane)
          : (!Acc, !BT, !A16, !L, !L, !VA, !VB, index, index, index, index, index, index) -> (!Acc, !BT, !A16)
      scf.yield %s2, %bt2, %ap2 : !Acc, !BT, !A16
    }

    // epilogue, direct: four rows of one column a lane
    %c = fly.view %C[%M, %N] : !VC
    %c4 = arith.constant 4 : index
    %lr = arith.remui %lane, %c16 : index
    %lg = arith.divui %lane, %c16 : index
    %rg = arith.muli %lg, %c4 : index
    fly.static_for %mi = 0 to 4 {
      fly.static_for %ni = 0 to 4 {
        %v = vector.extract %acc[%mi, %ni] : !C4 from !Acc
        %h = arith.truncf %v : !C4 to vector<4xbf16>
        fly.static_for %r = 0 to 4 {
          %mm = arith.muli %mi, %c16 : index
          %m1 = arith.addi %m, %mm : index
          %m2 = arith.addi %m1, %rg : index
          %m3 = arith.addi %m2, %r : index
          %nn = arith.muli %ni, %c16 : index
          %n1 = arith.addi %n, %nn : index
          %n2 = arith.addi %n1, %lr : index
          %x = vector.extract %h[%r] : bf16 from vector<4xbf16>
          fly.write %x, %c[%m3, %n2] : bf16, !VC
          fly.yield
        }
        fly.yield
      }
      fly.yield
    }
    gpu.return
  }
}
