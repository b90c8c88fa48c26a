//===- TracedRegisters.cpp - Registers that traced code names -------------===//
#include "TracedRegisters.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace fly;
using namespace fly::analysis;

/// No wave can have more; a larger number is not a register's.
static constexpr unsigned mostRegisters = 512;

/// The number past the last register of "12" or "[4:7]", which stands behind
/// the letter of its file; 0 where it is something else.
static unsigned endOf(llvm::StringRef text) {
  bool isRange = text.consume_front("[");
  unsigned first, last;
  if (text.consumeInteger(10, first))
    return 0;
  last = first;
  if (isRange && text.consume_front(":") && text.consumeInteger(10, last))
    return 0;
  return last < mostRegisters ? last + 1 : 0;
}

NamedRegisters fly::analysis::findRegisters(
    llvm::ArrayRef<profile::TracedInstruction> instructions) {
  NamedRegisters named;
  for (const profile::TracedInstruction &row : instructions) {
    if (row.isComment())
      continue;
    llvm::StringRef text = row.text;
    for (size_t at = 1; at < text.size(); ++at) {
      char file = text[at], before = text[at - 1];
      if ((file != 'v' && file != 'a') || llvm::isAlnum(before) ||
          before == '_')
        continue;
      unsigned &count = file == 'v' ? named.arch : named.acc;
      count = std::max(count, endOf(text.drop_front(at + 1)));
    }
  }
  return named;
}
