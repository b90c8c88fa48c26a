// A scalar offset that differs between lanes makes LLVM walk them, in a loop of
// its own around each access. In a hot loop that is a warning, an error with
// --werror, and a figure of the report; such loops do not hide the hot loop.
// RUN: fly-compile %s -o %t.o --report=text 2>%t.err | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s --check-prefix=WARNING <%t.err
// RUN: fly-report isa %t.o --json | FileCheck %s --check-prefix=JSON
// RUN: not fly-compile %s -o %t.o --werror 2>&1 | FileCheck %s --check-prefix=ERROR

// REPORT: walks
// REPORT: hot loop: 1 MFMA of {{[0-9]+}} {{.*}}; narrowest access 4 bytes; 2 loops over lanes{{$}}
// REPORT: uniform
// REPORT: hot loop: 1 MFMA of {{[0-9]+}} {{.*}}; narrowest access 4 bytes{{$}}
// WARNING: warning: kernel 'walks' walks the lanes of a wave in 2 loops of its hot loop
// WARNING-NOT: warning
// ERROR: error: warnings count as errors
// JSON: "lane_loops": 2,
// JSON: "name": "walks",
// JSON: "lane_loops": 0,
// JSON: "name": "uniform",

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  llvm.func @walks(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, rocdl.kernel} {
    %lane = rocdl.workitem.id.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %range = llvm.mlir.constant(65536 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %none = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    %view = rocdl.make.buffer.rsrc %p, %stride, %range, %flags : <1> to <8>
    %scalar = llvm.mul %lane, %four : i32
    llvm.br ^loop(%zero, %none : i32, vector<4xf32>)
  ^loop(%i: i32, %sum: vector<4xf32>):
    %at = llvm.add %i, %scalar : i32
    %a = rocdl.raw.ptr.buffer.load %view, %zero, %at, %zero : f32
    %next = llvm.add %at, %four : i32
    %b = rocdl.raw.ptr.buffer.load %view, %zero, %next, %zero : f32
    %all = rocdl.mfma.f32.16x16x4f32 %a, %b, %sum, %zero, %zero, %zero : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %j = llvm.add %i, %one : i32
    %more = llvm.icmp "ult" %j, %n : i32
    llvm.cond_br %more, ^loop(%j, %all : i32, vector<4xf32>), ^end
  ^end:
    %to = llvm.mul %lane, %four : i32
    %first = llvm.extractelement %all[%zero : i32] : vector<4xf32>
    rocdl.raw.ptr.buffer.store %first, %view, %to, %zero, %zero : f32
    llvm.return
  }

  llvm.func @uniform(%p: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, rocdl.kernel} {
    %lane = rocdl.workitem.id.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %range = llvm.mlir.constant(65536 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %none = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    %view = rocdl.make.buffer.rsrc %p, %stride, %range, %flags : <1> to <8>
    %scalar = rocdl.readfirstlane %lane : i32
    llvm.br ^loop(%zero, %none : i32, vector<4xf32>)
  ^loop(%i: i32, %sum: vector<4xf32>):
    %at = llvm.add %i, %scalar : i32
    %a = rocdl.raw.ptr.buffer.load %view, %zero, %at, %zero : f32
    %all = rocdl.mfma.f32.16x16x4f32 %a, %a, %sum, %zero, %zero, %zero : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %j = llvm.add %i, %one : i32
    %more = llvm.icmp "ult" %j, %n : i32
    llvm.cond_br %more, ^loop(%j, %all : i32, vector<4xf32>), ^end
  ^end:
    %to = llvm.mul %lane, %four : i32
    %first = llvm.extractelement %all[%zero : i32] : vector<4xf32>
    rocdl.raw.ptr.buffer.store %first, %view, %to, %zero, %zero : f32
    llvm.return
  }
}
