//===- GemmTypes.cpp - Element types of generated GEMMs -------------------===//
//
// Which types a GEMM may have, and what follows from them: the accumulator of
// the matrix unit, and the output where none is asked for. Whether the chip
// multiplies them is left to the compiler, which says what it has instead.
//
//===----------------------------------------------------------------------===//
#include "GemmTypes.h"

#include "fly/Arch/MfmaTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly;
using namespace fly::gen;
using llvm::StringRef;
using llvm::Twine;

/// The types that `--in` takes beside fp8, bf8, fp6, bf6, fp4 and xf32.
static constexpr StringRef kInputs[] = {
    "bf16",       "f16",    "f32",        "f64",      "i8",       "f8E4M3FN",
    "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"};

static bool isFp8(StringRef type) { return type.starts_with("f8E"); }
static bool isNarrow(StringRef type) {
  return type.starts_with("f6E") || type.starts_with("f4E");
}

/// The type as MLIR spells it.
static std::string spell(StringRef name, arch::Fp8Flavour flavour) {
  using E = arch::ElementType;
  for (E type : {E::Fp8, E::Bf8, E::Fp6, E::Bf6, E::Fp4})
    if (name == arch::elementTypeName(type))
      return arch::mlirTypeName(type, flavour);
  return name == "xf32" ? "f32" : name.str();
}

/// Which products there are of these two.
static llvm::Error checkPair(const GemmTypes &types, const GemmOptions &o) {
  auto complain = [&](const Twine &what) {
    return llvm::createStringError("--in=" + o.in + ": " + what);
  };
  StringRef a = types.a, b = types.b;
  if (types.isInt4()) {
    if (a != "bf16" && a != "f16")
      return complain("weights of i4 are multiplied as bf16 or f16: say "
                      "bf16,i4 or f16,i4");
    if (o.scales != "none")
      return llvm::createStringError("--scales=" + o.scales +
                                     ": weights of i4 have a scale for each "
                                     "--group, leave this out");
    return llvm::Error::success();
  }
  for (StringRef type : {a, b})
    if (!llvm::is_contained(kInputs, type))
      return complain(
          "unknown, expected one of: fp8, bf8, fp6, bf6, fp4, xf32, "
          "i4 (of B), " +
          llvm::join(llvm::ArrayRef(kInputs), ", "));
  bool areScaled = (isFp8(a) || isNarrow(a)) && (isFp8(b) || isNarrow(b));
  if (types.isMx && !areScaled)
    return complain("MX formats are fp8, bf8, fp6, bf6 and fp4");
  if (!types.isMx && (isNarrow(a) || isNarrow(b)))
    return complain("has a scale for each 32 elements: say --scales=mx");
  if (a != b && !types.isMx && !(isFp8(a) && isFp8(b)))
    return complain("no matrix instruction multiplies these two types; 8-bit "
                    "floats mix");
  return llvm::Error::success();
}

llvm::Expected<GemmTypes> fly::gen::parseGemmTypes(const GemmOptions &options,
                                                   const arch::ArchInfo &chip) {
  GemmTypes types;
  types.isMx = options.scales == "mx";
  auto [first, second] = StringRef(options.in).split(',');
  bool hasTwo = StringRef(options.in).contains(',');
  types.isXf32 = first == "xf32" && !hasTwo;
  // MX formats are the OCP's.
  arch::Fp8Flavour flavour = types.isMx ? arch::Fp8Flavour::Ocp : *chip.fp8;
  types.a = spell(first, flavour);
  types.b = hasTwo ? spell(second, flavour) : types.a;
  if (llvm::Error error = checkPair(types, options))
    return std::move(error);
  types.acc = types.a == "f64" ? "f64" : types.a == "i8" ? "i32" : "f32";
  // Scales of rows and columns, bias and activation are a fly.map.
  bool hasMap = options.epilogue != "none" || options.scales == "row_col";
  std::string usual = types.acc == "i32" && hasMap ? "f32" : types.acc;
  types.out = options.out.empty() ? usual : options.out;
  bool isFloat = llvm::is_contained({"f32", "bf16", "f16"}, types.out);
  if (types.acc == "f64" ? types.out != "f64"
                         : !isFloat && types.out != types.acc)
    return llvm::createStringError("--out=" + options.out +
                                   ": unknown for inputs of " + options.in +
                                   ", expected one of: " +
                                   (types.acc == "f64"   ? "f64"
                                    : types.acc == "i32" ? "i32, f32, bf16, f16"
                                                         : "f32, bf16, f16"));
  if (types.acc == "f64" && options.epilogue != "none")
    return llvm::createStringError(
        "--epilogue=" + options.epilogue +
        ": fly.map computes in f32, which would round products of f64");
  if (types.out == "i32" && hasMap)
    return llvm::createStringError(
        "--out=i32: an epilogue and scales compute in f32; say --out=f32, "
        "bf16 or f16, or leave them out");
  types.bias = isFloat ? types.out : "f32";
  return types;
}
