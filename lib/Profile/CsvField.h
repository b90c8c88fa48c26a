//===- CsvField.h - Text in a CSV -------------------------------*- C++ -*-===//
#ifndef FLY_LIB_PROFILE_CSVFIELD_H
#define FLY_LIB_PROFILE_CSVFIELD_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::profile {

/// A field as profilers write text: in quotes, quotes in it doubled.
inline std::string quoted(llvm::StringRef text) {
  std::string field = "\"";
  for (char c : text) {
    if (c == '"')
      field += c;
    field += c;
  }
  return field + '"';
}

} // namespace fly::profile

#endif // FLY_LIB_PROFILE_CSVFIELD_H
