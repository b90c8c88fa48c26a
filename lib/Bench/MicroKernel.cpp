//===- MicroKernel.cpp - a small kernel in assembly, timed ----------------===//
#include "MicroKernel.h"

#include "fly/Isa/KernelText.h"
#include "fly/Target/LinkElf.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace fly;
using namespace fly::bench;

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUAsmParser();

/// Assembles `text`; messages of the assembler become the error.
static llvm::Expected<std::string> assemble(llvm::StringRef chip,
                                            const std::string &text) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
  });
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(
      target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(
      target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, chip, ""));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                             llvm::SMLoc());
  std::string errors;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *into) {
        llvm::raw_string_ostream os(*static_cast<std::string *>(into));
        diagnostic.print(nullptr, os, /*ShowColors=*/false);
      },
      &errors);
  llvm::MCContext context(triple, asmInfo.get(), registers.get(),
                          subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> objectInfo(
      target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(objectInfo.get());

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer =
      backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::unique_ptr<llvm::MCCodeEmitter>(
          target->createMCCodeEmitter(*instructions, context)),
      *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false) || !errors.empty())
    return llvm::createStringError("assembly failed: " + errors);
  return object.str().str();
}

llvm::Expected<std::string>
fly::bench::assembleKernel(arch::Chip chip, llvm::StringRef body,
                           const MicroShape &shape) {
  const char *name = arch::ArchInfo::get(chip).name;
  isa::KernelShape text;
  text.kernargBytes = 8 * MicroKernel::argumentCount;
  text.ldsBytes = shape.ldsBytes;
  text.vgprs = shape.vgprs;
  text.accumOffset = shape.accumOffset;
  text.sgprs = shape.sgprs;
  text.extraSgprs = *arch::ArchInfo::get(chip).registers.extraSgprs;
  text.keepsDenormals = true;
  llvm::Expected<std::string> object =
      assemble(name, isa::wrapKernel(body, name, text));
  if (!object)
    return object.takeError();
  return target::linkCodeObject(*object);
}

llvm::Expected<std::unique_ptr<MicroKernel>>
MicroKernel::create(arch::Chip chip, llvm::StringRef body,
                    const MicroShape &shape) {
  llvm::Expected<std::string> bytes = assembleKernel(chip, body, shape);
  if (!bytes)
    return bytes.takeError();
  auto kernel = std::make_unique<MicroKernel>();
  auto program = kernel->simulator.load(*bytes, "micro-kernel");
  if (!program)
    return program.takeError();
  kernel->program = *program;
  return std::move(kernel);
}

llvm::Expected<uint64_t> MicroKernel::allocate(uint64_t bytes) {
  return simulator.memory().allocate(bytes, "micro");
}

llvm::Expected<sim::Result>
MicroKernel::launch(const Launch &launch, const sim::SimOptions &options) {
  sim::LaunchParams params;
  params.program = program;
  params.kernel = "k";
  params.workgroups = {launch.workgroups, 1, 1};
  params.workgroupSize = {launch.threads, 1, 1};
  for (unsigned i = 0; i != argumentCount; ++i)
    params.arguments.push_back(sim::ArgumentValue::of(
        i < launch.arguments.size() ? launch.arguments[i] : uint64_t(0)));
  params.options = options;
  return simulator.launch(params);
}

llvm::Expected<std::shared_ptr<const sim::TimingResult>>
MicroKernel::run(const Launch &launched) {
  sim::SimOptions options;
  options.timing.enabled = true;
  options.timing.timeline = true;
  llvm::Expected<sim::Result> result = launch(launched, options);
  if (!result)
    return result.takeError();
  return result->timing;
}
