//===- StoreEntry.cpp - Entries of stores ---------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "Words.h"

using namespace mlir;
using namespace fly;
using namespace fly::schedule;

static constexpr StringRef kEpilogues[] = {"direct", "cshuffle"};

StringRef fly::stringifyEpilogue(Epilogue epilogue) {
  return kEpilogues[unsigned(epilogue)];
}

FailureOr<StoreRequest> StoreRequest::read(Attribute entry,
                                           EmitScheduleError emitError) {
  StoreRequest request;
  if (isAuto(entry))
    return request;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  // `c = direct` and `c = direct(cache = stream)` are short for the braces.
  if (isa<StringAttr>(entry))
    entries = cast<DictionaryAttr>(
        makeEntries(entry.getContext(), {{"epilogue", entry}}));
  auto policy = dyn_cast<PolicyAttr>(entry);
  if (policy && llvm::is_contained(kEpilogues, policy.getName()) &&
      policy.getPositional().empty()) {
    NamedAttrList list(policy.getNamed());
    list.set("epilogue", StringAttr::get(entry.getContext(), policy.getName()));
    entries = list.getDictionary(entry.getContext());
  }
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; a store has entries in braces, as in {epilogue = "
                          "direct}";
  if (failed(checkKeys(entries, {"epilogue", "cache"}, "a store", emitError)))
    return failure();
  auto epilogue = readWord(entries, "epilogue", kEpilogues, emitError);
  auto cache = readCache(entries, emitError);
  if (failed(epilogue) || failed(cache))
    return failure();
  if (*epilogue)
    request.epilogue = Epilogue(**epilogue);
  request.cache = *cache;
  return request;
}
