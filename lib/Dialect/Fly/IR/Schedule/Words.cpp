//===- Words.cpp - Words and numbers of a schedule ------------------------===//
#include "Words.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;

std::string schedule::describe(Attribute value) {
  if (auto word = dyn_cast<StringAttr>(value))
    return ("'" + word.getValue() + "'").str();
  if (auto number = dyn_cast<IntegerAttr>(value))
    return std::to_string(number.getInt());
  if (auto policy = dyn_cast<PolicyAttr>(value)) {
    // Numbers are what may be wrong, as in grouped(0).
    std::string numbers = llvm::join(
        llvm::map_range(policy.getPositional(),
                        [](Attribute each) {
                          auto number = dyn_cast<IntegerAttr>(each);
                          return number ? std::to_string(number.getInt())
                                        : std::string("...");
                        }),
        ", ");
    if (!policy.getNamed().empty())
      numbers = "...";
    return ("'" + policy.getName() + "(" + numbers + ")'").str();
  }
  return isa<ArrayAttr>(value) ? "a list" : "entries in braces";
}

bool schedule::isAuto(Attribute value) {
  auto word = dyn_cast_or_null<StringAttr>(value);
  return !value || (word && word.getValue() == "auto");
}

LogicalResult schedule::checkKeys(DictionaryAttr entries,
                                  ArrayRef<StringRef> known, StringRef what,
                                  EmitScheduleError emitError) {
  for (NamedAttribute entry : entries)
    if (!llvm::is_contained(known, entry.getName().getValue()))
      return emitError() << "unknown key '" << entry.getName().getValue()
                         << "' of " << what
                         << suggestWord(entry.getName(), known)
                         << "; known: " << llvm::join(known, ", ");
  return success();
}

LogicalResult schedule::refuseLater(StringRef key, Attribute value,
                                    const Twine &applied,
                                    EmitScheduleError emitError) {
  return emitError() << "'" << key << "' is " << describe(value)
                     << ", which no pass applies yet; applied: "
                     << applied.str() << ", auto";
}

StringRef schedule::getName(Attribute value) {
  if (auto word = dyn_cast_or_null<StringAttr>(value))
    return word.getValue();
  auto policy = dyn_cast_or_null<PolicyAttr>(value);
  return policy ? policy.getName() : StringRef();
}

FailureOr<std::optional<unsigned>>
schedule::readWord(DictionaryAttr entries, StringRef key,
                   ArrayRef<StringRef> words, EmitScheduleError emitError,
                   ArrayRef<StringRef> later) {
  Attribute value = entries.get(key);
  if (isAuto(value))
    return std::optional<unsigned>();
  auto word = dyn_cast<StringAttr>(value);
  if (word) {
    const auto *it = llvm::find(words, word.getValue());
    if (it != words.end())
      return std::optional<unsigned>(it - words.begin());
  }
  if (llvm::is_contained(later, getName(value)))
    return refuseLater(key, value, llvm::join(words, ", "), emitError);
  InFlightDiagnostic diag = emitError();
  diag << "'" << key << "' is " << describe(value);
  if (word)
    diag << suggestWord(word, words);
  if (!later.empty())
    diag << "; no pass applies yet: " << llvm::join(later, ", ");
  return diag << "; known: " << llvm::join(words, ", ") << ", auto";
}

FailureOr<std::optional<unsigned>>
schedule::readNumber(DictionaryAttr entries, StringRef key, unsigned low,
                     unsigned high, EmitScheduleError emitError,
                     unsigned most) {
  Attribute value = entries.get(key);
  if (isAuto(value))
    return std::optional<unsigned>();
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && number.getInt() >= low && number.getInt() <= high)
    return std::optional<unsigned>(number.getInt());
  if (number && number.getInt() > high && number.getInt() <= most)
    return refuseLater(
        key, value,
        low == high ? Twine(low) : "from " + Twine(low) + " to " + Twine(high),
        emitError);
  InFlightDiagnostic diag = emitError();
  diag << "'" << key << "' is " << describe(value) << "; expected ";
  if (low == high)
    return diag << low << " or auto";
  return diag << "a number from " << low << " to " << high << " or auto";
}

FailureOr<std::optional<Cache>>
schedule::readCache(DictionaryAttr entries, EmitScheduleError emitError) {
  auto word = readWord(entries, "cache", {"default", "stream"}, emitError);
  if (failed(word))
    return failure();
  return *word ? std::optional<Cache>(Cache(**word)) : std::nullopt;
}

Attribute
schedule::makeEntries(MLIRContext *context,
                      ArrayRef<std::pair<StringRef, Attribute>> list) {
  NamedAttrList entries;
  for (auto [key, value] : list)
    entries.append(key, value);
  return entries.getDictionary(context);
}
