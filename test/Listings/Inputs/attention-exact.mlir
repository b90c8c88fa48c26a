// Attention whose result is known without computing any: queries and keys that
// choose one key a row, values, and the results. T sequences of sq rows and sk
// keys lie one behind the other; a row sees `seen` = i + 1 + sk - sq keys.
//
// Key j is the unit vector j, from 128 on the negative of j - 128, and the query
// of a row that of the key that it chooses, (5 i + 40 h) mod seen. A value is
// j xor (d * mix): with mix = 1 rows and columns are told apart, with mix = 0 the
// mean of all that a row sees is (seen - 1) / 2. Each is exact in bf16.
#rows = #fly.schedule<sizes = {R = 16, D = 128}, waves = [1, 1]>
!I = tensor<?x?xi32, #fly.tile<R, D>>
!F = tensor<?x?xf32, #fly.tile<R, D>>
!H = tensor<?x?xbf16, #fly.tile<R, D>>
!C = tensor<?x?xi1, #fly.tile<R, D>>
!V = !fly.view<?x?xbf16>

gpu.module @exact [#rocdl.target<chip = "gfx942">] {
  // 1 or -1 where column `d` is that of the key, else 0.
  func.func private @unit(%key: !I, %d: !I) -> !I {
    %zero = fly.constant 0 : !I
    %one  = fly.constant 1 : !I
    %minus = fly.constant -1 : !I
    %width = fly.constant 128 : !I
    %last  = fly.constant 127 : !I
    %low   = arith.andi %key, %last : !I
    %first = arith.cmpi slt, %key, %width : !I
    %sign  = arith.select %first, %one, %minus : !C, !I
    %hit   = arith.cmpi eq, %low, %d : !I
    %unit  = arith.select %hit, %sign, %zero : !C, !I
    return %unit : !I
  }
  // The number of keys that rows from `m` on see, at least 1, the key that each
  // chooses, and whether they see any.
  func.func private @choose(%m: i32, %h: i32, %sq: i32, %sk: i32) -> (!I, !I, !C) {
    %row   = fly.iota from %m along 0 : !I
    %rows  = fly.splat %sq : i32 -> !I
    %i     = arith.remui %row, %rows : !I
    %zero  = fly.constant 0 : !I
    %one   = fly.constant 1 : !I
    %five  = fly.constant 5 : !I
    %forty = fly.constant 40 : !I
    %head  = fly.splat %h : i32 -> !I
    %more  = arith.subi %sk, %sq : i32
    %off   = fly.splat %more : i32 -> !I
    %from  = arith.addi %i, %off : !I
    %sees  = arith.addi %from, %one : !I
    %any   = arith.cmpi sgt, %sees, %zero : !I
    %seen  = arith.maxsi %sees, %one : !I
    %i5    = arith.muli %i, %five : !I
    %h40   = arith.muli %head, %forty : !I
    %sum   = arith.addi %i5, %h40 : !I
    %key   = arith.remui %sum, %seen : !I
    return %seen, %key, %any : !I, !I, !C
  }

  gpu.func @queries(%Y: !fly.ptr<bf16>, %T: i32, %H: i32, %sq: i32, %sk: i32) kernel attributes {fly.schedule = #rows} {
    %n = arith.muli %T, %sq : i32
    %dd = fly.size D
    %cols = arith.muli %H, %dd : i32
    %y = fly.view %Y[%n, %cols] : !V
    %m, %h = fly.grid to (%n, %H) step (R, 1)
    %c0 = arith.constant 0 : i32
    %d = fly.iota from %c0 along 1 : !I
    %seen, %key, %any = func.call @choose(%m, %h, %sq, %sk) : (i32, i32, i32, i32) -> (!I, !I, !C)
    %unit = func.call @unit(%key, %d) : (!I, !I) -> !I
    %f = arith.sitofp %unit : !I to !F
    %b = arith.truncf %f : !F to !H
    %at = arith.muli %h, %dd : i32
    fly.store %b, %y[%m, %at] : !H, !V
    gpu.return
  }

  gpu.func @keys(%Y: !fly.ptr<bf16>, %T: i32, %sk: i32) kernel attributes {fly.schedule = #rows} {
    %n = arith.muli %T, %sk : i32
    %y = fly.view %Y[%n, D] : !V
    %m = fly.grid to (%n) step (R)
    %c0 = arith.constant 0 : i32
    %d = fly.iota from %c0 along 1 : !I
    %row = fly.iota from %m along 0 : !I
    %keys = fly.splat %sk : i32 -> !I
    %key = arith.remui %row, %keys : !I
    %unit = func.call @unit(%key, %d) : (!I, !I) -> !I
    %f = arith.sitofp %unit : !I to !F
    %b = arith.truncf %f : !F to !H
    fly.store %b, %y[%m, 0] : !H, !V
    gpu.return
  }

  gpu.func @values(%Y: !fly.ptr<bf16>, %T: i32, %sk: i32, %mix: i32) kernel attributes {fly.schedule = #rows} {
    %n = arith.muli %T, %sk : i32
    %y = fly.view %Y[%n, D] : !V
    %m = fly.grid to (%n) step (R)
    %c0 = arith.constant 0 : i32
    %d = fly.iota from %c0 along 1 : !I
    %row = fly.iota from %m along 0 : !I
    %keys = fly.splat %sk : i32 -> !I
    %key = arith.remui %row, %keys : !I
    %mixes = fly.splat %mix : i32 -> !I
    %dm = arith.muli %d, %mixes : !I
    %v = arith.xori %key, %dm : !I
    %f = arith.sitofp %v : !I to !F
    %b = arith.truncf %f : !F to !H
    fly.store %b, %y[%m, 0] : !H, !V
    gpu.return
  }

  // Of queries that choose: the value of the key; of queries that are 0: the mean
  // of all values that a row sees; 0 where it sees none.
  gpu.func @results(%Y: !fly.ptr<bf16>, %T: i32, %H: i32, %sq: i32, %sk: i32, %mix: i32) kernel attributes {fly.schedule = #rows} {
    %n = arith.muli %T, %sq : i32
    %dd = fly.size D
    %cols = arith.muli %H, %dd : i32
    %y = fly.view %Y[%n, %cols] : !V
    %m, %h = fly.grid to (%n, %H) step (R, 1)
    %c0 = arith.constant 0 : i32
    %d = fly.iota from %c0 along 1 : !I
    %seen, %key, %any = func.call @choose(%m, %h, %sq, %sk) : (i32, i32, i32, i32) -> (!I, !I, !C)
    %value = arith.xori %key, %d : !I
    %one = fly.constant 1 : !I
    %twice = arith.subi %seen, %one : !I
    %half = fly.constant 0.5 : !F
    %fv = arith.sitofp %value : !I to !F
    %ft = arith.sitofp %twice : !I to !F
    %mean = arith.mulf %ft, %half : !F
    %mixes = fly.splat %mix : i32 -> !I
    %zeroI = fly.constant 0 : !I
    %isOne = arith.cmpi ne, %mixes, %zeroI : !I
    %r = arith.select %isOne, %fv, %mean : !C, !F
    %zero = fly.constant 0.0 : !F
    %f = arith.select %any, %r, %zero : !C, !F
    %b = arith.truncf %f : !F to !H
    %at = arith.muli %h, %dd : i32
    fly.store %b, %y[%m, %at] : !H, !V
    gpu.return
  }
}
