//===- ExplicitText.h - Kernels as text with parameters ---------*- C++ -*-===//
#ifndef FLY_TEST_UNIT_CONVERSION_EXPLICITTEXT_H
#define FLY_TEST_UNIT_CONVERSION_EXPLICITTEXT_H

#include <string>
#include <utility>
#include <vector>

namespace fly::test {

/// `text` with each "$NAME" replaced by its value; longer names first.
inline std::string
fillIn(std::string text,
       const std::vector<std::pair<std::string, std::string>> &values) {
  for (const auto &[name, value] : values)
    for (size_t at = 0; (at = text.find("$" + name, at)) != std::string::npos;
         at += value.size())
      text.replace(at, name.size() + 1, value);
  return text;
}

} // namespace fly::test

#endif // FLY_TEST_UNIT_CONVERSION_EXPLICITTEXT_H
