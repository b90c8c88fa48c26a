//===- FlyToROCDL.cpp - The pass from explicit Fly IR to ROCDL ------------===//
//
// Runs the parts of the lowering on each kernel of a gpu.module (Lowering.h has
// their order), then upstream's patterns for arith, vector, cf, ub, index and
// amdgpu with 32-bit indices. Work is done on a clone, which replaces the
// module only if all of it succeeds. Refused: an op that nothing here lowers,
// by name.
//
//===----------------------------------------------------------------------===//
#include "fly/Conversion/FlyToROCDL/Passes.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/DialectConversion.h"

#include "KernelFunction.h"
#include "LayoutArithmetic.h"
#include "Lowering.h"

namespace fly {
#define GEN_PASS_DEF_FLYCONVERTTOROCDLPASS
#include "fly/Conversion/FlyToROCDL/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// Coordinates are small: 32-bit indices keep address arithmetic in single
/// registers.
static constexpr unsigned indexBits = 32;

/// scf.for gives rotated loops here; scf.if and scf.while go upstream's way.
static LogicalResult lowerControlFlow(gpu::GPUFuncOp kernel) {
  lowerLoops(kernel);
  bool more = false;
  kernel.walk([&](Operation *op) {
    more |= isa_and_nonnull<scf::SCFDialect>(op->getDialect());
  });
  if (!more)
    return success();
  RewritePatternSet patterns(kernel.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*kernel.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.addLegalOp<scf::ForOp>();
  target.addDynamicallyLegalOp<scf::YieldOp>(
      [](scf::YieldOp op) { return isa<scf::ForOp>(op->getParentOp()); });
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(kernel, target, std::move(patterns))))
    return failure();
  lowerLoops(kernel);
  return success();
}

static LogicalResult lowerKernel(gpu::GPUFuncOp kernel,
                                 const arch::ArchInfo &arch, int64_t threads,
                                 amdgpu::Chipset chipset, LdsGlobals &globals,
                                 AccessCounts &counts) {
  if (failed(flattenVectors(kernel)))
    return failure();
  carryDwords(kernel);
  lowerPackedSlices(kernel);
  if (failed(expandLayouts(kernel)) ||
      failed(lowerNarrowFloats(kernel, chipset)))
    return failure();
  lowerQuotients(kernel);
  FailureOr<AccessCounts> made = lowerAccesses(kernel, arch, globals);
  if (failed(made))
    return failure();
  counts.buffer += made->buffer;
  counts.lds += made->lds;
  lowerPointerTests(kernel);
  lowerFences(kernel);
  lowerScheduling(kernel);
  lowerEvents(kernel);
  if (failed(lowerShuffles(kernel)) || failed(lowerThreadIds(kernel, threads)))
    return failure();
  hoistInvariants(kernel);
  keepOffsetsScalar(kernel);
  if (failed(lowerControlFlow(kernel)))
    return failure();
  WalkResult left = kernel.walk([](Operation *op) {
    if (!isa_and_nonnull<FlyDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError() << "cannot be lowered to ROCDL: it belongs to the tile "
                         "level";
    return WalkResult::interrupt();
  });
  if (left.wasInterrupted())
    return failure();
  return success();
}

/// Upstream's patterns on the bodies of the functions.
static LogicalResult convertBodies(ArrayRef<Operation *> functions,
                                   amdgpu::Chipset chipset,
                                   LLVMTypeConverter &converter) {
  if (functions.empty())
    return success();
  MLIRContext *context = functions.front()->getContext();
  RewritePatternSet patterns(context);
  populateAMDGPUToROCDLConversionPatterns(converter, patterns, chipset);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, ROCDL::ROCDLDialect>();
  target.addLegalOp<UnrealizedConversionCastOp>();
  if (failed(applyFullConversion(functions, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts, left;
  for (Operation *function : functions)
    function->walk(
        [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts, &left);
  if (left.empty())
    return success();
  return left.front()->emitOpError()
         << "from " << left.front().getOperandTypes() << " to "
         << left.front().getResultTypes() << " has no meaning on this chip";
}

/// Converts `module` in place.
static LogicalResult convertModule(gpu::GPUModuleOp module,
                                   AccessCounts &counts) {
  const arch::ArchInfo *arch = getCompiledArch(module);
  if (!arch)
    return failure();
  FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(arch->name);
  if (failed(chipset))
    return module.emitOpError() << "targets " << arch->name
                                << ", which the amdgpu dialect does not "
                                   "know";

  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter converter(context, options);
  amdgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  converter.addConversion([](PtrType type) -> Type {
    return LLVM::LLVMPointerType::get(
        type.getContext(), ROCDL::ROCDLDialect::kGlobalMemoryAddressSpace);
  });

  SmallVector<gpu::GPUFuncOp> kernels(module.getOps<gpu::GPUFuncOp>());
  SmallVector<Operation *> functions;
  LdsGlobals globals;
  for (gpu::GPUFuncOp kernel : kernels) {
    if (kernel.isExternal())
      return kernel.emitOpError() << "has no body";
    FailureOr<int64_t> threads = getThreads(kernel, *arch);
    if (failed(threads) ||
        failed(lowerKernel(kernel, *arch, *threads, *chipset, globals, counts)))
      return failure();
    FailureOr<LLVM::LLVMFuncOp> function =
        convertKernelFunction(kernel, *threads, converter);
    if (failed(function))
      return failure();
    functions.push_back(*function);
  }
  for (auto structOp : llvm::make_early_inc_range(module.getOps<LdsStructOp>()))
    structOp.erase();
  for (Operation &op : *module.getBody())
    if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
      return op.emitOpError() << "cannot be lowered to ROCDL";
  return convertBodies(functions, *chipset, converter);
}

namespace {

struct ConvertToROCDL
    : public fly::impl::FlyConvertToROCDLPassBase<ConvertToROCDL> {
  using FlyConvertToROCDLPassBase::FlyConvertToROCDLPassBase;

  // It converts whole modules.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules;
    getOperation()->walk(
        [&](gpu::GPUModuleOp module) { modules.push_back(module); });
    for (gpu::GPUModuleOp module : modules) {
      OwningOpRef<gpu::GPUModuleOp> work = module.clone();
      AccessCounts counts;
      if (failed(convertModule(*work, counts)))
        return signalPassFailure();
      module.getBodyRegion().takeBody(work->getBodyRegion());
      numBufferAccesses += counts.buffer;
      numLdsAccesses += counts.lds;
    }
  }
};

} // namespace
