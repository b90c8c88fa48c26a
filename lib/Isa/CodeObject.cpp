//===- CodeObject.cpp - ELF to a loaded image -----------------------------===//
//
// What problem: see CodeObject.h.
// What idea: program headers give the image, as for a loader; symbols come
// from the dynamic table and, where it exists, the full one. Each number of
// the file is checked before it is used as a size or an index.
// What it refuses: images over 1 GiB, overlapping segments, relocations that
// need other objects.
//
//===----------------------------------------------------------------------===//

#include "fly/Isa/CodeObject.h"

#include "fly/Arch/ArchInfo.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

#include "Metadata.h"

using namespace fly::isa;
using namespace llvm;

namespace fly::isa {

using ElfFile = object::ELFFile<object::ELF64LE>;

/// Larger images do not come from a compiler; a larger number is damage.
constexpr uint64_t maxImageBytes = uint64_t(1) << 30;

/// LLVM's message about a table that does not fit the file.
static Error damaged(Error error) {
  return createStringError("the ELF file is damaged or truncated: %s",
                           toString(std::move(error)).c_str());
}

/// Fills a CodeObject in the order of a loader.
class CodeObjectReader {
public:
  CodeObjectReader(const ElfFile &file, CodeObject &object)
      : file(file), object(object) {}

  Error read() {
    if (Error error = readHeader())
      return error;
    if (Error error = readSegments())
      return error;
    if (Error error = readSymbols())
      return error;
    if (Error error = applyRelocations())
      return error;
    if (Error error = readNotes())
      return error;
    return readKernels();
  }

private:
  Error readHeader();
  Error readSegments();
  Error readSymbols();
  Error applyRelocations();
  Error readNotes();
  Error readKernels();
  Error finishKernel(Kernel &kernel);
  Error relocate(uint32_t type, uint64_t offset, uint64_t value);

  const ElfFile &file;
  CodeObject &object;
};

Error CodeObjectReader::readHeader() {
  const auto &header = file.getHeader();
  if (header.e_machine != ELF::EM_AMDGPU)
    return createStringError("machine is %u, expected AMDGPU (224)",
                             unsigned(header.e_machine));
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return createStringError("OS ABI is %u, expected AMDGPU HSA (64)",
                             unsigned(header.e_ident[ELF::EI_OSABI]));
  if (header.e_type != ELF::ET_DYN)
    return createStringError(
        "ELF type is %u, expected a shared object (3); link it with ld.lld "
        "-shared",
        unsigned(header.e_type));
  unsigned abi = header.e_ident[ELF::EI_ABIVERSION];
  if (abi != ELF::ELFABIVERSION_AMDGPU_HSA_V4 &&
      abi != ELF::ELFABIVERSION_AMDGPU_HSA_V5 &&
      abi != ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return createStringError("ABI version is %u, expected code object version "
                             "4, 5 or 6 (2 to 4)",
                             abi);
  object.codeObjectVersion = abi + 2;
  unsigned machine = header.e_flags & ELF::EF_AMDGPU_MACH;
  const arch::ArchInfo *chip = arch::ArchInfo::lookupElfMachine(machine);
  if (!chip || !chip->canCompile)
    return createStringError(
        "processor of the ELF flags is 0x%03x, expected one of: %s", machine,
        arch::knownChipNames(/*compilableOnly=*/true).c_str());
  object.chipName = chip->name;
  return Error::success();
}

Error CodeObjectReader::readSegments() {
  auto headers = file.program_headers();
  if (!headers)
    return damaged(headers.takeError());
  uint64_t total = 0;
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD || header.p_memsz == 0)
      continue;
    uint64_t address = header.p_vaddr, size = header.p_memsz;
    if (size > maxImageBytes || address > maxImageBytes ||
        (total += size) > maxImageBytes)
      return createStringError("a segment at 0x%llx with 0x%llx bytes exceeds "
                               "the image limit of 1 GiB",
                               (unsigned long long)address,
                               (unsigned long long)size);
    if (header.p_filesz > size)
      return createStringError("a segment has more bytes in the file than in "
                               "memory");
    auto contents = file.getSegmentContents(header);
    if (!contents)
      return damaged(contents.takeError());
    Segment segment;
    segment.address = address;
    segment.bytes.assign(contents->begin(), contents->end());
    segment.bytes.resize(size, 0);
    segment.executable = header.p_flags & ELF::PF_X;
    segment.writable = header.p_flags & ELF::PF_W;
    object.segmentList.push_back(std::move(segment));
  }
  if (object.segmentList.empty())
    return createStringError("there is no loadable segment");
  llvm::sort(object.segmentList, [](const Segment &a, const Segment &b) {
    return a.address < b.address;
  });
  for (size_t i = 1; i < object.segmentList.size(); ++i) {
    const Segment &before = object.segmentList[i - 1];
    if (before.address + before.bytes.size() > object.segmentList[i].address)
      return createStringError(
          "loadable segments overlap at 0x%llx",
          (unsigned long long)object.segmentList[i].address);
  }
  return Error::success();
}

