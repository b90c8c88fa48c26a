//===- FlyDialect.cpp - Registration of the fly dialect -------------------===//
//
// Adds the dialect's ops, types and attributes, and checks the discardable
// attributes that it owns on ops and on arguments of functions.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyDialect.h"

#include "fly/Arch/Wave.h"
#include "fly/Contract/Checks.h"
#include "fly/Dialect/Fly/IR/ArgumentAttributes.h"
#include "fly/Dialect/Fly/IR/FirstPack.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/SharedTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <string>

#include "ProgramOps.h"

using namespace mlir;

#include "fly/Dialect/Fly/IR/FlyDialect.cpp.inc"

void fly::FlyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"
      >();
  registerTypes();
  registerAttributes();
}

/// One error about an attribute that the dialect does not know.
static LogicalResult refuseUnknown(Operation *op, NamedAttribute attr,
                                   ArrayRef<StringRef> known,
                                   StringRef holder) {
  return op->emitOpError() << "has the unknown attribute '"
                           << attr.getName().getValue() << "' on " << holder
                           << fly::suggestWord(attr.getName(), known)
                           << "; known: " << llvm::join(known, ", ");
}

/// The name of an argument or a workspace: text that expressions of contracts
/// can quote, and none that launchers know as their own.
static LogicalResult verifyName(Operation *op, Attribute value,
                                const Twine &holder, bool mayBeChannel) {
  StringRef name = fly::FlyDialect::getNameAttrName();
  auto text = dyn_cast<StringAttr>(value);
  if (!text)
    return op->emitOpError() << "expects '" << name << "'" << holder
                             << " to be a string, got " << value;
  if (text.getValue().contains('`'))
    return op->emitOpError() << "expects '" << name << "'" << holder
                             << " to be without '`', by which contracts quote "
                                "names, got "
                             << value;
  if (text == fly::contract::channelArgument && !mayBeChannel)
    return op->emitOpError()
           << "cannot have '" << name << "'" << holder << " " << value
           << ", which is the name of what checks write: choose another";
  return success();
}

