//===- LanePasses.td - Passes on what lanes do -------------*- tablegen -*-===//
//
// Behind the distribution of tiles: functions, loops, the order of the machine's
// operations, waits, and what the chip has.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_LANEPASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_LANEPASSES_TD

include "mlir/Pass/PassBase.td"

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
    writes and copies to, have an order of their own and are refused. Where sums
    fill a file of registers, the last products of each stretch stand behind the
    barrier after it, those of the last stretch in the next iteration; the loop
    carries their factors.

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

#endif // FLY_DIALECT_FLY_TRANSFORMS_LANEPASSES_TD
