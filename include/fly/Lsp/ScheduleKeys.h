//===- ScheduleKeys.h - What may stand in a schedule, as a table -*- C++
//-*-===//
//
// The keys of `#fly.schedule` with their values, defaults and meanings, as the
// editor shows them. docs/Guide/Schedules.md has the same table, which a test
// compares, as it does with what the readers of schedules accept.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LSP_SCHEDULEKEYS_H
#define FLY_LSP_SCHEDULEKEYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace fly::lsp {

/// Where a key may stand: in a schedule, in the braces of one of its entries,
/// or among the arguments of a word.
struct ScheduleKey {
  /// "schedule", "grid", "load", "lds", "regs", "dot" (and loop), "store", or
  /// "direct".
  llvm::StringLiteral owner;
  llvm::StringLiteral key;
  /// The words that are values, separated by spaces; numbers and shapes as they
  /// are written.
  llvm::StringLiteral words;
  /// What a value is, for people.
  llvm::StringLiteral value;
  llvm::StringLiteral fallback;
  llvm::StringLiteral meaning;
};

/// All keys, those of one owner together.
llvm::ArrayRef<ScheduleKey> getScheduleKeys();

/// The key of that owner, or null.
const ScheduleKey *findScheduleKey(llvm::StringRef owner, llvm::StringRef key);

/// Prints the table of docs/Guide/Schedules.md.
void printScheduleKeys(llvm::raw_ostream &os);

} // namespace fly::lsp

#endif // FLY_LSP_SCHEDULEKEYS_H
