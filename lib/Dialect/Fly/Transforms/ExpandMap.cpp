//===- ExpandMap.cpp - fly.map as arith and math --------------------------===//
//
// Walks the expression tree and makes one op a node. All arithmetic is in f32
// on tiles of the result's shape: inputs widen first (while they are still one
// value a row or column), then broadcast; the result is rounded once. Nothing
// is refused here: the op's verifier parsed the expression already.
//
//===----------------------------------------------------------------------===//
#include "ExpandMap.h"

#include "fly/Dialect/Fly/IR/MapExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using namespace fly;

namespace {
class Expander {
public:
  explicit Expander(MapOp map)
      : map(map), builder(map), loc(map.getLoc()),
        type(RankedTensorType::get(
            cast<RankedTensorType>(map.getType()).getShape(),
            builder.getF32Type())) {}

  void run() {
    for (auto [name, role, input] :
         llvm::zip(map.getNames(), map.getRoles(), map.getInputs()))
      inputs[cast<StringAttr>(name).getValue()] = {
          input, cast<StringAttr>(role).getValue(), Value()};
    MapSyntaxError error;
    std::unique_ptr<MapNode> root =
        parseMapExpression(map.getExpression(), error);
    Value value = emit(*root);
    if (value.getType() != map.getType())
      value = arith::TruncFOp::create(builder, loc, map.getType(), value);
    map.getResult().replaceAllUsesWith(value);
    map.erase();
  }

private:
  struct Input {
    Value source;
    StringRef role;
    /// As a tile of `type`; made where the expression first names it.
    Value tile;
  };

  /// A constant tile, each value once.
  Value constant(double number) {
    uint64_t bits = llvm::bit_cast<uint64_t>(number);
    Value &tile = constants[bits];
    if (!tile)
      tile = ConstantOp::create(builder, loc, type,
                                builder.getF64FloatAttr(number));
    return tile;
  }

  /// A bound name as a tile of f32.
  Value read(StringRef name) {
    Input &input = inputs[name];
    if (input.tile)
      return input.tile;
    Value value = input.source;
    Type f32 = builder.getF32Type();
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if ((tile ? tile.getElementType() : value.getType()) != f32) {
      Type wide =
          tile ? Type(RankedTensorType::get(tile.getShape(), f32)) : f32;
      value = arith::ExtFOp::create(builder, loc, wide, value);
    }
    if (!tile)
      value = SplatOp::create(builder, loc, type, value);
    else if (input.role != "tile")
      value = BroadcastOp::create(
          builder, loc, type, value,
          builder.getI64IntegerAttr(input.role == "rows" ? 1 : 0));
    return input.tile = value;
  }

  template <typename OpT>
  Value make(ValueRange operands) {
    return OpT::create(builder, loc, operands).getResult();
  }

  Value emit(const MapNode &node) {
    switch (node.kind) {
    case MapNode::Number:
      return constant(node.number);
    case MapNode::Name:
      return read(node.text);
    case MapNode::Unary:
      return make<arith::NegFOp>(emit(*node.children[0]));
    case MapNode::Binary: {
      Value lhs = emit(*node.children[0]), rhs = emit(*node.children[1]);
      if (node.isComparison())
        return emitComparison(node.text, lhs, rhs);
      switch (node.text[0]) {
      case '+':
        return make<arith::AddFOp>({lhs, rhs});
      case '-':
        return make<arith::SubFOp>({lhs, rhs});
      case '*':
        return make<arith::MulFOp>({lhs, rhs});
      default:
        return make<arith::DivFOp>({lhs, rhs});
      }
    }
    case MapNode::Select: {
      Value condition = emit(*node.children[0]);
      Value whenTrue = emit(*node.children[1]);
      Value whenFalse = emit(*node.children[2]);
      return arith::SelectOp::create(builder, loc, condition, whenTrue,
                                     whenFalse);
    }
    case MapNode::Call: {
      SmallVector<Value, 2> arguments;
      for (const auto &child : node.children)
        arguments.push_back(emit(*child));
      return emitCall(node.text, arguments);
    }
    }
    llvm_unreachable("all kinds of nodes are handled");
  }

  /// As C compares: false where an operand is NaN, but != is true.
  Value emitComparison(StringRef op, Value lhs, Value rhs) {
    using Predicate = arith::CmpFPredicate;
    auto predicate = llvm::StringSwitch<Predicate>(op)
                         .Case("<", Predicate::OLT)
                         .Case("<=", Predicate::OLE)
                         .Case(">", Predicate::OGT)
                         .Case(">=", Predicate::OGE)
                         .Case("==", Predicate::OEQ)
                         .Default(Predicate::UNE);
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }

  Value emitCall(StringRef name, ArrayRef<Value> arguments) {
    Value x = arguments[0];
    if (name == "min")
      return make<arith::MinNumFOp>(arguments);
    if (name == "max")
      return make<arith::MaxNumFOp>(arguments);
    if (name == "relu")
      return make<arith::MaxNumFOp>({x, constant(0.0)});
    if (name == "abs")
      return make<math::AbsFOp>(x);
    if (std::optional<Activation> kind = symbolizeActivation(name))
      return ActivateOp::create(builder, loc, type, *kind, x);
    using Make = Value (Expander::*)(ValueRange);
    Make make = llvm::StringSwitch<Make>(name)
                    .Case("exp", &Expander::make<math::ExpOp>)
                    .Case("exp2", &Expander::make<math::Exp2Op>)
                    .Case("log", &Expander::make<math::LogOp>)
                    .Case("log2", &Expander::make<math::Log2Op>)
                    .Case("pow", &Expander::make<math::PowFOp>)
                    .Case("sin", &Expander::make<math::SinOp>)
                    .Case("cos", &Expander::make<math::CosOp>)
                    .Case("erf", &Expander::make<math::ErfOp>)
                    .Case("tanh", &Expander::make<math::TanhOp>)
                    .Case("sqrt", &Expander::make<math::SqrtOp>)
                    .Case("floor", &Expander::make<math::FloorOp>)
                    .Case("ceil", &Expander::make<math::CeilOp>)
                    .Case("rsqrt", &Expander::make<math::RsqrtOp>)
                    .Default(nullptr);
    assert(make && "the parser knows the same functions");
    return (this->*make)(arguments);
  }

  MapOp map;
  OpBuilder builder;
  Location loc;
  RankedTensorType type;
  llvm::StringMap<Input> inputs;
  std::map<uint64_t, Value> constants;
};
} // namespace

void fly::expandMap(MapOp map) { Expander(map).run(); }
