//===- Verify.cpp - Proofs on the final bytes of kernels ------------------===//
#include "fly/Verify/Verify.h"

#include "fly/Isa/Decoder.h"
#include "fly/Isa/LineTable.h"

#include <tuple>

#include "Checks.h"
#include "Stagger.h"

using namespace fly;
using namespace fly::verify;

bool ObjectVerdict::hasFindings() const {
  return llvm::any_of(kernels, [](const KernelVerdict &kernel) {
    return !kernel.findings.empty();
  });
}

/// Why nothing is proved of the code of a kernel, if so: what control reaches
/// without an edge in the graph, and bytes that are no instruction.
static std::vector<Finding> openEnds(const KernelCode &code) {
  std::vector<Finding> notes;
  auto note = [&](size_t index, llvm::StringRef what) {
    Finding finding;
    finding.place = code.place(index);
    finding.what = what.str();
    notes.push_back(std::move(finding));
  };
  for (size_t index : code.flow.unknownJumps())
    note(index, "leaves the kernel's code, where nothing is proved");
  for (unsigned number : code.flow.order()) {
    const isa::Block &block = code.flow.blocks()[number];
    const isa::Instruction &last = code.instructions()[block.end - 1];
    if (last.format == isa::Format::Invalid)
      note(block.end - 1, "is no instruction of the chip");
    else if (block.successors.empty() && !isa::endsControl(last))
      note(block.end - 1, "runs past the end of the kernel's code");
  }
  return notes;
}

static void take(KernelVerdict &verdict, Rule rule, CheckResult result,
                 llvm::ArrayRef<Finding> open) {
  for (Finding note : open) {
    note.rule = rule;
    result.notes.push_back(std::move(note));
  }
  verdict.rules[unsigned(rule)] = !result.findings.empty() ? Verdict::Violated
                                  : !result.notes.empty()  ? Verdict::NotProved
                                                           : Verdict::Proved;
  llvm::append_range(verdict.findings, std::move(result.findings));
  llvm::append_range(verdict.notes, std::move(result.notes));
}

/// Findings of one place stay in the order of the rules.
static void sortByAddress(std::vector<Finding> &findings) {
  llvm::sort(findings, [](const Finding &a, const Finding &b) {
    return std::tie(a.place.pc, a.rule, a.what) <
           std::tie(b.place.pc, b.rule, b.what);
  });
}

static KernelVerdict verifyKernel(const isa::Kernel &kernel,
                                  const isa::Program &program,
                                  const arch::ArchInfo &arch) {
  isa::ControlFlow flow(program.instructionsOf(kernel),
                        {kernel.entry, kernel.preloadEntry()});
  KernelCode code{kernel, arch, flow};
  KernelVerdict verdict;
  verdict.name = kernel.name;
  std::vector<Finding> open = openEnds(code);
  take(verdict, Rule::Waits, checkWaits(code), open);
  take(verdict, Rule::Hazards, checkHazards(code), open);
  Uniformity uniformity(code);
  StaggerVerdict stagger;
  CheckResult ldsOrder = checkLdsOrder(code, uniformity, stagger);
  take(verdict, Rule::Barriers, checkBarriers(code, uniformity, stagger), open);
  take(verdict, Rule::LdsOrder, std::move(ldsOrder), open);
  verdict.facts = collectFacts(code);
  sortByAddress(verdict.findings);
  sortByAddress(verdict.notes);
  return verdict;
}

/// Sets the source of all places, if there are any and the object has lines.
static void addSourceLines(llvm::StringRef elf, ObjectVerdict &verdict) {
  std::optional<isa::LineTable> lines;
  auto add = [&](Place &place) {
    if (!lines)
      lines = isa::LineTable::read(elf);
    place.source = lines->at(place.pc);
  };
  for (KernelVerdict &kernel : verdict.kernels)
    for (std::vector<Finding> *list : {&kernel.findings, &kernel.notes})
      for (Finding &finding : *list) {
        add(finding.place);
        if (finding.producer)
          add(*finding.producer);
      }
}

llvm::Expected<ObjectVerdict>
fly::verify::verifyObject(llvm::StringRef elf, llvm::StringRef kernel) {
  llvm::Expected<isa::CodeObject> object = isa::CodeObject::load(elf);
  if (!object)
    return object.takeError();
  const arch::ArchInfo *arch = arch::ArchInfo::lookup(object->chip());
  if (!arch || !arch->canCompile)
    return llvm::createStringError(
        "chip '" + object->chip() +
        "' of the object has no rules here, chips with rules are: " +
        arch::knownChipNames(/*compilableOnly=*/true));
  std::string names;
  for (const isa::Kernel &entry : object->kernels())
    names += (names.empty() ? "" : ", ") + entry.name;
  if (!kernel.empty() && !object->findKernel(kernel))
    return llvm::createStringError("there is no kernel '" + kernel +
                                   "', the object has: " + names);
  llvm::Expected<std::unique_ptr<isa::Program>> program =
      isa::Program::decode(*object);
  if (!program)
    return program.takeError();
  ObjectVerdict verdict;
  verdict.chip = object->chip();
  for (const isa::Kernel &entry : object->kernels())
    if (kernel.empty() || entry.name == kernel)
      verdict.kernels.push_back(verifyKernel(entry, **program, *arch));
  addSourceLines(elf, verdict);
  return verdict;
}
