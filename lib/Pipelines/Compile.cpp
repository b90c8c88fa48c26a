//===- Compile.cpp - A module in, code object bytes out -------------------===//
//
// Finds where on its way down the kernel stands, runs the phases that are left
// on a clone, keeps the launch contracts, and hands the result to the target.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Compile.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Pipelines/Pipelines.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <chrono>

#include "VerifyCode.h"

using namespace mlir;

LogicalResult fly::setChip(ModuleOp module, StringRef chip) {
  if (!arch::ArchInfo::lookup(chip))
    return fly::findPlace(module)->emitError()
           << "unknown chip '" << chip << "'; known chips: "
           << arch::knownChipNames(/*compilableOnly=*/true);
  // A module without a target has not loaded the dialect of targets.
  module.getContext()->getOrLoadDialect<ROCDL::ROCDLDialect>();
  module.walk([&](gpu::GPUModuleOp gpuModule) {
    auto target =
        ROCDL::ROCDLTargetAttr::get(module.getContext(), /*optLevel=*/2,
                                    arch::ArchInfo::lookup(chip)->triple, chip);
    gpuModule.setTargetsAttr(ArrayAttr::get(module.getContext(), {target}));
  });
  return success();
}

/// Leaves the gpu.modules that become the object: the one of that name, with
/// nothing that may launch others, or all of them where `name` is empty.
static LogicalResult keepModules(ModuleOp module, StringRef name) {
  std::string names;
  bool isFound = false;
  SmallVector<Operation *> others;
  module.walk([&](gpu::GPUModuleOp op) {
    names += (names.empty() ? "" : ", ") + op.getName().str();
    bool isKept = name.empty() || op.getName() == name;
    isFound |= isKept;
    if (!isKept)
      others.push_back(op);
  });
  if (names.empty())
    return fly::findPlace(module)->emitError("holds no gpu.module to compile");
  if (!isFound)
    return fly::findPlace(module)->emitError()
           << "holds no gpu.module '" << name << "'; it holds: " << names;
  if (!name.empty())
    llvm::append_range(others, fly::findPrograms(module));
  for (Operation *other : others)
    other->erase();
  return success();
}

/// One object is for one chip.
static LogicalResult checkOneChip(ArrayRef<gpu::GPUModuleOp> modules) {
  const fly::arch::ArchInfo *first = nullptr;
  for (gpu::GPUModuleOp module : modules) {
    const fly::arch::ArchInfo *chip = fly::getCompiledArch(module);
    if (!chip)
      return failure();
    if (!first)
      first = chip;
    if (chip == first)
      continue;
    gpu::GPUModuleOp front = modules.front();
    InFlightDiagnostic diag = module.emitError()
                              << "gpu.module is for " << chip->name
                              << ", another of the file for " << first->name
                              << "; an object is for one chip: choose a kernel "
                                 "by --kernel or one chip for all by --chip";
    diag.attachNote(front.getLoc()) << "the other is here";
    return diag;
  }
  return success();
}

static bool isKernel(Operation *op) {
  return op->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName());
}

/// Moves what `from` holds into `into`; names of what is no kernel change where
/// both have them.
static LogicalResult mergeModule(gpu::GPUModuleOp from, gpu::GPUModuleOp into) {
  SymbolTable fromSymbols(from), intoSymbols(into);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    Operation *other = intoSymbols.lookup(symbol.getName());
    if (other && isKernel(&op) && isKernel(other)) {
      InFlightDiagnostic diag = op.emitError()
                                << "second kernel '" << symbol.getName()
                                << "' of one object: give it another name";
      diag.attachNote(other->getLoc()) << "the first is here";
      return diag;
    }
    // A kernel keeps its name, by which it is launched.
    if (other &&
        failed(isKernel(&op) ? intoSymbols.renameToUnique(other, {&fromSymbols})
                             : fromSymbols.renameToUnique(&op, {&intoSymbols})))
      return op.emitError() << "cannot be renamed";
    op.moveBefore(into.getBody(), into.getBody()->end());
    intoSymbols.insert(&op);
  }
  from.erase();
  return success();
}

