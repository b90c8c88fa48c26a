//===- GridEntry.cpp - The entry of the grid ------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "Words.h"

using namespace mlir;
using namespace fly;
using namespace fly::schedule;

FailureOr<std::optional<GridOrder>>
fly::readGridRequest(Attribute entry, EmitScheduleError emitError) {
  std::optional<GridOrder> none;
  if (isAuto(entry))
    return none;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; expected entries in braces, as in {order = "
                          "n_fastest}";
  if (failed(checkKeys(entries, {"order", "xcd", "persistent"}, "the grid",
                       emitError)))
    return failure();
  auto order = readWord(entries, "order", {"n_fastest", "m_fastest"}, emitError,
                        {"grouped", "longest_first"});
  if (failed(order) ||
      failed(readWord(entries, "xcd", {"off"}, emitError, {"on", "by"})) ||
      failed(readWord(entries, "persistent", {"off"}, emitError, {"on"})))
    return failure();
  return *order ? std::optional<GridOrder>(GridOrder(**order)) : none;
}
