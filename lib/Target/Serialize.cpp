//===- Serialize.cpp - ROCDL module to code object ------------------------===//
//
// The MLIR side: which chip, what may not go on, translation, and turning
// everything that goes wrong into diagnostics at the kernel. The LLVM side is
// Codegen.cpp, the linker LinkElf.cpp.
//
//===----------------------------------------------------------------------===//

#include "fly/Arch/ArchInfo.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Support/CodegenForms.h"
#include "fly/Target/CodeObject.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cmath>

#include "ChooseForms.h"
#include "Codegen.h"
#include "HintClaims.h"
#include "LdsBudget.h"
#include "LineTables.h"

using namespace fly;
using namespace fly::target;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;
namespace LLVM = mlir::LLVM;

void fly::target::registerTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerROCDLDialectTranslation(registry);
}

/// The chip's description, by the options or the module's target.
static const arch::ArchInfo *findChip(mlir::gpu::GPUModuleOp module,
                                      const SerializeOptions &options) {
  std::string chip = options.chip;
  if (chip.empty() && module.getTargetsAttr())
    for (mlir::Attribute target : module.getTargetsAttr())
      if (auto rocdl = llvm::dyn_cast<mlir::ROCDL::ROCDLTargetAttr>(target)) {
        if (!chip.empty() && chip != rocdl.getChip()) {
          module.emitError() << "module has several targets, expected one "
                                "chip to compile for";
          return nullptr;
        }
        chip = rocdl.getChip().str();
      }
  if (chip.empty()) {
    module.emitError()
        << "module has no chip, expected [#rocdl.target<chip = \"...\">] with "
           "one of: "
        << arch::knownChipNames(/*compilableOnly=*/true);
    return nullptr;
  }
  const arch::ArchInfo *info = arch::ArchInfo::lookup(chip);
  if (!info || !info->canCompile) {
    module.emitError() << (info ? "no code generation for chip '"
                                : "unknown chip '")
                       << chip << "', expected one of: "
                       << arch::knownChipNames(/*compilableOnly=*/true);
    return nullptr;
  }
  return info;
}

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(mlir::ROCDL::ROCDLDialect::getKernelFuncAttrName());
}

/// Calls of functions without a body would only fail in the linker, or worse.
static LogicalResult checkSymbols(mlir::gpu::GPUModuleOp module) {
  mlir::SymbolTable symbols(module);
  bool failed = false;
  module.walk([&](LLVM::CallOp call) {
    std::optional<llvm::StringRef> callee = call.getCallee();
    if (!callee || callee->starts_with("llvm."))
      return;
    auto target = symbols.lookup<LLVM::LLVMFuncOp>(*callee);
    if (target && !target.isExternal())
      return;
    failed = true;
    mlir::InFlightDiagnostic diagnostic =
        call.emitError() << "call of undefined function '" << *callee
                         << "', expected a function with a body in module '"
                         << module.getName() << "'";
    if (target)
      diagnostic.attachNote(target.getLoc()) << "declared here";
  });
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    // LDS without a value is what LDS is; others need a definition.
    bool lds = global.getAddrSpace() ==
               mlir::ROCDL::ROCDLDialect::kSharedMemoryAddressSpace;
    bool defined = global.getValueAttr() || global.getInitializerBlock();
    if (lds || defined || global.getLinkage() != LLVM::Linkage::External)
      continue;
    failed = true;
    global.emitError() << "undefined global '" << global.getName()
                       << "', expected an initial value";
  }
  return failure(failed);
}

/// The contracts of the module's kernels in module order: given ones first,
/// then those in attributes.
static FailureOr<std::vector<contract::LaunchContract>>
collectContracts(mlir::gpu::GPUModuleOp module, llvm::StringRef chip,
                 const SerializeOptions &options) {
  std::vector<contract::LaunchContract> contracts;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!isKernel(kernel))
      continue;
    std::optional<contract::LaunchContract> found;
    for (const contract::LaunchContract &given : options.contracts)
      if (given.kernel == kernel.getName())
        found = given;
    auto attribute = kernel->getAttrOfType<mlir::StringAttr>(contractAttrName);
    if (!found && attribute) {
      llvm::Expected<llvm::json::Value> json =
          llvm::json::parse(attribute.getValue());
      llvm::Expected<contract::LaunchContract> parsed =
          json ? contract::fromJSON(*json)
               : llvm::Expected<contract::LaunchContract>(json.takeError());
      if (!parsed)
        return kernel.emitError()
               << "attribute '" << contractAttrName << "' of kernel '"
               << kernel.getName()
               << "': " << llvm::toString(parsed.takeError());
      found = *parsed;
    }
    if (!found)
      continue;
    found->kernel = kernel.getName().str();
    found->chip = chip.str();
    if (found->arguments.size() != kernel.getNumArguments())
      return kernel.emitError()
             << "launch contract of kernel '" << kernel.getName() << "' has "
             << found->arguments.size() << " arguments, kernel has "
             << kernel.getNumArguments();
    contracts.push_back(std::move(*found));
  }
  return contracts;
}

