//===- FlyDialect.td - The fly dialect ---------------------*- tablegen -*-===//

#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_TD
#define FLY_DIALECT_FLY_IR_FLYDIALECT_TD

include "mlir/IR/OpBase.td"

def Fly_Dialect : Dialect {
  let name = "fly";
  let cppNamespace = "::fly";
  let summary = "tiled kernels for AMD matrix-core GPUs, with their schedule";
  let description = [{
    Kernels are written on *tiles*: builtin tensors that a workgroup owns, so
    that `arith` and `math` work on them as they are. How a tile is loaded,
    staged in LDS, distributed to lanes and stored is a declared *schedule* (an
    attribute of the kernel) that passes apply one visible step at a time, down
    to the *explicit* level: what each lane does with vectors, LDS fields,
    barriers and waits. Attributes of the dialect that nobody reads are refused,
    on ops and on arguments, so that a slip of the pen is no silent default.

    Vocabulary: a *view* is memory with extents, strides and a byte layout; a
    *tile* is a tensor value; a *layout* (a tensor encoding) says which wave,
    lane and register hold which element of it; a *label* ties an op to its
    entry of the schedule.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let extraClassDeclaration = [{
    /// The kernel attribute that holds its `#fly.schedule`.
    static ::llvm::StringRef getScheduleAttrName() { return "fly.schedule"; }
    /// The kernel attribute that holds its launch contract (a dictionary; see
    /// docs/Guide/Contracts.md), written by fly-plan-grid.
    static ::llvm::StringRef getContractAttrName() { return "fly.contract"; }
    /// The attribute that ties an upstream op (`scf.for`) to a schedule entry.
    static ::llvm::StringRef getLabelAttrName() { return "fly.label"; }
    /// The argument attribute that keeps the name written in the source.
    static ::llvm::StringRef getNameAttrName() { return "fly.name"; }
    /// Marks a pointer argument whose memory others may share.
    static ::llvm::StringRef getMayAliasAttrName() { return "fly.may_alias"; }
    /// Marks a pointer argument as scratch memory that the launcher provides;
    /// "zeroed" memory holds zeros, and the kernel leaves it so.
    static ::llvm::StringRef getWorkspaceAttrName() { return "fly.workspace"; }
    /// Bytes that the address of a pointer argument is a multiple of, 16
    /// without it.
    static ::llvm::StringRef getAlignAttrName() { return "fly.align"; }
    /// Marks a function that launches kernels.
    static ::llvm::StringRef getProgramAttrName() { return "fly.program"; }
    /// An i64 that a scalar argument is a multiple of, as the launch contract
    /// requires. The requirement leaves the IR with fly-plan-grid; the lowering
    /// of accesses still wants it: a vector is then inside or outside its view
    /// as a whole.
    static ::llvm::StringRef getMultipleOfAttrName() {
      return "fly.multiple_of";
    }
    /// What the records of a kernel's checks mean, an array with one dictionary
    /// a site, written by fly-lower-checks.
    static ::llvm::StringRef getChecksAttrName() { return "fly.checks"; }
    /// Marks an LDS field view whose type may differ from the declaration.
    static ::llvm::StringRef getUncheckedAttrName() { return "fly.unchecked"; }
    /// Waves of a workgroup, as an i32 attribute of an explicit-level kernel.
    static ::llvm::StringRef getWavesAttrName() { return "fly.waves"; }
    /// Requested waves a SIMD, as an i32 attribute of an explicit-level kernel.
    static ::llvm::StringRef getWavesPerEuAttrName() {
      return "fly.waves_per_eu";
    }

  private:
    void registerTypes();
    void registerAttributes();

  public:
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_TD
