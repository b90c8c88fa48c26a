//===- LoadedKernel.cpp - A kernel that can be launched -------------------===//
#include "LoadedKernel.h"

#include "fly/Contract/Note.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Launch/ReferenceLaunch.h"
#include "fly/Pipelines/Compile.h"

#include "../Options/KernelOptions.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using launch::Argument;

/// Prints an error that has no place in a file, and whom it is about.
static LogicalResult complain(const RunRequest &request,
                              const llvm::Twine &message) {
  fail("fly-run", request.subject + message);
  return failure();
}
static LogicalResult complain(const RunRequest &request, llvm::Error error) {
  return complain(request, llvm::toString(std::move(error)));
}

LoadedKernel::~LoadedKernel() = default;

/// Nothing in an object says how much dynamic LDS its kernels expect: where an
/// access falls behind what the launch has, that is the likely reason.
static llvm::Error explainFault(llvm::Error error,
                                const launch::LaunchSize &size) {
  return llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<sim::FaultError> fault) -> llvm::Error {
        if (fault->fault.kind == sim::FaultKind::LdsOutOfRange)
          fault->message +=
              size.dynamicLdsBytes
                  ? "; is --dynamic-lds=" +
                        std::to_string(size.dynamicLdsBytes) + " too little?"
                  : "; a kernel with dynamic LDS needs --dynamic-lds=BYTES";
        return llvm::Error(std::move(fault));
      });
}

/// Other binaries would only give a parser's error with their bytes in it.
static LogicalResult checkIsIr(const RunRequest &request, llvm::StringRef bytes,
                               llvm::StringRef path) {
  if (bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__") ||
      bytes.starts_with("CCOB"))
    return complain(request,
                    "'" + path +
                        "' is an offload bundle; give the code object in it "
                        "(clang-offload-bundler --unbundle, or compile with "
                        "--no-gpu-bundle-output)");
  if (bytes.starts_with("\x93NUMPY"))
    return complain(request,
                    "'" + path +
                        "' is an array of NumPy, not a kernel; give it to an "
                        "argument, as in A=@" +
                        path);
  if (llvm::StringRef(path).ends_with(".hsaco"))
    return complain(
        request, "'" + path +
                     "' is no ELF code object, as its name says; a kernel in "
                     "MLIR is named .mlir");
  llvm::StringRef bytecode("ML\xef");
  if (bytes.contains('\0') && !bytes.starts_with(bytecode))
    return complain(request,
                    "'" + path + "' is neither MLIR nor an ELF code object");
  return success();
}

FailureOr<std::unique_ptr<LoadedKernel>>
LoadedKernel::load(MLIRContext *context, llvm::StringRef path,
                   const RunRequest &request, Device device, int &exitCode) {
  exitCode = UserError;
  auto file = readInput(path);
  if (!file)
    return complain(request, file.takeError());
  auto loaded = std::make_unique<LoadedKernel>();
  loaded->path = path.str();
  if ((*file)->getBuffer().starts_with("\x7f"
                                       "ELF")) {
    if (!request.overrides.empty() || !request.chip.empty())
      return complain(
          request, "--schedule, --size, --const and --chip change a .mlir; '" +
                       path + "' is compiled already");
    if (device == Device::Reference)
      return complain(request, "the reference executor runs tile IR; '" + path +
                                   "' is a code object (use --device=sim)");
    loaded->object = (*file)->getBuffer().str();
    if (failed(loaded->loadObject(request)))
      return failure();
    return loaded;
  }
  if (failed(checkIsIr(request, (*file)->getBuffer(), path)) ||
      failed(
          loaded->loadIr(context, std::move(*file), request, device, exitCode)))
    return failure();
  return loaded;
}