/// Attaches messages of code generation to the functions that they name.
static LogicalResult report(mlir::gpu::GPUModuleOp module,
                            llvm::ArrayRef<Message> messages) {
  mlir::SymbolTable symbols(module);
  bool failed = false;
  for (const Message &message : messages) {
    mlir::Operation *place =
        message.function.empty() ? nullptr : symbols.lookup(message.function);
    if (!place)
      place = module;
    failed |= message.isError;
    // Warnings of LLVM are about its options and heuristics, yet the user's.
    if (message.isError)
      place->emitError(message.text);
    else
      place->emitWarning(message.text);
  }
  return failure(failed);
}

/// The absolute symbols in which LLVM leaves each function's resources, by
/// name: "gemm.num_vgpr".
static llvm::StringMap<uint64_t> resourceSymbols(llvm::StringRef elf) {
  llvm::StringMap<uint64_t> values;
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(elf, "code object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return values;
  }
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> value = symbol.getValue();
    if (name && value)
      values[*name] = *value;
    llvm::consumeError(name.takeError());
    llvm::consumeError(value.takeError());
  }
  return values;
}

static void passed(mlir::Operation *kernel, llvm::StringRef name,
                   const std::string &message) {
  if (kernel->getContext()->getRemarkEngine())
    mlir::remark::passed(
        kernel->getLoc(),
        mlir::remark::RemarkOpts::name(name)
            .category("fly-codegen")
            .function(mlir::SymbolTable::getSymbolName(kernel).getValue()))
        << message;
}

/// What the forms came to that the choice was among.
static std::string describe(const KernelStatistics &kernel) {
  std::string text = kernel.codegen;
  for (const reports::CodegenFigures &form : kernel.tried)
    text += "; " + form.form +
            (form.failed
                 ? std::string(": not compiled")
                 : llvm::formatv(": {0}{1} spills, {2} accumulator moves and "
                                 "{3} instructions a round, {4}",
                                 reports::describeProofs(form), form.spills,
                                 form.accMoves, form.instructions,
                                 reports::describeCovers(form))
                       .str());
  return text;
}

/// What the choice of a form made of the distances from accesses to waits;
/// empty without a loop of matrix instructions.
static std::string describeDistances(const KernelStatistics &kernel) {
  if (kernel.tried.empty())
    return "";
  const reports::CodegenFigures &first = kernel.tried.front();
  std::string text = reports::describe(first.distances);
  for (const reports::CodegenFigures &form : kernel.tried)
    if (form.form == kernel.codegen && form.form != first.form)
      text =
          "before: " + text + "; after: " + reports::describe(form.distances);
  return text.empty() ? "" : "matrix instructions to the wait, " + text;
}

/// A warning where lanes are walked in the hot loop, and one where the hints
/// that somebody asked for do not fit it.
static void checkHotLoops(mlir::gpu::GPUModuleOp module,
                          const llvm::Module &llvmModule,
                          const CodeObject &object) {
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(object.bytes);
  if (!report) {
    llvm::consumeError(report.takeError()); // readStatistics() has said it.
    return;
  }
  mlir::SymbolTable symbols(module);
  for (const reports::KernelReport &kernel : report->kernels) {
    mlir::Operation *place = symbols.lookup(kernel.name);
    if (!place)
      place = module;
    if (kernel.hotLoop && kernel.hotLoop->laneLoops)
      place->emitWarning()
          << "kernel '" << kernel.name << "' walks the lanes of a wave in "
          << kernel.hotLoop->laneLoops
          << " loops of its hot loop: accesses have scalar operands that LLVM "
             "does not know as the same in all lanes; try another 'codegen'";
    const llvm::Function *function = llvmModule.getFunction(kernel.name);
    llvm::StringRef claim =
        function
            ? function->getFnAttribute(hintsClaimAttrName).getValueAsString()
            : llvm::StringRef();
    if (claim.empty() || !kernel.hotLoop)
      continue;
    std::string wrong = compareClaim(claim, *kernel.hotLoop);
    if (!wrong.empty())
      place->emitWarning()
          << "hints of the hot loop do not fit its machine code: " << wrong;
  }
}

