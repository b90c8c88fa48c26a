//===- PageValues.cpp - What the values of a report are on a page ---------===//
#include "PageValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace fly;
using namespace fly::reports;
using llvm::formatv;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

bool reports::isNumber(const Value &value) {
  return value.kind() == Value::Number;
}

bool reports::isFlat(const Value &value) {
  if (const Array *array = value.getAsArray())
    return llvm::none_of(*array, [](const Value &each) {
      return each.getAsObject() || each.getAsArray();
    });
  return !value.getAsObject();
}

bool reports::hasFlatMembers(const Object &object) {
  return llvm::all_of(object,
                      [](const auto &member) { return isFlat(member.second); });
}

bool reports::isFact(const Value &value) {
  const Object *object = value.getAsObject();
  return object && object->get("value") && hasFlatMembers(*object);
}

std::vector<StringRef> reports::keysOf(const Object &object) {
  std::vector<StringRef> keys;
  for (const auto &member : object)
    keys.push_back(member.first);
  return sortKeys(std::move(keys));
}

/// 1234567 as "1,234,567".
static std::string group(std::string digits) {
  size_t first = digits.front() == '-' ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

std::string reports::numberText(const Value &value, Show show) {
  double number = *value.getAsNumber();
  if (show == Show::Share)
    return formatv("{0:f1} %", 100 * number);
  if (show == Show::Percent)
    return formatv("{0:f1} %", number);
  if (auto whole = value.getAsUINT64())
    return show == Show::Address ? formatv("{0:x}", *whole).str()
                                 : group(std::to_string(*whole));
  if (auto whole = value.getAsInteger())
    return group(std::to_string(*whole));
  bool isPlain = std::abs(number) >= 1 && std::abs(number) < 1e15;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format(isPlain ? "%.2f" : "%.3g", number);
  return text;
}

std::string Column::title() const {
  return inner.empty() ? toWords(key) : toWords(key) + ": " + toWords(inner);
}

const Value *Column::find(const Object &row) const {
  const Value *value = row.get(key);
  if (!value || inner.empty())
    return value;
  const Object *object = value->getAsObject();
  return object ? object->get(inner) : value;
}

/// Adds what is new.
static void add(std::vector<StringRef> &keys, const Object &object) {
  for (const auto &member : object)
    if (!llvm::is_contained(keys, StringRef(member.first)))
      keys.push_back(member.first);
}

std::vector<Column> reports::columnsOf(llvm::ArrayRef<PageRow> rows) {
  std::vector<StringRef> keys;
  for (const PageRow &row : rows)
    add(keys, *row.second);
  std::vector<Column> columns;
  for (StringRef key : sortKeys(std::move(keys))) {
    std::vector<StringRef> inner;
    for (const PageRow &row : rows)
      if (const Object *object = row.second->getObject(key))
        if (hasFlatMembers(*object))
          add(inner, *object);
    if (inner.empty())
      columns.push_back({key, ""});
    for (StringRef each : sortKeys(std::move(inner)))
      columns.push_back({key, each});
  }
  for (Column &column : columns) {
    bool hasOther = false;
    for (const PageRow &row : rows)
      if (const Value *value = column.find(*row.second)) {
        column.isNumber |= isNumber(*value);
        hasOther |= !isNumber(*value) && value->kind() != Value::Null;
      }
    column.isNumber &= !hasOther;
  }
  return columns;
}
