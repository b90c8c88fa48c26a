//===- PageValues.h - What the values of a report are on a page -*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_PAGE_PAGEVALUES_H
#define FLY_LIB_REPORTS_PAGE_PAGEVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <utility>
#include <vector>

#include "PageWords.h"

namespace fly::reports {

/// \p text with its control characters spelled, not yet escaped; see toHtml().
std::string spellHidden(llvm::StringRef text, bool keepLines);

bool isNumber(const llvm::json::Value &value);

/// Whether \p value has a place in one cell: no object in it.
bool isFlat(const llvm::json::Value &value);
bool hasFlatMembers(const llvm::json::Object &object);

/// Whether \p value is a number with what is known of it: an object with
/// `value` whose members are flat.
bool isFact(const llvm::json::Value &value);

/// The keys in the order of the page.
std::vector<llvm::StringRef> keysOf(const llvm::json::Object &object);

/// A number as it is read; its <data> element has all of it.
std::string numberText(const llvm::json::Value &value, Show show);

/// A row of a table: an object, and its name where an object held it.
using PageRow = std::pair<llvm::StringRef, const llvm::json::Object *>;

/// A column: a member of its rows, or a member of such a member.
struct Column {
  llvm::StringRef key, inner;
  /// Whether there are numbers in it, and at most nulls beside them.
  bool isNumber = false;

  llvm::StringRef shownKey() const { return inner.empty() ? key : inner; }
  /// "next: fewer".
  std::string title() const;
  /// Its value in a row; null where it has none.
  const llvm::json::Value *find(const llvm::json::Object &row) const;
};

/// The columns that \p rows need.
std::vector<Column> columnsOf(llvm::ArrayRef<PageRow> rows);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_PAGE_PAGEVALUES_H
