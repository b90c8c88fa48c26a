//===- SourceLines.cpp - Lines of findings --------------------------------===//
//
// Read only where there is something to tell. Tables that LLVM cannot read
// leave the places without lines.
//
//===----------------------------------------------------------------------===//
#include "SourceLines.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

using namespace fly::verify;

void fly::verify::addSourceLines(llvm::StringRef elf, ObjectVerdict &verdict) {
  bool isSilent = llvm::all_of(verdict.kernels, [](const auto &kernel) {
    return kernel.findings.empty() && kernel.notes.empty();
  });
  if (isSilent)
    return;
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(elf, "code object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(
      **file, llvm::DWARFContext::ProcessDebugRelocations::Process,
      /*L=*/nullptr, /*DWPName=*/"", ignore, ignore);
  auto add = [&](Place &place) {
    std::optional<llvm::DILineInfo> line = context->getLineInfoForAddress(
        {place.pc, llvm::object::SectionedAddress::UndefSection});
    if (line && line->Line && line->FileName != llvm::DILineInfo::BadString)
      place.source = line->FileName + ":" + std::to_string(line->Line);
  };
  for (KernelVerdict &kernel : verdict.kernels)
    for (std::vector<Finding> *list : {&kernel.findings, &kernel.notes})
      for (Finding &finding : *list) {
        add(finding.place);
        if (finding.producer)
          add(*finding.producer);
      }
}
