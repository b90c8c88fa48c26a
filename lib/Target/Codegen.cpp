//===- Codegen.cpp - LLVM module to object and assembly -------------------===//
//
// Runs the mid-end list, if any, and LLVM's code generation, with a diagnostic
// handler that collects instead of printing. Code generation mutates its
// module, so assembly text comes from a clone.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
}

using namespace fly::target;

namespace {

double elapsedMs(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - since)
      .count();
}

/// A diagnostic of the kinds that name a function and a place; else null.
const llvm::DiagnosticInfoWithLocationBase *
placedDiagnostic(const llvm::DiagnosticInfo &info) {
  if (auto *limit = llvm::dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info))
    return limit;
  if (auto *feature = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
    return feature;
  if (auto *registers =
          llvm::dyn_cast<llvm::DiagnosticInfoRegAllocFailure>(&info))
    return registers;
  if (auto *generic = llvm::dyn_cast<llvm::DiagnosticInfoGenericWithLoc>(&info))
    return generic;
  return llvm::dyn_cast<llvm::DiagnosticInfoOptimizationFailure>(&info);
}

/// Collects LLVM's diagnostics as messages.
class Collector : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::vector<Message> &messages) : messages(messages) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() > llvm::DS_Warning)
      return true; // Remarks and notes.
    Message message;
    message.isError = info.getSeverity() == llvm::DS_Error;
    llvm::raw_string_ostream stream(message.text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (auto *placed = placedDiagnostic(info)) {
      message.function = placed->getFunction().getName().str();
      // The place is the operation that the message will be attached to.
      llvm::StringRef text = message.text;
      if (text.consume_front(placed->getLocationStr() + ": "))
        message.text = text.str();
    }
    messages.push_back(std::move(message));
    return true;
  }

private:
  std::vector<Message> &messages;
};

void runMidEnd(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  all.run(module, modules);
}

/// Runs the code generator into \p out.
void emitFile(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::CodeGenFileType type, std::string &out,
              std::vector<Message> &messages) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  // As addPassesToEmitFile() has it, with passes of ours: one between LLVM's
  // bundler and its last scheduler, one behind LLVM's padding and in front of
  // branch relaxation, so that branches are judged on the code that there is,
  // one in front of the printer.
  auto &generator = static_cast<llvm::CodeGenTargetMachineImpl &>(machine);
  auto *info = new llvm::MachineModuleInfoWrapperPass(&generator);
  llvm::TargetPassConfig *config = generator.createPassConfig(passes);
  // The bundler's identity is the target's own; its name is not. Without it
  // there are no bundles.
  if (const llvm::PassInfo *bundler =
          llvm::PassRegistry::getPassRegistry()->getPassInfo(
              llvm::StringRef("si-post-ra-bundler")))
    config->insertPass(bundler->getTypeInfo(), createFencedBundlesPass());
  config->insertPass(&llvm::PostRAHazardRecognizerID,
                     createLongMatrixWaitsPass());
  passes.add(config);
  passes.add(info);
  bool failed = config->addISelPasses();
  if (!failed) {
    config->addMachinePasses();
    config->setInitialized();
    passes.add(createNeighbourLinesPass());
    failed = generator.addAsmPrinter(passes, stream, nullptr, type,
                                     info->getMMI().getContext());
  }
  if (failed) {
    messages.push_back({true, "", "target cannot emit this kind of file"});
    return;
  }
  passes.add(llvm::createFreeMachineFunctionPass());
  passes.run(module);
  out = buffer.str().str();
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
fly::target::createTargetMachine(llvm::StringRef chip) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, chip, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("LLVM has no code generator for AMDGPU");
  return machine;
}

void fly::target::remapDebugPaths(
    llvm::Module &module,
    llvm::ArrayRef<std::pair<std::string, std::string>> prefixMap) {
  if (prefixMap.empty())
    return;
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  // In order of appearance: a file that becomes equal to another turns
  // distinct, and which of the two does must not depend on addresses.
  llvm::SmallSetVector<llvm::DIFile *, 8> files;
  for (llvm::DICompileUnit *unit : finder.compile_units())
    files.insert(unit->getFile());
  for (llvm::DISubprogram *program : finder.subprograms())
    files.insert(program->getFile());
  for (llvm::DIScope *scope : finder.scopes())
    files.insert(scope->getFile());
  auto remap = [&](llvm::StringRef path) {
    for (const auto &entry : prefixMap)
      if (path.starts_with(entry.first))
        return entry.second + path.drop_front(entry.first.size()).str();
    return path.str();
  };
  // Operands 0 and 1 of a DIFile are file name and directory.
  for (llvm::DIFile *file : files) {
    if (!file)
      continue;
    llvm::LLVMContext &context = module.getContext();
    std::string name = remap(file->getFilename());
    std::string directory = remap(file->getDirectory());
    file->replaceOperandWith(0, llvm::MDString::get(context, name));
    file->replaceOperandWith(1, llvm::MDString::get(context, directory));
  }
}

Emission fly::target::generateCode(llvm::Module &module,
                                   llvm::TargetMachine &machine, MidEnd midEnd,
                                   const CodegenJob &job) {
  Emission emission;
  llvm::LLVMContext &context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous =
      context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Collector>(emission.messages));

  if (job.dropDebugInfo)
    llvm::StripDebugInfo(module);
  auto start = std::chrono::steady_clock::now();
  if (midEnd == MidEnd::Clean)
    runMidEnd(module, machine);
  emission.midEndMs = elapsedMs(start);

  if (job.emitLlvmIr) {
    llvm::raw_string_ostream stream(emission.llvmIr);
    module.print(stream, nullptr);
  }
  if (job.emitAssembly) {
    std::unique_ptr<llvm::Module> clone =
        job.emitObject ? llvm::CloneModule(module) : nullptr;
    emitFile(clone ? *clone : module, machine,
             llvm::CodeGenFileType::AssemblyFile, emission.assembly,
             emission.messages);
  }
  // A second run would only repeat the errors of the first.
  if (job.emitObject && !emission.failed())
    emitFile(module, machine, llvm::CodeGenFileType::ObjectFile,
             emission.object, emission.messages);
  context.setDiagnosticHandler(std::move(previous));
  return emission;
}
