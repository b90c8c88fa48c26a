//===- MapOp.cpp - Elementwise code in infix ------------------------------===//
//
// Syntax and rules of fly.map; the expression itself is parsed by
// MapExpression.cpp.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/MapExpression.h"
#include "fly/Dialect/Fly/IR/Schedule.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringSet.h"

#include "MixedList.h"
#include "TileShape.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr expression;
  UnresolvedList inputs;
  SmallVector<Attribute> names, roles;
  Builder &builder = parser.getBuilder();
  auto parseBinding = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    StringRef role = "tile";
    if (succeeded(parser.parseOptionalKeyword("rows")))
      role = "rows";
    else if (succeeded(parser.parseOptionalKeyword("cols")))
      role = "cols";
    names.push_back(builder.getStringAttr(name));
    roles.push_back(builder.getStringAttr(role));
    return parser.parseOperand(inputs.emplace_back());
  };
  SMLoc loc = parser.getCurrentLocation();
  FunctionType types;
  if (parser.parseAttribute(expression) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBinding) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(types) ||
      parser.resolveOperands(inputs, types.getInputs(), loc, result.operands))
    return failure();
  if (types.getNumResults() != 1)
    return parser.emitError(loc, "fly.map has one result");
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setExpression(expression);
  properties.setNames(builder.getArrayAttr(names));
  properties.setRoles(builder.getArrayAttr(roles));
  result.addTypes(types.getResults());
  return success();
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getExpressionAttr() << " (";
  llvm::interleaveComma(llvm::zip(getNames(), getRoles(), getInputs()), printer,
                        [&](auto it) {
                          auto [name, role, input] = it;
                          printer.printKeywordOrString(cast<StringAttr>(name));
                          printer << " = ";
                          if (cast<StringAttr>(role) != "tile")
                            printer << cast<StringAttr>(role).getValue() << ' ';
                          printer << input;
                        });
  printer << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"expression", "names", "roles"});
  printer << " : (";
  llvm::interleaveComma(getInputs().getTypes(), printer);
  printer << ") -> " << getType();
}

/// The expression with a caret under the offending character.
static void attachCaret(InFlightDiagnostic &diag, StringRef text,
                        size_t offset) {
  diag.attachNote() << "in \"" << text << "\" at column " << offset + 1 << ": "
                    << text.take_front(offset) << " <-- here --> "
                    << text.drop_front(std::min(offset, text.size()));
}

static LogicalResult verifyNames(MapOp op, const MapNode &node,
                                 const llvm::StringSet<> &bound) {
  if (node.kind == MapNode::Name && !bound.contains(node.text)) {
    SmallVector<StringRef> known;
    for (Attribute name : op.getNames())
      known.push_back(cast<StringAttr>(name).getValue());
    InFlightDiagnostic diag = op.emitOpError()
                              << "name '" << node.text << "' is not bound"
                              << suggestWord(node.text, known)
                              << ", bound are: " << llvm::join(known, ", ");
    attachCaret(diag, op.getExpression(), node.offset);
    return diag;
  }
  for (const auto &child : node.children)
    if (failed(verifyNames(op, *child, bound)))
      return failure();
  return success();
}

LogicalResult MapOp::verify() {
  if (getNames().size() != getInputs().size() ||
      getRoles().size() != getInputs().size())
    return emitOpError() << "expects one name and one role an input";
  MapSyntaxError error;
  std::unique_ptr<MapNode> root = parseMapExpression(getExpression(), error);
  if (!root) { // C1
    InFlightDiagnostic diag = emitOpError() << "expression: " << error.message;
    attachCaret(diag, getExpression(), error.offset);
    return diag;
  }
  llvm::StringSet<> bound;
  for (Attribute name : getNames())
    if (!bound.insert(cast<StringAttr>(name).getValue()).second)
      return emitOpError() << "binds " << name << " twice";
  if (failed(verifyNames(*this, *root, bound)))
    return failure();
  auto result = cast<RankedTensorType>(getType());
  if (!isa<FloatType>(result.getElementType()) ||
      result.getElementTypeBitWidth() > 32)
    return emitOpError()
           << "computes in f32, so it gives tiles of floats of at "
              "most 32 bits, got "
           << result.getElementType();
  for (auto [name, role, input] :
       llvm::zip(getNames(), getRoles(), getInputs())) { // C2
    StringRef which = cast<StringAttr>(role).getValue();
    if (which != "tile" && which != "rows" && which != "cols")
      return emitOpError() << "expects the role of input " << name
                           << " to be tile, rows or cols, got " << role;
    auto tile = dyn_cast<RankedTensorType>(input.getType());
    Type element = tile ? tile.getElementType() : input.getType();
    if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() > 32)
      return emitOpError() << "input " << name
                           << " must have floats of at most 32 bits, got "
                           << element;
    if (which == "tile") {
      if (tile &&
          failed(verifyShapesAgree(
              *this,
              (Twine("input ") + cast<StringAttr>(name).getValue()).str(), tile,
              result)))
        return failure();
      continue;
    }
    unsigned dim = which == "rows" ? 0 : 1;
    if (!tile || tile.getRank() != 1 || result.getRank() != 2 ||
        !extentsAgree(tile, 0, result, dim)) {
      if (tile && failed(verifySizesKnown(*this, {tile, result})))
        return failure();
      return emitOpError() << "input " << name << " (" << which
                           << ") must be a tile of extent "
                           << (dim < result.getRank() ? extentName(result, dim)
                                                      : std::string("?"))
                           << ", got " << input.getType();
    }
  }
  return success();
}
