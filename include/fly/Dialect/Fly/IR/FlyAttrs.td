//===- FlyAttrs.td - Schedules, sizes and layouts ----------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYATTRS_TD
#define FLY_DIALECT_FLY_IR_FLYATTRS_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"
include "fly/Dialect/Fly/IR/FlyEnums.td"
include "fly/Dialect/Fly/IR/FlyInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

class Fly_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Fly_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Named sizes and the schedule
//===----------------------------------------------------------------------===//

def Fly_TileAttr : Fly_Attr<"Tile", "tile", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "names of a tile's extents";
  let description = [{
    The encoding of a tile whose extents are sizes of the schedule: one entry a
    dimension, a name where the extent is `?`, the number where it is static.
    `fly-instantiate` replaces it by static extents.

    Example:

    ```mlir
    func.func private @tile(tensor<?x?xf32, #fly.tile<BM, BN>>)
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute", "StringAttr or IntegerAttr">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_PolicyAttr : Fly_Attr<"Policy", "policy"> {
  let summary = "a named choice with arguments in a schedule";
  let description = [{
    The form `lds(stages = 2, swizzle = xor)` or `grouped(8)` inside a
    schedule. Written alone it is `#fly.policy<lds(stages = 2)>`.
  }];
  let parameters = (ins
    StringRefParameter<"name of the choice">:$name,
    ArrayRefParameter<"::mlir::Attribute", "positional arguments">:$positional,
    "::mlir::DictionaryAttr":$named);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_ScheduleAttr : Fly_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel is tuned: everything that a tuner may change";
  let description = [{
    A list of entries `key = value`. Global keys are `sizes`, `consts`,
    `waves`, `waves_per_eu`, `grid` and `codegen`; every other key is the label
    of a load, store, dot or loop of the kernel. Values are numbers, words, shapes
    (`16x16`), lists, nested entries in braces, and policies
    (`lds(stages = 2)`). The schedule never changes what a kernel computes.
    docs/Guide/Schedules.md lists the keys, their values and defaults.

    Example:

    ```mlir
    #sched = #fly.schedule<sizes = {BM = 128, BN = 256, BK = 64}, waves = [2, 2],
        a = lds(stages = 2, swizzle = xor), kloop = {mfma = 16x16}>
    ```
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$entries);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The entry of a key or label, or null.
    ::mlir::Attribute get(::llvm::StringRef key) const { return getEntries().get(key); }
    /// The same schedule with one entry replaced or added.
    ScheduleAttr with(::llvm::StringRef key, ::mlir::Attribute value) const;
  }];
}

def Fly_SchedulesAttr : Fly_Attr<"Schedules", "schedules"> {
  let summary = "one schedule for each chip";
  let description = [{
    What `fly.schedule` may hold in place of a schedule: the schedule of each
    chip that the kernel is written for. The module's target says which of them
    holds; `fly-instantiate` puts that one in its place, and so does whoever runs
    or overrides the source. A target without an entry is an error.

    Example:

    ```mlir
    #small = #fly.schedule<sizes = {BM = 64}, a = lds(stages = 2)>
    #large = #fly.schedule<sizes = {BM = 128}, a = lds(stages = 2)>
    gpu.module @m [#rocdl.target<chip = "gfx942">] {
      gpu.func @k() kernel attributes {fly.schedule = #fly.schedules<{gfx942 = #small, gfx950 = #large}>} {
        gpu.return
      }
    }
    ```
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$chips);
  let assemblyFormat = "`<` $chips `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The schedule of a chip, or null.
    ScheduleAttr get(::llvm::StringRef chip) const { return getChips().getAs<ScheduleAttr>(chip); }
  }];
}

//===----------------------------------------------------------------------===//
// Layouts of memory
//===----------------------------------------------------------------------===//

