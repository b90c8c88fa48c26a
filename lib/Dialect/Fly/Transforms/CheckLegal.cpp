//===- CheckLegal.cpp - Nothing unselectable reaches LLVM -----------------===//
//
// LLVM aborts, or writes a broken object, where it meets an op that the chip
// lacks. So an explicit kernel is a closed world: this pass walks it and
// refuses everything that the lowering and the chip are not known to handle,
// with the op's name, its place and the reason. The rules that need tables or
// analyses are in the folder CheckLegal.
//
//===----------------------------------------------------------------------===//
#include "CheckLegal/CheckLegal.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MatrixTypes.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

#include "UnloweredOps.h"

namespace fly {
#define GEN_PASS_DEF_FLYCHECKLEGALPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// Ops of the fly dialect that explicit kernels consist of.
static bool isExplicitOp(Operation *op) {
  return isa<ViewOp, ReadOp, WriteOp, UpdateOp, LoadScalarOp, AtomicRmwOp,
             DmaOp, ReadTransposedOp, SwizzleOp, FenceOp, EventOp, LdsStructOp,
             LdsAllocOp, LdsFieldOp, LaneOp, WaveOp, SchedMfmaOp, SchedDsrdOp,
             SchedDswrOp, SchedVmemOp, SchedVmemWriteOp, SchedValuOp,
             SchedSaluOp, SchedTransOp, SchedBarrierOp, SetPrioOp, BarrierOp,
             WaitOp>(op);
}

static LogicalResult checkFlyOp(Operation *op) {
  if (isExplicitOp(op) ||
      isa<LayoutOffsetOp, LayoutCoordinatesOp, IsAlignedOp>(op))
    return success();
  if (failed(checkIsLowered(op)))
    return failure();
  InFlightDiagnostic diag = op->emitOpError()
                            << "belongs to the tile level, but the kernel is "
                               "to be lowered";
  if (isa<RequireOp, RequireMultipleOp, GridOp>(op))
    diag.attachNote() << "fly-plan-grid moves it into the launch contract";
  else if (isa<SizeOp, MapOp, StaticForOp>(op))
    diag.attachNote() << "fly-instantiate expands it";
  else if (isa<AssertOp, PrintOp>(op))
    diag.attachNote() << "fly-lower-checks makes records of it, or drops it";
  else if (isa<PipelineOp, YieldOp>(op))
    diag.attachNote() << "fly-pipeline-loops lowers it";
  else
    diag.attachNote() << "fly-distribute turns tiles into what each lane does";
  return diag;
}

static bool isF32OrNarrower(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF16() || element.isBF16();
}

/// math ops that LLVM selects by itself, or that fly-expand-math replaces.
static LogicalResult checkMathOp(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp,
          math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
          math::RoundEvenOp, math::CountLeadingZerosOp,
          math::CountTrailingZerosOp, math::CtPopOp>(op))
    return success();
  bool isNarrow = isF32OrNarrower(op->getResult(0).getType());
  if (isa<math::SqrtOp>(op) && isNarrow)
    return success();
  bool isExpandable =
      isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op,
          math::Log10Op, math::Log1pOp, math::RsqrtOp, math::TanhOp,
          math::ErfOp, math::SinOp, math::CosOp, math::PowFOp, ActivateOp>(op);
  if (isExpandable && isNarrow) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "would need a device library";
    diag.attachNote() << "fly-expand-math replaces it; run that pass before";
    return diag;
  }
  return op->emitOpError()
         << "on " << getElementTypeOrSelf(op->getResult(0).getType())
         << " would need a device library, which Fly does not have; functions "
            "of f32, f16 and bf16 that it has: exp, exp2, expm1, log, log2, "
            "log10, log1p, rsqrt, sqrt, tanh, erf, sin, cos, powf, and "
            "fly.activate";
}

/// arith computes on floats that LLVM has; narrower ones are storage.
static LogicalResult checkArithOp(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op))
    return success();
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  // 8-bit floats become f32 and back, and what f32 holds exactly.
  bool isCast = isa<arith::ExtFOp, arith::TruncFOp>(op) &&
                llvm::none_of(types, [](Type type) {
                  return getElementTypeOrSelf(type).isF64();
                });
  for (Type type : types) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (element && isCast && getFp8Flavour(element))
      continue;
    if (element && element.getWidth() < 16)
      return op->emitOpError()
             << "computes on " << element
             << ", which no pass lowers; types of elementwise code and of "
                "reductions: f16, bf16, f32, f64";
  }
  return success();
}

/// Lanes exchange values of one or two registers within rows of lanes.
static LogicalResult checkShuffle(gpu::ShuffleOp op) {
  APInt width;
  Type type = op.getValue().getType();
  bool hasWidth = matchPattern(op.getWidth(), m_ConstantInt(&width)) &&
                  width.isPowerOf2() && width.ule(arch::waveLanes);
  if (hasWidth && type.isIntOrFloat() &&
      llvm::is_contained({8, 16, 32, 64}, type.getIntOrFloatBitWidth()))
    return success();
  return op.emitOpError() << "is supported on values of 8, 16, 32 or 64 bits, "
                             "over a constant width that is a power of two of "
                             "at most "
                          << arch::waveLanes << " lanes";
}

