//===- DotEntry.cpp - Entries of dots and loops ---------------------------===//
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "Words.h"

using namespace mlir;
using namespace fly;
using namespace fly::schedule;

/// Most copies of a loop's body.
static constexpr unsigned kMostUnroll = 16;

Attribute DotPolicy::toAttr(MLIRContext *context) const {
  Builder builder(context);
  std::string side = std::to_string(mfma);
  StringRef acc = transposed ? "transposed" : "plain";
  SmallVector<std::pair<StringRef, Attribute>> entries = {
      {"mfma", builder.getStringAttr(side + "x" + side)},
      {"acc", builder.getStringAttr(acc)}};
  if (fromAcc)
    entries.push_back(
        {"a", builder.getStringAttr(*fromAcc ? "from_acc" : "regs")});
  return makeEntries(context, entries);
}

FailureOr<DotRequest> DotRequest::read(Attribute entry,
                                       EmitScheduleError emitError) {
  DotRequest request;
  if (isAuto(entry))
    return request;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; a dot or loop has entries in braces, as in {mfma "
                          "= 16x16, acc = auto}";
  if (failed(checkKeys(entries,
                       {"mfma", "acc", "a", "hot_loop", "unroll", "stages"},
                       "a dot or loop", emitError)))
    return failure();
  auto shape = readWord(entries, "mfma", {"16x16", "32x32"}, emitError);
  if (failed(shape))
    return failure();
  auto acc = readWord(entries, "acc", {"plain", "transposed"}, emitError);
  auto a = readWord(entries, "a", {"regs", "from_acc"}, emitError);
  if (failed(acc) || failed(a))
    return failure();
  if (*a)
    request.fromAcc = **a == 1;
  Attribute hotLoop = entries.get("hot_loop");
  if (!isAuto(hotLoop)) {
    if (failed(verifyHotLoop(hotLoop,
                             [&] { return emitError() << "'hot_loop': "; })))
      return failure();
    request.hotLoop = hotLoop;
  }
  auto unroll = readNumber(entries, "unroll", 1, kMostUnroll, emitError);
  if (failed(unroll))
    return failure();
  request.unroll = *unroll;
  if (Attribute stages = entries.get("stages")) {
    request.stages = dyn_cast<DictionaryAttr>(stages);
    if (!request.stages && !isAuto(stages))
      return emitError() << "'stages' is " << describe(stages)
                         << "; expected the labels of loads and dots with the "
                            "iterations that they run ahead, as in {k = -2, qk "
                            "= -1, pv = 0}";
    for (NamedAttribute entry : request.stages
                                    ? request.stages
                                    : DictionaryAttr::get(entry.getContext())) {
      auto number = dyn_cast<IntegerAttr>(entry.getValue());
      if (!number || number.getInt() > 0 ||
          number.getInt() < -int64_t(kMostStages))
        return emitError() << "'stages' gives '" << entry.getName().getValue()
                           << "' the stage " << describe(entry.getValue())
                           << "; expected a number from -" << kMostStages
                           << " to 0";
    }
  }
  if (*shape)
    request.mfma = **shape == 0 ? 16 : 32;
  if (*acc)
    request.transposed = **acc == 1;
  return request;
}
