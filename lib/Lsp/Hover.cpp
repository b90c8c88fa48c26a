//===- Hover.cpp - What stands at a position ------------------------------===//
//
// For keys of schedules, functions of fly.map and types from the text; for
// values from the parsed document, with the layout that fly-assign-layouts
// gives them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Lsp/ScheduleKeys.h"
#include "fly/Reports/Layout/SourceValues.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "Completion.h"
#include "Document.h"
#include "Text.h"

using namespace mlir;
using namespace fly;
using namespace fly::lsp;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static std::string describeKey(const ScheduleKey &key) {
  return ("**" + key.key + "** of " +
          (key.owner == "schedule" ? "a schedule" : "`" + key.owner + "`") +
          ": " + key.meaning + "\n\nValues: " + key.value +
          "\n\nDefault: " + key.fallback)
      .str();
}

static std::string hoverSchedule(StringRef text, size_t offset,
                                 const Context &context) {
  const OpenBracket &inner = context.brackets.back();
  Word word = wordAt(text, offset);
  if (word.text.empty())
    return "";
  StringRef owner = ownerOfKeys(text, offset, context);
  StringRef behind =
      text.drop_front(word.begin + word.text.size()).ltrim(" \n");
  bool isKey = !inner.isAfterEquals && behind.starts_with("=");
  if (const ScheduleKey *key =
          findScheduleKey(owner, isKey ? word.text : StringRef(inner.key)))
    return describeKey(*key);
  if (const ScheduleKey *key = findScheduleKey("load", word.text))
    return describeKey(*key);
  if (owner != "schedule" || !isKey)
    return "";
  for (const LabelUse &use : labelsOfSchedule(text, offset))
    if (use.label == word.text)
      return "**" + use.label + "**: label of a " + use.kind.str() +
             " in line " +
             std::to_string(toPosition(text, use.offset).line + 1);
  return "**" + word.text.str() +
         "**: no load, store, dot or loop of the kernel has this label";
}

static std::string hoverMapFunction(StringRef text, size_t offset) {
  Word word = wordAt(text, offset);
  for (const MapFunction &function : getMapFunctions())
    if (function.name == word.text)
      return ("**" + function.name + "**: " + function.meaning).str();
  return "";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The schedule of the kernel around `op`; of the only kernel of the module
/// where `op` is in a helper or null.
static ScheduleAttr scheduleFor(Operation *op, Part &part) {
  StringRef name = FlyDialect::getScheduleAttrName();
  for (; op; op = op->getParentOp())
    if (auto schedule = op->getAttrOfType<ScheduleAttr>(name))
      return schedule;
  ScheduleAttr only;
  bool isUnique = true;
  if (part.module)
    part.module->walk([&](FunctionOpInterface function) {
      auto schedule = function->getAttrOfType<ScheduleAttr>(name);
      isUnique &= !schedule || !only || only == schedule;
      only = schedule ? schedule : only;
    });
  return isUnique ? only : ScheduleAttr();
}

/// The tile with the numbers of the schedule; names without one stay `?`.
static RankedTensorType withSizes(RankedTensorType type,
                                  ScheduleAttr schedule) {
  auto tile = dyn_cast_or_null<TileAttr>(type.getEncoding());
  if (!tile)
    return type;
  auto sizes = schedule
                   ? dyn_cast_or_null<DictionaryAttr>(schedule.get("sizes"))
                   : DictionaryAttr();
  SmallVector<int64_t> shape(type.getShape());
  bool isComplete = true;
  for (auto [extent, size] : llvm::zip_equal(shape, tile.getSizes()))
    if (auto name = dyn_cast<StringAttr>(size)) {
      auto number = sizes ? dyn_cast_or_null<IntegerAttr>(sizes.get(name))
                          : IntegerAttr();
      isComplete &= number && number.getInt() > 0;
      extent = isComplete ? number.getInt() : ShapedType::kDynamic;
    }
  return RankedTensorType::get(shape, type.getElementType(),
                               isComplete ? Attribute() : type.getEncoding());
}

static void printShape(llvm::raw_ostream &os, ArrayRef<int64_t> shape,
                       Type element) {
  llvm::interleave(
      shape, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      " x ");
  os << (shape.empty() ? "" : " ") << "of " << element;
}

/// Bits of the static tile; none where that has no meaning or is too many.
static std::optional<int64_t> bitsOf(RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t bits = type.getElementTypeBitWidth();
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(bits, extent, bits))
      return std::nullopt;
  return bits;
}

/// Waves of a workgroup, where the schedule gives them as numbers.
static int64_t wavesOf(ScheduleAttr schedule) {
  Attribute waves = schedule ? schedule.get("waves") : Attribute();
  if (auto number = dyn_cast_or_null<IntegerAttr>(waves))
    return number.getInt();
  int64_t count = 1;
  auto list = dyn_cast_or_null<ArrayAttr>(waves);
  for (Attribute side : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto number = dyn_cast<IntegerAttr>(side);
    if (!number || llvm::MulOverflow(count, number.getInt(), count))
      return 0;
  }
  return list ? count : 0;
}

static void describeLayout(llvm::raw_ostream &os, RankedTensorType type) {
  auto layout = dyn_cast_or_null<LayoutAttrInterface>(type.getEncoding());
  if (!layout)
    return;
  LaneMap map = layout.getLaneMap(type.getShape());
  int64_t bits = int64_t(map.tails.size()) * type.getElementTypeBitWidth();
  os << "\n\nLayout: `" << type.getEncoding() << "`: a lane holds ";
  llvm::interleave(map.registers, os, " x ");
  os << " elements, " << llvm::divideCeil(bits, 32) << " registers";
}

