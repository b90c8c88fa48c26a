//===- SwizzleLds.cpp - XOR swizzle of LDS fields -------------------------===//
//
// Chooses for each LDS field that tiles are staged in the XOR permutation with
// the fewest cycles, by the chip's bank model (lib/Arch/LdsModel): every
// candidate is evaluated on the addresses that the writing and the reading
// lanes really use, and the narrowest of the best is taken. The permutation
// becomes part of the field's type, so writer and reader cannot differ.
//
// Declines, with a remark, where the row is not a power of two of 16-byte
// chunks (the XOR would leave the row), where no candidate is better, and where
// the field has views of another type or uses that are no tile accesses. Fields
// that no load of the schedule is staged in are the author's and stay.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/Wave.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Schedule.h"
#include "fly/Dialect/Fly/IR/Target.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/MathExtras.h"

#include "LdsFieldCost.h"
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

  void runOnOperation() override;

private:
  /// Chooses for one field and rewrites its views.
  void swizzleField(const arch::ArchInfo &chip, LdsStructOp structOp,
                    unsigned index, ArrayRef<LdsFieldOp> views);
};
} // namespace

void FlySwizzleLdsPass::swizzleField(const arch::ArchInfo &chip,
                                     LdsStructOp structOp, unsigned index,
                                     ArrayRef<LdsFieldOp> views) {
  StringRef name = cast<StringAttr>(structOp.getNames()[index]).getValue();
  auto field =
      cast<ViewType>(cast<TypeAttr>(structOp.getTypes()[index]).getValue());
  auto decline = [&](const Twine &why) {
    remarkMissed(structOp, DEBUG_TYPE, "NotSwizzled",
                 Twine("field '") + name + "' stays linear: " + why);
    ++numDeclined;
  };
  SmallVector<LdsTileAccess> accesses;
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
      else
        return decline("it is used by " + user->getName().getStringRef() +
                       ", whose addresses are not known here");
    }
  }
  uint64_t rowBytes = uint64_t(field.getShape().back()) *
                      field.getElementType().getIntOrFloatBitWidth() / 8;
  if (field.getRank() != 2 || accesses.empty() || field.getLayout())
    return;
  if (!llvm::isPowerOf2_64(rowBytes) || rowBytes <= arch::widestAccessBytes)
    return decline("its row of " + Twine(rowBytes) +
                   " bytes is not a power of two of 16-byte chunks");
  if (!llvm::all_of(accesses, [](const LdsTileAccess &access) {
        return isa_and_nonnull<LayoutAttrInterface>(access.tile.getEncoding());
      }))
    return decline("a tile in it has no layout");

  LdsFieldCost linear = evaluateLdsField(chip, field, accesses);
  LdsFieldCost best = linear;
  SwizzleAttr chosen;
  unsigned base = llvm::Log2_64(arch::widestAccessBytes);
  unsigned chunkBits = llvm::Log2_64(rowBytes) - base;
  // Steering bits are row bits: the lowest ones, or some rows further up.
  for (unsigned bits = 1; bits <= chunkBits; ++bits)
    for (unsigned shift = chunkBits; shift <= chunkBits + 2; ++shift) {
      // The XOR stays inside the row, so it never leaves the field.
      if (shift < bits)
        continue;
      auto candidate =
          SwizzleAttr::get(structOp.getContext(), bits, base, shift);
      LdsFieldCost cost =
          evaluateLdsField(chip, field.withLayout(candidate), accesses);
      if (cost.cycles < best.cycles) {
        best = cost;
        chosen = candidate;
      }
    }
  if (!chosen)
    return decline("no permutation beats " + Twine(linear.cycles) +
                   " cycles a wave and tile");

  SmallVector<Attribute> types(structOp.getTypes().getValue());
  types[index] = TypeAttr::get(field.withLayout(chosen));
  structOp.setTypesAttr(ArrayAttr::get(structOp.getContext(), types));
  for (LdsFieldOp view : views)
    view.getResult().setType(field.withLayout(chosen));
  remarkPassed(structOp, DEBUG_TYPE, "Swizzled",
               Twine("field '") + name + "': swizzle<" +
                   Twine(chosen.getBits()) + ", " + Twine(chosen.getBase()) +
                   ", " + Twine(chosen.getShift()) + ">, " +
                   Twine(linear.cycles) + " -> " + Twine(best.cycles) +
                   " cycles a wave and tile, conflicts " +
                   Twine(linear.conflicts) + " -> " + Twine(best.conflicts));
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
      if (!policy || policy->swizzle != OperandPolicy::Swizzle::Xor)
        continue;
      const arch::ArchInfo *chip = getCompiledArch(structOp);
      if (!chip)
        return signalPassFailure();
      swizzleField(*chip, structOp, index, views);
    }
  }
}
