//===- VerifyCode.cpp - Final bytes are proved, or refused ----------------===//
//
// What problem: a missing wait or wait state gives a wrong number once in a
// while, on hardware alone, whoever left it out: we, LLVM, or assembly in the
// kernel.
// What idea: fly::verify has read the bytes of the object when a form of code
// generation was chosen. What violates a rule under the chosen form becomes a
// diagnostic at the kernel that has it.
//
//===----------------------------------------------------------------------===//
#include "VerifyCode.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Verify/Verify.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

static bool hasInlineAssembly(Operation *kernel) {
  return kernel->walk([](LLVM::InlineAsmOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult fly::verifyCode(gpu::GPUModuleOp module,
                              const target::CodeObject &object) {
  // Without a verdict the reason is to be had by asking again.
  llvm::Expected<verify::ObjectVerdict> verdict =
      object.verdict ? *object.verdict : verify::verifyObject(object.bytes);
  if (!verdict)
    return module.emitError() << "emitted code object cannot be verified: "
                              << llvm::toString(verdict.takeError());
  SymbolTable symbols(module);
  bool isBroken = false;
  for (const verify::KernelVerdict &kernel : verdict->kernels) {
    Operation *place = symbols.lookup(kernel.name);
    if (!place)
      place = module;
    size_t races = llvm::count_if(kernel.findings, [](const auto &finding) {
      return finding.rule == verify::Rule::LdsOrder;
    });
    bool isTold = false;
    for (const verify::Finding &finding : kernel.findings) {
      std::string text = verify::describe(finding);
      if (finding.rule == verify::Rule::LdsOrder) {
        if (!isTold)
          place->emitWarning()
              << "order of LDS in the code of kernel '" << kernel.name
              << "': " << text << "; fly-report verify shows all " << races;
        isTold = true;
        continue;
      }
      isBroken = true;
      if (hasInlineAssembly(place))
        place->emitError() << "code of kernel '" << kernel.name
                           << "', which holds inline assembly: " << text
                           << "; the compiler neither waits nor pads for "
                              "inline assembly: add the wait to it";
      else
        place->emitError() << brokenCodeText << ", in kernel '" << kernel.name
                           << "': " << text;
    }
  }
  return failure(isBroken);
}
