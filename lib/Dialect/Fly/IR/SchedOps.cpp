//===- SchedOps.cpp - Hints, priorities, barriers, waits ------------------===//
//
// Rules of the ops that steer issue order, and the syntax of fly.wait.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

static LogicalResult verifyCount(Operation *op, int32_t count) {
  if (count >= 1) // C1
    return success();
  return op->emitOpError() << "expects a count of at least 1, got " << count;
}

LogicalResult SchedMfmaOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedDsrdOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedDswrOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedVmemOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedVmemWriteOp::verify() {
  return verifyCount(*this, getCount());
}
LogicalResult SchedValuOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedSaluOp::verify() { return verifyCount(*this, getCount()); }
LogicalResult SchedTransOp::verify() { return verifyCount(*this, getCount()); }

LogicalResult SetPrioOp::verify() {
  if (int32_t(getPriority()) >= 0 && getPriority() <= 3) // C1
    return success();
  return emitOpError() << "expects a priority of 0 to 3, got "
                       << int32_t(getPriority());
}

ParseResult WaitOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  auto parseCounter = [&](StringRef name, auto set) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(name)))
      return success();
    int32_t count;
    if (parser.parseLParen() || parser.parseInteger(count) ||
        parser.parseRParen())
      return failure();
    set(parser.getBuilder().getI32IntegerAttr(count));
    return success();
  };
  return failure(
      parseCounter("vm", [&](IntegerAttr n) { properties.setVm(n); }) ||
      parseCounter("lgkm", [&](IntegerAttr n) { properties.setLgkm(n); }) ||
      parser.parseOptionalAttrDict(result.attributes));
}

void WaitOp::print(OpAsmPrinter &printer) {
  if (getVmAttr())
    printer << " vm(" << *getVm() << ')';
  if (getLgkmAttr())
    printer << " lgkm(" << *getLgkm() << ')';
  printer.printOptionalAttrDict((*this)->getAttrs(), {"vm", "lgkm"});
}

LogicalResult WaitOp::verify() {
  if (!getVmAttr() && !getLgkmAttr()) // C1
    return emitOpError() << "expects a counter, as in 'fly.wait lgkm(0)'";
  auto check = [&](StringRef name, IntegerAttr count,
                   int64_t limit) -> LogicalResult {
    if (!count || (count.getInt() >= 0 && count.getInt() <= limit))
      return success();
    return emitOpError() << "expects " << name << " of 0 to " << limit
                         << ", got " << count.getInt();
  };
  // The counters are as wide on every chip that Fly compiles for.
  const arch::CounterLimits &limits =
      arch::ArchInfo::get(arch::Chip::Gfx942).counters;
  if (failed(check("vm", getVmAttr(), *limits.vmcnt)))
    return failure();
  return check("lgkm", getLgkmAttr(), *limits.lgkmcnt);
}
