//===- LlvmAttributes.cpp - Attributes for LLVM's function ----------------===//
#include "LlvmAttributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

void fly::setLlvmAttribute(Operation *kernel, StringRef name, StringRef value) {
  Builder builder(kernel->getContext());
  SmallVector<Attribute> all;
  if (auto old = kernel->getAttrOfType<ArrayAttr>("passthrough"))
    llvm::append_range(all, old);
  for (Attribute each : all)
    if (auto pair = dyn_cast<ArrayAttr>(each);
        pair && !pair.empty() && pair[0] == builder.getStringAttr(name))
      return;
  all.push_back(builder.getStrArrayAttr({name, value}));
  kernel->setAttr("passthrough", builder.getArrayAttr(all));
}