LogicalResult LoadedKernel::loadIr(MLIRContext *context,
                                   std::unique_ptr<llvm::MemoryBuffer> text,
                                   const RunRequest &request, Device device,
                                   int &exitCode) {
  sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  printer = std::make_unique<SourceMgrDiagnosticHandler>(*sources, context);
  module = parseSource(sources, context);
  if (!module || failed(selectKernel(*module, request.kernel)) ||
      failed(applyOverrides(*module, request.kernel, request.overrides)))
    return failure();
  if (!request.chip.empty() && failed(setChip(*module, request.chip)))
    return failure();
  FailureOr<FunctionOpInterface> found = findKernel(*module, request.kernel);
  if (failed(found))
    return failure();
  kernel = *found;
  kernelName = kernel.getName().str();
  tileIr = hasTiles(kernel);
  if (device == Device::Reference) {
    if (!tileIr)
      return complain(request, "the reference executor runs tile IR; kernel '" +
                                   kernelName +
                                   "' is at the explicit level (use "
                                   "--device=sim)");
    chipName = "reference";
    return success();
  }
  CompileOptions options;
  options.serialize.isolate = true;
  bool hasCrashed = false;
  ScopedDiagnosticHandler watch(context, [&](Diagnostic &diag) {
    hasCrashed |=
        llvm::StringRef(diag.str()).contains(target::codegenCrashText);
    return failure(); // The printer gets it, too.
  });
  FailureOr<target::CodeObject> compiled = compile(*module, options);
  if (failed(compiled) && hasCrashed) {
    exitCode = OurDefect;
    return complain(request,
                    "a defect of fly; please report it with the file that "
                    "fly-compile " +
                        path + " writes");
  }
  if (failed(compiled))
    return failure();
  object = std::move(compiled->bytes);
  return loadObject(request);
}

LogicalResult LoadedKernel::loadObject(const RunRequest &request) {
  llvm::Expected<isa::CodeObject> loaded = isa::CodeObject::load(object, path);
  if (!loaded)
    return complain(request, loaded.takeError());
  code = std::move(*loaded);
  chipName = code->chip();
  if (kernelName.empty()) {
    if (code->kernels().empty())
      return complain(request,
                      "'" + path +
                          "' holds no kernel: its AMDGPU metadata lists none");
    std::string names;
    for (const isa::Kernel &k : code->kernels())
      names += (names.empty() ? "" : ", ") + k.name;
    if (request.kernel.empty() && code->kernels().size() != 1)
      return complain(request,
                      "'" + path + "' holds " +
                          llvm::Twine(code->kernels().size()) +
                          " kernels, choose one by --kernel: " + names);
    kernelName =
        request.kernel.empty() ? code->kernels().front().name : request.kernel;
    if (!code->findKernel(kernelName))
      return complain(request, "'" + path + "' holds no kernel '" + kernelName +
                                   "', it holds: " + names);
  }
  llvm::Expected<std::vector<contract::LaunchContract>> contracts =
      contract::readContracts(object);
  if (!contracts)
    return complain(request, contracts.takeError());
  for (contract::LaunchContract &found : *contracts)
    if (found.kernel == kernelName)
      contract = std::move(found);
  return success();
}

const reports::KernelReport *LoadedKernel::report() const {
  if (objectReport)
    for (const reports::KernelReport &report : objectReport->kernels)
      if (report.name == kernelName)
        return &report;
  return nullptr;
}