Error CodeObjectReader::readSymbols() {
  auto sections = file.sections();
  if (!sections)
    return damaged(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM &&
        section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto names = file.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    for (const auto &entry : *symbols) {
      if (entry.st_shndx == ELF::SHN_UNDEF)
        continue;
      auto name = entry.getName(*names);
      if (!name)
        return name.takeError();
      if (name->empty() || object.bytesAt(entry.st_value, 1).empty())
        continue;
      Symbol symbol;
      symbol.name = name->str();
      symbol.address = entry.st_value;
      symbol.size = entry.st_size;
      symbol.isFunction = entry.getType() == ELF::STT_FUNC;
      object.symbolList.push_back(std::move(symbol));
    }
  }
  llvm::sort(object.symbolList, [](const Symbol &a, const Symbol &b) {
    return std::tie(a.address, a.name, a.size) <
           std::tie(b.address, b.name, b.size);
  });
  auto same = [](const Symbol &a, const Symbol &b) {
    return a.address == b.address && a.name == b.name;
  };
  object.symbolList.erase(llvm::unique(object.symbolList, same),
                          object.symbolList.end());
  return Error::success();
}

Error CodeObjectReader::relocate(uint32_t type, uint64_t offset,
                                 uint64_t value) {
  for (Segment &segment : object.segmentList) {
    if (offset < segment.address ||
        offset - segment.address + 8 > segment.bytes.size())
      continue;
    support::endian::write64le(
        segment.bytes.data() + (offset - segment.address), value);
    object.relativeWords.push_back(offset);
    return Error::success();
  }
  return createStringError("relocation of type %u at 0x%llx lies outside the "
                           "loaded segments",
                           type, (unsigned long long)offset);
}

Error CodeObjectReader::applyRelocations() {
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA ||
        !(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    auto entries = file.relas(section);
    if (!entries)
      return entries.takeError();
    for (const auto &entry : *entries) {
      uint32_t type = entry.getType(false);
      uint64_t value = entry.r_addend;
      if (type == ELF::R_AMDGPU_NONE)
        continue;
      if (type == ELF::R_AMDGPU_ABS64) {
        auto table = file.getSection(section.sh_link);
        if (!table)
          return table.takeError();
        auto symbol = file.getRelocationSymbol(entry, *table);
        if (!symbol)
          return symbol.takeError();
        if (!*symbol || (*symbol)->st_shndx == ELF::SHN_UNDEF)
          return createStringError(
              "relocation at 0x%llx needs a symbol that is not defined",
              (unsigned long long)entry.r_offset);
        value += (*symbol)->st_value;
      } else if (type != ELF::R_AMDGPU_RELATIVE64) {
        return createStringError("relocation type %u at 0x%llx is not one that "
                                 "a loader applies",
                                 type, (unsigned long long)entry.r_offset);
      }
      if (Error error = relocate(type, entry.r_offset, value))
        return error;
    }
  }
  return Error::success();
}

Error CodeObjectReader::readNotes() {
  auto headers = file.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &entry : file.notes(header, error)) {
      Note note;
      note.vendor = entry.getName().str();
      note.type = entry.getType();
      ArrayRef<uint8_t> bytes = entry.getDesc(header.p_align);
      note.bytes.assign(bytes.begin(), bytes.end());
      object.noteList.push_back(std::move(note));
    }
    if (error)
      return createStringError(
          "carries no readable AMDGPU metadata (%s); without it the arguments "
          "are unknown: keep the sections .note and .dynsym when stripping, or "
          "compile again",
          toString(std::move(error)).c_str());
  }
  return Error::success();
}

