//===- Passes.td - Passes of the fly dialect ---------------*- tablegen -*-===//
//
// One definition a pass, in the order of the pipeline. Every pass runs on the
// gpu.module it is given or on every gpu.module nested in its root, leaves the
// IR untouched where it refuses, and says in a remark what it did.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyInstantiatePass : Pass<"fly-instantiate"> {
  let summary = "give names their numbers, inline helpers, unroll, expand fly.map";
  let description = [{
    Reads `sizes` of the kernel's `#fly.schedule` and writes them where the
    source has names: `tensor<?x?xf32, #fly.tile<BM, BN>>` becomes
    `tensor<128x256xf32>`, `fly.size BM` a constant, `step BK` a number. Private
    functions that kernels call are inlined and removed; `fly.map` becomes
    `fly.broadcast`, `arith` and `math` on f32, rounded once to the type of its
    result, and so do casts that round at random. Ops of dialects that the tile
    level does not know are refused by name here, so that no later pass meets
    them.

    `fly.static_for` is unrolled, and what becomes constant by that, or in an
    inlined helper of lanes, is folded: an index may then pick a register. More
    than 100000 ops after inlining and unrolling are refused.

    `consts = {K = 8320}` fixes an argument: its uses become the constant, a
    requirement refuses launches with another value, and the entry is gone. The
    schedule of an explicit kernel (without tiles, with `fly.waves`) has nothing
    but `sizes` and `consts`, and is gone as a whole.

    Of `#fly.schedules` the kernel keeps the one of its target's chip.

    Kernels without any of that are left as they are.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"numNames", "names", "Number of names replaced by numbers">,
    Statistic<"numInlined", "inlined", "Number of helper calls inlined">,
    Statistic<"numMaps", "maps", "Number of fly.map ops expanded">,
    Statistic<"numUnrolled", "unrolled", "Number of fly.static_for unrolled">
  ];
}

