//===- UnknownValues.h - Layouts with some integers hidden ------*- C++ -*-===//
//
// An operation on a layout with unknown values has to give what it gives once
// they are known. These functions hide integers of a layout behind names, and
// put them back into results.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_LAYOUT_UNKNOWNVALUES_H
#define FLY_TEST_UNIT_LAYOUT_UNKNOWNVALUES_H

#include <map>

#include "LayoutCases.h"

namespace fly::layout {

/// The same layout twice: with unknown values, and their values.
struct Symbolic {
  Layout unknown;
  std::map<std::string, int64_t> values;

  std::optional<int64_t> value(llvm::StringRef name) const {
    auto found = values.find(name.str());
    return found == values.end() ? std::nullopt
                                 : std::optional<int64_t>(found->second);
  }
};

/// Replaces some integers by unknown values; a factor may stay known.
inline IntTuple hide(const IntTuple &tuple, Cases &cases, Symbolic &result) {
  if (!tuple.isLeaf()) {
    std::vector<IntTuple> elements;
    for (unsigned i = 0; i < tuple.rank(); ++i)
      elements.push_back(hide(tuple.mode(i), cases, result));
    return IntTuple::tuple(elements);
  }
  int64_t value = tuple.leaf().factor();
  if (value < 1 || !cases.chance(40))
    return tuple;
  int64_t known = value % 4 == 0 && cases.chance(60)   ? 4
                  : value % 2 == 0 && cases.chance(60) ? 2
                                                       : 1;
  // Equal values may have equal names.
  std::string name = "v" + std::to_string(value / known);
  result.values[name] = value / known;
  return llvm::cantFail(
      Int::multiply(known, llvm::cantFail(Int::unknown(name))));
}

inline Symbolic hide(const Layout &layout, Cases &cases) {
  Symbolic result;
  IntTuple shape = hide(layout.shape(), cases, result);
  IntTuple stride = hide(layout.stride(), cases, result);
  result.unknown = llvm::cantFail(Layout::get(shape, stride));
  return result;
}

/// The result with all values known, which must have the text that it reads.
inline Layout reveal(const Layout &layout, const Symbolic &symbols) {
  EXPECT_EQ(layoutOf(layout.str()), layout);
  return llvm::cantFail(
      layout.bind([&](llvm::StringRef name) { return symbols.value(name); }));
}

} // namespace fly::layout

#endif // FLY_TEST_UNIT_LAYOUT_UNKNOWNVALUES_H
