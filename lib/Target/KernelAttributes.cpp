//===- KernelAttributes.cpp - What code generation must be told -----------===//
//
// Without LLVM's mid-end nobody infers that a kernel needs no hidden arguments
// and no accumulation registers of its own, so both would be set up. Here they
// are told: each hidden input is declared unused unless an intrinsic of the
// module asks for it, the workgroup size comes from the launch contract. Who
// gets accumulation registers is a matter of the portfolio (Portfolio.cpp).
// Attributes that a kernel brings are kept.
//
//===----------------------------------------------------------------------===//

#include "fly/Contract/Note.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "Codegen.h"

using namespace fly::target;

namespace {

/// A hidden input of a kernel: declared unused by the attribute unless one of
/// the intrinsics is called.
struct HiddenInput {
  const char *attribute;
  const char *intrinsic;
};

constexpr HiddenInput hiddenInputs[] = {
    {"amdgpu-no-workitem-id-x", "llvm.amdgcn.workitem.id.x"},
    {"amdgpu-no-workitem-id-y", "llvm.amdgcn.workitem.id.y"},
    {"amdgpu-no-workitem-id-z", "llvm.amdgcn.workitem.id.z"},
    {"amdgpu-no-workgroup-id-x", "llvm.amdgcn.workgroup.id.x"},
    {"amdgpu-no-workgroup-id-y", "llvm.amdgcn.workgroup.id.y"},
    {"amdgpu-no-workgroup-id-z", "llvm.amdgcn.workgroup.id.z"},
    {"amdgpu-no-dispatch-ptr", "llvm.amdgcn.dispatch.ptr"},
    {"amdgpu-no-dispatch-id", "llvm.amdgcn.dispatch.id"},
    {"amdgpu-no-queue-ptr", "llvm.amdgcn.queue.ptr"},
    {"amdgpu-no-lds-kernel-id", "llvm.amdgcn.lds.kernel.id"},
    {"amdgpu-no-implicitarg-ptr", "llvm.amdgcn.implicitarg.ptr"},
    // Behind the implicit argument pointer; which of them a kernel reads is a
    // matter of offsets, so the pointer's use keeps them all.
    {"amdgpu-no-hostcall-ptr", "llvm.amdgcn.implicitarg.ptr"},
    {"amdgpu-no-heap-ptr", "llvm.amdgcn.implicitarg.ptr"},
    {"amdgpu-no-multigrid-sync-arg", "llvm.amdgcn.implicitarg.ptr"},
    {"amdgpu-no-default-queue", "llvm.amdgcn.implicitarg.ptr"},
    {"amdgpu-no-completion-action", "llvm.amdgcn.implicitarg.ptr"},
};

/// What the functions of a module use, all together: helpers are few, and what
/// one of them needs its callers need.
struct ModuleUses {
  llvm::StringSet<> intrinsics;
  /// Inline assembly, or a call through a pointer: nothing can be excluded
  /// about accumulation registers.
  bool opaqueCode = false;
  /// Calls through pointers may reach code that asks for anything.
  bool indirectCalls = false;
};

ModuleUses usesOf(const llvm::Module &module) {
  ModuleUses uses;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call)
        continue;
      if (const llvm::Function *callee = call->getCalledFunction())
        uses.intrinsics.insert(callee->getName());
      else
        (call->isInlineAsm() ? uses.opaqueCode : uses.indirectCalls) = true;
    }
  // llvm.trap may hand the queue to the trap handler.
  if (uses.intrinsics.contains("llvm.trap"))
    uses.intrinsics.insert("llvm.amdgcn.queue.ptr");
  return uses;
}

void setDefault(llvm::Function &function, llvm::StringRef name,
                llvm::StringRef value = "") {
  if (!function.hasFnAttribute(name))
    function.addFnAttr(name, value);
}

llvm::MDNode *stringList(llvm::LLVMContext &context,
                         llvm::ArrayRef<std::string> strings) {
  llvm::SmallVector<llvm::Metadata *> nodes;
  for (const std::string &each : strings)
    nodes.push_back(llvm::MDString::get(context, each));
  return llvm::MDNode::get(context, nodes);
}

/// Argument names and types, as LLVM's metadata streamer reads them.
void nameArguments(llvm::Function &function,
                   const fly::contract::LaunchContract &contract) {
  if (contract.arguments.size() != function.arg_size())
    return; // serialize() has reported it.
  std::vector<std::string> names, types, access;
  for (const fly::contract::Argument &argument : contract.arguments) {
    bool pointer = argument.kind == fly::contract::ArgumentKind::Pointer;
    names.push_back(argument.name);
    types.push_back(pointer ? argument.type + "*" : argument.type);
  }
  llvm::LLVMContext &context = function.getContext();
  function.setMetadata("kernel_arg_name", stringList(context, names));
  function.setMetadata("kernel_arg_type", stringList(context, types));
  for (auto [argument, name] : llvm::zip_equal(function.args(), names))
    argument.setName(name);
}

void setBlock(llvm::Function &function, std::array<uint32_t, 3> block) {
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  std::string size = std::to_string(threads);
  function.addFnAttr("amdgpu-flat-work-group-size", size + "," + size);
  if (function.getMetadata("reqd_work_group_size"))
    return;
  llvm::IRBuilder<> builder(function.getContext());
  llvm::SmallVector<llvm::Metadata *> sizes;
  for (uint32_t each : block)
    sizes.push_back(llvm::ConstantAsMetadata::get(builder.getInt32(each)));
  function.setMetadata("reqd_work_group_size",
                       llvm::MDNode::get(function.getContext(), sizes));
}

} // namespace

bool fly::target::isKernel(const llvm::Function &function) {
  return !function.isDeclaration() &&
         function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
}

void fly::target::prepareKernels(
    llvm::Module &module, llvm::StringRef chip, const SerializeOptions &options,
    llvm::ArrayRef<contract::LaunchContract> contracts) {
  ModuleUses uses = usesOf(module);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    // So that printed IR compiles for the same chip under llc.
    setDefault(function, "target-cpu", chip);
    for (const auto &attribute : options.kernelAttributes)
      setDefault(function, attribute.first, attribute.second);
    if (!uses.indirectCalls)
      for (const HiddenInput &input : hiddenInputs)
        if (!uses.intrinsics.contains(input.intrinsic))
          setDefault(function, input.attribute);
    if (!uses.opaqueCode && !uses.indirectCalls)
      setDefault(function, "amdgpu-agpr-alloc", "0");
    if (!isKernel(function))
      continue;
    setDefault(function, "uniform-work-group-size", "true");
    for (const contract::LaunchContract &contract : contracts)
      if (function.getName() == contract.kernel) {
        nameArguments(function, contract);
        setBlock(function, contract.block);
      }
  }
}

void fly::target::embedContracts(llvm::Module &module,
                                 const contract::ObjectContracts &contracts) {
  if (contracts.empty())
    return;
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(
      module.getContext(), contract::makeNote(contracts), /*AddNull=*/false);
  // Constant address space; the section's name makes it SHT_NOTE.
  auto *global = new llvm::GlobalVariable(
      module, bytes->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, bytes, "fly.note", nullptr,
      llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/4);
  global->setSection(contract::noteSection);
  global->setAlignment(llvm::Align(4));
  llvm::appendToCompilerUsed(module, {global});
}
