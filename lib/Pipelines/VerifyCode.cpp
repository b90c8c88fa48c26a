//===- VerifyCode.cpp - Final bytes are proved, or refused ----------------===//
//
// What problem: a missing wait or wait state gives a wrong number once in a
// while, on hardware alone, whoever left it out: we, LLVM, or assembly in the
// kernel.
// What idea: fly::verify has read the bytes of the object when a form of code
// generation was chosen. What violates a rule under the chosen form becomes a
// diagnostic at the kernel that has it. The order of LDS is the author's to
// keep, so a race is a warning; but where the compiler made the barriers of a
// loop it has vouched for the order, so a race is an error and what could not
// be proved a warning. Where it counted what a wait lets go on, a copy that no
// wait covers is an error, too: LLVM may have dropped a load that was counted.
// And where the kernel's author has no LDS of his own, any race is.
//
//===----------------------------------------------------------------------===//
#include "VerifyCode.h"

#include "fly/Dialect/Fly/IR/HotLoop.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Verify/Verify.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

static bool hasInlineAssembly(Operation *kernel) {
  return kernel->walk([](LLVM::InlineAsmOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// One message for all races of a kernel: an error where the order of turns
/// made its barriers, which passes as many of each wave, or where a wait of
/// fly-insert-waits lets too much go on.
static LogicalResult reportRaces(Operation *place,
                                 const fly::verify::KernelVerdict &kernel) {
  size_t races = 0;
  const fly::verify::Finding *first = nullptr;
  bool isMiscounted = false;
  for (const fly::verify::Finding &finding : kernel.findings) {
    if (finding.rule != fly::verify::Rule::LdsOrder)
      continue;
    ++races;
    bool lacksWait =
        finding.lacksCopyWait && place->hasAttr(fly::countedWaitsAttrName);
    if (!first || (lacksWait && !isMiscounted))
      first = &finding;
    isMiscounted |= lacksWait;
  }
  if (!first)
    return success();
  // Behind barriers that could not be counted a race may be none.
  bool isOurs =
      place->hasAttr(fly::staggeredAttrName) &&
      kernel.of(fly::verify::Rule::Barriers) == fly::verify::Verdict::Proved;
  bool isMade = place->hasAttr(fly::madeLdsAttrName);
  bool isError = isMade || isOurs || isMiscounted;
  {
    InFlightDiagnostic diagnostic =
        isError ? place->emitError() : place->emitWarning();
    diagnostic << "order of LDS in the code of kernel '" << kernel.name
               << "': " << fly::verify::describe(*first)
               << "; fly-report verify shows all " << races;
    if (isMade)
      diagnostic << "; the compiler made all LDS of the kernel, so this is a "
                    "fault of the compiler";
    else if (isMiscounted)
      diagnostic << "; the wait that the compiler put before a bare barrier "
                    "lets loads go on that LLVM dropped: use 'fly.barrier lds' "
                    "there";
    else if (isOurs)
      diagnostic << "; 'hot_loop = pingpong' made barriers of the kernel, "
                    "'hot_loop = off' leaves those of its author";
  }
  return failure(isError);
}

/// Where the order of turns made the barriers of a kernel: what kept them, or
/// the order of LDS, from being proved.
static void reportUnproved(Operation *place,
                           const fly::verify::KernelVerdict &kernel) {
  for (fly::verify::Rule rule :
       {fly::verify::Rule::Barriers, fly::verify::Rule::LdsOrder}) {
    if (kernel.of(rule) != fly::verify::Verdict::NotProved)
      continue;
    InFlightDiagnostic diagnostic =
        place->emitWarning()
        << "'hot_loop = pingpong' made barriers of kernel '" << kernel.name
        << "', whose " << fly::verify::ruleName(rule)
        << (rule == fly::verify::Rule::Barriers ? " are" : " is")
        << " not proved";
    for (const fly::verify::Finding &note : kernel.notes)
      if (note.rule == rule) {
        diagnostic << ": " << fly::verify::describe(note);
        break;
      }
    return;
  }
}

static LogicalResult reportKernel(Operation *place,
                                  const fly::verify::KernelVerdict &kernel) {
  bool isBroken = false;
  for (const fly::verify::Finding &finding : kernel.findings) {
    if (finding.rule == fly::verify::Rule::LdsOrder)
      continue;
    std::string text = fly::verify::describe(finding);
    isBroken = true;
    if (hasInlineAssembly(place))
      place->emitError() << "code of kernel '" << kernel.name
                         << "', which holds inline assembly: " << text
                         << "; the compiler neither waits nor pads for "
                            "inline assembly: add the wait to it";
    else
      place->emitError() << fly::brokenCodeText << ", in kernel '"
                         << kernel.name << "': " << text;
  }
  isBroken |= failed(reportRaces(place, kernel));
  if (!isBroken && place->hasAttr(fly::staggeredAttrName))
    reportUnproved(place, kernel);
  return failure(isBroken);
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
  for (const fly::verify::KernelVerdict &kernel : verdict->kernels) {
    Operation *place = symbols.lookup(kernel.name);
    isBroken |= failed(reportKernel(place ? place : module, kernel));
  }
  return failure(isBroken);
}
