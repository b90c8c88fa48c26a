//===- Mutant.cpp - Making the mutants of one op --------------------------===//
//
// Operands, results, regions and places are changed on a clone, by calls that
// verify nothing. Properties are changed in the text, because a property of
// the wrong kind exists nowhere else.
//
//===----------------------------------------------------------------------===//
#include "Mutant.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fly::mutants;

std::string fly::mutants::printGeneric(Operation *module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printGenericOpForm());
  return text;
}

static Operation *findOp(Operation *module, unsigned number) {
  Operation *found = nullptr;
  unsigned count = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (count++ != number)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
/// Makes the mutants of one op.
class Maker {
public:
  Maker(ModuleOp module, unsigned number,
        llvm::function_ref<void(const Mutant &)> visit)
      : module(module), number(number), visit(visit),
        op(findOp(module, number)) {}

  void run() {
    changeProperties();
    changeAttributes();
    changeOperands();
    changeResults();
    changeRegions();
    changePlace();
  }

private:
  /// Hands over a clone of the module that `change` altered.
  void onClone(const llvm::Twine &what,
               llvm::function_ref<void(Operation *)> change);
  void emit(const llvm::Twine &what, std::string text);

  void changeProperties();
  void changeAttributes();
  void changeOperands();
  void changeResults();
  void changeRegions();
  void changePlace();

  /// Attributes of other kinds than any one place expects.
  SmallVector<Attribute> strangeAttributes();
  SmallVector<Type> strangeTypes();

  ModuleOp module;
  unsigned number;
  llvm::function_ref<void(const Mutant &)> visit;
  Operation *op;
};
} // namespace

void Maker::emit(const llvm::Twine &what, std::string text) {
  visit(
      {(op->getName().getStringRef() + " #" + llvm::Twine(number) + ": " + what)
           .str(),
       std::move(text)});
}

void Maker::onClone(const llvm::Twine &what,
                    llvm::function_ref<void(Operation *)> change) {
  OwningOpRef<ModuleOp> clone = module.clone();
  change(findOp(*clone, number));
  emit(what, printGeneric(*clone));
}

SmallVector<Attribute> Maker::strangeAttributes() {
  Builder b(op->getContext());
  return {b.getUnitAttr(),
          b.getI32IntegerAttr(-1),
          b.getI32IntegerAttr(0),
          b.getI64IntegerAttr(INT64_MIN),
          b.getI64IntegerAttr(INT64_MAX),
          b.getIntegerAttr(b.getIntegerType(128), 7),
          b.getIndexAttr(3),
          b.getBoolAttr(true),
          b.getF32FloatAttr(0.5f),
          b.getStringAttr(""),
          b.getStringAttr("no such thing"),
          b.getArrayAttr({}),
          b.getArrayAttr({b.getStringAttr("a"), b.getUnitAttr()}),
          b.getDictionaryAttr({}),
          b.getDenseI32ArrayAttr({1, 2, 3, 4, 5, 6, 7}),
          b.getDenseI64ArrayAttr({}),
          b.getDenseI64ArrayAttr({-1, INT64_MAX}),
          TypeAttr::get(b.getF32Type()),
          FlatSymbolRefAttr::get(b.getContext(), "nowhere")};
}

// No unranked tensors: upstream's verifier of arith ops ends the process on a
// ranked and an unranked one together.
SmallVector<Type> Maker::strangeTypes() {
  Builder b(op->getContext());
  SmallVector<Type> types = {
      b.getI1Type(),
      b.getI32Type(),
      b.getIndexType(),
      b.getNoneType(),
      b.getF64Type(),
      RankedTensorType::get({}, b.getF32Type()),
      RankedTensorType::get({0, 64}, b.getF32Type()),
      RankedTensorType::get({ShapedType::kDynamic, 3}, b.getBF16Type()),
      RankedTensorType::get({2, 2, 2, 2, 2}, b.getI8Type()),
      RankedTensorType::get({64, 32}, ComplexType::get(b.getF32Type())),
      VectorType::get({3}, b.getF16Type()),
      VectorType::get({2, 4}, b.getF32Type(), {false, true})};
  // Types of the dialect itself, as this module has them.
  module.walk([&](Operation *other) {
    for (Type type : other->getResultTypes())
      if (types.size() < 20 && type.getDialect().getNamespace() == "fly" &&
          !llvm::is_contained(types, type))
        types.push_back(type);
  });
  return types;
}

