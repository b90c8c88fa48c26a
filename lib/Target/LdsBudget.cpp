//===- LdsBudget.cpp - LDS of a kernel, member by member ------------------===//
//
// Every LDS object is an LLVM global in address space 3. A kernel has those
// that it, or a function it calls, takes the address of. LLVM raises their
// alignment with their size and lays them out by falling alignment and size;
// the same order here gives what the kernel will take. The emitted metadata is
// compared with it in the tests.
//
//===----------------------------------------------------------------------===//

#include "LdsBudget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace fly::target;
namespace LLVM = mlir::LLVM;

namespace {

struct Member {
  LLVM::GlobalOp global;
  uint64_t bytes;
  uint64_t alignment;
  size_t order; ///< Of first use.
};

/// LLVM aligns LDS objects so that wide instructions may reach them
/// ([LLVM22] AMDGPULowerModuleLDS, super-alignment).
uint64_t ldsAlignment(uint64_t declared, uint64_t bytes) {
  uint64_t wanted = bytes > 8 ? 16 : bytes > 4 ? 8 : bytes > 2 ? 4 : bytes;
  return std::max({declared, wanted, uint64_t(1)});
}

/// The LDS globals that \p kernel reaches, in order of first use.
llvm::SmallVector<Member> membersOf(LLVM::LLVMFuncOp kernel,
                                    mlir::SymbolTable &symbols,
                                    const mlir::DataLayout &layout) {
  llvm::SetVector<mlir::Operation *> functions;
  llvm::SetVector<mlir::Operation *> globals;
  functions.insert(kernel);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](mlir::Operation *op) {
      if (auto address = llvm::dyn_cast<LLVM::AddressOfOp>(op)) {
        mlir::Operation *target = symbols.lookup(address.getGlobalName());
        if (auto global = llvm::dyn_cast_or_null<LLVM::GlobalOp>(target))
          if (global.getAddrSpace() ==
              mlir::ROCDL::ROCDLDialect::kSharedMemoryAddressSpace)
            globals.insert(global);
      } else if (auto call = llvm::dyn_cast<LLVM::CallOp>(op)) {
        if (std::optional<llvm::StringRef> callee = call.getCallee())
          if (mlir::Operation *target = symbols.lookup(*callee))
            functions.insert(target);
      }
    });
  llvm::SmallVector<Member> members;
  for (mlir::Operation *op : globals) {
    auto global = llvm::cast<LLVM::GlobalOp>(op);
    uint64_t alignment = global.getAlignment().value_or(
        layout.getTypeABIAlignment(global.getType()));
    uint64_t bytes = layout.getTypeSize(global.getType()).getFixedValue();
    members.push_back(
        {global, bytes, ldsAlignment(alignment, bytes), members.size()});
  }
  return members;
}

} // namespace

mlir::FailureOr<llvm::StringMap<uint64_t>>
fly::target::checkLdsBudget(mlir::gpu::GPUModuleOp module,
                            const arch::ArchInfo &arch) {
  llvm::StringMap<uint64_t> totals;
  mlir::SymbolTable symbols(module);
  mlir::DataLayout layout(module);
  bool failed = false;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (kernel.isExternal())
      continue;
    llvm::SmallVector<Member> members = membersOf(kernel, symbols, layout);
    llvm::sort(members, [](const Member &a, const Member &b) {
      return std::tie(b.alignment, b.bytes, a.order) <
             std::tie(a.alignment, a.bytes, b.order);
    });
    uint64_t total = 0;
    for (const Member &member : members)
      total = llvm::alignTo(total, member.alignment) + member.bytes;
    totals[kernel.getName()] = total;
    if (total <= *arch.lds.bytes)
      continue;
    failed = true;
    mlir::InFlightDiagnostic diagnostic =
        kernel.emitError() << "LDS of kernel '" << kernel.getName()
                           << "' needs " << total << " bytes on " << arch.name
                           << ", limit is " << *arch.lds.bytes;
    for (Member &member : members)
      diagnostic.attachNote(member.global.getLoc())
          << "member '" << member.global.getName() << "' takes " << member.bytes
          << " bytes";
  }
  if (failed)
    return mlir::failure();
  return totals;
}
