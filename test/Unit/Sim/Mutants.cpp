//===- Mutants.cpp - good kernels with one planted defect -----------------===//

#include "Mutants.h"

#include "llvm/Object/ELF.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;
using llvm::StringRef;

size_t fly::test::fileOffset(StringRef object, uint64_t address) {
  auto elf = llvm::object::ELF64LEFile::create(object);
  if (!elf) {
    llvm::consumeError(elf.takeError());
    return StringRef::npos;
  }
  auto headers = elf->program_headers();
  if (!headers) {
    llvm::consumeError(headers.takeError());
    return StringRef::npos;
  }
  for (const auto &header : *headers)
    if (header.p_type == llvm::ELF::PT_LOAD && address >= header.p_vaddr &&
        address - header.p_vaddr < header.p_filesz)
      return size_t(header.p_offset + (address - header.p_vaddr));
  return StringRef::npos;
}

/// Instructions of a kernel "k" with this body, in address order.
static std::vector<isa::Instruction>
instructionsOf(const sim::LoadedProgram &program) {
  std::vector<isa::Instruction> found;
  uint64_t entry = program.object().kernels()[0].entry;
  for (const isa::Instruction &inst : program.program().instructions())
    if (inst.pc >= entry)
      found.push_back(inst);
  return found;
}

static constexpr StringRef removed = "s_nop 0";

/// Whether a line of assembly is an instruction.
static bool isInstruction(StringRef line) {
  return !line.empty() && line[0] != '.' && line[0] != ';' &&
         !line.ends_with(":");
}

MutantKernel::MutantKernel(StringRef body, StringRef chip,
                           const KernelShape &shape) {
  llvm::SmallVector<StringRef> lines;
  body.split(lines, '\n');
  size_t index = 0;
  std::string replacements;
  for (StringRef line : lines) {
    llvm::SmallVector<StringRef> parts;
    line.split(parts, ";!");
    StringRef text = parts[0].trim();
    if (!isInstruction(text))
      continue;
    for (StringRef mark : llvm::drop_begin(parts)) {
      auto [check, replacement] = mark.split('=');
      replacement = replacement.trim();
      if (replacement.empty())
        replacement = removed;
      list.push_back(
          {index, check.trim().str(), text.str(), replacement.str(), ""});
      replacements += (replacement + "\n").str();
    }
    ++index;
  }
  object = assembleText(wrapKernel(body, chip, shape), chip, message);
  KernelRun original = KernelRun::ofBytes(object);
  KernelRun changes = KernelRun::ofBody(replacements, chip, shape);
  if (original.failed() || changes.failed()) {
    ADD_FAILURE() << message << original.message << changes.message;
    list.clear();
    return;
  }
  for (const isa::Instruction &inst : instructionsOf(*original.params.program))
    offsets.push_back(fileOffset(object, inst.pc));
  std::vector<isa::Instruction> changed =
      instructionsOf(*changes.params.program);
  for (auto [mutant, inst] : llvm::zip(list, changed))
    mutant.bytes.assign(reinterpret_cast<const char *>(inst.bytes), inst.size);
}

Found fly::test::launchMutant(KernelRun &run) {
  Found found;
  auto note = [&](const std::vector<sim::Finding> &findings) {
    for (const sim::Finding &finding : findings) {
      found.checks.push_back(sim::checkName(finding.check).str());
      found.messages += finding.message + "\n";
    }
  };
  auto result = run.launch();
  if (result) {
    note(result->findings);
    return found;
  }
  llvm::handleAllErrors(
      result.takeError(),
      [&](const sim::FaultError &error) {
        note(error.findings);
        found.checks.push_back(
            error.fault.kind == sim::FaultKind::Barrier         ? "barriers"
            : error.fault.kind == sim::FaultKind::LdsOutOfRange ? "bounds"
                                                                : "fault");
        found.messages += error.message + "\n";
      },
      [&](const llvm::ErrorInfoBase &error) {
        found.messages += error.message() + "\n";
      });
  return found;
}

unsigned MutantKernel::runAll(const Setup &setup) {
  KernelRun original = KernelRun::ofBytes(object);
  std::function<void()> compare = setup(original);
  EXPECT_EQ(original.launchError(), "") << "the original is accused";
  compare();
  for (const Mutant &mutant : list) {
    std::string bytes = object;
    // A removed instruction of 8 bytes leaves two of 4.
    std::string patch = mutant.bytes;
    size_t size = offsets[mutant.index + 1] - offsets[mutant.index];
    while (patch.size() < size)
      patch += patch;
    EXPECT_EQ(patch.size(), size) << mutant.original;
    bytes.replace(offsets[mutant.index], size, patch);
    KernelRun run = KernelRun::ofBytes(bytes);
    setup(run);
    run.params.options.maxInstructionsPerWave = 1 << 20;
    Found found = launchMutant(run);
    EXPECT_TRUE(found.has(mutant.check))
        << "'" << mutant.original << "' as '" << mutant.replacement
        << "' is not found by " << mutant.check << "\n"
        << found.messages;
  }
  return unsigned(list.size());
}