/// Where the properties `<{...}>` of the op that `text` has at `start` begin
/// and end; end == begin where it has none.
static std::pair<size_t, size_t> findProperties(llvm::StringRef text,
                                                size_t start) {
  size_t at = text.find(')', start) + 1;
  if (text.substr(at).starts_with("["))
    at = text.find(']', at) + 1;
  if (!text.substr(at).starts_with(" <{"))
    return {at, at};
  size_t end = at + 3;
  bool quoted = false;
  for (int depth = 1; depth && end < text.size(); ++end) {
    char c = text[end];
    if (quoted)
      end += c == '\\', quoted = c != '"';
    else if (c == '"')
      quoted = true;
    else
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  return {at, end + 1};
}

void Maker::changeProperties() {
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!properties)
    return;
  std::string quoted = ("\"" + op->getName().getStringRef() + "\"(").str();
  unsigned before = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *other) {
    if (other == op)
      return WalkResult::interrupt();
    before += other->getName() == op->getName();
    return WalkResult::advance();
  });
  std::string text = printGeneric(module);
  size_t start = text.find(quoted);
  while (before--)
    start = text.find(quoted, start + 1);
  std::pair<size_t, size_t> place = findProperties(text, start);
  auto with = [&](NamedAttrList list, const llvm::Twine &what) {
    std::string dictionary;
    llvm::raw_string_ostream(dictionary)
        << " <" << list.getDictionary(op->getContext()) << ">";
    emit(what,
         text.substr(0, place.first) + dictionary + text.substr(place.second));
  };
  with({}, "properties dropped");
  SmallVector<Attribute> strange = strangeAttributes();
  for (NamedAttribute attribute : properties) {
    std::string name = attribute.getName().str();
    NamedAttrList without(properties);
    without.erase(name);
    with(without, "property '" + name + "' dropped");
    for (auto [i, value] : llvm::enumerate(strange)) {
      NamedAttrList changed(properties);
      changed.set(name, value);
      with(changed, "property '" + name + "' exchanged " + llvm::Twine(i));
    }
  }
  NamedAttrList more(properties);
  more.set("no_such_property", strange.front());
  with(more, "property added");
}

void Maker::changeAttributes() {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringAttr name = attribute.getName();
    onClone("attribute '" + name.str() + "' dropped",
            [&](Operation *clone) { clone->removeDiscardableAttr(name); });
    for (auto [i, value] : llvm::enumerate(strangeAttributes()))
      onClone("attribute '" + name.str() + "' exchanged " + llvm::Twine(i),
              [&, value = value](Operation *clone) {
                clone->setDiscardableAttr(name, value);
              });
  }
}

/// A value of `type` at the entry of the op's outermost block of the module.
static Value valueOf(Type type, Operation *op) {
  OpBuilder builder(op);
  return ub::PoisonOp::create(builder, op->getLoc(), type);
}

void Maker::changeOperands() {
  for (unsigned i = 0, e = op->getNumOperands(); i != e; ++i) {
    onClone("operand " + llvm::Twine(i) + " dropped",
            [&](Operation *clone) { clone->eraseOperand(i); });
    onClone("operand " + llvm::Twine(i) + " twice", [&](Operation *clone) {
      clone->insertOperands(i, clone->getOperand(i));
    });
    for (Type type : strangeTypes())
      onClone("operand " + llvm::Twine(i) + " of another type",
              [&](Operation *clone) {
                clone->setOperand(i, valueOf(type, clone));
              });
  }
}

void Maker::changeResults() {
  for (unsigned i = 0, e = op->getNumResults(); i != e; ++i)
    for (Type type : strangeTypes())
      onClone("result " + llvm::Twine(i) + " of another type",
              [&](Operation *clone) { clone->getResult(i).setType(type); });
}

