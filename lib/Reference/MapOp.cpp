//===- MapOp.cpp - Infix code of fly.map ----------------------------------===//
//
// Evaluates the expression tree for every element: each op as arith and math
// have it on f32, with its error bound, and rounds the result once to the
// element type of the result.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringMap.h"

#include <cmath>

#include "Interpreter.h"
#include "MathFunctions.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

namespace {
/// The values of one element.
class Evaluation {
public:
  Evaluation() : f32(llvm::cantFail(ElementType::parse("f32"))) {}

  llvm::StringMap<Element> names;

  Element evaluate(const MapNode &node) {
    switch (node.kind) {
    case MapNode::Number: {
      Element number;
      number.f = f32.round(node.number);
      return number;
    }
    case MapNode::Name:
      return names.find(node.text)->second;
    case MapNode::Unary: {
      Element operand = evaluate(*node.children[0]);
      operand.f = -operand.f;
      return operand;
    }
    case MapNode::Binary:
      return evaluateBinary(node);
    case MapNode::Select: {
      auto [holds, isUncertain] = evaluateComparison(*node.children[0]);
      Element chosen = evaluate(*node.children[holds ? 1 : 2]);
      if (!isUncertain)
        return chosen;
      return unite(/*isFloat=*/true, chosen,
                   evaluate(*node.children[holds ? 2 : 1]));
    }
    case MapNode::Call:
      return evaluateCall(node);
    }
    llvm_unreachable("all kinds handled");
  }

private:
  Element evaluateBinary(const MapNode &node) {
    Element x[] = {evaluate(*node.children[0]), evaluate(*node.children[1])};
    bool isExact = x[0].error == 0 && x[1].error == 0;
    double sumOfErrors = x[0].error + x[1].error;
    switch (node.text[0]) {
    case '+':
      return roundResult(f32, x[0].f + x[1].f, sumOfErrors);
    case '-':
      return roundResult(f32, x[0].f - x[1].f, sumOfErrors);
    case '*':
      return roundResult(f32, x[0].f * x[1].f,
                         isExact ? 0 : productError(x[0], x[1]));
    default: {
      double quotient = x[0].f / x[1].f;
      return roundResult(f32, quotient,
                         isExact ? 0 : quotientError(x[0], x[1], quotient));
    }
    }
  }

  /// Whether the comparison holds, and whether that is uncertain.
  std::pair<bool, bool> evaluateComparison(const MapNode &node) {
    Element l = evaluate(*node.children[0]), r = evaluate(*node.children[1]);
    bool holds = node.text == "=="   ? l.f == r.f
                 : node.text == "!=" ? l.f != r.f
                 : node.text == "<"  ? l.f < r.f
                 : node.text == "<=" ? l.f <= r.f
                 : node.text == ">"  ? l.f > r.f
                                     : l.f >= r.f;
    return {holds, isUncertain(l, r)};
  }

  Element evaluateCall(const MapNode &node) {
    Element x[2];
    for (size_t i = 0; i < node.children.size(); ++i)
      x[i] = evaluate(*node.children[i]);
    if (node.text == "relu")
      x[1].f = 0;
    if (node.text == "min" || node.text == "max" || node.text == "relu") {
      Element result;
      result.f = node.text == "min" ? std::fmin(x[0].f, x[1].f)
                                    : std::fmax(x[0].f, x[1].f);
      result.error = std::max(x[0].error, x[1].error);
      return result;
    }
    auto [it, isNew] = functions.try_emplace(node.text);
    if (isNew) {
      StringRef name = node.text;
      it->second = makeFloatFunction(name == "abs"   ? "absf"
                                     : name == "pow" ? "powf"
                                                     : name,
                                     f32, /*isApproximate=*/false);
    }
    const char *fault = nullptr;
    return it->second(x, fault);
  }

  ElementType f32;
  llvm::StringMap<ElementFn> functions;
};
} // namespace

LogicalResult Interpreter::executeMap(MapOp op) {
  std::shared_ptr<MapNode> &tree = mapTrees[op];
  if (!tree) {
    MapSyntaxError error; // The verifier has parsed it before.
    tree = parseMapExpression(op.getExpression(), error);
  }
  FailureOr<SmallVector<int64_t, 4>> shape = shapeOf(op.getType(), op);
  std::optional<ElementType> type = typeOf(op.getType());
  if (failed(shape))
    return failure();
  if (!type)
    return op.emitError() << "the reference executor does not know tiles of "
                          << op.getType();
  auto tile = Tile::make(*shape, true);
  int64_t width = shape->empty() ? 1 : shape->back();

  Evaluation evaluation;
  struct Source {
    Element *value;
    const Tile *tile;
    StringRef role;
  };
  SmallVector<Source> sources;
  for (Attribute name : op.getNames())
    evaluation.names[cast<StringAttr>(name).getValue()] = Element();
  for (auto [name, role, input] :
       llvm::zip(op.getNames(), op.getRoles(), op.getInputs())) {
    Element *slot = &evaluation.names[cast<StringAttr>(name).getValue()];
    if (std::holds_alternative<Real>(get(input)))
      *slot = elementOf(get(input));
    else
      sources.push_back(
          {slot, &getTile(input), cast<StringAttr>(role).getValue()});
  }
  for (int64_t i = 0, e = tile->size(); i < e; ++i) {
    for (const Source &source : sources)
      *source.value = source.tile->at(source.role == "rows"   ? i / width
                                      : source.role == "cols" ? i % width
                                                              : i);
    Element result = evaluation.evaluate(*tree);
    tile->set(i, type->bits() < 32
                     ? roundToType(*type, result, /*saturate=*/false)
                     : result);
  }
  set(op, TilePtr(tile));
  return success();
}
