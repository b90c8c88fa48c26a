//===- Target.cpp - The chip that a piece of IR is for --------------------===//
//
// Reads the gpu.module's target attribute and looks it up in the chip table.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;

/// The one rocdl target of the module around `op`, or null.
static ROCDL::ROCDLTargetAttr getOnlyTarget(gpu::GPUModuleOp module) {
  if (!module || !module.getTargetsAttr() ||
      module.getTargetsAttr().size() != 1)
    return {};
  return dyn_cast<ROCDL::ROCDLTargetAttr>(module.getTargetsAttr()[0]);
}

static gpu::GPUModuleOp getModule(Operation *op) {
  if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
    return module;
  return op->getParentOfType<gpu::GPUModuleOp>();
}

const arch::ArchInfo *fly::lookupArchOrNull(Operation *op) {
  ROCDL::ROCDLTargetAttr target = getOnlyTarget(getModule(op));
  return target ? arch::ArchInfo::lookup(target.getChip()) : nullptr;
}

/// Passes that make code list the chips that there is code for.
static const arch::ArchInfo *findArch(Operation *op, bool compilableOnly) {
  gpu::GPUModuleOp module = getModule(op);
  if (!module) {
    op->emitOpError() << "is not in a gpu.module, whose target names the chip";
    return nullptr;
  }
  ROCDL::ROCDLTargetAttr target = getOnlyTarget(module);
  std::string known = arch::knownChipNames(compilableOnly);
  if (!target) {
    ArrayAttr targets = module.getTargetsAttr();
    InFlightDiagnostic diag =
        module.emitOpError()
        << "expects one AMD target, as in [#rocdl.target<chip = \"gfx942\">], "
           "got ";
    if (!targets || targets.empty())
      diag << "none";
    else if (targets.size() == 1)
      diag << targets[0];
    else
      diag << targets.size() << " targets";
    diag << "; known chips: " << known;
    return nullptr;
  }
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(target.getChip());
  if (!chip && target == ROCDL::ROCDLTargetAttr::get(op->getContext()))
    module.emitOpError() << "has a target that gives no chip, as in "
                            "[#rocdl.target<chip = \"gfx942\">]; known chips: "
                         << known;
  else if (!chip)
    module.emitOpError() << "targets the unknown chip '" << target.getChip()
                         << "'; known chips: " << known;
  return chip;
}

const arch::ArchInfo *fly::getArch(Operation *op) {
  return findArch(op, /*compilableOnly=*/false);
}

const arch::ArchInfo *fly::getCompiledArch(Operation *op) {
  const arch::ArchInfo *chip = findArch(op, /*compilableOnly=*/true);
  if (!chip || chip->canCompile)
    return chip;
  getModule(op).emitOpError()
      << "targets " << chip->name
      << ", which Fly describes but does not compile for; it compiles for: "
      << arch::knownChipNames(/*compilableOnly=*/true);
  return nullptr;
}

Operation *fly::findPlace(Operation *module) {
  Operation *place = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<gpu::GPUModuleOp, FunctionOpInterface>(op))
      return WalkResult::advance();
    place = op;
    return WalkResult::interrupt();
  });
  return place ? place : module;
}
