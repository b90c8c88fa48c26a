//===- LineTable.cpp - source lines of instructions -----------------------===//

#include "fly/Isa/LineTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace fly::isa;

LineTable LineTable::read(llvm::StringRef object) {
  LineTable table;
  if (!object.contains(".debug_line"))
    return table;
  // LLVM's tables are read in place and need the alignment of their fields.
  std::vector<uint64_t> aligned((object.size() + 7) / 8);
  std::memcpy(aligned.data(), object.data(), object.size());
  auto file =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(
          llvm::StringRef(reinterpret_cast<const char *>(aligned.data()),
                          object.size()),
          "code object"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return table;
  }
  // What is wrong with debug information is no reason not to run the code.
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(
      **file, llvm::DWARFContext::ProcessDebugRelocations::Process,
      /*L=*/nullptr, /*DWPName=*/"", ignore, ignore);
  // Tables are read from their section alone: assemblers write lines of text
  // that has no units.
  llvm::StringMap<uint32_t> numbers;
  llvm::DWARFDataExtractor data(context->getDWARFObj(),
                                context->getDWARFObj().getLineSection(),
                                /*IsLittleEndian=*/true, /*AddressSize=*/8);
  llvm::DWARFDebugLine::SectionParser parser(data, *context,
                                             context->normal_units());
  while (!parser.done()) {
    llvm::DWARFDebugLine::LineTable lines = parser.parseNext(ignore, ignore);
    for (const llvm::DWARFDebugLine::Row &row : lines.Rows) {
      std::string name;
      if (!row.EndSequence)
        lines.getFileNameByIndex(
            row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue,
            name);
      auto [it, isNew] =
          numbers.try_emplace(name, uint32_t(table.files.size()));
      if (isNew)
        table.files.push_back(name);
      table.rows.push_back({row.Address.Address, it->second,
                            row.EndSequence ? 0 : row.Line, /*order=*/0});
    }
  }
  // Of several rows of one address the last one holds.
  for (auto [index, row] : llvm::enumerate(table.rows))
    row.order = uint32_t(index);
  llvm::sort(table.rows, [](const Row &a, const Row &b) {
    return std::tie(a.address, a.order) < std::tie(b.address, b.order);
  });
  return table;
}

std::string LineTable::at(uint64_t pc) const {
  auto next = llvm::upper_bound(
      rows, pc, [](uint64_t at, const Row &row) { return at < row.address; });
  if (next == rows.begin() || std::prev(next)->line == 0)
    return "";
  const Row &row = *std::prev(next);
  return files[row.file] + ":" + std::to_string(row.line);
}
