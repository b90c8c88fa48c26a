//===- LoadedKernel.cpp - A kernel that can be launched -------------------===//
#include "LoadedKernel.h"

#include "fly/Contract/Note.h"
#include "fly/Dialect/Fly/IR/Contract.h"
#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Dialect/Fly/IR/Names.h"
#include "fly/Pipelines/Compile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "Complaint.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;

LoadedKernel::~LoadedKernel() = default;

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

/// Whether the reference executor runs the kernel, or all that a program
/// launches.
static bool isAllTileIr(FunctionOpInterface function, bool isProgram) {
  // A kernel may leave all its tiles to helpers.
  auto hasAnyTiles = [](Operation *kernel) {
    return llvm::any_of(reference::collectFunctions(kernel), hasTiles);
  };
  if (!isProgram)
    return hasAnyTiles(function);
  WalkResult walk = function->walk([&](LaunchOp op) {
    FunctionOpInterface kernel = op.lookupKernel();
    return kernel && hasAnyTiles(kernel) ? WalkResult::advance()
                                         : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

bool LoadedKernel::isAtTileLevel(ModuleOp module, llvm::StringRef name) {
  for (FunctionOpInterface program : findPrograms(module))
    if (program.getName() == name)
      return isAllTileIr(program, /*isProgram=*/true);
  FailureOr<FunctionOpInterface> found = findKernel(module, name);
  return succeeded(found) && isAllTileIr(*found, /*isProgram=*/false);
}

/// Finds what is to run: the kernel or program of that name, else the only
/// program, else the only kernel.
LogicalResult LoadedKernel::selectIr(const RunRequest &request) {
  SmallVector<FunctionOpInterface> programs = findPrograms(*module);
  std::string name = request.kernel, names;
  for (FunctionOpInterface found : programs)
    names += (names.empty() ? "" : ", ") + found.getName().str();
  if (name.empty() && programs.size() > 1)
    return complain(request, "'" + path + "' holds " +
                                 llvm::Twine(programs.size()) +
                                 " programs, choose one by --kernel: " + names);
  if (name.empty() && programs.size() == 1)
    name = programs.front().getName().str();
  if (failed(selectKernel(*module, name)) ||
      failed(applyOverrides(*module, name, request.overrides)))
    return failure();
  if (!request.chip.empty() && failed(setChip(*module, request.chip)))
    return failure();
  for (FunctionOpInterface found : findPrograms(*module)) {
    isProgramIr = true;
    kernel = found;
  }
  if (!isProgramIr) {
    FailureOr<FunctionOpInterface> found = findKernel(*module, name);
    if (failed(found))
      return failure();
    kernel = *found;
  }
  kernelName = kernel.getName().str();
  tileIr = isAllTileIr(kernel, isProgramIr);
  return success();
}

LogicalResult LoadedKernel::loadIr(MLIRContext *context,
                                   std::unique_ptr<llvm::MemoryBuffer> text,
                                   const RunRequest &request, Device device,
                                   int &exitCode) {
  sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  printer = std::make_unique<SourceMgrDiagnosticHandler>(*sources, context);
  module = parseSource(sources, context);
  if (!module)
    return failure();
  return prepareIr(request, device, exitCode);
}

FailureOr<std::unique_ptr<LoadedKernel>>
LoadedKernel::ofModule(ModuleOp module, const RunRequest &request,
                       Device device, int &exitCode) {
  exitCode = UserError;
  auto loaded = std::make_unique<LoadedKernel>();
  loaded->path = request.input;
  loaded->module = module.clone();
  if (failed(loaded->prepareIr(request, device, exitCode)))
    return failure();
  return loaded;
}

LogicalResult LoadedKernel::prepareIr(const RunRequest &request, Device device,
                                      int &exitCode) {
  if (failed(selectIr(request)))
    return failure();
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
  options.checks = request.checkAsserts;
  options.serialize.isolate = true;
  bool isOurDefect = false;
  ScopedDiagnosticHandler watch(module->getContext(), [&](Diagnostic &diag) {
    std::string text = diag.str();
    isOurDefect |= llvm::StringRef(text).contains(target::codegenCrashText) ||
                   llvm::StringRef(text).contains(brokenCodeText);
    return failure(); // The printer gets it, too.
  });
  FailureOr<target::CodeObject> compiled = compile(*module, options);
  if (failed(compiled) && isOurDefect) {
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
  llvm::Expected<contract::ObjectContracts> found =
      contract::readContracts(object);
  if (!found)
    return complain(request, found.takeError());
  return selectInObject(request, std::move(*found));
}

/// Finds what is to run in an object, as selectIr does in IR.
LogicalResult LoadedKernel::selectInObject(const RunRequest &request,
                                           contract::ObjectContracts &&found) {
  contracts = std::move(found);
  std::string wanted = kernelName.empty() ? request.kernel : kernelName;
  for (const contract::ProgramContract &each : contracts.programs)
    if (each.program == wanted ||
        (wanted.empty() && contracts.programs.size() == 1))
      program = each;
  if (program) {
    kernelName = program->program;
    return success();
  }
  if (kernelName.empty()) {
    std::string names;
    for (const isa::Kernel &k : code->kernels())
      names += (names.empty() ? "" : ", ") + k.name;
    if (code->kernels().empty())
      return complain(request,
                      "'" + path +
                          "' holds no kernel: its AMDGPU metadata lists none");
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
  for (const contract::LaunchContract &each : contracts.kernels)
    if (each.kernel == kernelName)
      contract = each;
  return success();
}

std::string LoadedKernel::sourceText(llvm::StringRef name) const {
  if (sources && llvm::sys::path::filename(path) == name)
    return sources->getMemoryBuffer(sources->getMainFileID())
        ->getBuffer()
        .str();
  // A page is passed on, and another's object may name any file of this host.
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  SmallString<128> place(parent), folder, found;
  if (llvm::sys::path::is_absolute(name))
    place = name;
  else
    llvm::sys::path::append(place, name);
  if (llvm::sys::fs::real_path(parent.empty() ? "." : parent, folder) ||
      llvm::sys::fs::real_path(place, found))
    return "";
  folder += llvm::sys::path::get_separator();
  if (!llvm::StringRef(found).starts_with(folder))
    return "";
  auto file = llvm::MemoryBuffer::getFile(found);
  // What is no text is no source.
  if (!file || (*file)->getBuffer().contains('\0'))
    return "";
  return (*file)->getBuffer().str();
}

const reports::KernelReport *
LoadedKernel::report(const LaunchRecord &record) const {
  if (objectReport)
    for (const reports::KernelReport &report : objectReport->kernels)
      if (report.name == record.kernel)
        return &report;
  return nullptr;
}