def Fly_StridedAttr : Fly_Attr<"Strided", "strided"> {
  let summary = "strides of a view that the type knows";
  let description = [{
    One stride in elements a dimension, at least 0; `?` where only the view op
    knows it. `[?, 1]` says that the last dimension is contiguous, `[1, ?]`
    that the first is.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "strides in elements; kDynamic for ?">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_SwizzleAttr : Fly_Attr<"Swizzle", "swizzle"> {
  let summary = "XOR permutation of the byte addresses of an LDS view";
  let description = [{
    `swizzle<M, B, S>` maps the linear byte address `x` of an element to
    `x ^ ((x & (((1 << M) - 1) << (B + S))) >> S)`: M bits are permuted, the
    lowest B bits stay, S is the distance of the bits that steer. It is its own
    inverse where S >= M. The permutation is part of the view's type, so writer
    and reader cannot differ.
  }];
  let parameters = (ins
    DefaultValuedParameter<"unsigned", "0">:$bits, DefaultValuedParameter<"unsigned", "0">:$base,
    DefaultValuedParameter<"unsigned", "0">:$shift);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The physical byte address of the linear byte address `x`.
    uint64_t apply(uint64_t x) const {
      uint64_t mask = ((uint64_t(1) << getBits()) - 1) << (getBase() + getShift());
      return x ^ ((x & mask) >> getShift());
    }
  }];
}

def Fly_PreshuffleAttr : Fly_Attr<"Preshuffle", "preshuffle"> {
  let summary = "rows and columns of a view in blocks, as a matrix unit reads them";
  let description = [{
    `preshuffle<R, B>` says how the bytes of a global view's two last dimensions
    lie: in blocks of R rows by B **bytes** of columns, each R * B contiguous
    bytes, blocks row-major. In a block the columns come in chunks of 16 bytes:
    chunk 0 of every row, then chunk 1 of every row, and so on, so that the 64
    lanes of a wave read a block of `<16, 64>` as 64 consecutive chunks. Elements
    of 4 bits lie two a byte. With `p = 128 / element bits` elements a chunk and
    `q = 8 * B / element bits` a block, element (r, c) of a view of C columns is at element

    ```text
    (r / R) * R * C + (c / q) * R * q + (c % q / p) * R * p + (r % R) * p + c % p
    ```

    The bytes are whole blocks: a view whose last two extents are no multiples of
    a block is an error, or a refused launch. `fly.view` takes such a view
    without strides.

    Example:

    ```mlir
    func.func private @weights(!fly.view<?x?xbf16, #fly.preshuffle<16, 64>>)
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "0">:$rows,
    DefaultValuedParameter<"int64_t", "0">:$bytes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes that a row has next to each other, and that a lane reads.
    static constexpr int64_t chunkBytes = 16;
    /// Elements of `elementBits` bits in a row of a block, and in a chunk.
    int64_t getColumns(int64_t elementBits) const { return getBytes() * 8 / elementBits; }
    static int64_t getChunk(int64_t elementBits) { return chunkBytes * 8 / elementBits; }
    /// An error where one of the last two extents of a view is known and no
    /// multiple of a block.
    ::llvm::LogicalResult verifyExtents(::llvm::ArrayRef<int64_t> extents, ::mlir::Type elementType,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
    /// The element that (row, column) of a view of `columns` columns is at.
    int64_t apply(int64_t row, int64_t column, int64_t columns, int64_t elementBits) const;
  }];
}

def Fly_MemoryLayoutAttr : Fly_Attr<"MemoryLayout", "layout"> {
  let summary = "a layout of the layout algebra: shape and strides";
  let description = [{
    A function from coordinates to offsets in elements, as
    docs/Rationale/LayoutAlgebra.md has it: extents and strides that nest alike,
    `(4,8):(8,1)`, `((2,3),4):((1,2),6)`; extents and strides that are not known
    have names, `(?M,?K):(?K,1)`; a swizzle or an offset may stand in front,
    `S<3,3,3> o 0 o (8,64):(64,1)`. What MLIR's lexer does not read (`ceil(?M/4)`)
    stands in quotes.

    In place of a layout an operation of the algebra may stand, which is
    evaluated where it is parsed: `logical_divide`, `zipped_divide`,
    `tiled_divide`, `flat_divide`, `logical_product`, `blocked_product`,
    `raked_product`, `composition`, `coalesce`, `complement`, `right_inverse`,
    `left_inverse`. A division by a tiler that leaves holes, overlaps or reaches
    beyond the layout is a warning.

    Example:

    ```mlir
    #rows = #fly.layout<(4,8):(8,1)>
    #tiles = #fly.layout<logical_divide((8,6):(1,8), <4,3>)>
    #raked = #fly.layout<raked_product(8:1, 4:1)>
    ```
  }];
  let parameters = (ins StringRefParameter<"the canonical text">:$text);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout; a chain with the identity in front where it has no other.
    ::fly::layout::ComposedLayout getLayout() const;
    /// Modes of the layout.
    unsigned getRank() const;
    /// Whether nothing is unknown.
    bool isStatic() const;
    /// The swizzle in front; the identity if there is none.
    ::fly::layout::Swizzle getSwizzle() const;
    /// The layout with its unknown extents bound to those of a view; errors as
    /// of Layout::bind.
    ::llvm::Expected<::fly::layout::ComposedLayout> bind(::llvm::ArrayRef<int64_t> extents) const;
    /// The last mode whose elements lie next to each other, none if there is no
    /// such mode.
    std::optional<unsigned> getContiguousMode() const;
    /// The elements that a buffer for a static layout has; none where that is
    /// too many or not static.
    std::optional<int64_t> getCosize() const;
    /// An error where a view of these extents cannot have the layout.
    ::llvm::LogicalResult verifyView(::llvm::ArrayRef<int64_t> extents, ::mlir::Type elementType, bool inLds,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

//===----------------------------------------------------------------------===//
// Layouts of tiles: which wave, lane and register hold which element
//===----------------------------------------------------------------------===//

class Fly_LayoutAttr<string name, string attrMnemonic> : Fly_Attr<name, attrMnemonic, [
    DeclareAttrInterfaceMethods<Fly_LayoutAttrInterface>,
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]>;

def Fly_BlockedAttr : Fly_LayoutAttr<"Blocked", "blocked"> {
  let summary = "threads in rows, each with a vector: the layout of a copy";
  let description = [{
    Thread `t` holds vectors of `vector` contiguous elements of the last
    dimension: at row `t / threads[1]` and column
    `(t % threads[1]) * vector`, and again every `threads[0]` rows and every
    `threads[1] * vector` columns. Vectors beyond the tile in the last round of
    rows or columns have no element (a guarded copy). Threads of the workgroup beyond the layout's
    repeat its first ones. For rank 1 `threads` has one entry. A layout has at
    most as many threads as a workgroup (1024).

    With `rows = r`, for rank 2, a thread has vectors of r neighbouring rows each
    time: its first row is r times as far down, and it comes again every
    `threads[0] * r` rows.

    Registers: `[rounds of rows, rounds of columns, vector]`, with several rows
    `[rounds of rows, rounds of columns, rows, vector]`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "threads in each dimension">:$threads,
    "int64_t":$vector,
    DefaultValuedParameter<"int64_t", "1">:$rows);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$threads, "int64_t":$vector), [{
    return $_get($_ctxt, threads, vector, 1);
  }]>];
  let assemblyFormat = [{
    `<` `threads` `=` `[` $threads `]` `,` `vector` `=` $vector (`,` `rows` `=` $rows^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Fly_MmaAttr : Fly_LayoutAttr<"Mma", "mma"> {
  let summary = "the accumulator of a matrix instruction";
  let description = [{
    The tile is split over a grid of waves (`waves`, rows then columns; wave
    `w` is at `(w / waves[1], w % waves[1])`), each wave's part into blocks of
    `shape`. In a block of 16x16, lane `l` holds rows `4 * (l / 16) + v` of
    column `l % 16`, `v` = 0..3; in one of 32x32 rows
    `8 * (v / 4) + 4 * (l / 32) + v % 4` of column `l % 32`, `v` = 0..15
    (source: facts of the AMD matrix instruction calculator [AMD]). With
    `transposed` the operands are swapped, and rows and columns change roles:
    a lane then holds contiguous columns of one row. Results of f64 lie
    otherwise (`f64 = true`, 16x16 alone): rows `4 * v + l / 16` of column
    `l % 16`.

    Registers: `[block rows, block columns, 4 or 16]`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "rows and columns of a block: 16,16 or 32,32">:$shape,
    ArrayRefParameter<"int64_t", "waves in rows and columns">:$waves,
    DefaultValuedParameter<"bool", "false">:$transposed,
    DefaultValuedParameter<"bool", "false">:$f64);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int64_t>":$waves,
                                   "bool":$transposed), [{
    return $_get($_ctxt, shape, waves, transposed, false);
  }]>];
  let assemblyFormat = [{
    `<` `shape` `=` `[` $shape `]` `,` `waves` `=` `[` $waves `]` ``
    custom<MmaFlags>($transposed, $f64) `>`
  }];
  let genVerifyDecl = 1;
}

def Fly_OperandAttr : Fly_LayoutAttr<"Operand", "operand"> {
  let summary = "an operand of a matrix instruction";
  let description = [{
    Operand `a` (tile M x K) or `b` (tile N x K) of a dot whose accumulator has
    the layout `parent`. Lane `l` holds `pack` contiguous elements of K at
    `pack * (l / MN)` of each micro-step of `pack * 64 / MN` elements, for row
    `l % MN` of each block, MN being the parent's 16 or 32. A and B use the same
    permutation of K, so one 16-byte read may feed two instructions.

    Registers: `[blocks, micro-steps, pack]`.
  }];
  let parameters = (ins EnumParameter<Fly_OperandSide>:$side, "::fly::MmaAttr":$parent, "int64_t":$pack);
  let assemblyFormat = "`<` $side `,` qualified($parent) `,` `pack` `=` $pack `>`";
  let genVerifyDecl = 1;
}

def Fly_SliceAttr : Fly_LayoutAttr<"Slice", "slice"> {
  let summary = "a layout with one dimension taken away";
  let description = [{
    The layout of a rank-1 tile that is broadcast along `dim` to a tile of the
    layout `parent`: each lane holds the elements that it needs, each once.
    `extent` is the extent of the removed dimension.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$extent, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $extent `,` $parent `>`";
}

def Fly_RepeatedAttr : Fly_LayoutAttr<"Repeated", "repeated"> {
  let summary = "a layout of which neighbours in one dimension share an element";
  let description = [{
    The layout of a tile that is repeated `factor` times along `dim` to a tile of
    the layout `parent`: each lane holds the elements that it needs, each once.

    Registers: those of the parent in one dimension, those of equal coordinates
    once.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$factor, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $factor `,` $parent `>`";
}

def Fly_TransposedAttr : Fly_LayoutAttr<"Transposed", "transposed"> {
  let summary = "a layout with rows and columns exchanged";
  let description = [{
    The layout of a tile of rank 2 whose transpose has the layout `parent`: the
    lanes hold the same elements in the same registers.
  }];
  let parameters = (ins "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $parent `>`";
}

def Fly_PartsAttr : Fly_LayoutAttr<"Parts", "parts"> {
  let summary = "a layout with one dimension shrunk to a part for each wave";
  let description = [{
    The layout of what `fly.reduce ... parts n` makes of a tile of the layout
    `parent`, whose dimension `dim` had `extent` elements. `waves`: each wave
    holds its own part, in all of its lanes. `registers`: each lane holds all
    parts of its elements.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$extent,
                        EnumParameter<Fly_PartsHolder>:$holder, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $extent `,` $holder `,` $parent `>`";
}

def Fly_StagedAttr : Fly_Attr<"Staged", "staged", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "a tile that lies in LDS";
  let description = [{
    The tile is in slot `slot` of the LDS buffer of label `buffer`. Writing and
    reading it are `fly.convert_layout`s; `fly-stage-lds` turns them into
    stores and loads of an LDS field and puts the barriers.
  }];
  let parameters = (ins StringRefParameter<"label of the buffer">:$buffer, "int64_t":$slot);
  let assemblyFormat = "`<` $buffer `,` $slot `>`";
}

#endif // FLY_DIALECT_FLY_IR_FLYATTRS_TD
