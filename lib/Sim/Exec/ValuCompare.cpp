//===- ValuCompare.cpp - Vector comparisons to lane masks -----------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_cmp writes one bit a lane, 0 where EXEC is off; v_cmpx writes EXEC as well.
// The sixteen float relations name which of less, equal, greater and unordered
// are true; the integers have eight of them.
//
//===----------------------------------------------------------------------===//

#include <vector>

#include "ValuTable.h"

using namespace fly;
using namespace fly::sim;

namespace {

enum Relation : unsigned {
  kLess = 1,
  kEqual = 2,
  kGreater = 4,
  kUnordered = 8,
};

inline float comparable(float v) { return v; }
inline double comparable(double v) { return v; }
inline float comparable(Half v) { return halfToFloat(v.bits); }
template <typename T>
T comparable(T v) {
  return v;
}

/// Whether one of the relations in `Accepted` holds. Without unordered operands
/// each set is one or two host comparisons.
template <typename T, unsigned Accepted>
bool compare(T a, T b) {
  auto x = comparable(a);
  auto y = comparable(b);
  return ((Accepted & kLess) && x < y) || ((Accepted & kEqual) && x == y) ||
         ((Accepted & kGreater) && x > y) ||
         ((Accepted & kUnordered) && (x != x || y != y));
}

/// The ten classes of v_cmp_class, one bit each [AMD: CDNA3 ISA].
template <typename T>
unsigned classBit(T value) {
  using Bits = std::conditional_t<
      sizeof(T) == 8, uint64_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
  constexpr unsigned mantissa = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  Bits bits = bitCast<Bits>(value);
  bool negative = bits & sign;
  Bits magnitude = bits & Bits(~sign);
  Bits exponent = magnitude >> mantissa;
  constexpr Bits allOnes = Bits(Bits(sign - 1) >> mantissa);
  Bits fraction = magnitude & Bits((Bits(1) << mantissa) - 1);
  if (exponent == allOnes && fraction != 0)
    return fraction >> (mantissa - 1) ? 1 : 0;
  if (exponent == allOnes)
    return negative ? 2 : 9;
  if (exponent != 0)
    return negative ? 3 : 8;
  if (fraction != 0)
    return negative ? 4 : 7;
  return negative ? 5 : 6;
}
template <typename T>
bool isOfClass(T value, uint32_t classes) {
  return (classes >> classBit(value)) & 1;
}

template <typename T, unsigned Accepted>
void addRelation(std::vector<ValuRow> &rows,
                 llvm::ArrayRef<const char *> names) {
  constexpr unsigned flush = isFloatValue<T> ? kFlushes : kPlain;
  rows.push_back(valuWide<compare<T, Accepted>, flush>(names[0]));
  rows.push_back(valu<compare<T, Accepted>, flush | kWritesExec>(names[1]));
}

// Each pair of mnemonics is spelt out by the preprocessor, because a row keeps
// a static string.
#define FLY_PAIR(relation, type)                                               \
  {"v_cmp_" relation "_" type, "v_cmpx_" relation "_" type}

#define FLY_INTEGER_RELATIONS(T, type)                                         \
  addRelation<T, 0>(rows, FLY_PAIR("f", type));                                \
  addRelation<T, kLess>(rows, FLY_PAIR("lt", type));                           \
  addRelation<T, kEqual>(rows, FLY_PAIR("eq", type));                          \
  addRelation<T, kLess | kEqual>(rows, FLY_PAIR("le", type));                  \
  addRelation<T, kGreater>(rows, FLY_PAIR("gt", type));                        \
  addRelation<T, kLess | kGreater>(rows, FLY_PAIR("ne", type));                \
  addRelation<T, kGreater | kEqual>(rows, FLY_PAIR("ge", type));               \
  addRelation<T, kLess | kEqual | kGreater>(rows, FLY_PAIR("t", type))

#define FLY_FLOAT_RELATIONS(T, type)                                           \
  addRelation<T, 0>(rows, FLY_PAIR("f", type));                                \
  addRelation<T, kLess>(rows, FLY_PAIR("lt", type));                           \
  addRelation<T, kEqual>(rows, FLY_PAIR("eq", type));                          \
  addRelation<T, kLess | kEqual>(rows, FLY_PAIR("le", type));                  \
  addRelation<T, kGreater>(rows, FLY_PAIR("gt", type));                        \
  addRelation<T, kLess | kGreater>(rows, FLY_PAIR("lg", type));                \
  addRelation<T, kGreater | kEqual>(rows, FLY_PAIR("ge", type));               \
  addRelation<T, kLess | kEqual | kGreater>(rows, FLY_PAIR("o", type));        \
  addRelation<T, kUnordered>(rows, FLY_PAIR("u", type));                       \
  addRelation<T, kUnordered | kLess>(rows, FLY_PAIR("nge", type));             \
  addRelation<T, kUnordered | kEqual>(rows, FLY_PAIR("nlg", type));            \
  addRelation<T, kUnordered | kLess | kEqual>(rows, FLY_PAIR("ngt", type));    \
  addRelation<T, kUnordered | kGreater>(rows, FLY_PAIR("nle", type));          \
  addRelation<T, kUnordered | kLess | kGreater>(rows, FLY_PAIR("neq", type));  \
  addRelation<T, kUnordered | kEqual | kGreater>(rows, FLY_PAIR("nlt", type)); \
  addRelation<T, kUnordered | kLess | kEqual | kGreater>(                      \
      rows, FLY_PAIR("tru", type));                                            \
  rows.push_back(valuWide<isOfClass<T>>("v_cmp_class_" type));                 \
  rows.push_back(valu<isOfClass<T>, kWritesExec>("v_cmpx_class_" type))

std::vector<ValuRow> buildRows() {
  std::vector<ValuRow> rows;
  FLY_INTEGER_RELATIONS(int32_t, "i32");
  FLY_INTEGER_RELATIONS(uint32_t, "u32");
  FLY_INTEGER_RELATIONS(int64_t, "i64");
  FLY_INTEGER_RELATIONS(uint64_t, "u64");
  FLY_INTEGER_RELATIONS(int16_t, "i16");
  FLY_INTEGER_RELATIONS(uint16_t, "u16");
  FLY_FLOAT_RELATIONS(float, "f32");
  FLY_FLOAT_RELATIONS(double, "f64");
  FLY_FLOAT_RELATIONS(Half, "f16");
  return rows;
}

#undef FLY_FLOAT_RELATIONS
#undef FLY_INTEGER_RELATIONS
#undef FLY_PAIR

} // namespace

llvm::ArrayRef<ValuRow> fly::sim::valuCompareRows() {
  static const std::vector<ValuRow> rows = buildRows();
  return rows;
}
