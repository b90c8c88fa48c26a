//===- KernelFunction.cpp - gpu.func to llvm.func -------------------------===//
//
// The kernel's signature and attributes: pointers become pointers to global
// memory that do not alias (unless one of them says so: `noalias` on any other
// would say that it does not alias this one), the workgroup's size
// and the wanted occupancy become attributes that LLVM reads. The launch
// contract stays on the function.
//
//===----------------------------------------------------------------------===//
#include "KernelFunction.h"

#include "fly/Dialect/Fly/IR/HotLoop.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "Lowering.h"

using namespace mlir;
using namespace fly;

static DictionaryAttr getArgAttrs(gpu::GPUFuncOp kernel, unsigned index,
                                  bool mayAlias) {
  Builder builder(kernel.getContext());
  NamedAttrList attrs;
  for (NamedAttribute attr :
       mlir::function_interface_impl::getArgAttrs(kernel, index))
    if (attr.getName().strref().starts_with("llvm."))
      attrs.append(attr);
  attrs.set(LLVM::LLVMDialect::getNoUndefAttrName(), builder.getUnitAttr());
  if (isa<PtrType>(kernel.getArgument(index).getType()) && !mayAlias)
    attrs.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return attrs.getDictionary(kernel.getContext());
}

FailureOr<LLVM::LLVMFuncOp>
fly::convertKernelFunction(gpu::GPUFuncOp kernel, int64_t threads,
                           const LLVMTypeConverter &converter) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  if (!kernel.isKernel())
    return kernel.emitOpError()
           << "is not a kernel; helpers are inlined by fly-instantiate";
  if (kernel.getNumWorkgroupAttributions() ||
      kernel.getNumPrivateAttributions())
    return kernel.emitOpError()
           << "has memory attributions; use fly.lds.struct";

  SmallVector<Type> types;
  SmallVector<DictionaryAttr> argAttrs;
  bool mayAlias = false;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    mayAlias |= bool(kernel.getArgAttr(i, FlyDialect::getMayAliasAttrName()));
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    Type type = converter.convertType(kernel.getArgument(i).getType());
    if (!type || !LLVM::isCompatibleType(type))
      return kernel.emitOpError()
             << "has the argument type " << kernel.getArgument(i).getType()
             << ", which a kernel cannot take";
    types.push_back(type);
    argAttrs.push_back(getArgAttrs(kernel, i, mayAlias));
  }
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), types);

  SmallVector<NamedAttribute> attrs;
  auto add = [&](StringRef name, Attribute value) {
    attrs.push_back(builder.getNamedAttr(name, value));
  };
  add(ROCDL::ROCDLDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  std::string size = std::to_string(threads);
  add("rocdl.flat_work_group_size", builder.getStringAttr(size + "," + size));
  add("rocdl.reqd_work_group_size",
      builder.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  if (auto waves = kernel->getAttrOfType<IntegerAttr>(
          FlyDialect::getWavesPerEuAttrName()))
    add("rocdl.waves_per_eu", waves);
  for (StringRef name :
       {FlyDialect::getContractAttrName(), StringRef(staggeredAttrName),
        StringRef(countedWaitsAttrName), StringRef(madeLdsAttrName)})
    if (Attribute value = kernel->getDiscardableAttr(name))
      add(name, value);
  // Attributes for LLVM that a pass or an author put there.
  if (Attribute passthrough = kernel->getDiscardableAttr("passthrough"))
    add("passthrough", passthrough);

  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, kernel.getName(), type, LLVM::Linkage::External,
      /*dsoLocal=*/false, LLVM::CConv::C, /*comdat=*/{}, attrs, argAttrs);
  function.getBody().takeBody(kernel.getBody());
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  for (auto [arg, argType] : llvm::zip_equal(entry.getArguments(), types)) {
    Type old = arg.getType();
    if (old == argType)
      continue;
    arg.setType(argType);
    auto cast = UnrealizedConversionCastOp::create(builder, loc, old, arg);
    arg.replaceAllUsesExcept(cast.getResult(0), cast);
  }
  function.walk([](gpu::ReturnOp ret) {
    OpBuilder atReturn(ret);
    LLVM::ReturnOp::create(atReturn, ret.getLoc(), ValueRange());
    ret.erase();
  });
  kernel.erase();
  return function;
}
