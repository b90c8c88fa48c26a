//===- LaneEvaluator.cpp - Integers of a lane -----------------------------===//
//
// Values are evaluated with a list of what is still to do, not by recursion:
// chains of arithmetic may be as long as a kernel.
//
//===----------------------------------------------------------------------===//
#include "LaneEvaluator.h"

#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::reports;

LaneEvaluator::Result LaneEvaluator::evaluate(Value value) {
  SmallVector<Value> pending = {value};
  while (!pending.empty()) {
    Value next = pending.back();
    if (results.contains(next)) {
      pending.pop_back();
      continue;
    }
    bool isReady = true;
    Operation *op = next.getDefiningOp();
    // Results of ops with regions are not looked into.
    if (op && op->getNumRegions() == 0)
      for (Value operand : op->getOperands())
        if (operand.getType().isIntOrIndex() && !results.contains(operand)) {
          pending.push_back(operand);
          isReady = false;
        }
    if (!isReady)
      continue;
    Result result = compute(next);
    if (next.getType().isInteger(1)) // True is 1, not -1.
      result.value &= 1;
    results[next] = result;
    pending.pop_back();
  }
  return results[value];
}

/// Two's complement arithmetic without overflow of the host's type.
static int64_t wrap(uint64_t value) { return int64_t(value); }

static std::optional<int64_t> apply(Operation *op, int64_t a, int64_t b) {
  using Number = std::optional<int64_t>;
  uint64_t ua = a, ub = b;
  bool isShift = b >= 0 && b < 64;
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case<arith::AddIOp>([&](auto) { return wrap(ua + ub); })
      .Case<arith::SubIOp>([&](auto) { return wrap(ua - ub); })
      .Case<arith::MulIOp>([&](auto) { return wrap(ua * ub); })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::OrIOp>([&](auto) { return a | b; })
      .Case<arith::XOrIOp>([&](auto) { return a ^ b; })
      .Case<arith::DivUIOp>(
          [&](auto) { return b ? Number(ua / ub) : Number(); })
      .Case<arith::RemUIOp>(
          [&](auto) { return b ? Number(ua % ub) : Number(); })
      .Case<arith::DivSIOp>(
          [&](auto) { return b && b != -1 ? Number(a / b) : Number(); })
      .Case<arith::RemSIOp>(
          [&](auto) { return b && b != -1 ? Number(a % b) : Number(); })
      .Case<arith::ShLIOp>(
          [&](auto) { return isShift ? Number(wrap(ua << b)) : Number(); })
      .Case<arith::ShRUIOp>(
          [&](auto) { return isShift ? Number(wrap(ua >> b)) : Number(); })
      .Case<arith::ShRSIOp>(
          [&](auto) { return isShift ? Number(a >> b) : Number(); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(a, b); })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(a, b); })
      .Case<arith::MinUIOp>([&](auto) { return wrap(std::min(ua, ub)); })
      .Case<arith::MaxUIOp>([&](auto) { return wrap(std::max(ua, ub)); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compare) -> Number {
        return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, ua),
                                        APInt(64, ub));
      })
      .Default([](Operation *) { return Number(); });
}

LaneEvaluator::Result LaneEvaluator::compute(Value value) {
  Operation *op = value.getDefiningOp();
  constexpr Result unknown{0, false};
  if (!op || op->getNumRegions())
    return unknown;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue()};
  if (isa<fly::LaneOp>(op))
    return {thread % arch::waveLanes};
  if (isa<fly::WaveOp>(op))
    return {thread / arch::waveLanes};
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return {id.getDimension() == gpu::Dimension::x ? thread : 0};
  auto of = [&](unsigned i) { return results.lookup(op->getOperand(i)); };
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return of(0);
  if (isa<arith::SelectOp>(op) && value.getType().isIntOrIndex()) {
    Result chosen = of(of(0).value ? 1 : 2);
    return {chosen.value, chosen.isKnown && of(0).isKnown};
  }
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      !op->getOperand(0).getType().isIntOrIndex() ||
      !op->getOperand(1).getType().isIntOrIndex())
    return unknown;
  std::optional<int64_t> number = apply(op, of(0).value, of(1).value);
  return number ? Result{*number, of(0).isKnown && of(1).isKnown} : unknown;
}
