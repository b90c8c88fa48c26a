//===- TypeOf.cpp - The element type of an IR type ------------------------===//
#include "TypeOf.h"

#include "fly/Dialect/Fly/IR/FlyTypes.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fly;

std::optional<ElementType> fly::reference::typeOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  else if (auto pointer = dyn_cast<PtrType>(type))
    type = pointer.getElementType();
  else if (auto view = dyn_cast<ViewType>(type))
    type = view.getElementType();
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  llvm::Expected<ElementType> parsed = ElementType::parse(name);
  if (parsed)
    return *parsed;
  llvm::consumeError(parsed.takeError());
  return std::nullopt;
}
