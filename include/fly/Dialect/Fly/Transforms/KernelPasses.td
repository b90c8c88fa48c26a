//===- KernelPasses.td - Passes on whole kernels -----------*- tablegen -*-===//
//
// Names get their numbers and the schedule its entries, what may be assumed is
// proved, the grid and programs are planned.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_KERNELPASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_KERNELPASSES_TD

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

#endif // FLY_DIALECT_FLY_TRANSFORMS_KERNELPASSES_TD