static LogicalResult checkGpuOp(Operation *op) {
  if (isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::ThreadIdOp, gpu::BlockIdOp,
          gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::BlockDimOp>(op))
    return success();
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return checkShuffle(shuffle);
  InFlightDiagnostic diag = op->emitOpError()
                            << "is not supported in explicit kernels";
  if (isa<gpu::BarrierOp>(op))
    diag.attachNote() << "use 'fly.barrier all', or 'fly.barrier lds'";
  else if (isa<gpu::GridDimOp>(op))
    diag.attachNote() << "pass the size of the grid as an argument";
  return diag;
}

/// Whether the op's name is one that explicit kernels may have at all.
static LogicalResult checkName(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<math::MathDialect>(dialect) || isa<ActivateOp>(op))
    return checkMathOp(op);
  if (isa_and_nonnull<FlyDialect>(dialect))
    return checkFlyOp(op);
  if (isa_and_nonnull<arith::ArithDialect>(dialect))
    return checkArithOp(op);
  if (isa_and_nonnull<gpu::GPUDialect>(dialect))
    return checkGpuOp(op);
  if (isa<LLVM::InlineAsmOp, LLVM::CallOp, LLVM::InvokeOp>(op))
    return op->emitOpError() << "is not supported in explicit kernels: Fly "
                                "cannot check what it does";
  if (isa_and_nonnull<scf::SCFDialect>(dialect)) {
    if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
            scf::ConditionOp>(op))
      return success();
  } else if (isa_and_nonnull<LLVM::LLVMDialect>(dialect)) {
    return checkLlvmOp(op);
  } else if (isa_and_nonnull<vector::VectorDialect, ub::UBDialect,
                             ROCDL::ROCDLDialect>(dialect)) {
    return success();
  } else if (isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp, amdgpu::ExtPackedFp8Op,
                 amdgpu::PackedTrunc2xFp8Op, amdgpu::PackedStochRoundFp8Op,
                 amdgpu::GatherToLDSOp, amdgpu::TransposeLoadOp,
                 amdgpu::PermlaneSwapOp, amdgpu::DPPOp,
                 amdgpu::SwizzleBitModeOp, amdgpu::SchedBarrierOp,
                 amdgpu::LDSBarrierOp>(op)) {
    return success();
  }
  bool isFlow = op->getName().getDialectNamespace() == "cf" ||
                isa_and_nonnull<scf::SCFDialect>(dialect);
  return op->emitOpError() << "is not supported in explicit kernels"
                           << (isFlow ? ": control flow is scf.for, scf.if "
                                        "and scf.while"
                                      : "");
}

/// Whether the op holds tiles, which do not exist at this level.
static bool hasTileTypes(Operation *op) {
  auto isTile = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTile) ||
         llvm::any_of(op->getResultTypes(), isTile);
}

/// Whether the op is of the level above, by its name or by what it works on.
static bool isTileLevelOp(Operation *op) {
  return hasTileTypes(op) || (isa_and_nonnull<FlyDialect>(op->getDialect()) &&
                              !isExplicitOp(op) && !isa<ActivateOp>(op));
}

static LogicalResult checkTypes(Operation *op) {
  if (!hasTileTypes(op))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "works on a tile, but the kernel is to be "
                               "lowered";
  diag.attachNote() << "fly-distribute turns tiles into what each lane does";
  return diag;
}

namespace {

struct CheckLegal : public fly::impl::FlyCheckLegalPassBase<CheckLegal> {
  using FlyCheckLegalPassBase::FlyCheckLegalPassBase;

  // It looks at whole modules.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override {
    bool failed = false;
    getOperation()->walk([&](gpu::GPUModuleOp module) {
      failed |= mlir::failed(check(module));
      return WalkResult::skip();
    });
    if (failed)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult check(gpu::GPUModuleOp module) {
    const arch::ArchInfo *chip = getCompiledArch(module);
    if (!chip)
      return failure();
    bool failed = false;
    for (auto kernel : module.getOps<gpu::GPUFuncOp>())
      failed |= mlir::failed(check(kernel, *chip));
    return mlir::failure(failed);
  }

  LogicalResult check(gpu::GPUFuncOp kernel, const arch::ArchInfo &chip) {
    bool failed = false, saidLevel = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      ++numOps;
      // One pass was left out, which is one error.
      bool isTileLevel = isTileLevelOp(op);
      if (isTileLevel && saidLevel)
        return;
      saidLevel |= isTileLevel;
      failed |= mlir::failed(checkName(op)) || mlir::failed(checkTypes(op)) ||
                mlir::failed(checkChipOp(op, chip));
    });
    // The rest means something only for kernels of legal ops.
    if (failed)
      return failure();
    failed |= mlir::failed(checkBarriers(kernel));
    failed |= mlir::failed(checkLdsBudget(kernel, chip));
    if (!failed)
      failed |= mlir::failed(checkRegisters(kernel, chip));
    return mlir::failure(failed);
  }
};

} // namespace
