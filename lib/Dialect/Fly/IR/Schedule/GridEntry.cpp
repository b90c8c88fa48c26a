//===- GridEntry.cpp - The entry of the grid ------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "Words.h"

using namespace mlir;
using namespace fly;
using namespace fly::schedule;

/// In the order of GridOrder; `grouped` has an argument.
static constexpr StringRef kOrders[] = {"n_fastest", "m_fastest", "grouped",
                                        "longest_first"};

/// Most tiles of the first dimension that are walked together.
static constexpr int64_t kMostGroup = 1 << 16;
/// Most workgroups that a persistent grid is made of.
static constexpr int64_t kMostWorkgroups = 1 << 20;

std::string GridPolicy::describeOrder() const {
  std::string text = kOrders[unsigned(order)].str();
  return order == GridOrder::Grouped ? text + "(" + std::to_string(group) + ")"
                                     : text;
}

Attribute GridPolicy::toAttr(MLIRContext *context) const {
  Builder builder(context);
  auto call = [&](StringRef name, int64_t number) {
    return PolicyAttr::get(context, name, {builder.getI64IntegerAttr(number)},
                           DictionaryAttr::get(context));
  };
  StringRef word = kOrders[unsigned(order)];
  SmallVector<std::pair<StringRef, Attribute>> entries;
  entries.push_back({"order", order == GridOrder::Grouped
                                  ? Attribute(call(word, group))
                                  : Attribute(builder.getStringAttr(word))});
  if (xcd)
    entries.push_back({"xcd", by ? Attribute(call("by", *by))
                                 : Attribute(builder.getStringAttr("on"))});
  if (workgroups)
    entries.push_back({"persistent", builder.getI64IntegerAttr(*workgroups)});
  return makeEntries(context, entries);
}

/// The only argument of `value`, which is a policy, or null.
static Attribute getArgument(Attribute value) {
  auto policy = dyn_cast_or_null<PolicyAttr>(value);
  if (!policy || policy.getPositional().size() != 1 ||
      !policy.getNamed().empty())
    return {};
  return policy.getPositional().front();
}

/// `grouped(8)`.
static LogicalResult readGroup(Attribute value, GridRequest &request,
                               EmitScheduleError emitError) {
  auto number = dyn_cast_or_null<IntegerAttr>(getArgument(value));
  if (!number || number.getInt() < 1 || number.getInt() > kMostGroup)
    return emitError() << "'order' is " << describe(value)
                       << "; expected the tiles of the first dimension that "
                          "are walked together, from 1 to "
                       << kMostGroup << ", as in grouped(8)";
  request.order = GridOrder::Grouped;
  request.group = number.getInt();
  return success();
}

/// `by(h)`, `by(1)`.
static LogicalResult readBy(Attribute value, GridRequest &request,
                            EmitScheduleError emitError) {
  Attribute dim = getArgument(value);
  if (!isa_and_nonnull<StringAttr, IntegerAttr>(dim))
    return emitError() << "'xcd' is " << describe(value)
                       << "; expected a dimension of the grid, by its name or "
                          "its number from 0, as in by(h)";
  request.xcd = true;
  request.by = dim;
  return success();
}

FailureOr<GridRequest> GridRequest::read(Attribute entry,
                                         EmitScheduleError emitError) {
  GridRequest request;
  if (isAuto(entry))
    return request;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return emitError() << "is " << describe(entry)
                       << "; expected entries in braces, as in {order = "
                          "n_fastest}";
  if (failed(checkKeys(entries, {"order", "xcd", "persistent"}, "the grid",
                       emitError)))
    return failure();
  if (Attribute order = entries.get("order"); getName(order) == "grouped") {
    if (failed(readGroup(order, request, emitError)))
      return failure();
  } else {
    auto word = readWord(entries, "order", kOrders, emitError);
    if (failed(word))
      return failure();
    if (*word)
      request.order = GridOrder(**word);
  }
  if (Attribute xcd = entries.get("xcd"); getName(xcd) == "by") {
    if (failed(readBy(xcd, request, emitError)))
      return failure();
  } else {
    auto word = readWord(entries, "xcd", {"off", "on", "by"}, emitError);
    if (failed(word))
      return failure();
    if (*word)
      request.xcd = **word == 1;
  }
  Attribute persistent = entries.get("persistent");
  if (auto number = dyn_cast_or_null<IntegerAttr>(persistent)) {
    if (number.getInt() < 1 || number.getInt() > kMostWorkgroups)
      return emitError() << "'persistent' is " << number.getInt()
                         << "; expected a number of workgroups from 1 to "
                         << kMostWorkgroups << ", on, off or auto";
    request.persistent = true;
    request.workgroups = number.getInt();
    return request;
  }
  auto word = readWord(entries, "persistent", {"off", "on"}, emitError);
  if (failed(word))
    return failure();
  if (*word)
    request.persistent = **word == 1;
  return request;
}
