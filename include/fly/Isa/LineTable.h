//===- LineTable.h - source lines of instructions ---------------*- C++ -*-===//
//
// What problem: a finding or a count is about an instruction, its cause is a
// line of a source file.
// What idea: the rows of the object's DWARF line tables, read once and kept by
// address.
// What it refuses: objects without line tables, and broken ones, have no rows.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_LINETABLE_H
#define FLY_ISA_LINETABLE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::isa {

/// Rows of the line tables of one code object.
class LineTable {
public:
  LineTable() = default;
  /// From the bytes of an ELF file.
  static LineTable read(llvm::StringRef object);

  bool empty() const { return rows.empty(); }
  /// "gemm.mlir:12" of the instruction at `pc`; empty where nothing is known.
  std::string at(uint64_t pc) const;

private:
  struct Row {
    uint64_t address = 0; ///< In the object; valid up to the next row.
    uint32_t file = 0;    ///< Index in `files`.
    uint32_t line = 0;    ///< 0: none.
    uint32_t order = 0;   ///< In the object.
  };
  std::vector<Row> rows; ///< Ascending by address.
  std::vector<std::string> files;
};

} // namespace fly::isa

#endif // FLY_ISA_LINETABLE_H