void Maker::changeRegions() {
  for (unsigned i = 0, e = op->getNumRegions(); i != e; ++i) {
    std::string region = "region " + std::to_string(i);
    if (op->getRegion(i).empty())
      continue;
    onClone(region + " emptied", [&](Operation *clone) {
      Region &body = clone->getRegion(i);
      body.dropAllReferences();
      body.getBlocks().clear();
    });
    onClone(region + " with an empty block", [&](Operation *clone) {
      Region &body = clone->getRegion(i);
      body.dropAllReferences();
      body.getBlocks().clear();
      body.emplaceBlock();
    });
    onClone(region + " without terminator", [&](Operation *clone) {
      Block &block = clone->getRegion(i).front();
      if (!block.empty())
        block.back().erase();
    });
    onClone(region + " with a second block", [&](Operation *clone) {
      Region &body = clone->getRegion(i);
      IRMapping mapping;
      Block *copy = new Block;
      for (Operation &inner : body.front())
        copy->push_back(inner.clone(mapping));
      body.push_back(copy);
    });
    onClone(region + " with another argument", [&](Operation *clone) {
      clone->getRegion(i).front().addArgument(
          Float16Type::get(clone->getContext()), clone->getLoc());
    });
    for (unsigned a = 0, n = op->getRegion(i).front().getNumArguments(); a != n;
         ++a)
      for (Type type : strangeTypes())
        onClone(region + " argument " + llvm::Twine(a) + " of another type",
                [&](Operation *clone) {
                  clone->getRegion(i).front().getArgument(a).setType(type);
                });
  }
}

/// Ends the block of the function-like op `function` and moves `op` into it.
static void moveInto(Operation *op, Operation *function, bool kernel) {
  Block &entry = function->getRegion(0).front();
  SmallVector<Value> operands;
  OpBuilder builder = OpBuilder::atBlockEnd(&entry);
  for (Type type : op->getOperandTypes())
    operands.push_back(ub::PoisonOp::create(builder, op->getLoc(), type));
  for (Value result : op->getResults())
    result.replaceAllUsesWith(valueOf(result.getType(), op));
  op->remove();
  op->setOperands(operands);
  entry.push_back(op);
  builder.setInsertionPointToEnd(&entry);
  if (kernel)
    gpu::ReturnOp::create(builder, op->getLoc());
  else
    func::ReturnOp::create(builder, op->getLoc());
}

void Maker::changePlace() {
  if (!op->getParentOp() || op->getParentOp() == module)
    return;
  onClone("erased", [&](Operation *clone) {
    for (Value result : clone->getResults())
      result.replaceAllUsesWith(valueOf(result.getType(), clone));
    clone->erase();
  });
  onClone("twice", [&](Operation *clone) { OpBuilder(clone).clone(*clone); });
  onClone("in the module", [&](Operation *clone) {
    auto top = clone->getParentOfType<ModuleOp>();
    for (Value result : clone->getResults())
      result.replaceAllUsesWith(valueOf(result.getType(), clone));
    OpBuilder builder = OpBuilder::atBlockEnd(top.getBody());
    for (OpOperand &operand : clone->getOpOperands())
      operand.set(ub::PoisonOp::create(builder, clone->getLoc(),
                                       operand.get().getType()));
    clone->moveBefore(top.getBody(), top.getBody()->end());
  });
  onClone("in a host function", [&](Operation *clone) {
    auto top = clone->getParentOfType<ModuleOp>();
    OpBuilder builder = OpBuilder::atBlockEnd(top.getBody());
    auto function = func::FuncOp::create(builder, clone->getLoc(), "elsewhere",
                                         builder.getFunctionType({}, {}));
    function.addEntryBlock();
    moveInto(clone, function, /*kernel=*/false);
  });
  onClone("in a kernel of its own", [&](Operation *clone) {
    auto top = clone->getParentOfType<ModuleOp>();
    OpBuilder builder = OpBuilder::atBlockEnd(top.getBody());
    auto place =
        gpu::GPUModuleOp::create(builder, clone->getLoc(), "elsewhere");
    builder.setInsertionPointToStart(&place.getBodyRegion().front());
    auto function = gpu::GPUFuncOp::create(builder, clone->getLoc(), "kernel",
                                           builder.getFunctionType({}, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    moveInto(clone, function, /*kernel=*/true);
  });
}

void fly::mutants::forEachMutant(
    ModuleOp module, unsigned number,
    llvm::function_ref<void(const Mutant &)> visit) {
  Maker(module, number, visit).run();
}
