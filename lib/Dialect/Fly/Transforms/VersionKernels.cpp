//===- VersionKernels.cpp - A fast and a safe body ------------------------===//
//
// Whether rows start at 16 bytes may follow from nothing that a launch must
// fulfil, and yet hold for most launches. Such a kernel gets two bodies behind
// one condition that all its lanes share: strides and extents that are
// multiples, pointers that are aligned. What is scalar stands before the
// branch, so that the condition can be computed there; all the rest moves into
// its first region and is copied into the second. fly-prove-access sees the
// condition around the first.
//
// Nothing is tested that would not widen an access. What is computed by more
// than scalars of the kernel's top level cannot be tested before they are.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "PassRemark.h"
#include "TileAccess.h"

#define DEBUG_TYPE "fly-version-kernels"

namespace fly {
#define GEN_PASS_DEF_FLYVERSIONKERNELSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
/// What is tested: that values are multiples, and that pointers are aligned to
/// the widest access.
struct Conditions {
  llvm::MapVector<Value, uint64_t> multiples;

  llvm::SetVector<Value> pointers;

  bool empty() const { return multiples.empty() && pointers.empty(); }
  void assumeIn(IntegerFacts &facts) const {
    for (auto [value, number] : multiples)
      facts.assumeMultiple(value, number);
    for (Value pointer : pointers)
      facts.assumeAligned(pointer, arch::widestAccessBytes);
  }
  std::string describe() const;
  /// The condition as a value.
  Value make(OpBuilder &builder, Location loc) const;
};

class KernelVersions {
public:
  explicit KernelVersions(gpu::GPUFuncOp kernel)
      : kernel(kernel), body(kernel.getFunctionBody().front()) {}

  /// Whether there is something to test.
  bool plan();
  void apply();

private:
  void splitBody();
  Conditions getMissing();
  Conditions keepUseful(const Conditions &missing);

  gpu::GPUFuncOp kernel;
  Block &body;
  /// Ops that stay before the branch.
  llvm::SetVector<Operation *> scalars;
  Conditions conditions;
  /// Accesses that become wide.
  SmallVector<std::string> widened;
};
} // namespace

std::string Conditions::describe() const {
  SmallVector<std::string> parts;
  for (auto [value, number] : multiples)
    parts.push_back(describeValue(value) + " is a multiple of " +
                    std::to_string(number));
  for (Value pointer : pointers)
    parts.push_back(describeValue(pointer) + " is aligned to " +
                    std::to_string(arch::widestAccessBytes) + " bytes");
  return llvm::join(parts, ", ");
}

Value Conditions::make(OpBuilder &builder, Location loc) const {
  Value all;
  auto require = [&](Value holds) {
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  };
  for (auto [value, number] : multiples) {
    Type type = value.getType();
    auto constant = [&](int64_t of) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(type, of));
    };
    Value rest = arith::RemUIOp::create(builder, loc, value, constant(number));
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                                  constant(0)));
  }
  for (Value pointer : pointers)
    require(IsAlignedOp::create(builder, loc, builder.getI1Type(), pointer,
                                arch::widestAccessBytes));
  return all;
}

/// The accesses of the kernel of which something can be proved.
static SmallVector<TileAccess> getAccesses(gpu::GPUFuncOp kernel) {
  SmallVector<TileAccess> accesses;
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<LoadOp, GatherOp, StoreOp, ScatterOp, AtomicOp>([&](auto access) {
          if (std::optional<TileAccess> found = TileAccess::get(access))
            accesses.push_back(std::move(*found));
        });
  });
  return accesses;
}

/// Bytes that accesses of rows with so many elements have.
static uint64_t getBytes(const RowAlignment &rows) {
  return std::min<uint64_t>(rows.elements * rows.elementBits / 8,
                            arch::widestAccessBytes);
}

//===----------------------------------------------------------------------===//
// What can be tested
//===----------------------------------------------------------------------===//

/// Finds the ops that may stand before everything that touches tiles or memory.
void KernelVersions::splitBody() {
  auto isScalar = [&](Operation *op) {
    if (isa<RequireOp, RequireMultipleOp, GridOp>(op))
      return true;
    return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>) &&
           !op->hasTrait<OpTrait::IsTerminator>();
  };
  for (Operation &op : body) {
    bool isReady = llvm::all_of(op.getOperands(), [&](Value operand) {
      return isa<BlockArgument>(operand) ||
             scalars.contains(operand.getDefiningOp());
    });
    if (isReady && isScalar(&op))
      scalars.insert(&op);
  }
}

