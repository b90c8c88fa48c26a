//===- Copies.cpp - Tiles that go to LDS past the registers ---------------===//
//
// A tile that is loaded and written to its slot, and of which nobody else takes
// anything, becomes one fly.copy where it was written, if the schedule asks for
// it. fly-resolve-schedule has proved that the copy can be made. Declined, with
// a remark: what later passes or hands have put between load and slot.
//
//===----------------------------------------------------------------------===//
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "../Aliasing.h"
#include "../PassRemark.h"
#include "StageLds.h"

using namespace mlir;
using namespace fly;
using namespace fly::stage;

/// Whether what `load` reads may change before `last`, behind it in its block.
static bool mayChangeBefore(LoadOp load, Operation *last) {
  for (Operation *op = load->getNextNode(); op != last;
       op = op->getNextNode()) {
    auto effects = getEffectsRecursively(op);
    if (!effects)
      return true;
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      Value view = effect.getValue();
      bool isView = view && isa<ViewType>(view.getType());
      if (!isa<MemoryEffects::Read>(effect.getEffect()) &&
          (!isView || mayAlias(load.getView(), view)))
        return true;
    }
  }
  return false;
}

bool stage::turnIntoCopy(ConvertLayoutOp write, Value field) {
  auto decline = [&](const Twine &why) {
    remarkMissed(write, "fly-stage-lds", "CopySync",
                 "the tile goes to LDS through registers: " + why);
    return false;
  };
  auto load = write.getSource().getDefiningOp<LoadOp>();
  if (!load || load.getView().getType().getInLds() || load.getMask() ||
      load.getPad() != Pad::Zero)
    return decline("it is no plain load of global memory, padded with zeros");
  if (!load.getTile().hasOneUse())
    return decline("its registers have other uses");
  if (load->getBlock() != write->getBlock() || mayChangeBefore(load, write))
    return decline("memory may change between the load and its slot");
  OpBuilder builder(write);
  CopyOp::create(builder, load.getLoc(), load.getView(), load.getCoordinates(),
                 field, load.getStaticCoordinates(), load.getCache(),
                 load.getInBoundsAttr(), load.getAlignAttr());
  return true;
}
