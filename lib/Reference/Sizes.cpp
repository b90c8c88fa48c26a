//===- Sizes.cpp - A kernel's ops under the sizes of its schedule ---------===//
//
// Until sizes have values, verifiers must take a name and a number for extents
// that agree. The executor indexes tiles by each other's extents, so the ops
// are verified once more with the numbers in place of the names, on a copy:
// what runs is the source as it was written.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include "Interpreter.h"

using namespace mlir;
using namespace fly;
using namespace fly::reference;

/// Elements of a tile, which take the host some bytes each. No chip has
/// registers for a thousandth of it.
static constexpr int64_t kMaxTileElements = int64_t(1) << 24;

/// An error where a tile with these extents would take the host's memory.
static LogicalResult checkTiles(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tile = dyn_cast<RankedTensorType>(type);
    int64_t elements = 1;
    if (!tile || !tile.hasStaticShape())
      continue;
    for (int64_t extent : tile.getShape())
      if (llvm::MulOverflow(elements, extent, elements) ||
          elements > kMaxTileElements)
        return op->emitError()
               << "makes the tile " << tile << ", more elements than the "
               << kMaxTileElements << " that the reference executor holds";
  }
  return success();
}

SmallVector<Operation *> fly::reference::collectFunctions(Operation *root) {
  llvm::SetVector<Operation *> functions;
  functions.insert(root);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](Operation *op) {
      Operation *callee = nullptr;
      if (auto call = dyn_cast<func::CallOp>(op))
        callee =
            SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
      else if (auto launch = dyn_cast<LaunchOp>(op))
        callee = launch.lookupKernel();
      if (isa_and_nonnull<FunctionOpInterface>(callee))
        functions.insert(callee);
    });
  return functions.takeVector();
}

LogicalResult Interpreter::verifyWithSizes() {
  for (const auto &[name, size] : sizes)
    if (size < 1)
      return kernel.emitError()
             << "size '" << name << "' must be a positive number, got " << size;
  // A name without a value is an error where the op runs, if it does.
  auto isKnown = [&](StringAttr name) {
    return sizes.count(name.getValue().str()) != 0;
  };
  auto lookup = [&](StringAttr name) {
    return sizes.find(name.getValue().str())->second;
  };
  AttrTypeReplacer types;
  types.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    auto tile = dyn_cast_or_null<TileAttr>(type.getEncoding());
    if (!tile || !llvm::all_of(tile.getSizes(), [&](Attribute size) {
          auto name = dyn_cast<StringAttr>(size);
          return !name || isKnown(name);
        }))
      return std::nullopt;
    return replaceNames(type, lookup);
  });
  // A program's kernels are verified with their own sizes, when they run.
  bool isProgram = kernel->hasAttr(FlyDialect::getProgramAttrName());
  SmallVector<Operation *> functions = {kernel};
  if (!isProgram)
    functions = collectFunctions(kernel);
  for (Operation *function : functions) {
    OwningOpRef<Operation *> copy(function->clone());
    copy->walk([&](Operation *op) {
      if (op != copy.get())
        types.replaceElementsIn(op, /*replaceAttrs=*/false,
                                /*replaceLocs=*/false, /*replaceTypes=*/true);
    });
    for (BlockArgument argument :
         cast<FunctionOpInterface>(*copy).getFunctionBody().getArguments())
      argument.setType(types.replace(argument.getType()));
    WalkResult walk = copy->walk([&](Operation *op) {
      // Ops of other dialects demand equal types, names included.
      bool isWrong = isa_and_nonnull<FlyDialect>(op->getDialect()) &&
                     failed(verify(op, /*verifyRecursively=*/false));
      return isWrong || failed(checkTiles(op)) ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}
