//===- Budget.cpp - LDS bytes and registers of a kernel -------------------===//
//
// LDS is exact: the structs that a kernel allocates are added up. Registers are
// an estimate, since LLVM allocates them: the widest set of vectors and
// lane-dependent scalars that are alive together, in program order. Above what
// a wave can have there will be spills, which a warning says before LLVM does.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"

#include "CheckLegal.h"

using namespace mlir;
using namespace fly;

LogicalResult fly::checkLdsBudget(gpu::GPUFuncOp kernel,
                                  const arch::ArchInfo &chip) {
  llvm::SetVector<LdsStructOp> structs;
  kernel.walk([&](LdsAllocOp alloc) {
    if (auto structOp = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
            alloc, alloc.getType().getStructName()))
      structs.insert(structOp);
  });
  int64_t bytes = 0;
  for (LdsStructOp each : structs)
    bytes += each.getSizeInBytes();
  if (!chip.lds.bytes || bytes <= *chip.lds.bytes)
    return success();
  InFlightDiagnostic diag =
      kernel.emitOpError() << "needs " << bytes << " bytes of LDS on "
                           << chip.name << ", the limit is " << *chip.lds.bytes;
  for (LdsStructOp each : structs)
    diag.attachNote(each.getLoc())
        << "LDS struct '" << each.getSymName() << "' takes "
        << each.getSizeInBytes() << ": " << each.describeFields();
  return diag;
}

namespace {

/// The most registers alive together.
class Pressure {
public:
  explicit Pressure(gpu::GPUFuncOp kernel) : uniformity(kernel) {
    for (Block &block : kernel.getBody())
      scan(block, {});
  }
  int64_t most = 0;
  Operation *busiest = nullptr;

private:
  using Live = llvm::SmallDenseSet<Value, 32>;

  /// 32-bit vector registers of a value.
  int64_t weigh(Value value) const {
    Type type = value.getType();
    auto vector = dyn_cast<VectorType>(type);
    Type element = getElementTypeOrSelf(type);
    if (!element.isIntOrIndexOrFloat())
      return 0;
    if (!vector && uniformity.isUniform(value))
      return 0;
    // Constants are made where they are needed.
    if (Operation *op = value.getDefiningOp();
        op && op->hasTrait<OpTrait::ConstantLike>())
      return 0;
    int64_t bits = element.isIndex() ? 32 : element.getIntOrFloatBitWidth();
    if (bits == 1)
      return 0; // A mask in scalar registers.
    return llvm::divideCeil(bits * (vector ? vector.getNumElements() : 1), 32);
  }

  void add(Live &live, int64_t &total, Value value) const {
    if (live.insert(value).second)
      total += weigh(value);
  }
  void remove(Live &live, int64_t &total, Value value) const {
    if (live.erase(value))
      total -= weigh(value);
  }

  void scan(Block &block, Live live) {
    int64_t total = 0;
    for (Value value : live)
      total += weigh(value);
    // A loop's body needs what it uses from outside in every iteration.
    if (isa<LoopLikeOpInterface>(block.getParentOp()))
      block.walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (!block.getParent()->isAncestor(operand.getParentRegion()))
            add(live, total, operand);
      });
    for (Operation &op : llvm::reverse(block)) {
      // An array that an insertion changes is changed in place, so what counts
      // is what is alive behind the op.
      if (total > most) {
        most = total;
        busiest = &op;
      }
      for (Value result : op.getResults())
        remove(live, total, result);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          scan(inner, live);
      for (Value operand : op.getOperands())
        add(live, total, operand);
      for (Region &region : op.getRegions())
        region.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (!op.isAncestor(operand.getParentRegion()->getParentOp()))
              add(live, total, operand);
        });
    }
  }

  Uniformity uniformity;
};

} // namespace

void fly::warnAboutRegisters(gpu::GPUFuncOp kernel,
                             const arch::ArchInfo &chip) {
  if (!chip.registers.maxVgprs)
    return;
  Pressure pressure(kernel);
  if (pressure.most <= *chip.registers.maxVgprs)
    return;
  InFlightDiagnostic diag =
      kernel.emitWarning()
      << "kernel '" << kernel.getName() << "' keeps about " << pressure.most
      << " vector registers alive, a wave of " << chip.name << " has "
      << *chip.registers.maxVgprs
      << ": expect spills; use more waves or a smaller tile";
  diag.attachNote(pressure.busiest->getLoc()) << "the most are alive here";
}
