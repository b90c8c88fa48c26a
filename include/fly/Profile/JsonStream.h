//===- JsonStream.h - Values of a JSON file, one by one ---------*- C++ -*-===//
//
// What problem: a trace's JSON may be gigabytes long, cut, or not what its name
// says; a tree of it in memory, or recursion, is no answer.
// What idea: rapidjson's iterative reader gives values in order; each comes
// with its path from the root, so that a reader of a format says only which
// paths it knows. Errors carry file, path and byte.
// What it refuses: what is no JSON, a key that an object has twice, nesting
// beyond maxJsonDepth, and a string, number or blank of more than
// maxJsonTokenBytes.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_JSONSTREAM_H
#define FLY_PROFILE_JSONSTREAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace fly::profile {

/// Where a value stands: a key or an index for each level.
class JsonPath {
public:
  unsigned size() const { return steps.size(); }
  /// The key at \p level; empty in lists.
  llvm::StringRef key(unsigned level) const { return steps[level].key; }
  bool isList(unsigned level) const { return steps[level].isList; }
  /// The index at \p level; 0 in objects.
  uint64_t index(unsigned level) const { return steps[level].index; }
  /// True if the path has these keys; "*" stands for any key or index.
  bool is(std::initializer_list<llvm::StringRef> keys) const;
  /// "code[3][5]"
  std::string str() const;

private:
  friend class JsonEvents;
  struct Step {
    bool isList = false;
    std::string key;
    uint64_t index = 0;
  };
  llvm::SmallVector<Step, 8> steps;
};

struct JsonScalar {
  enum Kind { Null, Bool, Unsigned, Negative, Real, String };
  Kind kind = Null;
  bool flag = false;
  uint64_t number = 0; ///< Of Unsigned.
  double real = 0;     ///< Of all numbers.
  llvm::StringRef text;

  /// "null", "the string 'x'", ...
  std::string describe() const;
};

/// What reads one format. Errors need no place: it is put before them.
class JsonVisitor {
public:
  virtual ~JsonVisitor() = default;
  /// An object or list begins.
  virtual llvm::Error enter(const JsonPath &path, bool isList) = 0;
  virtual llvm::Error leave(const JsonPath &path) {
    return llvm::Error::success();
  }
  virtual llvm::Error value(const JsonPath &path, const JsonScalar &scalar) = 0;
};

/// Most levels of lists and objects, and most bytes of a string, a number or
/// the blanks between two values.
constexpr unsigned maxJsonDepth = 64;
constexpr size_t maxJsonTokenBytes = size_t(1) << 22;

/// Reads \p path through \p visitor.
llvm::Error readJson(llvm::StringRef path, JsonVisitor &visitor);

/// "expected \p what, found ...".
llvm::Error expectedJson(llvm::StringRef what, const JsonScalar &found);
llvm::Error expectedJson(llvm::StringRef what, bool foundList);
/// The whole number of \p scalar, at most \p most.
llvm::Expected<uint64_t> unsignedOf(const JsonScalar &scalar,
                                    llvm::StringRef what,
                                    uint64_t most = UINT64_MAX);

} // namespace fly::profile

#endif // FLY_PROFILE_JSONSTREAM_H
