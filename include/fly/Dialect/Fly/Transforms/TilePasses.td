//===- TilePasses.td - Passes on tiles ---------------------*- tablegen -*-===//
//
// Tiles get layouts and buffers in LDS, loops run ahead, and in the end each
// lane has its part.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_FLY_TRANSFORMS_TILEPASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // FLY_DIALECT_FLY_TRANSFORMS_TILEPASSES_TD
