//===- ObjectContracts.h - All contracts of a code object -------*- C++ -*-===//
//
// The kernels of an object and the programs that launch them, as one JSON text.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_CONTRACT_OBJECTCONTRACTS_H
#define FLY_CONTRACT_OBJECTCONTRACTS_H

#include "fly/Contract/LaunchContract.h"
#include "fly/Contract/ProgramContract.h"

namespace fly::contract {

struct ObjectContracts {
  std::vector<LaunchContract> kernels;
  std::vector<ProgramContract> programs;

  bool empty() const { return kernels.empty() && programs.empty(); }
};

/// All contracts of an object as one JSON text; the same text for the same
/// contracts. \p indent 0 is one line.
std::string printContracts(const ObjectContracts &contracts,
                           unsigned indent = 0);
llvm::Expected<ObjectContracts> parseContracts(llvm::StringRef text);

} // namespace fly::contract

#endif // FLY_CONTRACT_OBJECTCONTRACTS_H