static std::string describeTile(RankedTensorType type, ScheduleAttr schedule,
                                RankedTensorType placed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  RankedTensorType sized = withSizes(type, schedule);
  os << "**Tile** ";
  printShape(os, sized.getShape(), sized.getElementType());
  if (auto bits = bitsOf(sized)) {
    os << ", " << llvm::divideCeil(*bits, 8) << " bytes";
    int64_t threads = wavesOf(schedule) * arch::waveLanes;
    if (threads > 0 && !placed)
      os << "\n\n"
         << llvm::format("%g", double(*bits) / 32 / double(threads))
         << " registers a lane, spread over " << threads << " lanes";
  } else if (!sized.hasStaticShape()) {
    os << "; the schedule gives no value for some of its sizes";
  }
  describeLayout(os, placed ? placed : sized);
  return text;
}

static std::string describeView(ViewType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "**View** ";
  printShape(os, type.getShape(), type.getElementType());
  os << (type.getInLds() ? " in LDS" : " in global memory");
  if (auto dim = type.getContiguousDim())
    os << "\n\nContiguous along dimension " << *dim;
  else
    os << "\n\nNo dimension is known to be contiguous";
  if (type.getLayout())
    os << ", layout `" << type.getLayout() << "`";
  if (auto bytes = type.getSizeInBytes())
    os << ", " << *bytes << " bytes";
  return text;
}

static std::string describeType(Type type, Operation *op, Part &part,
                                RankedTensorType placed = {}) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return describeTile(tile, scheduleFor(op, part), placed);
  if (auto view = dyn_cast<ViewType>(type))
    return describeView(view);
  if (auto vector = dyn_cast<VectorType>(type)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    int64_t bits =
        vector.getElementType().isIntOrFloat()
            ? vector.getNumElements() * vector.getElementTypeBitWidth()
            : 0;
    if (bits > 0)
      os << "**Vector** of a lane, " << llvm::divideCeil(bits, 8) << " bytes, "
         << llvm::divideCeil(bits, 32) << " registers";
    return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The type that fly-assign-layouts gave to what `value` became, or null.
static RankedTensorType placedType(Value value, Part &part) {
  if (!isa<RankedTensorType>(value.getType()) || !part.laidOut())
    return {};
  Value placed =
      reports::findPlaced(reports::SourceValue::get(value), part.laidOut());
  return placed ? cast<RankedTensorType>(placed.getType()) : RankedTensorType();
}

static std::string describeValue(Value value, Part &part) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  return describeType(value.getType(), op, part, placedType(value, part));
}

/// The value whose definition or use stands at `offset`.
static Value valueAt(const Part &part, size_t offset) {
  for (const AsmParserState::OperationDefinition &op : part.state->getOpDefs())
    for (const auto &group : op.resultGroups)
      if (part.contains(group.definition, offset))
        return op.op->getResult(group.startIndex);
  for (const AsmParserState::BlockDefinition &block :
       part.state->getBlockDefs())
    for (auto [number, argument] : llvm::enumerate(block.arguments))
      if (part.contains(argument, offset))
        return block.block->getArgument(number);
  return {};
}

/// The alias definition or use of a type that stands at `offset`.
static Type aliasAt(const Part &part, size_t offset) {
  for (const AsmParserState::TypeAliasDefinition &alias :
       part.state->getTypeAliasDefs())
    if (part.contains(alias.definition, offset))
      return alias.value;
  return {};
}

/// The innermost op around `offset`.
static Operation *opAround(const Part &part, size_t offset) {
  Operation *found = nullptr;
  size_t length = SIZE_MAX;
  for (const AsmParserState::OperationDefinition &op :
       part.state->getOpDefs()) {
    SMRange range = op.scopeLoc;
    if (!part.contains(range, offset))
      continue;
    size_t size = part.offsetOf(range.End) - part.offsetOf(range.Start);
    if (size <= length) {
      found = op.op;
      length = size;
    }
  }
  return found;
}

/// A type that is written at `offset`, parsed from the text around it.
static Type typeAt(Document &document, StringRef text, size_t offset) {
  StringRef line = text.take_front(offset);
  size_t lineBegin = line.rfind('\n') + 1;
  StringRef whole = text.drop_front(lineBegin);
  whole = whole.take_until([](char c) { return c == '\n'; });
  for (StringRef start : {"tensor<", "!fly.view<", "vector<"}) {
    for (size_t at = whole.find(start); at != StringRef::npos;
         at = whole.find(start, at + 1)) {
      size_t depth = 0, end = at;
      for (; end < whole.size(); ++end) {
        if (whole[end] == '<')
          ++depth;
        else if (whole[end] == '>' && --depth == 0)
          break;
      }
      if (lineBegin + at > offset || offset > lineBegin + end ||
          end == whole.size())
        continue;
      MLIRContext *context = document.getContext();
      ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
      return parseType(whole.slice(at, end + 1), context);
    }
  }
  return {};
}

std::string fly::lsp::hover(Document &document, llvm::lsp::Position position) {
  StringRef text = document.getText();
  size_t offset = toOffset(text, position);
  Word word = wordAt(text, offset);
  Context context = contextAt(text, word.begin);
  if (context.kind == Context::Schedule)
    return hoverSchedule(text, offset, context);
  if (context.kind == Context::MapString)
    return hoverMapFunction(text, offset);
  if (context.kind == Context::Comment)
    return "";
  Part &part = document.partAt(offset);
  if (Value value = valueAt(part, offset))
    return describeValue(value, part);
  Type type = aliasAt(part, offset);
  if (!type)
    type = typeAt(document, text, offset);
  return type ? describeType(type, opAround(part, offset), part)
              : std::string();
}
