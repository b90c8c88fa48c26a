//===- RegisterSet.h - a set of registers of all files ----------*- C++ -*-===//
//
// Indices are those of isa::reg. Most instructions touch no register of
// interest, so the question "does any of these registers lie in the set" has to
// take nanoseconds: an instruction's registers are a few pairs of word and
// mask.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_REGISTERSET_H
#define FLY_LIB_SIM_CHECK_REGISTERSET_H

#include "fly/Isa/RegisterUse.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace fly::sim {

class RegisterSet {
public:
  static constexpr unsigned wordCount = (isa::reg::count + 63) / 64;

  bool has(unsigned index) const {
    return (words[index / 64] >> index % 64) & 1;
  }
  void add(unsigned index) { words[index / 64] |= uint64_t(1) << index % 64; }
  void remove(unsigned index) {
    words[index / 64] &= ~(uint64_t(1) << index % 64);
  }
  void clear() { *this = RegisterSet(); }
  uint64_t word(unsigned index) const { return words[index]; }

private:
  uint64_t words[wordCount] = {};
};

/// The registers that an instruction touches, for fast tests.
class RegisterFootprint {
public:
  void add(isa::RegisterRange range) {
    for (unsigned i = 0; i != range.count; ++i)
      addOne(range.first + i);
  }
  bool meets(const RegisterSet &set) const {
    uint64_t met = 0;
    for (const Piece &piece : pieces)
      met |= set.word(piece.word) & piece.mask;
    return met != 0;
  }

private:
  struct Piece {
    unsigned word;
    uint64_t mask;
  };
  void addOne(unsigned index) {
    for (Piece &piece : pieces)
      if (piece.word == index / 64) {
        piece.mask |= uint64_t(1) << index % 64;
        return;
      }
    pieces.push_back({index / 64, uint64_t(1) << index % 64});
  }
  llvm::SmallVector<Piece, 5> pieces;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_REGISTERSET_H
