//===- Names.cpp - Names of sizes in ops and types ------------------------===//
//
// The lists of ops that may hold names, and what replaces them.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Names.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fly;

/// Attributes of our ops whose string entries are names of sizes.
static constexpr llvm::StringLiteral kLists[] = {
    "static_bounds",  "static_steps",       "static_extents",
    "static_strides", "static_coordinates",
};

static bool isTile(Type type) { return isa<RankedTensorType>(type); }

static bool hasTiles(Operation *root, SmallPtrSetImpl<Operation *> &seen) {
  WalkResult walk = root->walk([&](Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), isTile) ||
                 llvm::any_of(op->getOperandTypes(), isTile);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), isTile);
    // All tiles of a kernel may be in its helpers.
    if (auto call = dyn_cast<func::CallOp>(op); call && !found) {
      Operation *helper =
          SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
      found = helper && seen.insert(helper).second && ::hasTiles(helper, seen);
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

bool fly::hasTiles(Operation *root) {
  SmallPtrSet<Operation *, 4> seen;
  return ::hasTiles(root, seen);
}

static void forEachName(Type type, function_ref<void(StringAttr)> visit) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return;
  auto tile = dyn_cast_or_null<TileAttr>(tensor.getEncoding());
  if (!tile)
    return;
  for (Attribute size : tile.getSizes())
    if (auto name = dyn_cast<StringAttr>(size))
      visit(name);
}

void fly::forEachName(Operation *op, function_ref<void(StringAttr)> visit) {
  for (Type type : op->getResultTypes())
    ::forEachName(type, visit);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        ::forEachName(type, visit);
  if (!isa_and_nonnull<FlyDialect>(op->getDialect()))
    return;
  for (StringRef list : kLists)
    if (auto entries = op->getAttrOfType<ArrayAttr>(list))
      for (Attribute entry : entries)
        if (auto name = dyn_cast<StringAttr>(entry))
          visit(name);
  if (auto size = dyn_cast<SizeOp>(op))
    visit(size.getNameAttr());
  if (auto require = dyn_cast<RequireMultipleOp>(op))
    if (auto name = dyn_cast<StringAttr>(require.getMultiple()))
      visit(name);
}

RankedTensorType fly::replaceNames(RankedTensorType type,
                                   function_ref<int64_t(StringAttr)> lookup) {
  auto tile = dyn_cast_or_null<TileAttr>(type.getEncoding());
  if (!tile)
    return type;
  SmallVector<int64_t> shape;
  for (Attribute size : tile.getSizes()) {
    auto name = dyn_cast<StringAttr>(size);
    shape.push_back(name ? lookup(name) : cast<IntegerAttr>(size).getInt());
  }
  return RankedTensorType::get(shape, type.getElementType());
}

unsigned fly::replaceNames(Operation *op,
                           function_ref<int64_t(StringAttr)> lookup) {
  if (!isa_and_nonnull<FlyDialect>(op->getDialect()))
    return 0;
  Builder builder(op->getContext());
  unsigned count = 0;
  for (StringRef list : kLists) {
    auto entries = op->getAttrOfType<ArrayAttr>(list);
    if (!entries)
      continue;
    unsigned before = count;
    SmallVector<Attribute> numbers;
    for (Attribute entry : entries) {
      auto name = dyn_cast<StringAttr>(entry);
      count += bool(name);
      numbers.push_back(name ? builder.getI64IntegerAttr(lookup(name)) : entry);
    }
    if (count != before)
      op->setAttr(list, builder.getArrayAttr(numbers));
  }
  if (auto require = dyn_cast<RequireMultipleOp>(op)) {
    if (auto name = dyn_cast<StringAttr>(require.getMultiple())) {
      require.setMultipleAttr(builder.getI64IntegerAttr(lookup(name)));
      ++count;
    }
  }
  return count;
}
