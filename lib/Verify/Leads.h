//===- Leads.h - How many barriers waves are ahead --------------*- C++ -*-===//
//
// What problem: where waves are staggered (Stagger.h), what a barrier orders
// depends on how many each wave has passed.
// What idea: what matters is how many more than the wave with the fewest. There
// are few such leads in a kernel, so states of the analysis name them by
// numbers.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_VERIFY_LEADS_H
#define FLY_LIB_VERIFY_LEADS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <vector>

namespace fly::verify {

/// Barriers that each wave has passed more than the one with the fewest.
using Lead = llvm::SmallVector<uint8_t, 16>;

/// Leads beyond which waves are no longer followed: no order of turns has more.
constexpr unsigned maxLead = 8;

/// Leads by numbers; 0 is none of any wave.
class Leads {
public:
  explicit Leads(unsigned waves) { number(Lead(waves, 0)); }

  const Lead &operator[](uint16_t number) const { return *all[number]; }
  uint16_t number(Lead lead) {
    auto [it, isNew] = numbers.try_emplace(std::move(lead), all.size());
    if (isNew)
      all.push_back(&it->first);
    return it->second;
  }
  /// The larger one of each wave.
  uint16_t join(uint16_t a, uint16_t b) {
    if (a == b)
      return a;
    Lead joined = *all[a];
    for (auto [mine, other] : llvm::zip_equal(joined, *all[b]))
      mine = std::max(mine, other);
    return number(std::move(joined));
  }

private:
  std::map<Lead, uint16_t> numbers;
  std::vector<const Lead *> all;
};

} // namespace fly::verify

#endif // FLY_LIB_VERIFY_LEADS_H
