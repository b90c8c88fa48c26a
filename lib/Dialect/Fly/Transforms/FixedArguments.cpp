//===- FixedArguments.cpp - Arguments that a schedule fixes ---------------===//
//
// Names are those of launch contracts (`fly.name`, else `arg` and a number).
// Refused: names of no argument or of pointers and floats, values that are no
// number or do not fit the argument's type.
//
//===----------------------------------------------------------------------===//
#include "FixedArguments.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "PassRemark.h"

using namespace mlir;
using namespace fly;

FailureOr<FixedArguments> FixedArguments::get(gpu::GPUFuncOp kernel) {
  FixedArguments result;
  ScheduleAttr schedule = getScheduleOf(kernel);
  Attribute entry = schedule ? schedule.get("consts") : Attribute();
  if (!entry)
    return result;
  auto entries = dyn_cast<DictionaryAttr>(entry);
  if (!entries)
    return kernel.emitOpError() << "schedule entry 'consts' must be arguments "
                                   "with numbers in braces, as in consts = {K "
                                   "= 8320}";
  auto function = cast<FunctionOpInterface>(kernel.getOperation());
  SmallVector<std::string> names;
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    names.push_back(getArgumentName(function, index));
  for (NamedAttribute fixed : entries) {
    StringRef name = fixed.getName();
    const auto *it = llvm::find(names, name);
    if (it == names.end()) {
      SmallVector<StringRef> known(names.begin(), names.end());
      return kernel.emitOpError()
             << "schedule entry 'consts': '" << name
             << "' is no argument of this kernel" << suggestWord(name, known)
             << "; arguments: " << llvm::join(names, ", ");
    }
    unsigned index = it - names.begin();
    auto type = dyn_cast<IntegerType>(kernel.getArgument(index).getType());
    if (!type)
      return kernel.emitOpError()
             << "schedule entry 'consts': argument '" << name << "' has type "
             << kernel.getArgument(index).getType()
             << ", only integers can be fixed";
    auto number = dyn_cast<IntegerAttr>(fixed.getValue());
    if (!number || !(type.getWidth() >= 64 ||
                     llvm::isIntN(type.getWidth(), number.getInt()) ||
                     (type.isInteger(1) && number.getInt() == 1))) {
      InFlightDiagnostic diag = kernel.emitOpError();
      diag << "schedule entry 'consts': argument '" << name
           << "' needs a number that fits " << type;
      if (number)
        diag << ", got " << number.getInt();
      return diag;
    }
    result.values.push_back({index, name.str(), number.getInt()});
  }
  return result;
}

void FixedArguments::bind(gpu::GPUFuncOp kernel) const {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (const Value &fixed : values) {
    BlockArgument argument = kernel.getArgument(fixed.argument);
    Location loc = argument.getLoc();
    auto constant = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(argument.getType(), fixed.number));
    argument.replaceAllUsesWith(constant);
    auto same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      argument, constant);
    std::string text =
        fixed.name + " is fixed to " + std::to_string(fixed.number);
    RequireOp::create(builder, loc, same,
                      builder.getStringAttr(text + " by the schedule"));
    remarkPassed(kernel, "fly-instantiate", "Fixed", text);
  }
  auto schedule =
      kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
  NamedAttrList entries(schedule.getEntries());
  entries.erase("consts");
  kernel->setAttr(
      FlyDialect::getScheduleAttrName(),
      ScheduleAttr::get(kernel.getContext(),
                        entries.getDictionary(kernel.getContext())));
}
