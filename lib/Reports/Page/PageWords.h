//===- PageWords.h - What keys of reports are called on pages ---*- C++ -*-===//
#ifndef FLY_LIB_REPORTS_PAGE_PAGEWORDS_H
#define FLY_LIB_REPORTS_PAGE_PAGEWORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fly::reports {

/// How the values of a key are shown.
enum class Show {
  Plain,
  Share,   ///< 0.25 as "25.0 %", in tables with a bar.
  Percent, ///< 25 as "25.0 %".
  Verdict, ///< true as "holds", false as "FAILS".
  Change,  ///< "worse" and "better" stand out.
  Code,    ///< Of a fixed width.
  Address, ///< A number as hexadecimal code.
  Blocks,  ///< An array whose objects have too many members for columns.
};

/// How \p key is shown.
Show getShow(llvm::StringRef key);

/// The key in words: "lds_bytes" is "LDS bytes".
std::string toWords(llvm::StringRef key);

/// The keys of \p object, what names it first and what explains it last; those
/// of no known place by the alphabet.
std::vector<llvm::StringRef> sortKeys(std::vector<llvm::StringRef> keys);

} // namespace fly::reports

#endif // FLY_LIB_REPORTS_PAGE_PAGEWORDS_H
