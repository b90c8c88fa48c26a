//===- PathStates.cpp - What is pending, by paths -------------------------===//
#include "PathStates.h"

using namespace fly;
using namespace fly::verify;

/// Values that a register may have at the begin of one block before it counts
/// as unknown there: more than any pipeline has stages.
static constexpr unsigned maxVariants = 8;

bool PathStates::merge(PendingSet &into, const PendingSet &from) const {
  bool hasChanged = false;
  for (const auto &[number, entry] : from) {
    auto [it, isNew] = into.try_emplace(number, entry);
    hasChanged |= isNew || order.merge(it->second, entry);
  }
  return hasChanged;
}

/// Whether register `r` no longer counts now that it comes with `value`, too.
bool PathStates::widens(unsigned block, unsigned r, ValueId value) {
  llvm::DenseSet<ValueId> &seen = variants[block][r];
  seen.insert(value);
  if (seen.size() <= maxVariants)
    return false;
  widened[block].insert(r);
  return true;
}

/// What was told apart by a register that no longer counts comes together.
void PathStates::joinWidened(unsigned block) {
  std::map<Environment, PendingSet> before = std::move(in[block]);
  in[block].clear();
  for (auto &[old, state] : before) {
    Environment kept = old;
    llvm::erase_if(kept.registers, [&](const auto &entry) {
      return widened[block].contains(entry.first);
    });
    merge(in[block][kept], state);
    changed.push_back({block, std::move(kept)});
  }
}

void PathStates::enter(unsigned block, const LaneRegisters &registers,
                       const PendingSet &pending, uint16_t lead) {
  Environment environment;
  environment.lead = lead;
  bool isWidened = false;
  for (unsigned r : demand.liveIn(block).set_bits()) {
    ValueId value = registers.values[r];
    if (value == unknownValue || widened[block].contains(r))
      continue;
    if (widens(block, r, value))
      isWidened = true;
    else
      environment.registers.push_back({uint16_t(r), value});
  }
  if (isWidened)
    joinWidened(block);
  auto [it, isNew] = in[block].try_emplace(environment);
  if (merge(it->second, pending) || isNew)
    changed.push_back({block, std::move(environment)});
}

std::optional<Visit> PathStates::next() {
  while (!changed.empty()) {
    auto [block, environment] = std::move(changed.back());
    changed.pop_back();
    auto it = in[block].find(environment);
    if (it != in[block].end()) // Else it has come together with others.
      return Visit{block, std::move(environment), it->second};
  }
  return std::nullopt;
}
