//===- LoadEntry.cpp - Entries of loads -----------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "Words.h"

using namespace mlir;
using namespace fly;
using namespace fly::schedule;

Attribute OperandPolicy::toAttr(MLIRContext *context) const {
  Builder builder(context);
  auto make = [&](StringRef name,
                  ArrayRef<std::pair<StringRef, Attribute>> named) {
    return PolicyAttr::get(context, name, {},
                           cast<DictionaryAttr>(makeEntries(context, named)));
  };
  SmallVector<std::pair<StringRef, Attribute>> entries;
  if (inLds) {
    StringRef word = swizzle == Swizzle::Xor   ? "xor"
                     : swizzle == Swizzle::Pad ? "pad"
                                               : "none";
    entries = {{"stages", builder.getI64IntegerAttr(stages)},
               {"swizzle", builder.getStringAttr(word)},
               {"copy", builder.getStringAttr(isAsync ? "async" : "sync")}};
    if (carriesFirstPack)
      entries.push_back({"first_pack", builder.getStringAttr("carried")});
    if (readsTransposed)
      entries.push_back({"read", builder.getStringAttr("transposed")});
  } else {
    entries = {{"depth", builder.getI64IntegerAttr(depth)}};
  }
  if (cache)
    entries.push_back({"cache", builder.getStringAttr(stringifyCache(*cache))});
  return make(inLds ? "lds" : "regs", entries);
}

FailureOr<OperandRequest> OperandRequest::read(Attribute entry,
                                               EmitScheduleError emitError) {
  OperandRequest request;
  if (isAuto(entry))
    return request;
  StringRef name;
  DictionaryAttr named = DictionaryAttr::get(entry.getContext());
  if (auto word = dyn_cast<StringAttr>(entry)) {
    name = word.getValue();
  } else if (auto policy = dyn_cast<PolicyAttr>(entry)) {
    name = policy.getName();
    named = policy.getNamed();
    if (!policy.getPositional().empty())
      return emitError() << "arguments of '" << name
                         << "' are named, as in lds(stages = 2)";
  } else if (auto entries = dyn_cast<DictionaryAttr>(entry)) {
    // `{stages = 1}`: the keys tell which of the two is meant. What both have
    // leaves the choice open.
    bool isLds = llvm::any_of(
        ArrayRef<StringRef>{"stages", "swizzle", "copy", "first_pack", "read"},
        [&](StringRef key) { return entries.get(key); });
    if (!isLds && !entries.contains("depth")) {
      auto cache = readCache(entries, emitError);
      if (failed(cache) ||
          failed(checkKeys(entries,
                           {"stages", "swizzle", "copy", "first_pack", "read",
                            "depth", "cache"},
                           "a load", emitError)))
        return failure();
      request.cache = *cache;
      return request;
    }
    name = isLds ? "lds" : "regs";
    named = entries;
  }
  if (name == "regs" || name == "lds") {
    auto cache = readCache(named, emitError);
    if (failed(cache))
      return failure();
    request.cache = *cache;
  }
  if (name == "regs") {
    request.inLds = false;
    if (failed(checkKeys(named, {"depth", "cache"}, "'regs'", emitError)))
      return failure();
    auto depth = readNumber(named, "depth", 1, kMostStages, emitError);
    if (failed(depth))
      return failure();
    request.depth = *depth;
    return request;
  }
  if (name != "lds")
    return emitError() << "is " << describe(entry)
                       << "; known for a load: lds, regs, auto";
  request.inLds = true;
  if (failed(checkKeys(
          named, {"stages", "swizzle", "copy", "first_pack", "read", "cache"},
          "'lds'", emitError)))
    return failure();
  auto stages = readNumber(named, "stages", 1, kMostStages, emitError);
  if (failed(stages))
    return failure();
  auto swizzle = readWord(named, "swizzle", {"none", "xor", "pad"}, emitError);
  auto firstPack = readWord(named, "first_pack", {"off", "carried"}, emitError);
  auto copy = readWord(named, "copy", {"sync", "async"}, emitError);
  auto read = readWord(named, "read", {"plain", "transposed"}, emitError);
  if (failed(swizzle) || failed(copy) || failed(firstPack) || failed(read))
    return failure();
  request.stages = *stages;
  if (*firstPack)
    request.carriesFirstPack = **firstPack == 1;
  if (*copy)
    request.isAsync = **copy == 1;
  if (*read)
    request.readsTransposed = **read == 1;
  if (*swizzle)
    request.swizzle = OperandPolicy::Swizzle(**swizzle);
  return request;
}