/// Whether any kernel of the module is still at the given level.
static bool isTileLevel(gpu::GPUModuleOp module) {
  return module
      .walk([](FunctionOpInterface function) {
        // A schedule may be left out.
        return function->hasAttr(fly::FlyDialect::getScheduleAttrName()) ||
                       fly::hasTiles(function)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isRocdlLevel(gpu::GPUModuleOp module) {
  return !module.getOps<LLVM::LLVMFuncOp>().empty();
}

/// Serializes. What still spills is right but slow, and gets a warning with the
/// number.
static FailureOr<fly::target::CodeObject>
serializeAndWarn(gpu::GPUModuleOp module,
                 const fly::target::SerializeOptions &options) {
  FailureOr<fly::target::CodeObject> object =
      fly::target::serialize(module, options);
  if (failed(object))
    return failure();
  for (const fly::target::KernelStatistics &kernel : object->kernels)
    if (kernel.vgprSpills) {
      // Accumulation registers hold some of them.
      std::string place =
          kernel.scratchBytes
              ? std::to_string(kernel.scratchBytes) + " bytes of scratch a lane"
              : "accumulation registers, which takes moves";
      module.emitWarning() << "kernel '" << kernel.name << "' spills "
                           << kernel.vgprSpills << " vector registers to "
                           << place << ": use a smaller tile, or more waves";
    }
  return object;
}

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

FailureOr<fly::target::CodeObject> fly::compile(ModuleOp module,
                                                const CompileOptions &options,
                                                CompileTimings *timings) {
  auto start = std::chrono::steady_clock::now();
  // Passes run on a module of their own, so that the caller's stays.
  OwningOpRef<ModuleOp> work = module.clone();
  if (failed(keepModules(*work, options.module)))
    return failure();
  if (!options.chip.empty() && failed(setChip(*work, options.chip)))
    return failure();
  SmallVector<gpu::GPUModuleOp> modules;
  work->walk([&](gpu::GPUModuleOp op) { modules.push_back(op); });
  if (failed(checkOneChip(modules)))
    return failure();

  if (!llvm::all_of(modules, isRocdlLevel)) {
    PassManager pm(module.getContext());
    if (options.configure)
      options.configure(pm);
    // The contract is written by fly-plan-grid, for tile and explicit kernels.
    buildFlyTilePipeline(pm, options.checks);
    if (llvm::any_of(modules, isTileLevel))
      buildFlyExplicitPipeline(pm);
    else
      buildFlyCleanupPipeline(pm);
    buildFlyRocdlPipeline(pm);
    if (failed(pm.run(*work)))
      return failure();
  }
  target::SerializeOptions serialize = options.serialize;
  for (FunctionOpInterface program : findPrograms(*work)) {
    FailureOr<contract::ProgramContract> contract =
        readProgramContract(program);
    if (failed(contract))
      return failure();
    serialize.programs.push_back(std::move(*contract));
    program->erase(); // What it launches moves.
  }
  gpu::GPUModuleOp gpuModule = modules.front();
  for (gpu::GPUModuleOp other : ArrayRef(modules).drop_front())
    if (failed(mergeModule(other, gpuModule)))
      return failure();
  for (auto kernel : gpuModule.getOps<LLVM::LLVMFuncOp>()) {
    // Kernels that somebody wrote at this level have none.
    if (!kernel->getAttrOfType<DictionaryAttr>(
            FlyDialect::getContractAttrName()))
      continue;
    FailureOr<contract::LaunchContract> contract = readContract(kernel);
    if (failed(contract))
      return failure();
    serialize.contracts.push_back(std::move(*contract));
  }
  if (timings)
    timings->passesMs = millisecondsSince(start);
  FailureOr<target::CodeObject> object = serializeAndWarn(gpuModule, serialize);
  if (failed(object) || object->bytes.empty())
    return object;
  start = std::chrono::steady_clock::now();
  LogicalResult verified = verifyCode(gpuModule, *object);
  if (timings)
    timings->verifyMs = object->timings.verifyMs + millisecondsSince(start);
  if (failed(verified))
    return failure();
  return object;
}
