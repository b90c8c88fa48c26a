//===- FlyLdsOps.td - Explicit level: LDS, lanes, accesses -*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYLDSOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLDSOPS_TD

include "fly/Dialect/Fly/IR/FlyTileOps.td"
include "mlir/IR/SymbolInterfaces.td"

def Fly_LdsStructOp : Fly_Op<"lds.struct", [Symbol]> {
  let summary = "the LDS buffers of a workgroup";
  let description = [{
    Each field becomes an LDS object of its own, so that alias analysis keeps
    them apart. Fields are aligned to 16 bytes. The bytes of all structs that a
    kernel allocates are checked against the chip, member by member.

    In a `union` the fields lie over each other: its bytes are those of the
    largest, and nothing but barriers orders their accesses.

    Fields written `at` a byte lie in one object that they share, `shared` in
    messages: those whose bytes meet overlay each other as in a union, those
    whose bytes do not are kept apart as if each were an object of its own. So a
    large buffer may lie over several small ones.

    The last field may be *dynamic*: its first extent is `?`, and its bytes are
    what the launch gives beyond the static ones (`fly-run --dynamic-lds`). The
    launch contract says that there is one.

    Syntax:

    ```text
    fly.lds.struct @name union? { field : view, ... } attr-dict
    ```

    Constraints:
    - C1: every field is an LDS view of static extents; names differ. The first
      extent of the last field may be `?`, except in a union.
    - C2: the fields fit the LDS of the module's chip (checked where the module
      has one target).
    - C3: a field is `at` a multiple of 16 from 0; a field of a union and a
      dynamic one lie at no byte of their own.

    Example:

    ```mlir
    gpu.module @m [#rocdl.target<chip = "gfx942">] {
      fly.lds.struct @S { a_ping : !fly.view<64x128xi8, lds>, a_pong : !fly.view<64x128xi8, lds> }
      fly.lds.struct @U union { tile : !fly.view<64x128xi8, lds>, sums : !fly.view<256xf32, lds> }
      fly.lds.struct @D { row : !fly.view<64xf32, lds>, rest : !fly.view<?x64xf32, lds> }
      fly.lds.struct @O { a : !fly.view<64x64xi8, lds> at 0, b : !fly.view<64x64xi8, lds> at 4096,
                          result : !fly.view<64x128xi8, lds> at 0 }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$names, TypeArrayAttr:$types,
                       UnitAttr:$overlaid, OptionalAttr<DenseI64ArrayAttr>:$offsets);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The declared type of a field, or null.
    ::fly::ViewType getFieldType(::llvm::StringRef name);
    /// Bytes of all static fields, each aligned to 16; of a union those of its
    /// largest field, of fields `at` a byte those up to the end of the last.
    int64_t getSizeInBytes();
    /// The byte of the shared object that a field lies at; none where it is an
    /// object of its own, or one of a union.
    std::optional<int64_t> getOffset(::llvm::StringRef name);
    /// Bytes of the object that the fields `at` a byte share; 0 without any.
    int64_t getSharedBytes();
    /// Whether two fields have a byte in common.
    bool overlap(::llvm::StringRef lhs, ::llvm::StringRef rhs);
    /// The name of the dynamic field, or null.
    ::mlir::StringAttr getDynamicField();
    /// "a 32768 + b 16 + c dynamic", or "largest of a 64, b 16", or "shared
    /// 64 of (a 64, b 16 at 48)": the breakdown for messages.
    std::string describeFields();
  }];
}

def Fly_LdsAllocOp : Fly_Op<"lds.alloc", [MemoryEffects<[MemAlloc]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "this workgroup's instance of an LDS struct";
  let description = [{
    The kernel takes the bytes of the whole struct, whichever fields it accesses;
    so the op stays where its result has no use. There is one instance of a
    struct, however often it is named.

    Example:

    ```mlir
    gpu.module @m [#rocdl.target<chip = "gfx942">] {
      fly.lds.struct @S { a : !fly.view<64x128xi8, lds> }
      gpu.func @k() kernel attributes {fly.waves = 1 : i32} {
        %lds = fly.lds.alloc : !fly.lds<@S>
        %a = fly.lds.field %lds[a] : !fly.lds<@S> -> !fly.view<64x128xi8, lds>
        gpu.return
      }
    }
    ```
  }];
  let results = (outs Fly_LdsType:$lds);
  let assemblyFormat = "attr-dict `:` qualified(type($lds))";
}

def Fly_LdsFieldOp : Fly_Op<"lds.field", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a view of one field of an LDS struct";
  let description = [{
    Constraints:
    - C1: the struct has the field.
    - C2: the view has the declared type: extents, element and swizzle, so that
      no side can swizzle alone. With the attribute `fly.unchecked` it may
      differ (a reinterpretation the author answers for).
  }];
  let arguments = (ins Fly_LdsType:$lds, StrAttr:$field);
  let results = (outs Fly_ViewType:$view);
  let assemblyFormat = [{
    $lds `[` custom<Keyword>($field) `]` attr-dict `:` qualified(type($lds)) `->` qualified(type($view))
  }];
}

def Fly_LaneOp : Fly_Op<"lane", [Pure]> {
  let summary = "this lane's number in its wave, 0 to 63";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Fly_WaveOp : Fly_Op<"wave", [Pure]> {
  let summary = "this wave's number in its workgroup; uniform";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

class Fly_VectorAccessOp<string mnemonic> : Fly_Op<mnemonic, [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  code vectorAccessDeclaration = [{
    bool isInBounds(unsigned dim) {
      return getInBounds() && dim < getInBounds()->size() && (*getInBounds())[dim];
    }
  }];
}

def Fly_ReadOp : Fly_VectorAccessOp<"read"> {
  let summary = "a lane's read of contiguous elements";
  let description = [{
    Reads one element, or a vector along the view's contiguous dimension. From
    global memory each element outside the view reads as the pad; dimensions
    marked `in_bounds` are not checked. LDS is never checked. `align` is the
    number of elements that the address is known to be a multiple of; the
    access is as wide as it allows.

    - `flat`: coordinates count only by the element number that they make. What
      lies before the view's first or behind its last element is outside, but
      column N of a row is the first element of the next one.
    - `whole`: along the contiguous dimension the vector is inside or outside
      with all of its elements, so that one comparison decides. Where extents
      and coordinates are known multiples of its length, as from
      `fly.require_multiple`, this is proved and need not be said.
    - `{block}`: of a view whose layout is `#fly.preshuffle`, the block that
      holds the coordinates; lane `l` reads its chunk `l`, which holds row
      `l % R` of the block, elements `l / R * 16` bytes and on. Coordinates that
      are known multiples of a block cost nothing, others are rounded down.

    Constraints:
    - C1: as many coordinates as the view has dimensions.
    - C2: the result is the view's element or a vector of rank 1 of it, at most
      16 bytes wide; a vector needs a contiguous dimension.
    - C3: `flat` and `whole` are of views of global memory; `flat` takes no
      `in_bounds`, and its pad is zero.
    - C4: `{block}` needs a preshuffled view whose blocks have 64 chunks, and
      reads 16 bytes.

    Example:

    ```mlir
    func.func private @helper(%l: !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>>, %r: index, %c: index) {
      %v = fly.read %l[%r, %c] : !fly.view<64x128xi8, lds, #fly.swizzle<3, 4, 3>> -> vector<16xi8>
      return
    }
    ```
  }];
  let arguments = (ins Fly_ViewType:$view, Variadic<Index>:$coordinates,
                       DefaultValuedAttr<Fly_PadAttr, "::fly::Pad::Zero">:$pad,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align,
                       UnitAttr:$flat, UnitAttr:$whole, UnitAttr:$block);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{
    $view `[` $coordinates `]` (`pad` custom<PadKeyword>($pad)^)?
    (`cache` custom<CacheKeyword>($cache)^)? (`flat` $flat^)? (`in_bounds` $in_bounds^)?
    (`whole` $whole^)? (`align` custom<OptionalPlainInteger>($align)^)? attr-dict
    `:` qualified(type($view)) `->` type($value)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = vectorAccessDeclaration;
}

