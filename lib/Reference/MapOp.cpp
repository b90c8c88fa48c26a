//===- MapOp.cpp - Infix code of fly.map ----------------------------------===//
//
// Evaluates the expression tree for every element in double and rounds the
// result once, to the element type of the result.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

#include "Interpreter.h"
#include "TypeOf.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

using Bindings = llvm::StringMap<double>;

static double evaluate(const MapNode &node, const Bindings &names);

static double evaluateBinary(const MapNode &node, const Bindings &names) {
  double l = evaluate(*node.children[0], names);
  double r = evaluate(*node.children[1], names);
  switch (node.text[0]) {
  case '+':
    return l + r;
  case '-':
    return l - r;
  case '*':
    return l * r;
  case '/':
    return l / r;
  case '=':
    return l == r;
  case '!':
    return l != r;
  case '<':
    return node.text == "<=" ? l <= r : l < r;
  default:
    return node.text == ">=" ? l >= r : l > r;
  }
}

static double evaluateCall(const MapNode &node, const Bindings &names) {
  double x = evaluate(*node.children[0], names);
  if (node.children.size() == 2) {
    double y = evaluate(*node.children[1], names);
    return node.text == "pow"   ? std::pow(x, y)
           : node.text == "min" ? std::fmin(x, y)
                                : std::fmax(x, y);
  }
  if (std::optional<Activation> kind = symbolizeActivation(node.text))
    return activate(*kind, x);
  using Fn = double (*)(double);
  Fn fn = llvm::StringSwitch<Fn>(node.text)
              .Case("abs", std::fabs)
              .Case("exp", std::exp)
              .Case("exp2", std::exp2)
              .Case("log", std::log)
              .Case("log2", std::log2)
              .Case("sin", std::sin)
              .Case("cos", std::cos)
              .Case("erf", std::erf)
              .Case("tanh", std::tanh)
              .Case("sqrt", std::sqrt)
              .Case("rsqrt", [](double v) { return 1.0 / std::sqrt(v); })
              .Case("floor", std::floor)
              .Case("ceil", std::ceil)
              .Case("relu", [](double v) { return std::fmax(v, 0.0); })
              .Default(nullptr);
  return fn ? fn(x) : std::nan("");
}

static double evaluate(const MapNode &node, const Bindings &names) {
  switch (node.kind) {
  case MapNode::Number:
    return node.number;
  case MapNode::Name:
    return names.find(node.text)->second;
  case MapNode::Unary:
    return -evaluate(*node.children[0], names);
  case MapNode::Binary:
    return evaluateBinary(node, names);
  case MapNode::Select:
    return evaluate(*node.children[0], names)
               ? evaluate(*node.children[1], names)
               : evaluate(*node.children[2], names);
  case MapNode::Call:
    return evaluateCall(node, names);
  }
  llvm_unreachable("all kinds handled");
}

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

  Bindings names;
  struct Source {
    double *value;
    const Tile *tile;
    StringRef role;
  };
  SmallVector<Source> sources;
  for (Attribute name : op.getNames())
    names[cast<StringAttr>(name).getValue()] = 0;
  for (auto [name, role, input] :
       llvm::zip(op.getNames(), op.getRoles(), op.getInputs())) {
    double *slot = &names[cast<StringAttr>(name).getValue()];
    if (auto *number = std::get_if<double>(&get(input)))
      *slot = *number;
    else
      sources.push_back(
          {slot, &getTile(input), cast<StringAttr>(role).getValue()});
  }
  for (int64_t i = 0, e = tile->size(); i < e; ++i) {
    for (const Source &source : sources)
      *source.value = source.tile->floats[source.role == "rows"   ? i / width
                                          : source.role == "cols" ? i % width
                                                                  : i];
    tile->floats[i] = type->round(evaluate(*tree, names));
  }
  set(op, TilePtr(tile));
  return success();
}
