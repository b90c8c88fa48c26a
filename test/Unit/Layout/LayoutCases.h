//===- LayoutCases.h - Random layouts and brute force -----------*- C++ -*-===//
//
// What tests of the algebra share: layouts from text, seeded random layouts,
// and functions as tables. Tables are filled by counting up like an odometer,
// which is another way than the library's division and remainder.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_LAYOUT_LAYOUTCASES_H
#define FLY_TEST_UNIT_LAYOUT_LAYOUTCASES_H

#include "fly/Layout/Parser.h"

#include <gtest/gtest.h>
#include <random>

namespace fly::layout {

/// What stands for an error in `text(...)`.
inline std::string message(llvm::Error error) {
  return "error: " + llvm::toString(std::move(error));
}

inline Layout layoutOf(llvm::StringRef text) {
  return llvm::cantFail(parseLayout(text));
}
inline IntTuple tupleOf(llvm::StringRef text) {
  return llvm::cantFail(parseIntTuple(text));
}
inline Tiler tilerOf(llvm::StringRef text) {
  return llvm::cantFail(parseTiler(text));
}

/// The text of a result, or "error: ..." with its message.
template <typename T>
std::string text(llvm::Expected<T> result) {
  if (!result)
    return message(result.takeError());
  if constexpr (std::is_arithmetic_v<T>)
    return std::to_string(*result);
  else
    return result->str();
}

/// The result, if there is one; drops the error.
template <typename T>
std::optional<T> maybe(llvm::Expected<T> result) {
  if (result)
    return std::move(*result);
  llvm::consumeError(result.takeError());
  return std::nullopt;
}
inline bool holds(llvm::Error error) {
  bool result = !error;
  llvm::consumeError(std::move(error));
  return result;
}

using Table = std::vector<int64_t>;

/// The indices of a static layout for the flat coordinates 0, 1, ...: all of
/// them, or `count` where that is more, for which the last leaf goes on.
inline Table table(const Layout &layout, size_t count = 0) {
  std::vector<int64_t> extents, strides;
  for (const Int &extent : layout.shape().leaves())
    extents.push_back(*extent.value());
  for (const Int &stride : layout.stride().leaves())
    strides.push_back(*stride.value());
  size_t size = 1;
  for (int64_t extent : extents)
    size *= extent;
  Table result;
  std::vector<int64_t> counters(extents.size(), 0);
  int64_t index = 0;
  while (result.size() < std::max(size, count)) {
    result.push_back(index);
    for (size_t i = 0; i < extents.size(); ++i) {
      index += strides[i];
      if (++counters[i] < extents[i] || i + 1 == extents.size())
        break;
      index -= extents[i] * strides[i];
      counters[i] = 0;
    }
  }
  return result;
}

/// A source of cases; a failure prints its seed.
class Cases {
public:
  explicit Cases(uint32_t seed)
      : engine(seed),
        trace(__FILE__, __LINE__, ("seed " + std::to_string(seed)).c_str()) {}

  int64_t number(int64_t least, int64_t greatest) {
    return least + int64_t(engine() % uint64_t(greatest - least + 1));
  }
  bool chance(int percent) { return number(1, 100) <= percent; }
  template <typename T>
  const T &pick(const std::vector<T> &values) {
    return values[number(0, values.size() - 1)];
  }

  int64_t extent() { return pick<int64_t>({1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8}); }

  /// The text of a layout: `leaves` nested at random.
  std::string nest(llvm::ArrayRef<std::pair<int64_t, int64_t>> leaves) {
    std::string shape, stride;
    nestInto(leaves, shape, stride, 0);
    return shape + ":" + stride;
  }

  /// Up to `most` leaves whose strides are any numbers.
  Layout any(unsigned most, int64_t greatestStride = 40) {
    std::vector<std::pair<int64_t, int64_t>> leaves(number(1, most));
    for (auto &[extent, stride] : leaves) {
      extent = this->extent();
      stride = chance(10) ? 0 : number(1, greatestStride);
    }
    return layoutOf(nest(leaves));
  }

  /// Leaves that count through [0, size) in a random order, with gaps of random
  /// factors in between and, with `holes`, of any size.
  Layout injective(unsigned most, bool gaps, bool holes = false) {
    std::vector<std::pair<int64_t, int64_t>> leaves(number(1, most));
    int64_t next = 1;
    for (auto &[extent, stride] : leaves) {
      if (gaps && chance(30))
        next *= number(2, 3);
      if (holes && chance(30))
        next += number(1, 5);
      extent = this->extent();
      stride = next;
      next *= extent;
    }
    std::shuffle(leaves.begin(), leaves.end(), engine);
    return layoutOf(nest(leaves));
  }

  /// Any of these kinds.
  Layout mixed(unsigned most) {
    switch (number(0, 3)) {
    case 0:
      return any(most);
    case 1:
      return injective(most, false);
    case 2:
      return injective(most, true);
    default:
      return injective(most, true, true);
    }
  }

  std::mt19937 engine;

private:
  void nestInto(llvm::ArrayRef<std::pair<int64_t, int64_t>> leaves,
                std::string &shape, std::string &stride, int depth) {
    if (leaves.size() == 1 && (depth > 3 || !chance(10))) {
      shape += std::to_string(leaves[0].first);
      stride += std::to_string(leaves[0].second);
      return;
    }
    shape += "(";
    stride += "(";
    size_t taken = 0;
    while (taken < leaves.size()) {
      if (taken) {
        shape += ",";
        stride += ",";
      }
      size_t part = depth > 3 ? 1 : number(1, leaves.size() - taken);
      // All in one part would only add parentheses.
      if (part == leaves.size() && part > 1)
        part = 1;
      nestInto(leaves.slice(taken, part), shape, stride, depth + 1);
      taken += part;
    }
    shape += ")";
    stride += ")";
  }

  testing::ScopedTrace trace;
};

} // namespace fly::layout

#endif // FLY_TEST_UNIT_LAYOUT_LAYOUTCASES_H
