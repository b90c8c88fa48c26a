//===- MatrixTypes.cpp - Element types of matrix instructions -------------===//
//
// The chip tables spell types as MLIR does; they are looked up by that name.
//
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/MatrixTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fly;

using arch::Fp8Flavour;

std::optional<Fp8Flavour> fly::getFp8Flavour(Type type) {
  if (isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type))
    return Fp8Flavour::Fnuz;
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return Fp8Flavour::Ocp;
  return std::nullopt;
}

std::optional<arch::ElementType> fly::getMatrixType(Type type) {
  if (!type.isIntOrFloat() || type.isInteger(32))
    return std::nullopt; // i32 is a type of results.
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return arch::elementTypeOfMlir(name,
                                 getFp8Flavour(type).value_or(Fp8Flavour::Ocp));
}