/// Reads back what the emitted object says about its kernels.
static LogicalResult readStatistics(mlir::gpu::GPUModuleOp module,
                                    const llvm::Module &llvmModule,
                                    const ChosenCode &code,
                                    CodeObject &result) {
  llvm::Expected<isa::CodeObject> loaded = isa::CodeObject::load(result.bytes);
  if (!loaded)
    return module.emitError() << "emitted code object is not readable: "
                              << llvm::toString(loaded.takeError());
  llvm::StringMap<uint64_t> symbols = resourceSymbols(result.bytes);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    const isa::Kernel *kernel = loaded->findKernel(function.getName());
    if (!kernel)
      continue;
    KernelStatistics statistics;
    statistics.name = kernel->name;
    statistics.agprs = kernel->agprCount;
    // The metadata counts both kinds together, with the gap between them.
    auto architectural = symbols.find(kernel->name + ".num_vgpr");
    statistics.vgprs = architectural != symbols.end()
                           ? static_cast<unsigned>(architectural->second)
                           : kernel->vgprCount - kernel->agprCount;
    statistics.sgprs = kernel->sgprCount;
    statistics.vgprSpills = kernel->vgprSpillCount;
    statistics.sgprSpills = kernel->sgprSpillCount;
    statistics.scratchBytes = kernel->privateSegmentFixedSize;
    statistics.ldsBytes = kernel->groupSegmentFixedSize;
    statistics.kernargBytes = kernel->kernargSegmentSize;
    statistics.codeBytes = static_cast<unsigned>(kernel->codeSize);
    for (auto [name, form, tried] :
         llvm::zip_equal(code.kernels, code.forms, code.tried))
      if (name == kernel->name) {
        statistics.codegen = form;
        statistics.tried = tried;
      }
    if (const llvm::Function *compiled =
            llvmModule.getFunction(function.getName()))
      statistics.order = compiled->getFnAttribute(hotLoopOrderAttrName)
                             .getValueAsString()
                             .str();
    passed(function, "Form", describe(statistics));
    if (std::string text = describeDistances(statistics); !text.empty())
      passed(function, "Distances", text);
    result.kernels.push_back(std::move(statistics));
  }
  return success();
}

FailureOr<CodeObject> fly::target::serialize(mlir::gpu::GPUModuleOp module,
                                             const SerializeOptions &options) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start)
        .count();
  };

  const arch::ArchInfo *chip = findChip(module, options);
  if (!chip || failed(checkSymbols(module)))
    return failure();
  FailureOr<llvm::StringMap<uint64_t>> ldsBytes = checkLdsBudget(module, *chip);
  if (failed(ldsBytes))
    return failure();
  FailureOr<std::vector<contract::LaunchContract>> contracts =
      collectContracts(module, chip->name, options);
  if (failed(contracts))
    return failure();
  for (contract::LaunchContract &contract : *contracts)
    contract.staticLdsBytes = uint32_t(ldsBytes->lookup(contract.kernel));
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(chip->name);
  if (!machine)
    return module.emitError() << llvm::toString(machine.takeError());

  CodeObject result;
  result.chip = chip->name;
  Clock::time_point start = Clock::now();
  llvm::LLVMContext context;
  // Places of the source become scopes of debug information in a copy.
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> described;
  bool hasLines = false;
  if (options.lineTables && options.emitObject) {
    described = module.clone();
    hasLines = addLineTables(*described, options.pathPrefixMap);
  }
  std::unique_ptr<llvm::Module> llvmModule = mlir::translateModuleToLLVMIR(
      described ? *described : module, context, module.getName());
  if (!llvmModule)
    return module.emitError() << "translation of module '" << module.getName()
                              << "' to LLVM IR failed";
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  llvmModule->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                            options.codeObjectVersion * 100);
  remapDebugPaths(*llvmModule, options.pathPrefixMap);
  prepareKernels(*llvmModule, chip->name, options, *contracts);
  embedContracts(*llvmModule, {*contracts, options.programs});
  result.timings.translateMs = since(start);

  llvm::Expected<ChosenCode> code =
      compileByBestForms(*llvmModule, chip->name, options, hasLines);
  if (!code)
    return module.emitError() << llvm::toString(code.takeError());
  if (failed(report(module, code->emission.messages)))
    return failure();
  result.timings += code->timings;
  result.assembly = std::move(code->emission.assembly);
  result.llvmIr = std::move(code->emission.llvmIr);
  result.contracts = std::move(*contracts);
  result.programs = options.programs;
  if (!options.emitObject)
    return result;
  result.bytes = std::move(code->elf);
  result.verdict = std::move(code->verdict);
  if (failed(readStatistics(module, *llvmModule, *code, result)))
    return failure();
  checkHotLoops(module, *llvmModule, result);
  return result;
}