Conditions KernelVersions::getMissing() {
  IntegerFacts facts(kernel);
  Conditions missing;
  for (const TileAccess &access : getAccesses(kernel)) {
    RowAlignment rows = getRowAlignment(access, facts);
    if (rows.elements >= rows.most)
      continue;
    for (OpFoldResult of : rows.multiples) {
      auto value = dyn_cast<Value>(of);
      if (!value || (!isa<BlockArgument>(value) &&
                     !scalars.contains(value.getDefiningOp())))
        continue;
      uint64_t &number = missing.multiples[value];
      number = std::max(number, rows.most);
    }
    if (rows.pointer)
      missing.pointers.insert(rows.pointer);
  }
  return missing;
}

/// What at least one access is wider by, of those that become as wide as can
/// be: testing more would only make the fast body rarer.
Conditions KernelVersions::keepUseful(const Conditions &missing) {
  IntegerFacts before(kernel), after(kernel);
  missing.assumeIn(after);
  Conditions useful;
  for (const TileAccess &access : getAccesses(kernel)) {
    RowAlignment now = getRowAlignment(access, before);
    RowAlignment then = getRowAlignment(access, after);
    if (now.elements >= now.most || then.elements <= now.elements)
      continue;
    widened.push_back(access.describe() + " from " +
                      std::to_string(getBytes(now)) + " to " +
                      std::to_string(getBytes(then)) + " bytes");
    for (OpFoldResult of : now.multiples)
      if (auto value = dyn_cast<Value>(of); missing.multiples.contains(value))
        useful.multiples[value] = std::max(useful.multiples[value], now.most);
    if (now.pointer)
      useful.pointers.insert(now.pointer);
  }
  return useful;
}

bool KernelVersions::plan() {
  splitBody();
  conditions = keepUseful(getMissing());
  if (!conditions.empty())
    return true;
  remarkMissed(kernel, DEBUG_TYPE, "NotVersioned",
               "versions = auto: there is one body, since no test of strides, "
               "extents or pointers would make an access wider");
  return false;
}

//===----------------------------------------------------------------------===//
// The branch
//===----------------------------------------------------------------------===//

void KernelVersions::apply() {
  remarkPassed(kernel, DEBUG_TYPE, "Versioned",
               "a fast body where " + conditions.describe() + ": " +
                   llvm::join(widened, ", ") +
                   "; a safe body for all other launches");
  Operation *terminator = body.getTerminator();
  SmallVector<Operation *> work;
  for (Operation &op : body.without_terminator())
    if (!scalars.contains(&op))
      work.push_back(&op);
  OpBuilder builder(terminator);
  Location loc = kernel.getLoc();
  Value condition = conditions.make(builder, loc);
  auto branch = scf::IfOp::create(builder, loc, condition,
                                  /*withElseRegion=*/true);
  Operation *fastEnd = branch.thenBlock()->getTerminator();
  for (Operation *op : work)
    op->moveBefore(fastEnd);
  builder.setInsertionPointToStart(branch.elseBlock());
  IRMapping mapping;
  for (Operation *op : work)
    builder.clone(*op, mapping);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kVersions = "versions";

static bool wantsVersions(gpu::GPUFuncOp kernel) {
  ScheduleAttr schedule = getScheduleOf(kernel);
  auto word = schedule ? dyn_cast_or_null<StringAttr>(schedule.get(kVersions))
                       : StringAttr();
  return word && word.getValue() == "auto" && kernel.isKernel() &&
         hasTiles(kernel) && kernel.getFunctionBody().hasOneBlock();
}

/// What was asked for has been done.
static void setOff(gpu::GPUFuncOp kernel) {
  kernel->setAttr(FlyDialect::getScheduleAttrName(),
                  getScheduleOf(kernel).with(
                      kVersions, StringAttr::get(kernel.getContext(), "off")));
}

namespace {
struct FlyVersionKernelsPass
    : fly::impl::FlyVersionKernelsPassBase<FlyVersionKernelsPass> {
  using FlyVersionKernelsPassBase::FlyVersionKernelsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!wantsVersions(kernel))
        return;
      KernelVersions versions(kernel);
      if (versions.plan()) {
        versions.apply();
        ++numVersioned;
      }
      setOff(kernel);
    });
  }
};
} // namespace
