//===- LdsPlaces.cpp - Which LDS is accessed, and until when --------------===//
//
// A walk against the program's order. Loops are walked until nothing new comes
// round; ops that nobody knows may access anything.
//
//===----------------------------------------------------------------------===//
#include "LdsPlaces.h"

#include "fly/Dialect/Fly/IR/HotLoop.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fly;
using namespace fly::waits;

Attribute waits::getPlace(Value view) {
  auto field = view.getDefiningOp<LdsFieldOp>();
  if (!field)
    return {};
  FlatSymbolRefAttr name = field.getLds().getType().getStructName();
  auto structOp =
      SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(field, name);
  if (!structOp || structOp.getOverlaid())
    return name;
  Builder builder(field.getContext());
  std::optional<int64_t> offset = structOp.getOffset(field.getField());
  ViewType declared = structOp.getFieldType(field.getField());
  if (!offset || !declared)
    return builder.getArrayAttr({name, field.getFieldAttr()});
  // Bytes of an object that fields share.
  return builder.getArrayAttr(
      {name, builder.getI64IntegerAttr(*offset),
       builder.getI64IntegerAttr(*offset +
                                 declared.getSizeInBytes().value_or(0))});
}

void LdsPlaces::add(Attribute place) {
  if (place)
    places.insert(place);
  else
    anywhere = true;
}

void LdsPlaces::join(const LdsPlaces &other) {
  anywhere |= other.anywhere;
  places.insert(other.places.begin(), other.places.end());
}

/// Whether two places have a byte in common.
static bool overlap(Attribute lhs, Attribute rhs) {
  auto l = dyn_cast<ArrayAttr>(lhs), r = dyn_cast<ArrayAttr>(rhs);
  if (!l || !r || l.size() != 3 || r.size() != 3 || l[0] != r[0])
    return lhs == rhs;
  auto byte = [](Attribute at) { return cast<IntegerAttr>(at).getInt(); };
  return byte(l[1]) < byte(r[2]) && byte(r[1]) < byte(l[2]);
}

bool LdsPlaces::meets(Attribute place) const {
  if (anywhere || !place)
    return anywhere || !places.empty();
  return llvm::any_of(places,
                      [&](Attribute other) { return overlap(place, other); });
}

static bool isLdsPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() ==
                        ROCDL::ROCDLDialect::kSharedMemoryAddressSpace;
}

bool waits::leavesLdsAlone(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return !read.getView().getType().getInLds();
  if (auto write = dyn_cast<WriteOp>(op))
    return !write.getView().getType().getInLds();
  if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::CallIntrinsicOp>(op))
    return llvm::none_of(op->getOperandTypes(), isLdsPointer);
  // Atomics of the workgroup leave nothing outstanding: they end in barriers.
  return isa<LoadScalarOp, UpdateOp, AtomicRmwOp, EventOp, SchedMfmaOp,
             SchedDsrdOp, SchedDswrOp, SchedVmemOp, SchedVmemWriteOp,
             SchedValuOp, SchedSaluOp, SchedTransOp, SchedBarrierOp, SetPrioOp,
             RequireOp, RequireMultipleOp, LdsAllocOp,
             ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferStoreOp,
             ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::SetPrioOp,
             ROCDL::SNopOp, ROCDL::ReadfirstlaneOp, ROCDL::ReadlaneOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
}

bool waits::copiesToLds(Operation *op) {
  return isa<DmaOp, amdgpu::GatherToLDSOp, ROCDL::LoadToLDSOp,
             ROCDL::GlobalLoadLDSOp, ROCDL::RawPtrBufferLoadLdsOp>(op);
}

LdsPlaces waits::getAccessed(Operation *op) {
  LdsPlaces accessed;
  if (leavesLdsAlone(op))
    return accessed;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (interface)
    interface.getEffects(effects);
  if (effects.empty())
    accessed.add({});
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    auto view = value ? dyn_cast<ViewType>(value.getType()) : ViewType();
    if (!view)
      accessed.add({});
    else if (view.getInLds())
      accessed.add(getPlace(value));
  }
  return accessed;
}

AccessesAhead::Ahead AccessesAhead::before(Operation *op, Ahead after) {
  if (auto barrier = dyn_cast<BarrierOp>(op)) {
    behind[barrier].join(after.toNext);
    if (barrier->hasAttr(staggeredAttrName))
      behind[barrier].join(after.toSecond);
    return {LdsPlaces(), std::move(after.toNext)};
  }
  if (isa<FenceOp, gpu::BarrierOp, amdgpu::LDSBarrierOp>(op))
    return {LdsPlaces(), std::move(after.toNext)};
  if (op->getNumRegions() == 0) {
    after.toNext.join(getAccessed(op));
    return after;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Ahead joined = before(*branch.thenBlock(), after);
    joined.join(branch.elseBlock() ? before(*branch.elseBlock(), after)
                                   : after);
    return joined;
  }
  // Behind a region comes any other, or what is behind the op.
  Ahead joined = after;
  while (true) {
    Ahead next = joined;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        next.join(before(block, joined));
    if (next == joined)
      return joined;
    joined = std::move(next);
  }
}

AccessesAhead::Ahead AccessesAhead::before(Block &block, Ahead after) {
  for (Operation &op : llvm::reverse(block))
    after = before(&op, std::move(after));
  return after;
}
