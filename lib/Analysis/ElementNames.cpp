//===- ElementNames.cpp - Element types on command lines ------------------===//
#include "fly/Analysis/ElementNames.h"

using namespace fly;
using arch::ElementType;

static constexpr ElementType inputTypes[] = {
    ElementType::F64,  ElementType::F32, ElementType::Xf32, ElementType::F16,
    ElementType::Bf16, ElementType::Fp8, ElementType::Bf8,  ElementType::Fp6,
    ElementType::Bf6,  ElementType::Fp4, ElementType::I8};

std::optional<ElementType>
fly::analysis::findElementType(llvm::StringRef name) {
  for (ElementType type : inputTypes)
    if (name == arch::elementTypeName(type))
      return type;
  return std::nullopt;
}

std::string fly::analysis::knownElementTypes() {
  std::string names;
  for (ElementType type : inputTypes)
    names +=
        (names.empty() ? "" : ", ") + std::string(arch::elementTypeName(type));
  return names;
}
