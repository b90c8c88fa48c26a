//===- Contract.cpp - The launch contract as an attribute -----------------===//
//
// The attribute mirrors the JSON form value by value, so that one reader and
// one writer (ContractJson.cpp) know the keys.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Contract.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyDialect.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
namespace json = llvm::json;

static Attribute toAttr(Builder &builder, const json::Value &value) {
  if (std::optional<bool> boolean = value.getAsBoolean())
    return builder.getBoolAttr(*boolean);
  if (std::optional<int64_t> integer = value.getAsInteger())
    return builder.getI64IntegerAttr(*integer);
  if (std::optional<double> number = value.getAsNumber())
    return builder.getF64FloatAttr(*number);
  if (std::optional<StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  if (const json::Array *array = value.getAsArray()) {
    SmallVector<Attribute> elements;
    for (const json::Value &element : *array)
      elements.push_back(toAttr(builder, element));
    return builder.getArrayAttr(elements);
  }
  NamedAttrList entries;
  if (const json::Object *object = value.getAsObject())
    for (const auto &[key, entry] : *object)
      entries.set(key.str(), toAttr(builder, entry));
  return entries.getDictionary(builder.getContext());
}

/// Null for attributes that JSON has no form for.
static json::Value toJSON(Attribute attr) {
  if (auto boolean = dyn_cast<BoolAttr>(attr))
    return boolean.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return integer.getInt();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.str();
  if (auto array = dyn_cast<ArrayAttr>(attr)) {
    json::Array elements;
    for (Attribute element : array)
      elements.push_back(toJSON(element));
    return elements;
  }
  if (auto entries = dyn_cast<DictionaryAttr>(attr)) {
    json::Object object;
    for (NamedAttribute entry : entries)
      object[entry.getName().str()] = toJSON(entry.getValue());
    return object;
  }
  return nullptr;
}

DictionaryAttr fly::makeContractAttr(MLIRContext *context,
                                     const contract::LaunchContract &contract) {
  Builder builder(context);
  return cast<DictionaryAttr>(toAttr(builder, contract::toJSON(contract)));
}

FailureOr<fly::contract::LaunchContract>
fly::readContract(FunctionOpInterface kernel) {
  StringRef name = FlyDialect::getContractAttrName();
  auto attr = kernel->getAttrOfType<DictionaryAttr>(name);
  if (!attr)
    return kernel->emitOpError()
           << "has no '" << name << "' dictionary: run fly-plan-grid first";
  auto contract = contract::fromJSON(toJSON(attr));
  if (!contract)
    return kernel->emitOpError()
           << "attribute '" << name
           << "' is malformed: " << llvm::toString(contract.takeError());
  contract->kernel = kernel.getName().str();
  if (const arch::ArchInfo *chip = lookupArchOrNull(kernel))
    contract->chip = chip->name;
  return std::move(*contract);
}

ArrayAttr fly::makeChecksAttr(MLIRContext *context,
                              ArrayRef<contract::CheckSite> sites) {
  Builder builder(context);
  return cast<ArrayAttr>(toAttr(builder, contract::toJSON(sites)));
}

FailureOr<std::vector<fly::contract::CheckSite>>
fly::readChecks(FunctionOpInterface kernel) {
  StringRef name = FlyDialect::getChecksAttrName();
  Attribute attr = kernel->getAttr(name);
  if (!attr)
    return std::vector<contract::CheckSite>();
  auto sites = contract::checksFromJSON(toJSON(attr));
  if (!sites)
    return kernel->emitOpError()
           << "attribute '" << name
           << "' is malformed: " << llvm::toString(sites.takeError());
  return std::move(*sites);
}

DictionaryAttr
fly::makeContractAttr(MLIRContext *context,
                      const contract::ProgramContract &contract) {
  Builder builder(context);
  return cast<DictionaryAttr>(toAttr(builder, contract::toJSON(contract)));
}

FailureOr<fly::contract::ProgramContract>
fly::readProgramContract(FunctionOpInterface program) {
  StringRef name = FlyDialect::getContractAttrName();
  auto attr = program->getAttrOfType<DictionaryAttr>(name);
  if (!attr)
    return program->emitOpError()
           << "has no '" << name << "' dictionary: run fly-plan-programs first";
  auto contract = contract::programFromJSON(toJSON(attr));
  if (!contract)
    return program->emitOpError()
           << "attribute '" << name
           << "' is malformed: " << llvm::toString(contract.takeError());
  return std::move(*contract);
}

SmallVector<FunctionOpInterface> fly::findPrograms(ModuleOp module) {
  SmallVector<FunctionOpInterface> programs;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function->hasAttr(FlyDialect::getProgramAttrName()))
      programs.push_back(function);
  return programs;
}

uint32_t fly::getPointerAlignment(FunctionOpInterface function,
                                  unsigned index) {
  auto align = function.getArgAttrOfType<IntegerAttr>(
      index, FlyDialect::getAlignAttrName());
  return align ? uint32_t(align.getInt()) : arch::widestAccessBytes;
}

std::string fly::getArgumentName(FunctionOpInterface function, unsigned index) {
  auto name = function.getArgAttrOfType<StringAttr>(
      index, FlyDialect::getNameAttrName());
  return name ? name.str() : "arg" + std::to_string(index);
}
