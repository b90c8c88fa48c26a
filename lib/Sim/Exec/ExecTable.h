//===- ExecTable.h - executors by mnemonic ----------------------*- C++ -*-===//

#ifndef FLY_LIB_SIM_EXEC_EXECTABLE_H
#define FLY_LIB_SIM_EXEC_EXECTABLE_H

#include "fly/Sim/WaveState.h"

#include "llvm/ADT/StringRef.h"

namespace fly::sim {

/// One row of a unit's table.
struct ExecEntry {
  llvm::StringLiteral mnemonic;
  ExecFn execute;
};

/// Null if the table has no such mnemonic. Searched once per static
/// instruction, so a linear search is fast enough.
template <size_t N>
ExecFn findExec(const ExecEntry (&table)[N], llvm::StringRef mnemonic) {
  for (const ExecEntry &entry : table)
    if (entry.mnemonic == mnemonic)
      return entry.execute;
  return nullptr;
}

} // namespace fly::sim

#endif // FLY_LIB_SIM_EXEC_EXECTABLE_H
