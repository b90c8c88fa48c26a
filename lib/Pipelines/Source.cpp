//===- Source.cpp - Kernel files, parsed and named ------------------------===//
//
// MLIR drops the names of SSA values, but the location of a block argument
// points at its `%name` in the text: the identifier is read from there.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Source.h"

#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// The identifier after `%` at a place of the text; empty for numbers.
static StringRef identifierAt(llvm::SourceMgr &sources,
                              FileLineColLoc location) {
  unsigned buffer = sources.getMainFileID();
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(buffer);
  if (location.getFilename() != text->getBufferIdentifier())
    return {};
  llvm::SMLoc place = sources.FindLocForLineAndColumn(
      buffer, location.getLine(), location.getColumn());
  if (!place.isValid() || place.getPointer() >= text->getBufferEnd())
    return {};
  StringRef rest(place.getPointer(), text->getBufferEnd() - place.getPointer());
  if (!rest.consume_front("%"))
    return {};
  StringRef name = rest.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
  return name.empty() || llvm::isDigit(name.front()) ? StringRef() : name;
}

/// The names of an op's results stand before it on its line, as in
/// `%m, %n = fly.grid`; none where one is missing or a number.
static SmallVector<StringRef> namesBefore(llvm::SourceMgr &sources,
                                          FileLineColLoc location) {
  unsigned buffer = sources.getMainFileID();
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(buffer);
  if (location.getFilename() != text->getBufferIdentifier())
    return {};
  llvm::SMLoc place = sources.FindLocForLineAndColumn(
      buffer, location.getLine(), location.getColumn());
  if (!place.isValid())
    return {};
  StringRef line(text->getBufferStart(),
                 place.getPointer() - text->getBufferStart());
  line = line.substr(line.rfind('\n') + 1).trim();
  if (!line.consume_back("="))
    return {};
  SmallVector<StringRef> names;
  for (StringRef name : llvm::split(line, ',')) {
    name = name.trim();
    if (!name.consume_front("%") || name.empty() ||
        llvm::isDigit(name.front()) || name.contains(':'))
      return {};
    names.push_back(name);
  }
  return names;
}

void fly::nameArguments(FunctionOpInterface function,
                        llvm::SourceMgr &sources) {
  StringRef attribute = FlyDialect::getNameAttrName();
  // Translation to LLVM IR would warn of an attribute that it does not know;
  // at that level the contract has the names.
  if (function.isExternal() || isa<LLVM::LLVMFuncOp>(function))
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto location = argument.getLoc()->findInstanceOf<FileLineColLoc>();
    unsigned index = argument.getArgNumber();
    if (!location || function.getArgAttr(index, attribute))
      continue;
    StringRef name = identifierAt(sources, location);
    if (!name.empty())
      function.setArgAttr(index, attribute,
                          StringAttr::get(function.getContext(), name));
  }
  function->walk([&](Operation *op) {
    if (!isa<fly::WorkspaceOp, fly::GridOp>(op))
      return;
    auto location = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (!location || op->hasAttr(attribute))
      return;
    SmallVector<StringRef> names = namesBefore(sources, location);
    if (names.size() != op->getNumResults())
      return;
    Builder builder(op->getContext());
    if (isa<fly::GridOp>(op))
      op->setAttr(attribute, builder.getStrArrayAttr(names));
    else
      op->setAttr(attribute, builder.getStringAttr(names.front()));
  });
}

/// The registered op of the same dialect whose name is closest to a misspelt
/// one; empty if none is close.
static StringRef closestOp(MLIRContext *context, StringRef name) {
  StringRef best;
  unsigned bestDistance = 4;
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    if (op.getDialectNamespace() != name.split('.').first)
      continue;
    unsigned distance =
        op.getStringRef().edit_distance(name, /*AllowReplacements=*/true);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = op.getStringRef();
    }
  }
  return best;
}

