//===- Budget.cpp - LDS bytes and registers of a kernel -------------------===//
//
// LDS is exact: the structs that a kernel allocates are added up. Registers are
// an estimate, since LLVM allocates them: the widest set of vectors and
// lane-dependent scalars that are alive together, in program order. Above what
// a wave can have a remark says so, no more: LLVM finds orders with fewer, and
// spills of the code that it made are a warning of their own. Far above it code
// without matrix instructions is refused.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/ScalarSlot.h"
#include "fly/Dialect/Fly/Transforms/Uniformity.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include "../PassRemark.h"
#include "../ScheduleBudget.h"
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
  AtomicRmwOp handedOn;
  kernel.walk([&](AtomicRmwOp atomic) {
    if (!atomic.getResult().use_empty())
      handedOn = atomic;
  });
  if (handedOn)
    bytes += scalarSlotBytes;
  if (!chip.lds.bytes || bytes <= *chip.lds.bytes)
    return success();
  InFlightDiagnostic diag =
      kernel.emitOpError() << "needs " << bytes << " bytes of LDS on "
                           << chip.name << ", the limit is " << *chip.lds.bytes;
  for (LdsStructOp each : structs)
    diag.attachNote(each.getLoc())
        << "LDS struct '" << each.getSymName() << "' takes "
        << each.getSizeInBytes() << ": " << each.describeFields();
  if (handedOn)
    diag.attachNote(handedOn.getLoc())
        << "its old value goes to all waves through " << scalarSlotBytes
        << " bytes of LDS";
  return diag;
}

namespace {

/// The registers that values live in. A register array (a vector of rank above
/// 1) is a list; inserting into it and extracting from it name other members,
/// so that an old and a new accumulator share what did not change.
class RegisterLists {
public:
  explicit RegisterLists(gpu::GPUFuncOp kernel) : uniformity(kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { define(op); });
  }
  SmallVector<unsigned> get(Value value) {
    auto found = lists.find(value);
    return found != lists.end() ? found->second : makeFresh(value);
  }
  /// Whether the op's result is a list of its operands' registers.
  bool isRenaming(Operation *op) const {
    return isa<vector::InsertOp, vector::ExtractOp>(op) && renamed.contains(op);
  }
  /// 32-bit registers that a lane needs for the register.
  int64_t weigh(unsigned id) const { return weights[id]; }

private:
  static VectorType getArray(Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector && vector.getRank() > 1 ? vector : VectorType();
  }
  unsigned makeRegister(int64_t weight) {
    weights.push_back(weight);
    return weights.size() - 1;
  }
  SmallVector<unsigned> makeFresh(Value value);
  void define(Operation *op);

  Uniformity uniformity;
  DenseMap<Value, SmallVector<unsigned>> lists;
  llvm::DenseSet<Operation *> renamed;
  SmallVector<int64_t> weights;
};

/// The most registers alive together.
class Pressure {
public:
  explicit Pressure(gpu::GPUFuncOp kernel) : registers(kernel) {
    for (Block &block : kernel.getBody())
      scan(block, {});
  }
  int64_t most = 0;
  Operation *busiest = nullptr;

private:
  using Live = llvm::SmallDenseSet<unsigned, 64>;

  void add(Live &live, int64_t &total, Value value) {
    for (unsigned id : registers.get(value))
      if (live.insert(id).second)
        total += registers.weigh(id);
  }
  void remove(Live &live, int64_t &total, Value value) {
    for (unsigned id : registers.get(value))
      if (live.erase(id))
        total -= registers.weigh(id);
  }
  void addUsesFromOutside(Region &region, Live &live, int64_t &total) {
    region.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          add(live, total, operand);
    });
  }
  /// For an insertion of one element: its register is needed before the op
  /// under the old name, with the element.
  void replacePartial(Operation &op, Live &live, int64_t &total) {
    auto insert = dyn_cast<vector::InsertOp>(op);
    if (!insert || isa<VectorType>(insert.getValueToStoreType()))
      return;
    SmallVector<unsigned> after = registers.get(insert.getResult());
    SmallVector<unsigned> before = registers.get(insert.getDest());
    for (auto [now, old] : llvm::zip_equal(after, before)) {
      if (now == old || !live.erase(now))
        continue;
      total -= registers.weigh(now);
      if (live.insert(old).second)
        total += registers.weigh(old);
      add(live, total, insert.getValueToStore());
    }
  }
  void scan(Block &block, Live live);

  RegisterLists registers;
};

} // namespace

SmallVector<unsigned> RegisterLists::makeFresh(Value value) {
  SmallVector<unsigned> list;
  VectorType array = getArray(value);
  Type element = getElementTypeOrSelf(value.getType());
  bool isVector = isa<VectorType>(value.getType());
  Operation *op = value.getDefiningOp();
  // Constants are made where they are needed; uniform scalars and masks are in
  // scalar registers.
  bool free =
      !element.isIntOrIndexOrFloat() || element.isInteger(1) ||
      (!isVector && uniformity.isUniform(value)) ||
      (op && (op->hasTrait<OpTrait::ConstantLike>() || isa<ub::PoisonOp>(op)));
  int64_t bits = free                ? 0
                 : element.isIndex() ? 32
                                     : element.getIntOrFloatBitWidth();
  int64_t count =
      array ? ShapedType::getNumElements(array.getShape().drop_back()) : 1;
  int64_t elements =
      isVector ? cast<VectorType>(value.getType()).getShape().back() : 1;
  for (int64_t i = 0; i < count; ++i)
    list.push_back(makeRegister(llvm::divideCeil(bits * elements, 32)));
  lists[value] = list;
  return list;
}