LogicalResult fly::FlyDialect::verifyOperationAttribute(Operation *op,
                                                        NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == getScheduleAttrName()) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "cannot carry '" << name << "': it belongs on a kernel";
    if (!isa<ScheduleAttr, SchedulesAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects '" << name
             << "' to be a #fly.schedule or #fly.schedules, got "
             << attr.getValue();
    return success();
  }
  if (name == getWavesAttrName() || name == getWavesPerEuAttrName()) {
    auto count = dyn_cast<IntegerAttr>(attr.getValue());
    if (!count || !count.getType().isSignlessInteger(32) ||
        count.getInt() < 1 || count.getInt() > arch::maxWorkgroupWaves)
      return op->emitOpError()
             << "expects '" << name << "' to be an i32 from 1 to "
             << arch::maxWorkgroupWaves << ", got " << attr.getValue();
    return success();
  }
  if (name == getLabelAttrName()) {
    if (!isa<StringAttr>(attr.getValue()))
      return op->emitOpError() << "expects '" << name
                               << "' to be a string, got " << attr.getValue();
    return success();
  }
  if (name == hotLoopAttrName)
    return verifyHotLoop(attr.getValue(), [&] {
      return op->emitOpError() << "'" << name << "': ";
    });
  if (name == unrollAttrName) {
    auto copies = dyn_cast<IntegerAttr>(attr.getValue());
    if (!copies || !copies.getType().isSignlessInteger(64) ||
        copies.getInt() < 1)
      return op->emitOpError()
             << "expects '" << name << "' to be a positive i64, got "
             << attr.getValue();
    return success();
  }
  // A dictionary at our levels, JSON text on a kernel of the llvm dialect.
  if (name == getContractAttrName()) {
    if (!isa<DictionaryAttr, StringAttr>(attr.getValue()))
      return op->emitOpError()
             << "expects '" << name << "' to be a dictionary or JSON text, got "
             << attr.getValue();
    return success();
  }
  if (name == getChecksAttrName()) {
    if (!isa<ArrayAttr>(attr.getValue()))
      return op->emitOpError() << "expects '" << name
                               << "' to be an array, got " << attr.getValue();
    return success();
  }
  if (name == getUncheckedAttrName())
    return success();
  if (name == firstPackAttrName && isa<ReadOp>(op)) {
    if (isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "expects '" << name << "' without a value, got "
                             << attr.getValue();
  }
  if ((name == staggeredAttrName || name == countedWaitsAttrName ||
       name == madeLdsAttrName) &&
      isa<FunctionOpInterface>(op)) {
    if (isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "expects '" << name << "' without a value, got "
                             << attr.getValue();
  }
  if (name == staggeredAttrName && isa<BarrierOp>(op)) {
    if (isa<UnitAttr>(attr.getValue()) &&
        cast<BarrierOp>(op).getKind() == BarrierKind::Bare)
      return success();
    return op->emitOpError() << "expects '" << name
                             << "' on a bare barrier and without a value, got "
                             << attr.getValue();
  }
  if (name == targetImmediateAttrName && isa<DmaOp>(op)) {
    auto bytes = dyn_cast<IntegerAttr>(attr.getValue());
    if (bytes && bytes.getType().isSignlessInteger(64) && bytes.getInt() > 0)
      return success();
    return op->emitOpError()
           << "expects '" << name << "' to be a positive i64, got "
           << attr.getValue();
  }
  if (name == getProgramAttrName())
    return detail::verifyProgram(op, attr.getValue());
  // Of a workspace: arguments carry theirs in a place of their own.
  if (name == getNameAttrName() && isa<WorkspaceOp>(op))
    return verifyName(op, attr.getValue(), "", /*mayBeChannel=*/false);
  // Of a grid: a name for each dimension.
  if (name == getNameAttrName() && isa<GridOp>(op)) {
    auto names = dyn_cast<ArrayAttr>(attr.getValue());
    if (names && names.size() == op->getNumResults() &&
        llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return success();
    return op->emitOpError()
           << "expects '" << name << "' to be a string for each of "
           << op->getNumResults() << " dimensions, got " << attr.getValue();
  }
  return refuseUnknown(op, attr,
                       {getScheduleAttrName(), getContractAttrName(),
                        getChecksAttrName(), getLabelAttrName(),
                        getProgramAttrName(), getUncheckedAttrName(),
                        getWavesAttrName(), getWavesPerEuAttrName(),
                        hotLoopAttrName, unrollAttrName},
                       "an op");
}

/// What `fly.workspace`, `fly.may_alias` and `fly.align` on a pointer argument
/// may hold.
static LogicalResult verifyPointerAttribute(Operation *op, fly::PtrType pointer,
                                            NamedAttribute attr,
                                            StringRef holder) {
  using fly::FlyDialect;
  StringRef name = attr.getName();
  Attribute value = attr.getValue();
  auto expect = [&](const Twine &what) {
    return op->emitOpError() << "expects '" << name << "' of " << holder
                             << " to be " << what << ", got " << value;
  };
  if (name == FlyDialect::getMayAliasAttrName())
    return isa<UnitAttr>(value) ? success() : expect("without a value");
  if (name == FlyDialect::getWorkspaceAttrName()) {
    auto word = dyn_cast<StringAttr>(value);
    bool isKnown = isa<UnitAttr>(value) || (word && word == "zeroed");
    return isKnown ? success() : expect("without a value or \"zeroed\"");
  }
  constexpr int64_t most = 4096; // A page, which every allocation starts at.
  auto number = dyn_cast<IntegerAttr>(value);
  bool isAlignment = number &&
                     (number.getType().isSignlessInteger(32) ||
                      number.getType().isSignlessInteger(64)) &&
                     number.getInt() > 0 && number.getInt() <= most &&
                     llvm::isPowerOf2_64(number.getInt());
  if (!isAlignment)
    return expect("a power of two from 1 to " + Twine(most) + " (bytes)");
  Type element = pointer.getElementType();
  int64_t bytes = element.isIntOrFloat()
                      ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                      : 1;
  if (number.getInt() % bytes)
    return expect("a multiple of the " + Twine(bytes) + " bytes of an element");
  return success();
}

LogicalResult fly::FlyDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                        unsigned index,
                                                        NamedAttribute attr) {
  StringRef name = attr.getName();
  std::string holder = "argument " + std::to_string(index);
  if (name == getMayAliasAttrName() || name == getWorkspaceAttrName() ||
      name == getAlignAttrName()) {
    // Attributes are verified before the function's type is.
    auto function = dyn_cast<FunctionOpInterface>(op);
    Type type = function && index < function.getNumArguments()
                    ? function.getArgumentTypes()[index]
                    : Type();
    if (auto pointer = dyn_cast_or_null<PtrType>(type))
      return verifyPointerAttribute(op, pointer, attr, holder);
    return op->emitOpError()
           << "has '" << name << "' on " << holder << ", which is no !fly.ptr";
  }
  if (name == getNameAttrName()) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    bool mayBeChannel =
        function && function.getArgAttr(index, getWorkspaceAttrName());
    return verifyName(op, attr.getValue(), " of " + holder, mayBeChannel);
  }
  if (name == getMultipleOfAttrName()) {
    auto number = dyn_cast<IntegerAttr>(attr.getValue());
    if (number && number.getType().isSignlessInteger(64) && number.getInt() > 0)
      return success();
    return op->emitOpError()
           << "expects '" << name << "' of " << holder
           << " to be a positive i64, got " << attr.getValue();
  }
  if (name == nonNegativeAttrName) {
    if (isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitOpError()
           << "expects '" << name << "' of " << holder
           << " to be without a value, got " << attr.getValue();
  }
  return refuseUnknown(op, attr,
                       {getAlignAttrName(), getMayAliasAttrName(),
                        getMultipleOfAttrName(), getNameAttrName(),
                        nonNegativeAttrName, getWorkspaceAttrName()},
                       holder);
}
