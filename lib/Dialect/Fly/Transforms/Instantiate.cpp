//===- Instantiate.cpp - Names become numbers, helpers inline -------------===//
//
// The source of a kernel is written with names of sizes, helpers over tiles,
// and infix elementwise code. All later passes see static shapes, one body and
// upstream ops. Everything is checked first (Instantiate/Preflight.cpp has what
// is refused), on the kernel and all helpers that it reaches; only then is
// anything changed.
//
//===----------------------------------------------------------------------===//
#include "Instantiate/Instantiate.h"

#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include "ExpandCast.h"
#include "ExpandMap.h"
#include "FixedArguments.h"
#include "PassRemark.h"

namespace fly {
#define GEN_PASS_DEF_FLYINSTANTIATEPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

static constexpr llvm::StringLiteral kPass = "fly-instantiate";

namespace {

class Instantiate : public fly::impl::FlyInstantiatePassBase<Instantiate> {
public:
  // It erases helpers beside kernels.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }
  void runOnOperation() override;

private:
  LogicalResult runOnModule(gpu::GPUModuleOp module);
  /// Returns whether there was a call.
  bool inlineCalls(gpu::GPUFuncOp kernel);
  void replaceKernelNames(gpu::GPUFuncOp kernel, const Sizes &sizes);

  /// How many kernels have each schedule.
  llvm::DenseMap<Attribute, unsigned> schedules;
};

} // namespace

/// Replaces one call by the helper's body; each op says where it was called.
static void inlineCall(func::CallOp call) {
  auto helper = cast<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(helper.getArguments(), call.getOperands());
  for (Operation &op : helper.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  Operation *terminator = helper.getBody().front().getTerminator();
  for (auto [result, value] :
       llvm::zip(call.getResults(), terminator->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

bool Instantiate::inlineCalls(gpu::GPUFuncOp kernel) {
  bool hadCalls = false;
  while (true) {
    SmallVector<func::CallOp> calls;
    kernel.walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return hadCalls;
    hadCalls = true;
    for (func::CallOp call : calls)
      inlineCall(call);
    numInlined += calls.size();
  }
}

void Instantiate::replaceKernelNames(gpu::GPUFuncOp kernel,
                                     const Sizes &sizes) {
  auto lookup = [&](StringAttr name) { return *sizes.lookup(name); };
  AttrTypeReplacer types;
  types.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    return replaceNames(type, lookup);
  });
  unsigned replaced = 0;
  SmallVector<SizeOp> sizeOps;
  kernel.walk([&](Operation *op) {
    forEachName(op, [&](StringAttr) { ++replaced; });
    replaceNames(op, lookup);
    if (op != kernel)
      types.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                              /*replaceTypes=*/true);
    if (auto size = dyn_cast<SizeOp>(op))
      sizeOps.push_back(size);
  });
  for (SizeOp size : sizeOps) {
    OpBuilder builder(size);
    Value number = arith::ConstantOp::create(
        builder, size.getLoc(),
        builder.getI32IntegerAttr(lookup(size.getNameAttr())));
    size.getResult().replaceAllUsesWith(number);
    size.erase();
  }
  numNames += replaced;
  if (replaced)
    remarkPassed(kernel, kPass, "Instantiated",
                 Twine("sizes: ") + sizes.describe());
}

LogicalResult Instantiate::runOnModule(gpu::GPUModuleOp module) {
  struct Kernel {
    gpu::GPUFuncOp function;
    Sizes sizes;
    FixedArguments fixed;
  };
  SmallVector<Kernel> kernels;
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (!function.isKernel())
      continue;
    if (failed(findSchedule(function)))
      return failure();
    FailureOr<Sizes> sizes = Sizes::get(function);
    bool isShared =
        schedules.lookup(function->getAttr(FlyDialect::getScheduleAttrName())) >
        1;
    if (failed(sizes) ||
        failed(Preflight(function, *sizes, isShared).check()) ||
        failed(checkUnrolledSize(function, *sizes)))
      return failure();
    FailureOr<FixedArguments> fixed = FixedArguments::get(function);
    if (failed(fixed))
      return failure();
    kernels.push_back({function, *sizes, *fixed});
  }
  for (auto &[kernel, sizes, fixed] : kernels) {
    if (ScheduleAttr schedule = getScheduleOf(kernel))
      kernel->setAttr(FlyDialect::getScheduleAttrName(), schedule);
    bool hasCalls = inlineCalls(kernel);
    replaceKernelNames(kernel, sizes);
    if (!fixed.empty())
      fixed.bind(kernel);
    unsigned unrolled = unrollStaticLoops(kernel);
    numUnrolled += unrolled;
    // A helper of lanes may take the position in a register array.
    if (unrolled || (hasCalls && !hasTiles(kernel)))
      foldConstants(kernel);
    if (isExplicitKernel(kernel))
      kernel->removeAttr(FlyDialect::getScheduleAttrName());
    SmallVector<MapOp> maps;
    kernel.walk([&](MapOp map) { maps.push_back(map); });
    llvm::for_each(maps, expandMap);
    numMaps += maps.size();
    SmallVector<CastOp> casts;
    kernel.walk([&](CastOp cast) {
      if (cast.getRounding() == Rounding::Sr)
        casts.push_back(cast);
    });
    llvm::for_each(casts, expandCast);
  }
  // Helpers exist for the kernels alone. One may call another, hence the loop.
  bool erased = !kernels.empty();
  while (erased) {
    erased = false;
    for (auto helper :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!helper.isPrivate() ||
          !SymbolTable::symbolKnownUseEmpty(helper, module))
        continue;
      helper.erase();
      erased = true;
    }
  }
  return success();
}

void Instantiate::runOnOperation() {
  schedules.clear();
  getOperation()->walk([&](gpu::GPUFuncOp function) {
    if (Attribute schedule =
            function->getAttr(FlyDialect::getScheduleAttrName()))
      ++schedules[schedule];
  });
  WalkResult walk = getOperation()->walk([&](gpu::GPUModuleOp module) {
    return failed(runOnModule(module)) ? WalkResult::interrupt()
                                       : WalkResult::skip();
  });
  if (walk.wasInterrupted())
    signalPassFailure();
}
