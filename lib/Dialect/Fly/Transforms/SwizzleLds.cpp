//===- SwizzleLds.cpp - Orders of LDS fields by the bank model ------------===//
//
// Chooses for each LDS field that tiles are staged in the order with the fewest
// cycles, by the chip's bank model (lib/Arch/LdsModel), of the kind that the
// schedule says: an XOR of the chunks of a row, or rows farther apart. Every
// candidate is evaluated on the addresses that the writing and the reading
// lanes really use (LdsFieldOrders). The order becomes part of the field's
// type, so writer, reader and copy cannot differ.
//
// Declines, with a remark, where the row is not a power of two of 16-byte
// chunks (the XOR would leave the row), where a copy fills the field (which it
// does without gaps), where no candidate is better or the chip has no room for
// it, and where the field has views of another type or uses that are no tile
// accesses. Fields that no load of the schedule is staged in are the author's
// and stay.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/MathExtras.h"

#include "LdsFieldOrders.h"
#include "PassRemark.h"

#define DEBUG_TYPE "fly-swizzle-lds"

namespace fly {
#define GEN_PASS_DEF_FLYSWIZZLELDSPASS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {
struct FlySwizzleLdsPass : fly::impl::FlySwizzleLdsPassBase<FlySwizzleLdsPass> {
  using FlySwizzleLdsPassBase::FlySwizzleLdsPassBase;

  // It changes symbols beside kernels.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override;

private:
  /// Chooses for one field and rewrites its views.
  void swizzleField(const arch::ArchInfo &chip, LdsStructOp structOp,
                    unsigned index, ArrayRef<LdsFieldOp> views,
                    OperandPolicy::Swizzle kind);
};
} // namespace

/// Moves what lies behind a field in the object that it shares, so that it may
/// grow to `bytes`: fields that did not meet still do not.
static void makeRoom(LdsStructOp structOp, StringRef name, int64_t bytes) {
  std::optional<int64_t> at = structOp.getOffset(name);
  if (!at)
    return;
  int64_t old = llvm::alignTo(*structOp.getFieldType(name).getSizeInBytes(),
                              arch::widestAccessBytes);
  int64_t growth = llvm::alignTo(bytes, arch::widestAccessBytes) - old;
  SmallVector<int64_t> offsets(*structOp.getOffsets());
  for (int64_t &offset : offsets)
    if (offset >= *at + old)
      offset += growth;
  structOp.setOffsets(offsets);
}

void FlySwizzleLdsPass::swizzleField(const arch::ArchInfo &chip,
                                     LdsStructOp structOp, unsigned index,
                                     ArrayRef<LdsFieldOp> views,
                                     OperandPolicy::Swizzle kind) {
  StringRef name = cast<StringAttr>(structOp.getNames()[index]).getValue();
  auto field =
      cast<ViewType>(cast<TypeAttr>(structOp.getTypes()[index]).getValue());
  auto decline = [&](const Twine &why) {
    remarkMissed(structOp, DEBUG_TYPE, "NotSwizzled",
                 Twine("field '") + name + "' stays linear: " + why);
    ++numDeclined;
  };
  SmallVector<LdsTileAccess> accesses;
  bool isCopied = false;
  for (LdsFieldOp view : views) {
    if (view.getType() != field)
      return decline("a view of it has another type");
    for (Operation *user : view->getUsers()) {
      if (auto load = dyn_cast<LoadOp>(user))
        accesses.push_back({cast<RankedTensorType>(load.getTile().getType()),
                            arch::LdsDirection::Read});
      else if (auto store = dyn_cast<StoreOp>(user))
        accesses.push_back({cast<RankedTensorType>(store.getTile().getType()),
                            arch::LdsDirection::Write});
      else if (isa<CopyOp>(user)) // Meets no bank twice: it is linear.
        isCopied = true;
      else
        return decline("it is used by " + user->getName().getStringRef() +
                       ", whose addresses are not known here");
    }
  }
  if (field.getRank() != 2 || accesses.empty() || field.getLayout())
    return;
  if (!llvm::all_of(accesses, [](const LdsTileAccess &access) {
        return isa_and_nonnull<LayoutAttrInterface>(access.tile.getEncoding());
      }))
    return decline("a tile in it has no layout");
  bool isXor = kind == OperandPolicy::Swizzle::Xor;
  if (isCopied && !isXor)
    return decline("copies fill it without gaps");
  FieldOrder linear = getOrder(chip, field, accesses);
  FieldOrder best = isXor ? findXor(chip, field, accesses)
                          : findPadding(chip, field, accesses);
  if (!best.field)
    return decline("its row of " +
                   Twine(*field.getSizeInBytes() / field.getShape()[0]) +
                   " bytes is not a power of two of 16-byte chunks");
  if (best.cost.cycles >= linear.cost.cycles)
    return decline(Twine(isXor ? "no permutation" : "no padding") + " beats " +
                   Twine(linear.cost.cycles) + " cycles a wave and tile");
  if (!isOneToOne(best.field))
    return decline("two elements would share a place in " + best.describe());
  int64_t bytes = structOp.getSizeInBytes() + *best.field.getSizeInBytes() -
                  *field.getSizeInBytes();
  if (chip.lds.bytes && bytes > int64_t(*chip.lds.bytes))
    return decline(best.describe() + " need " + Twine(bytes) +
                   " bytes of LDS, " + chip.name + " has " +
                   Twine(*chip.lds.bytes));

  SmallVector<Attribute> types(structOp.getTypes().getValue());
  types[index] = TypeAttr::get(best.field);
  makeRoom(structOp, name, *best.field.getSizeInBytes());
  structOp.setTypesAttr(ArrayAttr::get(structOp.getContext(), types));
  for (LdsFieldOp view : views)
    view.getResult().setType(best.field);
  remarkPassed(structOp, DEBUG_TYPE, "Swizzled",
               Twine("field '") + name + "': " + best.describe() + ", " +
                   best.describeAgainst(linear));
  ++numSwizzled;
}

void FlySwizzleLdsPass::runOnOperation() {
  SmallVector<LdsStructOp> structs;
  getOperation()->walk([&](LdsStructOp op) { structs.push_back(op); });
  for (LdsStructOp structOp : structs) {
    for (unsigned index = 0; index < structOp.getNames().size(); ++index) {
      StringAttr name = cast<StringAttr>(structOp.getNames()[index]);
      SmallVector<LdsFieldOp> views;
      FunctionOpInterface kernel;
      structOp->getParentOp()->walk([&](LdsFieldOp view) {
        if (view.getLds().getType().getStructName().getValue() ==
                structOp.getSymName() &&
            view.getFieldAttr() == name) {
          views.push_back(view);
          kernel = view->getParentOfType<FunctionOpInterface>();
        }
      });
      if (!kernel || !kernel->hasAttr(FlyDialect::getScheduleAttrName()))
        continue;
      FailureOr<Schedule> schedule = Schedule::get(kernel);
      if (failed(schedule))
        return signalPassFailure();
      // The field of slot s of label l is named l_s (fly-stage-lds).
      StringRef label = name.getValue().rsplit('_').first;
      const OperandPolicy *policy = schedule->operand(label);
      if (!policy || policy->swizzle == OperandPolicy::Swizzle::None)
        continue;
      const arch::ArchInfo *chip = getCompiledArch(structOp);
      if (!chip)
        return signalPassFailure();
      swizzleField(*chip, structOp, index, views, policy->swizzle);
    }
  }
}
