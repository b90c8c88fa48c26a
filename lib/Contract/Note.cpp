//===- Note.cpp - Writes and finds the contract's ELF note ----------------===//
//
// The note's layout is ELF's: three words, then owner and description, each
// padded to four bytes.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/Note.h"

#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::contract;

static void appendWord(std::string &out, uint32_t word) {
  char bytes[4];
  llvm::support::endian::write32le(bytes, word);
  out.append(bytes, 4);
}

static void appendPadded(std::string &out, llvm::StringRef text) {
  out += text;
  out.resize(llvm::alignTo(out.size(), 4), '\0');
}

std::string fly::contract::makeNote(const ObjectContracts &contracts) {
  std::string text = printContracts(contracts);
  std::string note;
  appendWord(note, noteOwner.size() + 1);
  appendWord(note, text.size());
  appendWord(note, noteType);
  appendPadded(note, llvm::StringRef(noteOwner.data(), noteOwner.size() + 1));
  appendPadded(note, text);
  return note;
}

llvm::Expected<std::string>
fly::contract::readContractText(llvm::StringRef elf) {
  using llvm::object::ELF64LE;
  using llvm::object::ELF64LEFile;
  if (elf.size() < sizeof(ELF64LE::Ehdr) ||
      !elf.starts_with(llvm::ELF::ElfMagic) ||
      elf[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      elf[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    return llvm::createStringError("expected a 64-bit little-endian ELF file");
  llvm::Expected<ELF64LEFile> file = ELF64LEFile::create(elf);
  if (!file)
    return file.takeError();
  llvm::Expected<ELF64LE::ShdrRange> sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const ELF64LE::Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    std::string text;
    bool found = false;
    for (const ELF64LE::Note &note : file->notes(section, error)) {
      if (found || note.getName() != noteOwner || note.getType() != noteType)
        continue;
      text = note.getDescAsStringRef(section.sh_addralign).str();
      found = true;
    }
    if (error)
      return std::move(error);
    if (found)
      return text;
  }
  return std::string();
}

llvm::Expected<ObjectContracts>
fly::contract::readContracts(llvm::StringRef elf) {
  llvm::Expected<std::string> text = readContractText(elf);
  if (!text)
    return text.takeError();
  if (text->empty())
    return ObjectContracts();
  return parseContracts(*text);
}
