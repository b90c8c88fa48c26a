//===- RunRequest.cpp - Options of fly-run with a structure ---------------===//
#include "RunRequest.h"

#include "llvm/ADT/StringExtras.h"

using namespace fly;
using namespace fly::tools;
using llvm::StringRef;

llvm::Expected<Expectation> fly::tools::parseExpectation(StringRef text) {
  Expectation expectation;
  // The tolerances stand at the end; a SPEC has no comma outside a file name.
  for (;;) {
    auto [head, last] = text.rsplit(',');
    double *value = last.starts_with("atol=") ? &expectation.tolerance.absolute
                    : last.starts_with("rtol=")
                        ? &expectation.tolerance.relative
                        : nullptr;
    if (!value && !last.empty() && !text.contains('@'))
      return llvm::createStringError(
          "--expect=" + text + ": '" + last +
          "' is no tolerance, expected atol=NUMBER or rtol=NUMBER");
    if (!value)
      break;
    if (last.drop_front(5).getAsDouble(*value) || !(*value >= 0))
      return llvm::createStringError("--expect=" + text + ": '" + last +
                                     "' is no tolerance, expected a number of "
                                     "at least 0, as in " +
                                     last.take_front(5) + "1e-3");
    text = head;
  }
  llvm::Expected<launch::NamedSpec> spec = launch::parseNamedSpec(text);
  if (!spec)
    return llvm::createStringError("--expect: " +
                                   llvm::toString(spec.takeError()));
  expectation.spec = *spec;
  return expectation;
}

llvm::Expected<std::array<uint32_t, 3>>
fly::tools::parseExtents(StringRef option, StringRef text) {
  std::array<uint32_t, 3> extents = {1, 1, 1};
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  bool isRight = parts.size() <= 3;
  for (size_t i = 0; isRight && i < parts.size(); ++i)
    isRight = !parts[i].trim().getAsInteger(10, extents[i]) && extents[i];
  if (!isRight)
    return llvm::createStringError("--" + option + "=" + text +
                                   ": expected one to three positive numbers, "
                                   "for example 16,4,1");
  return extents;
}

llvm::Error fly::tools::parseChecks(StringRef text, RunRequest &request) {
  if (text == "all")
    return llvm::Error::success();
  request.checkReference = request.checkGuards = request.checkAsserts = false;
  request.simChecks = sim::CheckSet();
  if (text == "none")
    return llvm::Error::success();
  const std::pair<StringRef, bool *> known[] = {
      {"reference", &request.checkReference},
      {"guards", &request.checkGuards},
      {"asserts", &request.checkAsserts}};
  llvm::SmallVector<StringRef, 4> words;
  text.split(words, ',');
  for (StringRef word : words) {
    if (word == "all" || word == "none")
      return llvm::createStringError("--check=" + text + ": '" + word +
                                     "' stands alone");
    if (auto check = sim::checkByName(word == "lds" ? "bounds" : word)) {
      request.simChecks.add(*check);
      continue;
    }
    auto it = llvm::find_if(known, [&](auto &k) { return k.first == word; });
    if (it == std::end(known))
      return llvm::createStringError("--check=" + text + ": unknown check '" +
                                     word +
                                     "', expected all, none, or a "
                                     "list of: reference, guards, asserts, " +
                                     sim::CheckSet::all().names());
    *it->second = true;
  }
  return llvm::Error::success();
}
