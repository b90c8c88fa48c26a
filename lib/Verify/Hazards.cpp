//===- Hazards.cpp - Distances that the hardware does not keep ------------===//
//
// What problem: between some dependent instructions the hardware keeps no
// distance; see fly/Arch/Hazards.h.
// What idea: from each instruction backwards over all paths, as far as the
// longest distance of the table reaches. Each instruction is a wait state, so
// that is a few steps a path, and a block is walked again only from a shorter
// distance, or where less was overwritten on the way.
// What it takes as known: an instruction that the assembler counts as one wait
// state takes no less, as LLVM assumes, too. Registers that are overwritten in
// between still count, as LLVM counts them, but for results of matrix
// instructions: of those the last one of a path counts, in LLVM, too, since it
// comes behind the others.
//
//===----------------------------------------------------------------------===//
#include "fly/Isa/HazardRoles.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

#include "Checks.h"

using namespace fly;
using namespace fly::verify;
using isa::HazardNeed;
using isa::HazardRoles;

namespace {

class HazardCheck {
public:
  explicit HazardCheck(const KernelCode &code) : code(code) {
    for (const isa::Instruction &inst : code.instructions())
      roles.push_back(hazardRoles(inst, code.arch.chip));
  }

  CheckResult run();

private:
  /// A need that some path does not meet.
  struct Violation {
    HazardNeed need;
    unsigned distance = 0; ///< Wait states of the shortest path.
  };
  /// By producer, in their order.
  using Violations = std::map<size_t, Violation>;
  Violations walk(size_t consumer, unsigned takenBranch) const;
  void check(size_t consumer);
  Finding describe(size_t consumer, size_t producer,
                   const Violation &violation) const;

  const KernelCode &code;
  std::vector<HazardRoles> roles;
  CheckResult result;
};

} // namespace

/// All producers that are too near on some path. A taken branch counts
/// `takenBranch` more than other instructions.
HazardCheck::Violations HazardCheck::walk(size_t consumer,
                                          unsigned takenBranch) const {
  using Ranges = llvm::SmallVector<isa::RegisterRange, 4>;
  struct Walk {
    unsigned block;
    size_t end;         ///< The walk goes on in front of this instruction.
    unsigned distance;  ///< Wait states from there to the consumer.
    Ranges overwritten; ///< By matrix instructions from there on.

    /// Whether it finds all that one from distance \p total with \p others
    /// overwritten does.
    bool finds(unsigned total, const Ranges &others) const {
      return distance <= total &&
             llvm::all_of(overwritten, [&](const isa::RegisterRange &range) {
               return llvm::is_contained(others, range);
             });
    }
  };
  llvm::ArrayRef<isa::Block> blocks = code.flow.blocks();
  llvm::SmallVector<Walk> open = {
      {code.flow.blockOf(consumer), consumer, 0, {}}};
  llvm::SmallDenseMap<unsigned, llvm::SmallVector<Walk, 1>> begun;
  Violations violations;
  while (!open.empty()) {
    auto [number, i, distance, overwritten] = open.pop_back_val();
    size_t begin = blocks[number].begin;
    while (i != begin && distance < arch::maxHazardWaitStates) {
      --i;
      std::optional<HazardNeed> need =
          findHazard(roles[i], roles[consumer], code.arch.chip, overwritten);
      if (need && need->waitStates > distance) {
        auto [it, isNew] =
            violations.try_emplace(i, Violation{*need, distance});
        if (!isNew && distance < it->second.distance)
          it->second = {*need, distance};
      }
      distance += roles[i].waitStates;
      roles[i].addResults(overwritten);
    }
    for (unsigned before : blocks[number].predecessors) {
      bool isTaken = blocks[before].end != begin;
      unsigned total = distance + (isTaken ? takenBranch : 0);
      llvm::SmallVector<Walk, 1> &walks = begun[before];
      if (total >= arch::maxHazardWaitStates ||
          llvm::any_of(walks, [total, &others = overwritten](const Walk &walk) {
            return walk.finds(total, others);
          }))
        continue;
      walks.push_back({before, blocks[before].end, total, overwritten});
      open.push_back(walks.back());
    }
  }
  return violations;
}

/// "v0", or the number of a hardware register, or nothing.
static std::string subjectOf(const HazardNeed &need) {
  switch (need.row->source) {
  case arch::HazardSource::SetsHardwareRegister:
    return " on hardware register " + std::to_string(need.registerIndex);
  case arch::HazardSource::DoubleMatrix:
    return "";
  default:
    return " on " + isa::registerName(need.registerIndex);
  }
}

Finding HazardCheck::describe(size_t consumer, size_t producer,
                              const Violation &violation) const {
  Finding finding;
  finding.rule = Rule::Hazards;
  finding.place = code.place(consumer);
  finding.producer = code.place(producer);
  finding.what = "comes too soon" + subjectOf(violation.need) + ": " +
                 violation.need.row->text;
  finding.expected =
      std::to_string(violation.need.waitStates) + " wait states in between";
  finding.actual = std::to_string(violation.distance);
  return finding;
}

void HazardCheck::check(size_t consumer) {
  Violations open = walk(consumer, /*takenBranch=*/0);
  if (open.empty())
    return;
  Violations proven = walk(consumer, *arch::takenBranchWaitStates);
  for (auto &[producer, violation] : open) {
    auto it = proven.find(producer);
    if (it != proven.end()) {
      result.findings.push_back(describe(consumer, producer, it->second));
      continue;
    }
    Finding note = describe(consumer, producer, violation);
    note.actual += " and taken branches (" +
                   std::string(arch::takenBranchWaitStates.assumption()) + ")";
    result.notes.push_back(std::move(note));
  }
}

CheckResult HazardCheck::run() {
  for (unsigned number : code.flow.order()) {
    const isa::Block &block = code.flow.blocks()[number];
    for (size_t i = block.begin; i != block.end; ++i)
      if (!roles[i].uses.empty())
        check(i);
  }
  return std::move(result);
}

CheckResult fly::verify::checkHazards(const KernelCode &code) {
  return HazardCheck(code).run();
}
