// A swizzle is part of the declared type of an LDS field, so a writer and a
// reader that do not agree are an error of the view; fly.unchecked on the view
// lets it through.
// RUN: split-file %s %t
// RUN: not fly-opt %t/reader.mlir 2>&1 | FileCheck %s --check-prefix=READER
// RUN: not fly-opt %t/writer.mlir 2>&1 | FileCheck %s --check-prefix=WRITER
// RUN: fly-opt %t/unchecked.mlir | FileCheck %s --check-prefix=UNCHECKED

//--- reader.mlir
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<32x64xbf16, lds> }
  gpu.func @reader_swizzles(%x: vector<8xbf16>, %r: index, %c: index) kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    %w = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<32x64xbf16, lds>
    fly.write %x, %w[%r, %c] : vector<8xbf16>, !fly.view<32x64xbf16, lds>
    // READER: reader.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'fly.lds.field' op swizzle on one side only: the view is '!fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>>', but the field is '!fly.view<32x64xbf16, lds>'
    // READER: note: declared here; add {fly.unchecked} to reinterpret it on purpose
    %v = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    gpu.return
  }
}

//--- writer.mlir
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>> }
  gpu.func @writer_forgets() kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // WRITER: error: 'fly.lds.field' op swizzle on one side only: the view is '!fly.view<32x64xbf16, lds>', but the field is '!fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>>'
    %w = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<32x64xbf16, lds>
    gpu.return
  }
}

//--- unchecked.mlir
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  fly.lds.struct @S { a : !fly.view<32x64xbf16, lds> }
  gpu.func @on_purpose() kernel {
    %lds = fly.lds.alloc : !fly.lds<@S>
    // UNCHECKED: fly.lds.field %{{.*}}[a] {fly.unchecked} : !fly.lds<@S> -> !fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    %v = fly.lds.field %lds[a] {fly.unchecked} : !fly.lds<@S> -> !fly.view<32x64xbf16, lds, #fly.swizzle<3, 4, 3>>
    gpu.return
  }
}
