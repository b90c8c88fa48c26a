//===- Atomics.cpp - Atomics of lanes and of the workgroup ----------------===//
//
// An atomic of a lane is LLVM's, in a branch of the lanes that are inside. LLVM
// selects the chip's instruction where there is one and writes a loop of
// compare-and-swap where there is none (maxima of f32, single halves). Orders
// are fences around it (Fences.cpp).
//
// An atomic of the workgroup is one of its first lane, between barriers:
//
//   release   every wave waits until its stores have left it, then all meet;
//             the write-back of the L2 before the atomic comes after all of
//             them
//   acquire   all meet behind the atomic, then every wave invalidates its
//             caches
//   relaxed   meet only where the old value has a user
//
// The old value goes to the other waves through 8 bytes of LDS.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/ScalarSlot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "Accesses.h"

using namespace mlir;
using namespace fly;

static LLVM::AtomicBinOp getBinOp(AtomicKind kind, bool isFloat) {
  switch (kind) {
  case AtomicKind::Add:
    return isFloat ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add;
  case AtomicKind::Max:
    return isFloat ? LLVM::AtomicBinOp::fmax : LLVM::AtomicBinOp::max;
  case AtomicKind::Min:
    return isFloat ? LLVM::AtomicBinOp::fmin : LLVM::AtomicBinOp::min;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Xchg:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("a kind of atomic without an op");
}

/// The atomic at `address`, with its order; returns the old value.
static Value emitAtomic(OpBuilder &builder, Location loc, AtomicKind kind,
                        Value address, Value value, MemoryOrder order,
                        MemoryScope scope) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(value.getType()));
  unsigned bytes = getElementBytes(getElementTypeOrSelf(value.getType()));
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    bytes *= vector.getNumElements();
  if (releases(order))
    emitRelease(builder, loc, order, scope);
  Value old = LLVM::AtomicRMWOp::create(
      builder, loc, getBinOp(kind, isFloat), address, value,
      LLVM::AtomicOrdering::monotonic, getSyncScope(scope), bytes);
  if (acquires(order))
    emitAcquire(builder, loc, order, scope);
  return old;
}

static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(builder.getZeroAttr(type)));
}

LogicalResult GlobalAccessLowering::lower(UpdateOp update) {
  FailureOr<View *> view = resolve(update, update.getView());
  if (failed(view))
    return failure();
  OpBuilder builder(update);
  Location loc = update.getLoc();
  I32Builder i32(builder, loc);
  FailureOr<Place> place = locateFlat(update, **view, i32);
  if (failed(place))
    return failure();
  Value inside = place->inside;
  if (place->vectorCoordinate)
    inside = i32.both(inside, elementInside(*place, 0, i32));
  auto emit = [&]() -> Value {
    ++count;
    return emitAtomic(builder, loc, update.getKind(), place->address,
                      update.getValue(), update.getOrder(), update.getScope());
  };
  Value old;
  if (!inside) {
    old = emit();
  } else if (!update.getOld()) {
    auto branch =
        scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit();
  } else {
    Type type = update.getOld().getType();
    auto branch = scf::IfOp::create(builder, loc, type, inside,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, emit());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, makeZero(builder, loc, type));
    old = branch.getResult(0);
  }
  if (update.getOld())
    update.getOld().replaceAllUsesWith(old);
  update.erase();
  return success();
}

Value GlobalAccessLowering::getScalarSlot(Operation *op, OpBuilder &builder) {
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  // Kernels have LDS of their own: one global serves all of them.
  auto name = StringAttr::get(op->getContext(), "fly_scalar");
  LLVM::GlobalOp &global = globals[{nullptr, name}];
  if (!global) {
    OpBuilder atModule = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(atModule.getI8Type(), scalarSlotBytes);
    global = LLVM::GlobalOp::create(
        atModule, op->getLoc(), type, /*isConstant=*/false,
        LLVM::Linkage::Internal, name, Attribute(), scalarSlotBytes,
        ROCDL::ROCDLDialect::kSharedMemoryAddressSpace);
    SymbolTable(module).insert(global);
  }
  return LLVM::AddressOfOp::create(builder, op->getLoc(), global);
}

LogicalResult GlobalAccessLowering::lower(AtomicRmwOp atomic) {
  OpBuilder builder(atomic);
  Location loc = atomic.getLoc();
  I32Builder i32(builder, loc);
  FailureOr<Place> place = locateScalar(atomic, i32);
  if (failed(place))
    return failure();
  if (!uniformity.isUniform(atomic.getValue()))
    return atomic.emitOpError() << "has a value that differs between lanes: "
                                   "use fly.update";
  MemoryOrder order = atomic.getOrder();
  bool isUsed = !atomic.getResult().use_empty();
  bool isShared = isUsed && threads > arch::waveLanes;
  auto barrier = [&](bool all) {
    BarrierOp::create(builder, loc, all ? BarrierKind::All : BarrierKind::Lds);
  };
  // Also keeps the value of the last such op until all waves have read it.
  if (releases(order)) {
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::release,
                          "workgroup");
    WaitOp::create(builder, loc, builder.getI32IntegerAttr(0), IntegerAttr());
    barrier(/*all=*/true);
  } else if (isShared) {
    barrier(/*all=*/false);
  }
  Type type = atomic.getResult().getType();
  Value slot = isShared ? getScalarSlot(atomic, builder) : Value();
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread,
                            arith::ConstantIndexOp::create(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, type, isFirst,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    auto inner = scf::IfOp::create(builder, loc, type, place->inside,
                                   /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard innerGuard(builder);
      builder.setInsertionPointToStart(inner.thenBlock());
      scf::YieldOp::create(builder, loc,
                           emitAtomic(builder, loc, atomic.getKind(),
                                      place->address, atomic.getValue(), order,
                                      atomic.getScope()));
      builder.setInsertionPointToStart(inner.elseBlock());
      scf::YieldOp::create(builder, loc, makeZero(builder, loc, type));
    }
    Value old = inner.getResult(0);
    if (slot)
      LLVM::StoreOp::create(builder, loc, old, slot, scalarSlotBytes);
    scf::YieldOp::create(builder, loc, old);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, makeZero(builder, loc, type));
  }
  if (acquires(order) || isShared)
    barrier(/*all=*/acquires(order));
  if (acquires(order))
    emitAcquire(builder, loc, order, atomic.getScope());
  if (isUsed) {
    Value old = branch.getResult(0);
    if (slot)
      old = LLVM::LoadOp::create(builder, loc, type, slot, scalarSlotBytes);
    replace(atomic.getResult(), readFirstLane(i32, old));
  }
  ++count;
  atomic.erase();
  return success();
}
