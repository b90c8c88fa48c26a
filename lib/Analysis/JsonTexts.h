//===- JsonTexts.h - Lists of texts as JSON ---------------------*- C++ -*-===//
#ifndef FLY_LIB_ANALYSIS_JSONTEXTS_H
#define FLY_LIB_ANALYSIS_JSONTEXTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace fly::analysis {

/// The texts as they are, but for bytes that are no UTF-8.
inline llvm::json::Array texts(llvm::ArrayRef<std::string> lines) {
  llvm::json::Array array;
  for (const std::string &line : lines)
    array.push_back(llvm::json::fixUTF8(line));
  return array;
}

} // namespace fly::analysis

#endif // FLY_LIB_ANALYSIS_JSONTEXTS_H