def FlyFormPipelinesPass : Pass<"fly-form-pipelines"> {
  let summary = "make pipelines of plain loops, as the schedule says";
  let description = [{
    An `scf.for` whose entry of the schedule has `stages = {k = -2, qk = -1,
    v = -1, pv = 0}` becomes a `fly.pipeline` in which the loads and dots of these
    labels run so many iterations ahead of the rest. An op without a number runs
    as far ahead as the ops that take its values. Arithmetic on scalars is made
    again in each stage. Without `stages`, labelled loads that feed a dot of the
    loop directly run one iteration ahead.

    Checked before anything changes: what runs ahead writes no memory, takes
    nothing that the loop carries, and reads nothing that the loop may write;
    what takes a value does not run farther ahead than what makes it. Where
    stages were asked for that is an error, else a remark, and the loop stays
    plain. An entry loses its `stages` once they are applied.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numPipelines", "pipelines", "Number of pipelines formed">
  ];
}

def FlyResolveSchedulePass : Pass<"fly-resolve-schedule"> {
  let summary = "make every default and auto of the schedule explicit";
  let description = [{
    Loads, dots and stores without a label get one (`load0`, `dot0`, `store0`).
    Then the kernel's `fly.schedule` gets an entry for each, and `waves`,
    `waves_per_eu` and `grid`; a remark says why each value was chosen. What
    the schedule asks for is checked by rule: labels and keys, divisibility of
    tiles by waves and matrix instructions, LDS bytes and the register estimate
    against the chip of the gpu.module. Each refusal is one error with the
    numbers. docs/Guide/Schedules.md is the table of it all.

    Kernels without tiles are left as they are.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of schedules resolved">,
    Statistic<"numLabels", "labels", "Number of labels given">
  ];
}

def FlyVersionKernelsPass : Pass<"fly-version-kernels"> {
  let summary = "make a fast and a safe body where a test at run time widens accesses";
  let description = [{
    Of kernels whose schedule has `versions = auto`. Where an access is narrow
    because nothing says that a stride or extent is a multiple of 16 bytes, or a
    pointer aligned to 16, the kernel's work is put in an `scf.if` on just that:
    one scalar condition, the same for the whole launch. Its first region is what
    `fly-prove-access` then finds 16-byte accesses in, its second region is the
    kernel as it was. Scalars, views, requirements and the grid stay before it.

    A remark says what is tested, and for which accesses; another one why there
    is nothing to test. Kernels without tiles are left as they are, and the entry
    of the schedule becomes `off`.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numVersioned", "versioned", "Number of kernels with two bodies">
  ];
}

def FlyProveAccessPass : Pass<"fly-prove-access"> {
  let summary = "prove what tile accesses need not check";
  let description = [{
    Sets `in_bounds` (one flag a dimension of the view: no workgroup and no
    iteration reaches outside) and `align` (elements that the start of each row
    of the tile is a multiple of, at most 16 bytes) of every fly.load and
    fly.store. The proof uses constants, `fly.require_multiple`, the grid
    (origins lie below their bound, in steps), induction variables of
    fly.pipeline and scf.for, conditions of the scf.if around an access, and
    integer arithmetic on them. What is not
    proved is a missed remark that prints the requirement that would prove it.
    Flags that are set already are kept.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numProved", "proved", "Number of dimensions proved in bounds">,
    Statistic<"numUnproved", "unproved", "Number of dimensions not proved">
  ];
}

def FlyLowerChecksPass : Pass<"fly-lower-checks"> {
  let summary = "asserts and prints become records of a channel, or go";
  let description = [{
    With `keep` a kernel that has fly.assert or fly.print gets a hidden last
    argument, its channel, and each of them becomes a `fly.record`; the
    attribute `fly.checks` says what the records mean. Without, both ops are
    erased. An assert records the numbers that its condition compares, where an
    `arith.cmpi` or `arith.cmpf` makes it.

    Refuses, with `keep`, checks in
    kernels without tiles.
  }];
  let options = [
    Option<"keep", "keep", "bool", /*default=*/"false",
           "compile asserts and prints">
  ];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numChecks", "checks", "Number of asserts and prints">
  ];
}

def FlyPlanGridPass : Pass<"fly-plan-grid"> {
  let summary = "write the launch contract and walk the grid";
  let description = [{
    Collects grid, block, arguments, the memory behind pointers and the
    requirements into the attribute `fly.contract` (docs/Guide/Contracts.md),
    as expressions over argument names. Then `fly.grid` becomes arithmetic on
    `gpu.block_id x` in the order of the schedule, with its remap over dies, and
    `fly.require*` vanish. A persistent grid becomes an `scf.for` around what
    stands behind it.
    The contract also requires what later passes rely on: that the byte offsets
    inside one tile fit 31 bits.

    Needs a resolved schedule. Values that the host cannot compute from the
    arguments are refused where they stand.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of contracts written">,
    Statistic<"numRequirements", "requirements", "Number of requirements">
  ];
}

def FlyPlanProgramsPass : Pass<"fly-plan-programs"> {
  let summary = "write the launch contract of programs";
  let description = [{
    Writes the attribute `fly.contract` of each function with `fly.program`
    (docs/Guide/Contracts.md): its arguments with the memory that the kernels
    reach through them, its workspaces, and its launches and fills in order, as
    expressions over the program's arguments.

    Needs the contracts of the kernels, which `fly-plan-grid` writes; does
    nothing where there is no program. Scalars that the launcher cannot compute
    from the arguments, and memory that a launch passes twice although the
    kernel writes it, are refused where they stand.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numPrograms", "programs", "Number of contracts written">
  ];
}

def FlyTransposeReadsPass : Pass<"fly-transpose-reads"> {
  let summary = "keep tiles in LDS as memory has them, across K";
  let description = [{
    A load whose schedule says `read = transposed` reads its view with the two
    last dimensions exchanged, so that the rows of its tile are those of memory;
    pipelines hand that tile over, and each dot gets a `fly.transpose` of it:

    ```text
    %t = fly.load %v[%n, %k] label "b" : view<?x?xbf16, strided<[1, ?]>> -> tensor<128x64xbf16>
    ```

    becomes

    ```text
    %w = fly.view ... : view<?x?xbf16, strided<[?, 1]>>
    %u = fly.load %w[%k, %n] label "b" : ... -> tensor<64x128xbf16>
    %t = fly.transpose %u [1, 0]   // next to each use
    ```

    What later passes do with rows (copies of 16 bytes, past the registers too,
    swizzles) they then do with these; `fly-distribute` reads the transpose by
    instructions that transpose.

    Runs after `fly-plan-grid`, so that contracts say what the author wrote, and
    does nothing for other loads. Loads with a mask, or whose view is not
    contiguous along the last dimension but one, stay as they are: the remark
    `NotTransposed` says so.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numTransposed", "transposed", "Number of loads that keep the rows of memory">
  ];
}

def FlyPackTilesPass : Pass<"fly-pack-tiles"> {
  let summary = "move tiles of elements below a byte as bytes";
  let description = [{
    Memory has bytes. Loads of tiles whose elements are narrower (4- and 6-bit
    floats, 4-bit integers) become loads of `i8` tiles with as many bytes a row,
    views and kernel arguments views of bytes; pipelines and loops hand the bytes
    over, and `fly.bitcast` makes elements of them where they are used. Stores
    are the same the other way round. What later passes do with bytes (16-byte
    copies, LDS, swizzles, preshuffled blocks) they then do with these tiles too.

    Rows are whole bytes: a view whose rows are not is an error, or a requirement
    of the launch. Refused by name: views without a contiguous dimension last,
    masks, pads other than zero, accesses that start inside a byte.

    Runs after `fly-plan-grid`, so that contracts say what the author wrote.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numPacked", "packed", "Number of loads and stores of packed tiles">
  ];
}

def FlyAssignLayoutsPass : Pass<"fly-assign-layouts"> {
  let summary = "choose which wave, lane and register holds each element";
  let description = [{
    Gives every tile a distributed layout as the encoding of its type:
    accumulators the layout of the matrix instruction, tiles that are copied
    through LDS one with 16 bytes a thread, tiles that stay in registers the
    layout of the operand, row and column tiles a slice of what they are
    broadcast to, or of what was reduced. Where two uses want two layouts it
    inserts a `fly.convert_layout`; what can be made again for nothing
    (constants, splats, coordinates) is. A reduction along a dimension that waves
    share becomes one of each wave's part, an exchange of the parts through LDS,
    and one of the parts.

    An error names the tile and the extents that no layout holds.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numTiles", "tiles", "Number of tiles given a layout">,
    Statistic<"numConversions", "conversions", "Number of fly.convert_layout ops inserted">
  ];
}

def FlyPipelineLoopsPass : Pass<"fly-pipeline-loops"> {
  let summary = "run the stages of fly.pipeline ahead of each other";
  let description = [{
    Turns `fly.pipeline` into a prologue, a steady `scf.for` that carries what
    the next iteration needs, and a drain; right for every trip count. Tiles
    that the schedule sends through LDS (`lds(stages = S)`) are handed over in
    `S` slots, written and read by `fly.convert_layout` to and from
    `#fly.staged<label, slot>`; the others are carried in registers. A load runs
    ahead by as many iterations as its slots or its `depth` say.

    An error names the store and the load where compute may write what a later
    prefetch reads.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numPipelines", "pipelines", "Number of pipelines lowered">
  ];
}

def FlyStageLdsPass : Pass<"fly-stage-lds"> {
  let summary = "give staged tiles LDS buffers and barriers";
  let description = [{
    Every slot of `#fly.staged` becomes a field of one LDS struct of the kernel;
    the conversions become stores to and loads from it, or, where the schedule
    says `copy = async`, a load and its store one `fly.copy`. So do conversions that
    move elements between lanes, through a field whose order and padding the
    chip's bank model chooses, and scans along a dimension that waves share get
    a field for what each wave has combined. Fields that are never needed
    together share bytes. Barriers are inserted
    where a field (`fly.barrier lds`, or `bare` where the kernel has copies) or global memory (`fly.barrier all`) is
    read after it was written, or written after it was read or written, in
    program order and round loops; global memory not where each lane meets only
    its own elements.

    An error names the read whose tile would have been overwritten, or the bytes
    of each field where the chip has fewer.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numFields", "fields", "Number of LDS fields created">,
    Statistic<"numExchanges", "exchanges", "Number of conversions between lanes">,
    Statistic<"numBarriers", "barriers", "Number of barriers inserted">
  ];
}

def FlySwizzleLdsPass : Pass<"fly-swizzle-lds"> {
  let summary = "permute LDS fields so that lanes meet on no bank";
  let description = [{
    Gives each LDS field that tiles are staged in the XOR swizzle or the distance
    of rows, whichever kind its schedule says, with the fewest cycles by the
    chip's bank model, evaluated on the addresses that its writers and readers
    use. The order becomes part of the field's type. A remark says cycles and
    conflicts before and after.

    Fields whose row is not a power of two of 16-byte chunks take no XOR, those
    that copies fill no padding; they and fields that no order improves stay
    linear; a remark says so.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numSwizzled", "swizzled", "Number of fields swizzled">,
    Statistic<"numDeclined", "declined", "Number of fields left linear">
  ];
}

def FlyDistributePass : Pass<"fly-distribute"> {
  let summary = "turn tiles into what each lane does";
  let description = [{
    The border to the explicit level: a tile becomes a register array (a vector
    of vectors), loads and stores become reads and writes of contiguous groups
    of at most 16 bytes, dots become matrix instructions, reductions trees over
    a lane's registers and exchanges between lanes. A tile's origin moves
    into its view's base; lane coordinates are computed once, at the kernel's
    entry. `fly.schedule` is replaced by `fly.waves` and `fly.waves_per_eu`.

    An error names the op that cannot be distributed, and why.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::amdgpu::AMDGPUDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numTiles", "tiles", "Number of tile values distributed">
  ];
}

def FlyExpandMathPass : Pass<"fly-expand-math"> {
  let summary = "replace math functions by our own sequences";
  let description = [{
    The functions of docs/Guide/Math.md (exp, log, sin, pow, `fly.activate`, ...)
    of f32, f16 and bf16 become vector arithmetic around the instructions of the
    transcendental unit; so do sqrt and division that carry `afn`, which means
    that instruction alone. Nothing then needs a device library. f16 and bf16
    compute in f32 and round once. A vector is computed four elements at a time,
    each four from beginning to end, so that few values are alive at once.

    Before: `math.exp2 %x fastmath<afn> : vector<4xf32>`. After: four
    `llvm.call_intrinsic "llvm.amdgcn.exp2"`. Ops that LLVM does right (sqrt and
    division of f32 without `afn`, fma, rounding) and f64 are left as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numExpanded", "expanded", "Number of math ops expanded">
  ];
}

def FlyCarryReadsPass : Pass<"fly-carry-reads"> {
  let summary = "make first LDS reads right behind their barrier";
  let description = [{
    Of the explicit level. A `fly.read` of LDS with the mark `fly.first_pack`
    moves to right behind the barrier before it in its block, and both above
    loads of global memory, which the barrier does not order. At the head of an
    `scf.for` they move to the end of the iteration before, and the loop carries
    what was read. `fly-distribute` marks the first pack of operands whose
    schedule says `first_pack = carried`.

    A remark says why a read stays where it is.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numReads", "reads", "Number of reads moved to their barrier">,
    Statistic<"numLoops", "loops", "Number of loops that carry packs">
  ];
}

def FlyUnrollLoopsPass : Pass<"fly-unroll-loops"> {
  let summary = "copy the bodies of loops whose schedule asks for it";
  let description = [{
    A loop with `fly.unroll = N` runs N iterations a round; a second loop does
    what is left. Loops without the attribute are left as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numUnrolled", "unrolled", "Number of loops unrolled">
  ];
}

def FlyScheduleHotLoopPass : Pass<"fly-schedule-hot-loop"> {
  let summary = "ask for an order of machine operations in matrix loops";
  let description = [{
    Counts the matrix instructions, LDS and global accesses of each innermost
    loop, stretch by stretch between its barriers, and puts `fly.sched` hints for
    exactly those before each barrier: evenly spread, or as `fly.hot_loop` of
    the loop says (`"on"`, `"off"`, `"guide"`, or a pattern of its author). Each
    stretch ends in a full fence. Where nobody asked, or with `"hints"`, the
    kernel is marked so that code generation drops the hints unless the machine
    code gains by them.

    Hints leave loops with control flow or with hints of their author alone, and
    a remark says so. Two words ask for a real order instead; a loop that cannot
    have it is an error.

    `"interleave"` puts the operations of each stretch into the evenly spread
    order, with a full fence behind each group. What writes global memory,
    atomics, events, and places of LDS that a stretch writes and reads, or
    writes and copies to, have an order of their own and are refused.

    `"pingpong"` is for workgroups with two waves a SIMD: memory and matrix
    operations take turns between barriers, and the second waves are a turn
    behind the first ones. The loop's own barriers are replaced; between LDS
    accesses that they kept apart there are two barriers then. The kernel is
    marked `fly.staggered`, so that a race in its machine code is an error. Such
    workgroups get it unasked where LDS and memory hide behind the matrix
    instructions of the other group; a remark has the cycles.
  }];
  let dependentDialects = ["::fly::FlyDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numLoops", "loops", "Number of loops with hints or an order">
  ];
}

def FlyInsertWaitsPass : Pass<"fly-insert-waits"> {
  let summary = "wait for LDS before bare barriers";
  let description = [{
    Puts a `fly.wait` before each `fly.barrier bare` before which LDS accesses
    or copies to LDS may be outstanding, on any way through the structured
    control flow. Of copies it waits for those whose place is accessed before
    the next barrier, and counts the younger ones, which go on; where waves are
    staggered (`fly.staggered`), before the next but one. Barriers of the other
    kinds bring their own waits. A wait that is there already is enough.

    It refuses bare barriers in flow graphs.
  }];
  let dependentDialects = ["::fly::FlyDialect"];
  let statistics = [
    Statistic<"numWaits", "waits", "Number of waits inserted">
  ];
}

def FlyCheckLegalPass : Pass<"fly-check-legal"> {
  let summary = "refuse what the chip cannot do, before LLVM meets it";
  let description = [{
    A closed world: every op of an explicit kernel must be one that the lowering
    and the module's chip know. Matrix instructions are looked up by shape and
    types, 8-bit floats by flavour, copies to LDS by width, intrinsics by name.
    Barriers must stand where the wave agrees; the LDS of each kernel is added up
    member by member. Each violation is one located error with the numbers and,
    where there is one, the fix. A warning says where registers run out.
  }];
  let statistics = [
    Statistic<"numOps", "ops", "Number of ops looked at">
  ];
}

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
