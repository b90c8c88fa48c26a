//===- HazardRoles.h - the part an instruction plays in hazards -*- C++ -*-===//
//
// What problem: the table of hazards (fly/Arch/Hazards.h) speaks of roles; code
// consists of instructions.
// What idea: the roles of an instruction with their registers, found once, and
// a question about two instructions: how many wait states must lie between. The
// checker of final bytes asks it over all paths, a simulator of what it runs.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_ISA_HAZARDROLES_H
#define FLY_ISA_HAZARDROLES_H

#include "fly/Arch/Hazards.h"
#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace fly::isa {

/// The roles of one instruction. Registers of the two hardware-register roles
/// are numbers of hardware registers, those of DoubleMatrix and DoubleFma have
/// no meaning and are all the same.
struct HazardRoles {
  struct Source {
    arch::HazardSource role;
    RegisterRange range;
  };
  struct Use {
    arch::HazardUse role;
    RegisterRange range;
  };
  llvm::SmallVector<Source, 4> sources;
  llvm::SmallVector<Use, 8> uses;
  arch::MatrixTiming matrix; ///< Of matrix instructions.
  llvm::StringRef mnemonic;
  /// What it adds to the distance of those around it: 1, s_nop N: N + 1.
  unsigned waitStates = 1;

  /// Appends what it writes as a matrix instruction, for findHazard().
  void addResults(llvm::SmallVectorImpl<RegisterRange> &results) const {
    for (const Source &source : sources)
      if (source.role == arch::HazardSource::MatrixWrites)
        results.push_back(source.range);
  }
};

HazardRoles hazardRoles(const Instruction &inst, arch::Chip chip);

/// What must lie between two instructions.
struct HazardNeed {
  unsigned waitStates = 0;
  const arch::HazardRow *row = nullptr;
  uint16_t registerIndex = 0; ///< The first one that both touch.
};

/// The largest need of the two, if any. `overwritten` are results of matrix
/// instructions between them: what the first one writes and they write again is
/// theirs, and between those two the distance is kept, so it no longer counts.
std::optional<HazardNeed>
findHazard(const HazardRoles &first, const HazardRoles &second, arch::Chip chip,
           llvm::ArrayRef<RegisterRange> overwritten = {});

} // namespace fly::isa

#endif // FLY_ISA_HAZARDROLES_H
