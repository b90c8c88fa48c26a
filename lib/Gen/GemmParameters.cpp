//===- GemmParameters.cpp - Arguments of generated GEMMs ------------------===//
//
// Which arguments a GEMM has, part by part: a kernel that stores parts of sums,
// one that adds them up and the program of both share them out.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "GemmKernel.h"

using namespace fly;
using namespace fly::gen;
using llvm::ArrayRef;
using llvm::StringRef;

static Parameter makePointer(StringRef name, StringRef type) {
  return {name.str(), ("!fly.ptr<" + type + ">").str()};
}

Parameters fly::gen::getOperands(const Gemm &gemm) {
  return {makePointer("A", gemm.types.a), makePointer("B", gemm.types.b)};
}

Parameters fly::gen::getLoopScales(const Gemm &gemm) {
  Parameters scales;
  if (!gemm.scaleGroup())
    return scales;
  if (!gemm.types.isInt4())
    scales.push_back(makePointer("SA", gemm.scaleType()));
  scales.push_back(makePointer("SB", gemm.scaleType()));
  return scales;
}

Parameter fly::gen::getOutput(const Gemm &gemm) {
  return makePointer("C", gemm.types.out);
}

Parameters fly::gen::getEpilogueInputs(const Gemm &gemm) {
  Parameters inputs;
  if (gemm.hasRowScales())
    inputs = {makePointer("SA", "f32"), makePointer("SB", "f32")};
  if (gemm.hasBias())
    inputs.push_back(makePointer("Bias", gemm.types.bias));
  return inputs;
}

Parameters fly::gen::getSizes(ArrayRef<StringRef> names) {
  Parameters sizes;
  for (StringRef name : names)
    sizes.push_back({name.str(), "i32"});
  return sizes;
}

Parameters fly::gen::getLeadingDims(const Gemm &gemm, StringRef of) {
  Parameters dims;
  if (!gemm.options.leadingDims)
    return dims;
  for (char operand : of)
    // Blocks lie without gaps.
    if (operand != 'b' || !gemm.isPreshuffled())
      dims.push_back({std::string("ld") + operand, "i32"});
  return dims;
}

Parameters fly::gen::getBatch(const Gemm &gemm, StringRef of) {
  if (!gemm.options.batch)
    return {};
  Parameters sizes = getSizes({"batch"});
  for (char operand : of)
    if (operand != 'b' || !gemm.isPreshuffled())
      sizes.push_back({std::string("stride_") + operand, "i32"});
  return sizes;
}

std::string fly::gen::getStrides(const Gemm &gemm, char operand, StringRef rows,
                                 bool isTransposed) {
  std::string leading = rows.str();
  if (gemm.options.leadingDims)
    leading = std::string("ld") + operand;
  else if (!isTransposed)
    return {};
  std::string strides = isTransposed ? "1, %" + leading : "%" + leading + ", 1";
  if (gemm.options.batch)
    strides = std::string("%stride_") + operand + ", " + strides;
  return " strides [" + strides + "]";
}

std::string fly::gen::declare(ArrayRef<Parameter> parameters) {
  auto texts = llvm::map_range(parameters, [](const Parameter &each) {
    return "%" + each.name + ": " + each.type;
  });
  return llvm::join(texts, ", ");
}

std::string fly::gen::pass(ArrayRef<Parameter> parameters) {
  auto names = llvm::map_range(
      parameters, [](const Parameter &each) { return "%" + each.name; });
  auto types = llvm::map_range(parameters,
                               [](const Parameter &each) { return each.type; });
  return "(" + llvm::join(names, ", ") +
         ")\n      : " + llvm::join(types, ", ");
}

void fly::gen::printRequirements(llvm::raw_ostream &os, const Gemm &gemm,
                                 ArrayRef<Parameter> parameters) {
  for (const auto &[name, multiple] : gemm.requirements)
    if (llvm::any_of(parameters, [&wanted = name](const Parameter &each) {
          return each.name == wanted;
        }))
      os << "    fly.require_multiple %" << name << " of " << multiple << "\n";
}
