//===- Grid.cpp - How workgroups walk over the grid ----------------------===//
//
// The order, the dimension that dies share least, and the workgroups of a
// persistent grid: as many as the compute units of the device hold at once.
// Refused: a dimension that the grid does not have, and all of it where there
// is no grid.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Products.h"

#include "llvm/ADT/StringExtras.h"

#include "Resolver.h"

using namespace mlir;
using namespace fly;

/// The names that the author gave the results of a grid; empty without.
static SmallVector<StringRef> getNames(GridOp grid) {
  SmallVector<StringRef> names;
  if (auto list = grid->getAttrOfType<ArrayAttr>(FlyDialect::getNameAttrName()))
    for (auto name : list.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  return names;
}

FailureOr<unsigned> ScheduleResolver::findGridDim(Attribute by) {
  GridOp op;
  kernel.walk([&](GridOp found) { op = found; });
  unsigned rank = op ? op.getNumResults() : 0;
  SmallVector<StringRef> names;
  if (op)
    names = getNames(op);
  if (auto number = dyn_cast<IntegerAttr>(by);
      number && number.getInt() >= 0 && number.getInt() < rank)
    return unsigned(number.getInt());
  auto word = dyn_cast<StringAttr>(by);
  if (const auto *found =
          word ? llvm::find(names, word.getValue()) : names.end();
      found != names.end())
    return unsigned(found - names.begin());
  std::string text = word ? word.getValue().str()
                          : std::to_string(cast<IntegerAttr>(by).getInt());
  InFlightDiagnostic diag =
      (op ? op.getOperation() : kernel.getOperation())->emitOpError()
      << "schedule entry 'grid': 'xcd' is by(" << text
      << "), which is no dimension of the grid";
  if (!op)
    return diag << ": the kernel has no fly.grid";
  if (!names.empty())
    diag << (word ? suggestWord(word, names) : "")
         << "; its dimensions: " << llvm::join(names, ", ");
  return diag << "; their numbers: 0 to " << rank - 1;
}

LogicalResult ScheduleResolver::resolveGrid() {
  auto emitError = [&] {
    return kernel.emitOpError() << "schedule entry 'grid': ";
  };
  auto request = GridRequest::read(getEntry("grid"), emitError);
  if (failed(request))
    return failure();
  if (!request->order)
    passed(kernel, "GridOrder",
           "grid order = n_fastest: consecutive workgroups share the rows of "
           "the first operand");
  grid.order = request->order.value_or(GridOrder::NFastest);
  grid.group = request->group;
  grid.xcd = request->xcd.value_or(false);
  if (request->by) {
    FailureOr<unsigned> dim = findGridDim(request->by);
    if (failed(dim))
      return failure();
    grid.by = *dim;
  }
  if (!request->persistent.value_or(false))
    return success();
  grid.workgroups = request->workgroups;
  if (grid.workgroups)
    return success();
  const arch::Product *product = arch::defaultProduct(chip.chip);
  if (!product || !product->computeUnits)
    return emitError() << "'persistent' is on, but it is not known how many "
                          "compute units a device of "
                       << chip.name
                       << " has: give the number of workgroups, as in "
                          "persistent = 256";
  // Workgroups that a compute unit holds with the waves that it shall hold.
  int64_t each = std::max<int64_t>(1, wavesPerEu * *chip.simdsPerCu /
                                          (waves[0] * waves[1]));
  grid.workgroups = each * *product->computeUnits;
  passed(kernel, "Persistent",
         "persistent = " + Twine(*grid.workgroups) + ": " +
             Twine(*product->computeUnits) + " compute units of " +
             product->name + " with " + Twine(each) +
             (each == 1 ? " workgroup each" : " workgroups each"));
  return success();
}
