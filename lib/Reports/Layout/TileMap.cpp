//===- TileMap.cpp - Which wave, lane, register hold an element -----------===//
#include "fly/Reports/Layout/TileMap.h"

#include "fly/Arch/Wave.h"

#include <algorithm>

using namespace fly::reports;

TileMap::TileMap(LaneMap laneMap, llvm::ArrayRef<int64_t> extents,
                 int64_t threads)
    : map(std::move(laneMap)), shape(extents.begin(), extents.end()),
      threads(threads), table(getRows() * getColumns()) {
  for (int64_t thread = 0; thread < threads; ++thread)
    for (unsigned slot = 0; slot < map.tails.size(); ++slot) {
      Holder holder{unsigned(thread / arch::waveLanes),
                    unsigned(thread % arch::waveLanes), slot};
      auto [row, column] = element(holder);
      if (row >= 0)
        table[row * getColumns() + column].push_back(holder);
    }
}

std::pair<int64_t, int64_t> TileMap::element(const Holder &holder) const {
  llvm::SmallVector<int64_t, 2> at = map.evaluate(
      int64_t(holder.wave) * arch::waveLanes + holder.lane, holder.slot);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (at[dim] < 0 || at[dim] >= shape[dim])
      return {-1, -1};
  return {shape.size() < 2 ? 0 : at[0], at.back()};
}

std::vector<Run> TileMap::runs() const {
  std::vector<Run> runs;
  for (int64_t row = 0; row < getRows(); ++row)
    for (int64_t column = 0; column < getColumns(); ++column) {
      llvm::ArrayRef<Holder> here = holders(row, column);
      if (here.empty())
        continue;
      if (!runs.empty()) {
        Run &last = runs.back();
        Holder next = last.first;
        next.slot += last.count;
        if (last.row == row && last.column + last.count == column &&
            next == here.front()) {
          ++last.count;
          continue;
        }
      }
      runs.push_back({row, column, 1, here.front()});
    }
  return runs;
}

std::pair<unsigned, unsigned> TileMap::multiplicity() const {
  unsigned most = 0, fewest = ~0u;
  for (const auto &holders : table) {
    most = std::max<unsigned>(most, holders.size());
    fewest = std::min<unsigned>(fewest, holders.size());
  }
  return {most, fewest};
}

std::string TileMap::formula(unsigned dim) const {
  constexpr const char *names[] = {"thread", "lane", "wave"};
  std::string text;
  for (const LaneTerm &term : map.base[dim]) {
    std::string part = names[term.source];
    if (term.div != 1)
      part += " / " + std::to_string(term.div);
    if (term.mod)
      part += " % " + std::to_string(term.mod);
    if (term.mul != 1)
      part = std::to_string(term.mul) + " * " +
             (term.div != 1 || term.mod ? "(" + part + ")" : part);
    text += (text.empty() ? "" : " + ") + part;
  }
  return text.empty() ? "0" : text;
}
