//===- Aliasing.cpp - Which views may share memory ------------------------===//
#include "Aliasing.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fly;

/// Whether the pointer may be that of another view: it is no argument, or one
/// that says so.
static bool mayAliasOthers(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (!argument)
    return true;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return !function || function.getArgAttr(argument.getArgNumber(),
                                          FlyDialect::getMayAliasAttrName());
}

bool fly::mayAlias(Value lhs, Value rhs) {
  bool lhsInLds = cast<ViewType>(lhs.getType()).getInLds();
  if (lhsInLds != cast<ViewType>(rhs.getType()).getInLds())
    return false;
  if (lhsInLds) {
    // Two handles of one struct are the same workgroup's instance.
    auto l = lhs.getDefiningOp<LdsFieldOp>(),
         r = rhs.getDefiningOp<LdsFieldOp>();
    if (!l || !r)
      return true;
    if (l.getLds().getType() != r.getLds().getType())
      return false;
    auto structOp = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
        l, l.getLds().getType().getStructName());
    return !structOp || structOp.overlap(l.getField(), r.getField());
  }
  auto l = lhs.getDefiningOp<ViewOp>(), r = rhs.getDefiningOp<ViewOp>();
  return !l || !r || l.getPtr() == r.getPtr() || mayAliasOthers(l.getPtr()) ||
         mayAliasOthers(r.getPtr());
}
