//===- Vectors.cpp - Register arrays as lists of registers ----------------===//
//
// At the explicit level a lane's registers are vectors of any rank:
// vector<4x8x4xf32> is a 4 x 8 array of 4-element registers. Here each inner
// vector becomes a value of its own, through loops and branches, so that LLVM
// sees one virtual register (tuple) for each and no aggregate that it would
// have to take apart. Positions are static; an op that mixes inner vectors in
// another way than listed here is refused by name.
//
//===----------------------------------------------------------------------===//
#include "Flattener.h"
#include "Lowering.h"

using namespace mlir;
using namespace fly;
using namespace fly::flatten;

static bool touchesArrays(Operation *op) {
  auto isArray = [](Type type) { return bool(getArray(type)); };
  return llvm::any_of(op->getOperandTypes(), isArray) ||
         llvm::any_of(op->getResultTypes(), isArray);
}

SmallVector<Type> Flattener::expandTypes(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types) {
    if (VectorType array = getArray(type))
      expanded.append(countRegisters(array), getRegister(array));
    else
      expanded.push_back(type);
  }
  return expanded;
}

void Flattener::bind(ValueRange olds, ValueRange values) {
  for (Value value : olds) {
    VectorType array = getArray(value.getType());
    size_t count = array ? countRegisters(array) : 1;
    if (array)
      parts[value] = Parts(values.take_front(count));
    else
      value.replaceAllUsesWith(values.front());
    values = values.drop_front(count);
  }
}

LogicalResult Flattener::flattenLoop(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto flat = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(),
                                 getParts(loop.getInitArgs()), nullptr,
                                 loop.getUnsignedCmp());
  flat->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!flat.getBody()->empty())
    flat.getBody()->getTerminator()->erase();
  Block *body = flat.getBody(), *oldBody = loop.getBody();
  body->getOperations().splice(body->end(), oldBody->getOperations());
  loop.getInductionVar().replaceAllUsesWith(flat.getInductionVar());
  bind(loop.getRegionIterArgs(), flat.getRegionIterArgs());
  if (failed(flatten(*body)))
    return failure();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  yield->setOperands(getParts(yield.getOperands()));
  bind(loop.getResults(), flat.getResults());
  old.push_back(loop);
  return success();
}

LogicalResult Flattener::flattenWhile(scf::WhileOp loop) {
  OpBuilder builder(loop);
  auto flat = scf::WhileOp::create(builder, loop.getLoc(),
                                   expandTypes(loop.getResultTypes()),
                                   getParts(loop.getInits()));
  flat->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  for (auto [to, from] : llvm::zip(flat->getRegions(), loop->getRegions())) {
    Block &body = to.emplaceBlock(), &oldBody = from.front();
    for (Type type : expandTypes(oldBody.getArgumentTypes()))
      body.addArgument(type, loop.getLoc());
    body.getOperations().splice(body.end(), oldBody.getOperations());
    bind(oldBody.getArguments(), body.getArguments());
    if (failed(flatten(body)))
      return failure();
    Operation *terminator = body.getTerminator();
    terminator->setOperands(getParts(terminator->getOperands()));
  }
  bind(loop.getResults(), flat.getResults());
  old.push_back(loop);
  return success();
}

LogicalResult Flattener::flattenBranch(scf::IfOp branch) {
  OpBuilder builder(branch);
  auto flat = scf::IfOp::create(builder, branch.getLoc(),
                                expandTypes(branch.getResultTypes()),
                                branch.getCondition());
  for (auto [to, from] : llvm::zip(flat->getRegions(), branch->getRegions())) {
    to.takeBody(from);
    for (Block &block : to) {
      if (failed(flatten(block)))
        return failure();
      auto yield = cast<scf::YieldOp>(block.getTerminator());
      yield->setOperands(getParts(yield.getOperands()));
    }
  }
  bind(branch.getResults(), flat.getResults());
  old.push_back(branch);
  return success();
}

LogicalResult Flattener::flattenOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && touchesArrays(op))
    return flattenLoop(loop);
  auto carriesArrays = [](scf::WhileOp loop) {
    return llvm::any_of(loop.getAfterBody()->getArgumentTypes(),
                        [](Type type) { return bool(getArray(type)); });
  };
  if (auto loop = dyn_cast<scf::WhileOp>(op);
      loop && (touchesArrays(op) || carriesArrays(loop)))
    return flattenWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && touchesArrays(op))
    return flattenBranch(branch);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument arg : block.getArguments())
        if (getArray(arg.getType()))
          return op->emitOpError()
                 << "carries the register array " << arg.getType()
                 << ", which only scf.for, scf.while and scf.if may do";
      if (failed(flatten(block)))
        return failure();
    }
  if (!touchesArrays(op) || isa<scf::YieldOp, scf::ConditionOp>(op))
    return success();
  return visitOp(op);
}

LogicalResult Flattener::flatten(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(flattenOp(&op)))
      return failure();
  return success();
}

LogicalResult fly::flattenVectors(gpu::GPUFuncOp kernel) {
  Flattener flattener;
  for (Block &block : kernel.getBody()) {
    for (BlockArgument arg : block.getArguments())
      if (getArray(arg.getType()))
        return kernel.emitOpError() << "takes the register array "
                                    << arg.getType() << " as an argument";
    if (failed(flattener.flatten(block)))
      return failure();
  }
  flattener.eraseOld();
  return success();
}
