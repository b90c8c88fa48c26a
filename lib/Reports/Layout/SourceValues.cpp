//===- SourceValues.cpp - Values by their names in the source -------------===//
#include "fly/Reports/Layout/SourceValues.h"

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"

using namespace mlir;
using namespace fly::reports;

SourceValue SourceValue::get(Value value, std::string name) {
  SourceValue result{std::move(name), value.getLoc(), value.getType()};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result.number = argument.getArgNumber();
    result.isArgument = true;
  } else {
    result.number = cast<OpResult>(value).getResultNumber();
  }
  return result;
}

/// The identifier of a definition, without % and what follows a colon.
static std::string nameAt(SMRange range) {
  if (!range.isValid())
    return "";
  StringRef text(range.Start.getPointer(),
                 range.End.getPointer() - range.Start.getPointer());
  text.consume_front("%");
  return text.split(':').first.trim().str();
}

std::vector<SourceValue>
fly::reports::nameValues(const llvm::SourceMgr &sources, MLIRContext *context) {
  std::vector<SourceValue> values;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  AsmParserState state;
  ParserConfig config(context);
  if (failed(parseAsmSourceFile(sources, module->getBody(), config, &state)))
    return values;
  auto add = [&](Value value, SMRange range) {
    values.push_back(SourceValue::get(value, nameAt(range)));
  };
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs())
    for (const auto &group : op.resultGroups)
      add(op.op->getResult(group.startIndex), group.definition.loc);
  for (const AsmParserState::BlockDefinition &block : state.getBlockDefs())
    for (auto [number, argument] : llvm::enumerate(block.arguments))
      add(block.block->getArgument(number), argument.loc);
  return values;
}

Value fly::reports::findPlaced(const SourceValue &value, ModuleOp module) {
  auto tile = dyn_cast<RankedTensorType>(value.type);
  if (!tile)
    return {};
  Value found;
  auto take = [&](Value candidate) {
    auto type = dyn_cast<RankedTensorType>(candidate.getType());
    if (type && type.getRank() == tile.getRank() &&
        type.getElementType() == tile.getElementType() &&
        isa_and_nonnull<fly::LayoutAttrInterface>(type.getEncoding()))
      found = candidate;
  };
  if (value.isArgument)
    module.walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        if (argument.getLoc() == value.loc)
          take(argument);
    });
  else
    module.walk([&](Operation *op) {
      if (op->getLoc() == value.loc && value.number < op->getNumResults())
        take(op->getResult(value.number));
    });
  return found;
}