FailureOr<std::vector<Argument>> LoadedKernel::bind(const RunRequest &request) {
  llvm::Expected<std::vector<launch::Parameter>> parameters =
      contract ? launch::parametersOf(*contract)
      : code   ? launch::parametersOf(*code->findKernel(kernelName))
               : launch::parametersOf(kernel);
  if (!parameters)
    return complain(request, parameters.takeError());
  llvm::Expected<std::vector<Argument>> arguments =
      launch::bindScalars(*parameters, request.specs);
  if (!arguments)
    return complain(request, arguments.takeError());
  llvm::Error error = llvm::Error::success();
  if (contract) {
    // A launch that is refused should say so before buffers are made.
    llvm::consumeError(std::move(error));
    llvm::Expected<launch::LaunchSize> checked =
        launch::sizeOf(*contract, *arguments);
    if (!checked)
      return complain(request, checked.takeError());
    error = launch::allocateBuffers(*arguments, *contract, request.specs,
                                    request.seed);
  } else if (code) {
    for (auto [index, argument] : llvm::enumerate(*arguments))
      if (!error && argument.parameter.isPointer)
        error = launch::allocateBuffer(argument, index, std::nullopt, 0,
                                       request.specs, request.seed);
  } else {
    FailureOr<reference::LaunchPlan> plan =
        launch::planOnReference(kernel, *arguments);
    if (failed(plan)) {
      llvm::consumeError(std::move(error));
      return failure();
    }
    launchSize.workgroups = {1, 1, 1};
    for (auto [dim, count] : llvm::enumerate(plan->grid))
      launchSize.workgroups[dim] = uint32_t(count);
    error =
        launch::allocateBuffers(*arguments, *plan, request.specs, request.seed);
  }
  if (error)
    return complain(request, std::move(error));
  return std::move(*arguments);
}

LogicalResult LoadedKernel::launchReference(std::vector<Argument> &arguments) {
  // Standard output is for the verdict.
  return launch::launchOnReference(kernel, arguments, &llvm::errs());
}

launch::Tolerance LoadedKernel::tolerance(llvm::ArrayRef<Argument> inputs,
                                          ElementType output) {
  return launch::defaultTolerance(kernel, inputs, output);
}

LogicalResult LoadedKernel::launch(std::vector<Argument> &arguments,
                                   const RunRequest &request, Device device) {
  // With --against, they are for the kernel that has no contract.
  if ((request.grid || request.block) && request.against.empty() &&
      (contract || device == Device::Reference))
    return complain(request, "--grid and --block are for objects without a "
                             "contract; kernel '" +
                                 kernelName +
                                 "' says its grid and workgroup itself");
  if (device == Device::Reference)
    return launchReference(arguments);
  if (contract) {
    llvm::Expected<launch::LaunchSize> size =
        launch::sizeOf(*contract, arguments);
    if (!size)
      return complain(request, size.takeError());
    launchSize = *size;
  } else if (!request.grid) {
    return complain(request,
                    "'" + path +
                        "' carries no launch contract; give the number of "
                        "workgroups as --grid=X,Y,Z");
  } else {
    const isa::Kernel *metadata = code->findKernel(kernelName);
    launchSize.workgroupSize = metadata->requiredWorkgroupSize;
    if (!request.block && launchSize.workgroupSize[0] == 0)
      return complain(
          request,
          "the metadata of '" + kernelName +
              "' requires no workgroup size; give it as --block=X,Y,Z");
  }
  if (request.grid && !contract)
    launchSize.workgroups = *request.grid;
  if (request.block && !contract)
    launchSize.workgroupSize = *request.block;
  if (request.dynamicLdsBytes)
    launchSize.dynamicLdsBytes = *request.dynamicLdsBytes;
  // Occupancy depends on what the launch adds.
  reports::LaunchResources resources;
  resources.dynamicLdsBytes = launchSize.dynamicLdsBytes;
  resources.workgroupThreads = launchSize.workgroupSize[0] *
                               launchSize.workgroupSize[1] *
                               launchSize.workgroupSize[2];
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(object, resources);
  if (!report)
    return complain(request, report.takeError());
  objectReport = std::move(*report);

  sim::SimOptions options;
  options.threads = request.threads;
  options.checkBarriers = request.checkBarriers;
  options.checkLdsBounds = request.checkLds;
  llvm::Expected<sim::Result> result = launch::launchOnSimulator(
      object, kernelName, launchSize, arguments, options);
  if (!result)
    return complain(request,
                    contract ? result.takeError()
                             : explainFault(result.takeError(), launchSize));
  simResult = *result;
  return success();
}
