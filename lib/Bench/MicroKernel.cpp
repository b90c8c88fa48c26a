//===- MicroKernel.cpp - a small kernel in assembly, timed ----------------===//
#include "MicroKernel.h"

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
#include "llvm/Support/FormatVariadic.h"
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

/// The kernel "k" around its body, with descriptor and metadata.
static std::string wrap(llvm::StringRef chip, llvm::StringRef body,
                        const MicroShape &shape) {
  std::string arguments;
  for (unsigned i = 0; i != MicroKernel::argumentCount; ++i)
    arguments += llvm::formatv("      - {{ .name: a{0}, .offset: {1}, .size: "
                               "8, .value_kind: by_value }\n",
                               i, 8 * i);
  return llvm::formatv(
             R"(
  .amdgcn_target "amdgcn-amd-amdhsa--{0}"
  .text
  .globl k
  .p2align 8
  .type k,@function
k:
{1}
  s_endpgm
.Lend:
  .size k, .Lend-k
  .rodata
  .p2align 6
  .amdhsa_kernel k
  .amdhsa_group_segment_fixed_size {2}
  .amdhsa_kernarg_size {3}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr {4}
  .amdhsa_accum_offset {5}
  .amdhsa_next_free_sgpr {6}
  .amdhsa_float_denorm_mode_32 3
  .end_amdhsa_kernel
  .amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
{7}    .kernarg_segment_size: {3}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {2}
    .private_segment_fixed_size: 0
    .max_flat_workgroup_size: 1024
    .wavefront_size: 64
    .sgpr_count: {8}
    .vgpr_count: {4}
amdhsa.target: amdgcn-amd-amdhsa--{0}
amdhsa.version: [ 1, 2 ]
...
  .end_amdgpu_metadata
)",
             chip, body, shape.ldsBytes, 8 * MicroKernel::argumentCount,
             shape.vgprs, shape.accumOffset, shape.sgprs, arguments,
             shape.sgprs + *arch::ArchInfo::lookup(chip)->registers.extraSgprs)
      .str();
}

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
  llvm::Expected<std::string> object = assemble(name, wrap(name, body, shape));
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