def Fly_WriteOp : Fly_VectorAccessOp<"write"> {
  let summary = "a lane's write of contiguous elements";
  let description = [{
    The counterpart of `fly.read`: elements outside the view are dropped.
    Clauses and constraints are those of `fly.read`.

    Example:

    ```mlir
    func.func private @helper(%v: vector<8xbf16>, %c: !fly.view<?x?xbf16>, %r: index, %k: index) {
      fly.write %v, %c[%r, %k] in_bounds [false, true] align 8 : vector<8xbf16>, !fly.view<?x?xbf16>
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$value, Fly_ViewType:$view, Variadic<Index>:$coordinates,
                       DefaultValuedAttr<Fly_CacheAttr, "::fly::Cache::Default">:$cache,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I64Attr>:$align,
                       UnitAttr:$flat, UnitAttr:$whole);
  let assemblyFormat = [{
    $value `,` $view `[` $coordinates `]` (`cache` custom<CacheKeyword>($cache)^)?
    (`flat` $flat^)? (`in_bounds` $in_bounds^)? (`whole` $whole^)?
    (`align` custom<OptionalPlainInteger>($align)^)? attr-dict
    `:` type($value) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = vectorAccessDeclaration;
}

#endif // FLY_DIALECT_FLY_IR_FLYLDSOPS_TD