Error CodeObjectReader::finishKernel(Kernel &kernel) {
  const char *name = kernel.name.c_str();
  auto symbol = llvm::find_if(object.symbolList, [&](const Symbol &candidate) {
    return candidate.name == kernel.symbol;
  });
  if (symbol == object.symbolList.end())
    return createStringError("kernel '%s' has no symbol '%s'", name,
                             kernel.symbol.c_str());
  auto descriptor =
      KernelDescriptor::parse(object.bytesAt(symbol->address, 64));
  if (!descriptor)
    return createStringError("kernel '%s': %s", name,
                             toString(descriptor.takeError()).c_str());
  kernel.descriptor = *descriptor;
  kernel.descriptorAddress = symbol->address;
  kernel.entry = symbol->address + uint64_t(descriptor->entryOffset);
  bool executable =
      llvm::any_of(object.segmentList, [&](const Segment &segment) {
        return segment.executable && kernel.entry >= segment.address &&
               kernel.entry - segment.address < segment.bytes.size();
      });
  if (!executable || kernel.entry % 4 != 0)
    return createStringError("kernel '%s' starts at 0x%llx, which is not in an "
                             "executable segment",
                             name, (unsigned long long)kernel.entry);
  if (kernel.wavefrontSize != 64)
    return createStringError("kernel '%s' has waves of %u lanes, expected 64",
                             name, kernel.wavefrontSize);
  if (kernel.descriptor.accumOffset() > 256)
    return createStringError("kernel '%s' has its AGPRs at %u, limit is 256",
                             name, kernel.descriptor.accumOffset());
  for (const Symbol &candidate : object.symbolList)
    if (candidate.address == kernel.entry && candidate.isFunction)
      kernel.codeSize = candidate.size;
  return Error::success();
}

Error CodeObjectReader::readKernels() {
  const Note *metadataNote = nullptr;
  for (const Note &note : object.noteList)
    if (note.vendor == "AMDGPU" && note.type == ELF::NT_AMDGPU_METADATA)
      metadataNote = &note;
  if (!metadataNote)
    return createStringError(
        "carries no AMDGPU metadata note, expected one of type %u; without it "
        "the kernels and their arguments are unknown: keep the section .note "
        "when stripping, or compile for amdgcn-amd-amdhsa",
        unsigned(ELF::NT_AMDGPU_METADATA));
  auto metadata = parseMetadata(metadataNote->bytes);
  if (!metadata)
    return createStringError("carries broken AMDGPU metadata: %s; compile the "
                             "file again",
                             toString(metadata.takeError()).c_str());
  object.targetId = std::move(metadata->target);
  object.kernelList = std::move(metadata->kernels);
  for (Kernel &kernel : object.kernelList)
    if (Error error = finishKernel(kernel))
      return error;
  return Error::success();
}

} // namespace fly::isa

Expected<CodeObject> CodeObject::load(StringRef bytes, StringRef name) {
  auto located = [&](Error error) {
    return createStringError("%s: %s", name.str().c_str(),
                             toString(std::move(error)).c_str());
  };
  if (bytes.size() < 64 || !bytes.starts_with(StringRef(ELF::ElfMagic)) ||
      bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return located(createStringError("not a 64-bit little-endian ELF file"));
  // LLVM's tables are read in place and need the alignment of their fields.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  auto file = ElfFile::create(
      StringRef(reinterpret_cast<const char *>(aligned.data()), bytes.size()));
  if (!file)
    return located(damaged(file.takeError()));
  CodeObject object;
  if (Error error = CodeObjectReader(*file, object).read())
    return located(std::move(error));
  return object;
}

const Kernel *CodeObject::findKernel(StringRef name) const {
  for (const Kernel &kernel : kernelList)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

ArrayRef<uint8_t> CodeObject::bytesAt(uint64_t address, uint64_t size) const {
  for (const Segment &segment : segmentList) {
    if (address < segment.address ||
        address - segment.address >= segment.bytes.size())
      continue;
    uint64_t offset = address - segment.address;
    if (size > segment.bytes.size() - offset)
      return {};
    return ArrayRef<uint8_t>(segment.bytes).slice(offset, size);
  }
  return {};
}

uint64_t CodeObject::imageEnd() const {
  const Segment &last = segmentList.back();
  return last.address + last.bytes.size();
}
