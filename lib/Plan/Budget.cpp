//===- Budget.cpp - What a schedule costs, member by member ---------------===//
#include "fly/Plan/Budget.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fly;
using namespace fly::plan;

uint64_t Budget::total() const {
  uint64_t sum = 0;
  for (const BudgetMember &member : members)
    sum += member.amount;
  return sum;
}

uint64_t Budget::least() const {
  uint64_t sum = 0;
  for (const BudgetMember &member : members)
    sum += member.isAvoidable ? 0 : member.amount;
  return sum;
}

unsigned fly::plan::registerLimit(const arch::ArchInfo &chip,
                                  unsigned wavesPerSimd) {
  const arch::RegisterFile &file = chip.registers;
  unsigned share = *file.vgprsPerSimd / wavesPerSimd;
  return std::min<unsigned>(*file.maxVgprs,
                            llvm::alignDown(share, *file.vgprGranule));
}
