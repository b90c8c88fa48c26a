//===- Sizes.cpp - The named sizes of a kernel ----------------------------===//
//
// Refused: sizes that are no positive number.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "Instantiate.h"

using namespace mlir;
using namespace fly;

FailureOr<Sizes> Sizes::get(gpu::GPUFuncOp kernel) {
  Sizes sizes;
  ScheduleAttr schedule = getScheduleOf(kernel);
  Attribute entry = schedule ? schedule.get("sizes") : Attribute();
  if (!entry)
    return sizes;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries) {
    kernel.emitOpError() << "schedule entry 'sizes' must be names with numbers "
                            "in braces, as in sizes = {BM = 128}";
    return failure();
  }
  for (NamedAttribute size : entries) {
    auto number = dyn_cast<IntegerAttr>(size.getValue());
    if (!number || number.getInt() < 1) {
      InFlightDiagnostic diag = kernel.emitOpError()
                                << "size '" << size.getName().getValue()
                                << "' must be a positive number";
      if (number)
        diag << ", got " << number.getInt();
      return diag;
    }
    sizes.values[size.getName()] = number.getInt();
  }
  return sizes;
}

SmallVector<StringRef> Sizes::getNames() const {
  return llvm::map_to_vector(
      values, [](const auto &entry) { return entry.first.getValue(); });
}

std::string Sizes::describe() const {
  if (values.empty())
    return "none";
  return llvm::join(
      llvm::map_range(
          values,
          [](const auto &entry) {
            return (entry.first.getValue() + " = " + Twine(entry.second)).str();
          }),
      ", ");
}
