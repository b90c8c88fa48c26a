//===- Hints.cpp - Ops that ask LLVM for an order -------------------------===//
#include "Hints.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace fly;
using namespace fly::hotloop;

bool hotloop::isHint(Operation *op) {
  return isa<SchedMfmaOp, SchedDsrdOp, SchedDswrOp, SchedVmemOp,
             SchedVmemWriteOp, SchedValuOp, SchedSaluOp, SchedTransOp,
             SchedBarrierOp, SetPrioOp>(op);
}

void hotloop::placeHints(ArrayRef<SchedGroup> groups, Operation *before) {
  OpBuilder builder(before);
  Location loc = before->getLoc();
  auto make = [&](auto op, unsigned count) {
    decltype(op)::create(builder, loc, count);
  };
  for (auto [schedClass, count] : groups) {
    switch (schedClass) {
    case SchedClass::Mfma:
      make(SchedMfmaOp(), count);
      break;
    case SchedClass::DsRead:
      make(SchedDsrdOp(), count);
      break;
    case SchedClass::DsWrite:
      make(SchedDswrOp(), count);
      break;
    case SchedClass::VmemRead:
      make(SchedVmemOp(), count);
      break;
    case SchedClass::VmemWrite:
      make(SchedVmemWriteOp(), count);
      break;
    case SchedClass::Valu:
      make(SchedValuOp(), count);
      break;
    case SchedClass::Salu:
      make(SchedSaluOp(), count);
      break;
    case SchedClass::Trans:
      make(SchedTransOp(), count);
      break;
    case SchedClass::Fence:
      SchedBarrierOp::create(builder, loc);
      break;
    }
  }
}
