//===- RuntimeValue.h - Values of the interpreter ---------------*- C++ -*-===//
//
// What an SSA value holds while the reference executor runs: a number, a
// pointer, a view, or a tile. Tiles are shared and never changed once made.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_REFERENCE_RUNTIMEVALUE_H
#define FLY_LIB_REFERENCE_RUNTIMEVALUE_H

#include "fly/Dialect/Fly/IR/FlyAttrs.h"
#include "fly/Reference/Executor.h"
#include "fly/Support/ElementType.h"

#include <memory>
#include <variant>
#include <vector>

#include "Elementwise.h"

namespace fly::reference {

/// A tile of floats (in `floats`) or integers (in `integers`), row-major.
struct Tile {
  llvm::SmallVector<int64_t, 4> shape;
  bool isFloat = true;
  std::vector<double> floats;
  std::vector<int64_t> integers;
  /// How far each element may be off; empty where all are exact.
  std::vector<double> errors;

  static std::shared_ptr<Tile> make(llvm::ArrayRef<int64_t> shape,
                                    bool isFloat) {
    auto tile = std::make_shared<Tile>();
    tile->shape.assign(shape.begin(), shape.end());
    tile->isFloat = isFloat;
    if (isFloat)
      tile->floats.resize(tile->size());
    else
      tile->integers.resize(tile->size());
    return tile;
  }
  Element at(int64_t index) const {
    Element element;
    if (isFloat)
      element.f = floats[index];
    else
      element.i = integers[index];
    if (!errors.empty())
      element.error = errors[index];
    return element;
  }
  void set(int64_t index, Element element) {
    if (isFloat)
      floats[index] = element.f;
    else
      integers[index] = element.i;
    setError(index, element.error);
  }
  void setError(int64_t index, double error) {
    if (errors.empty() && error != 0)
      errors.resize(size());
    if (!errors.empty())
      errors[index] = error;
  }
  int64_t size() const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    return count;
  }
};
using TilePtr = std::shared_ptr<const Tile>;

/// A scalar float, and how far it may be off.
struct Real {
  double value = 0, error = 0;
  template <typename T, typename = std::enable_if_t<std::is_same_v<T, double>>>
  Real(T value, double error = 0) : value(value), error(error) {}
};

/// A scalar integer, and how far it may be off.
struct Integer {
  int64_t value = 0;
  double error = 0;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  Integer(T value, double error = 0) : value(int64_t(value)), error(error) {}
};

/// A pointer: the memory of an argument, or of an LDS field.
struct Pointer {
  const Memory *memory = nullptr;
};

/// A view with its numbers filled in.
struct View {
  const Memory *memory = nullptr;
  ElementType type;
  llvm::SmallVector<int64_t, 4> extents;
  /// In elements, from `offset`.
  llvm::SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
  /// Permutation of the byte addresses, null if there is none.
  SwizzleAttr swizzle;
  /// Order of the elements of the last two dimensions, null if row-major.
  PreshuffleAttr preshuffle;
  /// Where the elements lie, in elements from `offset`; null if the strides say
  /// it. Of this view's extents.
  std::shared_ptr<const layout::ComposedLayout> layout;

  /// Whether elements do not lie where the strides say.
  bool isPermuted() const { return swizzle || preshuffle || layout; }
};

using RuntimeValue =
    std::variant<std::monostate, Integer, Real, Pointer, View, TilePtr>;

/// A scalar of this element, and the element of a scalar.
inline RuntimeValue scalarOf(bool isFloat, Element element) {
  return isFloat ? RuntimeValue(Real(element.f, element.error))
                 : RuntimeValue(Integer(element.i, element.error));
}
inline Element elementOf(const RuntimeValue &scalar) {
  Element element;
  if (auto *real = std::get_if<Real>(&scalar)) {
    element.f = real->value;
    element.error = real->error;
  } else {
    element.i = std::get<Integer>(scalar).value;
    element.error = std::get<Integer>(scalar).error;
  }
  return element;
}

} // namespace fly::reference

#endif // FLY_LIB_REFERENCE_RUNTIMEVALUE_H
