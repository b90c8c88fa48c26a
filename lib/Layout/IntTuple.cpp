//===- IntTuple.cpp - Nested tuples of integers ---------------------------===//
//
// Everything here is a recursion over the nesting, whose depth the parser
// bounds.
//
//===----------------------------------------------------------------------===//

#include "fly/Layout/IntTuple.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace fly::layout;

unsigned IntTuple::depth() const {
  if (isLeaf())
    return 0;
  unsigned deepest = 0;
  for (const IntTuple &element : elements)
    deepest = std::max(deepest, element.depth());
  return deepest + 1;
}

bool IntTuple::operator==(const IntTuple &other) const {
  if (isLeaf() != other.isLeaf())
    return false;
  return isLeaf() ? value == other.value : elements == other.elements;
}

static void appendLeaves(const IntTuple &tuple,
                         llvm::SmallVectorImpl<Int> &result) {
  if (tuple.isLeaf()) {
    result.push_back(tuple.leaf());
    return;
  }
  for (unsigned i = 0; i < tuple.rank(); ++i)
    appendLeaves(tuple.mode(i), result);
}

llvm::SmallVector<Int> IntTuple::leaves() const {
  llvm::SmallVector<Int> result;
  appendLeaves(*this, result);
  return result;
}

bool IntTuple::isStatic() const {
  return isLeaf() ? value.isStatic()
                  : llvm::all_of(elements, [](const IntTuple &element) {
                      return element.isStatic();
                    });
}

std::string IntTuple::str() const {
  if (isLeaf())
    return value.str();
  std::string text = "(";
  for (const auto &[index, element] : llvm::enumerate(elements))
    text += (index ? "," : "") + element.str();
  return text + ")";
}

llvm::Expected<IntTuple> IntTuple::bind(Bindings bindings) const {
  if (isLeaf()) {
    llvm::Expected<int64_t> bound = value.bind(bindings);
    if (!bound)
      return bound.takeError();
    return IntTuple(*bound);
  }
  std::vector<IntTuple> result;
  for (const IntTuple &element : elements) {
    llvm::Expected<IntTuple> bound = element.bind(bindings);
    if (!bound)
      return bound;
    result.push_back(std::move(*bound));
  }
  return IntTuple::tuple(std::move(result));
}

bool fly::layout::congruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() || b.isLeaf())
    return a.isLeaf() == b.isLeaf();
  if (a.rank() != b.rank())
    return false;
  for (unsigned i = 0; i < a.rank(); ++i)
    if (!congruent(a.mode(i), b.mode(i)))
      return false;
  return true;
}

bool fly::layout::weaklyCongruent(const IntTuple &coordinate,
                                  const IntTuple &shape) {
  if (coordinate.isLeaf())
    return true;
  if (shape.isLeaf() || coordinate.rank() != shape.rank())
    return false;
  for (unsigned i = 0; i < shape.rank(); ++i)
    if (!weaklyCongruent(coordinate.mode(i), shape.mode(i)))
      return false;
  return true;
}

llvm::Expected<Int> fly::layout::product(const IntTuple &tuple) {
  Int result(1);
  for (const Int &leaf : tuple.leaves()) {
    llvm::Expected<Int> next = Int::multiply(result, leaf);
    if (!next)
      return next;
    result = *next;
  }
  return result;
}