/// Whether the position is of numbers in the array: not dynamic, not poison.
static bool isInArray(ArrayRef<int64_t> position, VectorType array) {
  return llvm::all_of(llvm::zip(position, array.getShape()), [](auto pair) {
    auto [at, size] = pair;
    return at >= 0 && at < size;
  });
}

void RegisterLists::define(Operation *op) {
  if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    VectorType array = getArray(insert.getDest());
    if (!array || !isInArray(insert.getStaticPosition(), array))
      return;
    SmallVector<unsigned> list = get(insert.getDest());
    ArrayRef<int64_t> position = insert.getStaticPosition();
    size_t first = 0;
    for (auto [dim, size] : llvm::enumerate(array.getShape().drop_back()))
      first = first * size + (dim < position.size() ? position[dim] : 0);
    if (position.size() == size_t(array.getRank()))
      list[first] = makeRegister(weights[list[first]]);
    else
      for (auto [i, id] : llvm::enumerate(get(insert.getValueToStore())))
        list[first + i] = id;
    lists[insert.getResult()] = std::move(list);
    renamed.insert(op);
  } else if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    VectorType array = getArray(extract.getSource());
    ArrayRef<int64_t> position = extract.getStaticPosition();
    if (!array || !isInArray(position, array) ||
        position.size() == size_t(array.getRank()))
      return;
    size_t count = 1, first = 0;
    for (auto [dim, size] : llvm::enumerate(array.getShape().drop_back())) {
      first = first * size + (dim < position.size() ? position[dim] : 0);
      count *= dim < position.size() ? 1 : size;
    }
    SmallVector<unsigned> source = get(extract.getSource());
    lists[extract.getResult()] =
        SmallVector<unsigned>(ArrayRef(source).slice(first, count));
    renamed.insert(op);
  }
}

void Pressure::scan(Block &block, Live live) {
  int64_t total = 0;
  for (unsigned id : live)
    total += registers.weigh(id);
  // A loop's body needs what it uses from outside in every iteration.
  if (isa<LoopLikeOpInterface>(block.getParentOp()))
    addUsesFromOutside(*block.getParent(), live, total);
  for (Operation &op : llvm::reverse(block)) {
    if (total > most) {
      most = total;
      busiest = &op;
    }
    if (registers.isRenaming(&op)) {
      // A register that goes on under another name stays alive; one that an
      // insertion replaces ends, which needs no word.
      replacePartial(op, live, total);
      continue;
    }
    for (Value result : op.getResults())
      remove(live, total, result);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        scan(inner, live);
    for (Value operand : op.getOperands())
      add(live, total, operand);
    for (Region &region : op.getRegions())
      addUsesFromOutside(region, live, total);
  }
}

/// Above this share of a wave's registers, in hundredths, code without matrix
/// instructions is refused: LLVM takes minutes to spill it, and then it runs
/// from scratch memory. Up to there its scheduler often finds an order that
/// fits.
static constexpr int64_t kMostPressure = 150;

/// Registers of a lane with the waves that the kernel brings to a SIMD.
static unsigned getLimit(gpu::GPUFuncOp kernel, const arch::ArchInfo &chip) {
  auto number = [&](StringRef name) -> int64_t {
    auto attr = kernel->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : 1;
  };
  int64_t waves =
      std::max<int64_t>(llvm::divideCeil(number(FlyDialect::getWavesAttrName()),
                                         *chip.simdsPerCu),
                        number(FlyDialect::getWavesPerEuAttrName()));
  return chip.registers.vgprsPerSimd && chip.registers.vgprGranule
             ? registerLimit(chip, waves)
             : *chip.registers.maxVgprs;
}

LogicalResult fly::checkRegisters(gpu::GPUFuncOp kernel,
                                  const arch::ArchInfo &chip) {
  if (!chip.registers.maxVgprs)
    return success();
  Pressure pressure(kernel);
  unsigned limit = getLimit(kernel, chip);
  if (pressure.most <= limit)
    return success();
  bool hasMatrices = kernel
                         .walk([](Operation *op) {
                           return isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  bool refused = !hasMatrices && pressure.most * 100 > limit * kMostPressure;
  if (!refused) {
    remarkMissed(pressure.busiest, "fly-check-legal", "RegistersTight",
                 llvm::formatv("about {0} vector registers are alive here, a "
                               "wave of {1} has {2}: spills, unless LLVM finds "
                               "a better order; more waves or a smaller tile "
                               "need fewer",
                               pressure.most, chip.name, limit)
                     .str());
    return success();
  }
  InFlightDiagnostic diag = kernel->emitError();
  diag << "kernel '" << kernel.getName() << "' keeps about " << pressure.most
       << " vector registers alive, a wave of " << chip.name << " has " << limit
       << ", and code that needs more than " << limit * kMostPressure / 100
       << " is not compiled";
  diag.attachNote() << "fix: " << llvm::divideCeil(pressure.most, limit)
                    << " times as many waves, or tiles of as much less";
  diag.attachNote(pressure.busiest->getLoc()) << "the most are alive here";
  return failure();
}