OwningOpRef<ModuleOp>
fly::parseSource(const std::shared_ptr<llvm::SourceMgr> &sources,
                 MLIRContext *context) {
  // MLIR says that an op is unknown; what was meant is worth a note. Where a
  // block does not end it prints the last op in generic form; how blocks end
  // helps more.
  ScopedDiagnosticHandler suggest(context, [&](Diagnostic &diag) {
    std::string message = diag.str();
    StringRef text(message);
    if (text.consume_front("custom op '") &&
        text.consume_back("' is unknown")) {
      StringRef closest = closestOp(context, text);
      if (!closest.empty())
        diag.attachNote() << "did you mean '" << closest << "'?";
    } else if (text.starts_with("block with no terminator")) {
      emitError(diag.getLocation())
          << "nothing ends the block after this: a kernel ends by gpu.return, "
             "a helper by return, a region of fly by fly.yield, of scf by "
             "scf.yield";
      return success();
    }
    return failure(); // The next handler prints it.
  });
  ParserConfig config(context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, config);
  if (!module)
    return module;
  module->walk(
      [&](FunctionOpInterface function) { nameArguments(function, *sources); });
  return module;
}

bool fly::isKernel(FunctionOpInterface function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName());
}

FailureOr<FunctionOpInterface> fly::findKernel(ModuleOp module,
                                               StringRef name) {
  SmallVector<FunctionOpInterface> kernels;
  module.walk([&](FunctionOpInterface function) {
    if (fly::isKernel(function))
      kernels.push_back(function);
  });
  std::string names = llvm::join(
      llvm::map_range(kernels, [](auto k) { return k.getName().str(); }), ", ");
  if (kernels.empty())
    return findPlace(module)->emitError()
           << "holds no kernel (a gpu.func with 'kernel')";
  if (name.empty() && kernels.size() > 1)
    return findPlace(module)->emitError()
           << "holds " << kernels.size()
           << " kernels, choose one by --kernel: " << names;
  for (FunctionOpInterface kernel : kernels)
    if (name.empty() || kernel.getName() == name)
      return kernel;
  return findPlace(module)->emitError()
         << "holds no kernel '" << name << "', it holds: " << names;
}

/// The kernels that a program launches are selected with it.
static void selectProgram(ModuleOp module, FunctionOpInterface program) {
  llvm::SmallPtrSet<Operation *, 8> launched;
  program->walk([&](fly::LaunchOp op) { launched.insert(op.lookupKernel()); });
  SmallVector<Operation *> others;
  module.walk([&](FunctionOpInterface function) {
    bool isOther =
        fly::isKernel(function)
            ? !launched.contains(function)
            : function != program &&
                  function->hasAttr(fly::FlyDialect::getProgramAttrName());
    if (isOther)
      others.push_back(function);
  });
  for (Operation *other : others)
    other->erase();
  for (auto gpuModule :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (llvm::none_of(launched, [&](Operation *kernel) {
          return gpuModule->isAncestor(kernel);
        }))
      gpuModule->erase();
}

LogicalResult fly::selectKernel(ModuleOp module, StringRef name) {
  if (name.empty())
    return success();
  for (FunctionOpInterface program : findPrograms(module))
    if (program.getName() == name) {
      selectProgram(module, program);
      return success();
    }
  FailureOr<FunctionOpInterface> selected = findKernel(module, name);
  if (failed(selected))
    return failure();
  SmallVector<Operation *> others;
  llvm::append_range(others, findPrograms(module));
  module.walk([&](FunctionOpInterface function) {
    if (fly::isKernel(function) && function != *selected)
      others.push_back(function);
  });
  for (Operation *other : others)
    other->erase();
  SmallVector<Operation *> empty;
  module.walk([&](gpu::GPUModuleOp gpuModule) {
    if (!gpuModule->isAncestor(*selected))
      empty.push_back(gpuModule);
  });
  for (Operation *gpuModule : empty)
    gpuModule->erase();
  return success();
}
