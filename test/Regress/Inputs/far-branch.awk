# A loop of N matrix instructions of 16 passes, each with a sum of its result
# behind exactly 19 wait states: 24 bytes each, 28 with the one that lacks.
# usage: awk -v N=5000 -f FILE
BEGIN {
  print "gpu.module @m [#rocdl.target<chip = \"gfx950\">] {"
  print "  llvm.func @far(%v: vector<8xi32>, %q: !llvm.ptr<1> {llvm.noalias}, %n: i32) attributes {gpu.kernel, rocdl.kernel} {"
  print "    %none = llvm.mlir.constant(0 : i32) : i32"
  print "    %one = llvm.mlir.constant(1 : i32) : i32"
  print "    %f = llvm.mlir.constant(0.0 : f32) : f32"
  print "    %zero = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>"
  print "    %eight = llvm.mlir.constant(7 : i16) : i16"
  print "    %three = llvm.mlir.constant(2 : i16) : i16"
  print "    llvm.br ^loop(%none, %f, %zero : i32, f32, vector<16xf32>)"
  print "  ^loop(%k: i32, %a0: f32, %s0: vector<16xf32>):"
  for (i = 0; i < N; ++i) {
    print "    rocdl.sched.barrier 0"
    printf "    %%s%d = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %%v, %%v, %%s%d, %%none, %%none, %%none, %%none, %%none, %%none : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>\n", i + 1, i
    print "    rocdl.sched.barrier 0"
    print "    llvm.call_intrinsic \"llvm.amdgcn.s.nop\"(%eight) : (i16) -> ()"
    print "    llvm.call_intrinsic \"llvm.amdgcn.s.nop\"(%eight) : (i16) -> ()"
    print "    llvm.call_intrinsic \"llvm.amdgcn.s.nop\"(%three) : (i16) -> ()"
    print "    rocdl.sched.barrier 0"
    printf "    %%e%d = llvm.extractelement %%s%d[%%none : i32] : vector<16xf32>\n", i + 1, i + 1
    printf "    %%a%d = llvm.fadd %%a%d, %%e%d : f32\n", i + 1, i, i + 1
  }
  print "    %next = llvm.add %k, %one : i32"
  print "    %more = llvm.icmp \"slt\" %next, %n : i32"
  printf "    llvm.cond_br %%more, ^loop(%%next, %%a%d, %%s%d : i32, f32, vector<16xf32>), ^end\n", N, N
  print "  ^end:"
  printf "    llvm.store %%a%d, %%q : f32, !llvm.ptr<1>\n", N
  print "    llvm.return"
  print "  }"
  print "}"
}
