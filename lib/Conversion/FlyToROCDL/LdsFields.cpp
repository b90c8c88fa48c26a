//===- LdsFields.cpp - LDS structs to LLVM globals ------------------------===//
//
// Every field of an LDS struct is an LLVM global of its own with an alias scope
// of its own, so that a read of one buffer is not ordered behind a write of
// another; the members of a union are one global, and so are the fields that
// lie at bytes of a shared object, which keep scopes of their own: of those
// whose bytes meet, neither says that it is none of the other. LLVM gives a
// kernel the globals that it refers to, so a struct that is allocated is
// referred to as a whole: the kernel has the bytes that it asks for, whichever
// fields its accesses leave.
//
// Where a kernel's LDS is larger than an immediate reaches, a field's address
// is hidden behind a lane-0 read, or LLVM would add it to the constants and
// need a register for each access.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include "llvm/ADT/SetVector.h"

#include "Accesses.h"

using namespace mlir;
using namespace fly;

/// The structs that a kernel allocates, each once.
static SmallVector<LdsStructOp> collectStructs(gpu::GPUFuncOp kernel) {
  llvm::SetVector<LdsStructOp> structs;
  kernel.walk([&](LdsAllocOp alloc) {
    if (auto structOp = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
            alloc, alloc.getType().getStructName()))
      structs.insert(structOp);
  });
  return structs.takeVector();
}

LdsAccessLowering::LdsAccessLowering(gpu::GPUFuncOp kernel,
                                     const Uniformity &uniformity,
                                     LdsGlobals &globals)
    : kernel(kernel), uniformity(uniformity), globals(globals) {
  int64_t bytes = 0;
  bool isDynamic = false;
  for (LdsStructOp structOp : collectStructs(kernel)) {
    bytes += structOp.getSizeInBytes();
    isDynamic |= bool(structOp.getDynamicField());
  }
  opaqueBases = isDynamic || bytes > maxLdsImmediateBytes + 1;
}

LLVM::GlobalOp LdsAccessLowering::getGlobal(LdsStructOp structOp,
                                            StringAttr field) {
  // The members of a union are one object, and so are fields at bytes of one.
  bool overlaid = structOp.getOverlaid();
  bool isShared = overlaid || structOp.getOffset(field);
  LLVM::GlobalOp &global = globals[{structOp, isShared ? StringAttr() : field}];
  if (global)
    return global;
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  // [LLVM22] An external array of no elements is what the launch adds: it
  // begins behind the kernel's other LDS.
  bool isDynamic = field == structOp.getDynamicField();
  int64_t bytes = isDynamic  ? 0
                  : overlaid ? structOp.getSizeInBytes()
                  : isShared ? structOp.getSharedBytes()
                             : *structOp.getFieldType(field).getSizeInBytes();
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  std::string name = structOp.getSymName().str();
  if (!isShared)
    name += "_" + field.getValue().str();
  SymbolTable symbols(module);
  global = LLVM::GlobalOp::create(
      builder, structOp.getLoc(), type, /*isConstant=*/false,
      isDynamic ? LLVM::Linkage::External : LLVM::Linkage::Internal, name,
      Attribute(), ldsFieldAlignBytes,
      ROCDL::ROCDLDialect::kSharedMemoryAddressSpace);
  symbols.insert(global); // Under another name where that one is taken.
  return global;
}

FailureOr<LdsAccessLowering::Field *>
LdsAccessLowering::resolve(Operation *access, Value view) {
  auto op = view.getDefiningOp<LdsFieldOp>();
  if (!op)
    return access->emitOpError()
           << "needs an LDS view made by fly.lds.field, got one that control "
              "flow hands on";
  auto structOp = SymbolTable::lookupNearestSymbolFrom<LdsStructOp>(
      op, op.getLds().getType().getStructName());
  LLVM::GlobalOp global = getGlobal(structOp, op.getFieldAttr());
  StringAttr member = structOp.getOverlaid() ? StringAttr() : op.getFieldAttr();
  for (const std::unique_ptr<Field> &field : fields)
    if (field->owner == structOp && field->name == member)
      return field.get();

  Field &field = *fields.emplace_back(std::make_unique<Field>());
  field.owner = structOp;
  field.name = member;
  MLIRContext *context = op.getContext();
  std::string name = global.getSymName().str();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  field.address = LLVM::AddressOfOp::create(builder, op.getLoc(), global);
  if (std::optional<int64_t> at = structOp.getOffset(op.getField())) {
    name = (structOp.getSymName() + "_" + op.getField()).str();
    if (*at != 0)
      field.address = LLVM::GEPOp::create(
          builder, op.getLoc(), field.address.getType(), builder.getI8Type(),
          field.address, ArrayRef<LLVM::GEPArg>{int32_t(*at)});
  }
  if (opaqueBases)
    field.address = ROCDL::ReadfirstlaneOp::create(
        builder, op.getLoc(), field.address.getType(), field.address);
  auto domain = LLVM::AliasScopeDomainAttr::get(
      context, StringAttr::get(context, kernel.getName() + ".lds"),
      StringAttr::get(context, "LDS of " + kernel.getName()));
  field.scope = LLVM::AliasScopeAttr::get(
      context, StringAttr::get(context, kernel.getName() + "." + name), domain,
      StringAttr::get(context, name));
  return &field;
}

void LdsAccessLowering::reserveStructs() {
  SmallVector<LdsStructOp> structs = collectStructs(kernel);
  if (structs.empty())
    return;
  // [LLVM22] AMDGPULowerModuleLDS keeps LDS alive in the same way: the call is
  // a reference until LDS has its addresses, and no instruction after that.
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<Value> addresses;
  for (LdsStructOp structOp : structs)
    for (auto name : structOp.getNames().getAsRange<StringAttr>())
      addresses.push_back(LLVM::AddressOfOp::create(builder, structOp.getLoc(),
                                                    getGlobal(structOp, name)));
  if (addresses.empty())
    return;
  LLVM::CallIntrinsicOp::create(
      builder, kernel.getLoc(), /*resultTypes=*/TypeRange(), "llvm.donothing",
      /*args=*/ValueRange(), LLVM::FastmathFlags::none,
      ArrayRef<ValueRange>(ValueRange(addresses)),
      builder.getStrArrayAttr({"ExplicitUse"}), /*arg_attrs=*/ArrayAttr(),
      /*res_attrs=*/ArrayAttr());
}

/// The scopes of the fields that have no byte in common with `field`.
ArrayAttr LdsAccessLowering::otherScopes(const Field &field) {
  SmallVector<Attribute> scopes;
  for (const std::unique_ptr<Field> &other : fields)
    if (other.get() != &field &&
        (other->owner != field.owner ||
         !LdsStructOp(field.owner).overlap(other->name, field.name)))
      scopes.push_back(other->scope);
  return scopes.empty() ? ArrayAttr()
                        : ArrayAttr::get(kernel.getContext(), scopes);
}

void LdsAccessLowering::attachScopes() {
  for (auto [op, field] : accesses) {
    auto interface = cast<LLVM::AliasAnalysisOpInterface>(op);
    interface.setAliasScopes(
        ArrayAttr::get(kernel.getContext(), {field->scope}));
    interface.setNoAliasScopes(otherScopes(*field));
  }
}
