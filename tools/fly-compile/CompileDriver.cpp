//===- CompileDriver.cpp - What fly-compile does --------------------------===//
//
// Parses once, then compiles a clone for each chip. Files are written beside
// their place and renamed, so that a failed compilation leaves none.
//
//===----------------------------------------------------------------------===//
#include "CompileDriver.h"

#include "fly/Dialect/Fly/IR/FlyOps.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reports/IsaReport.h"
#include "fly/Support/OutputFile.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include "../Options/KernelOptions.h"
#include "PassTimes.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;

namespace {
class Driver {
public:
  explicit Driver(const CompileRequest &request)
      : request(request),
        // Threads would be there when the code generator forks.
        context(MLIRContext::Threading::DISABLED) {}

  int run();

private:
  bool parse();
  LogicalResult compileFor(llvm::StringRef chip);
  LogicalResult emitIr(ModuleOp module, llvm::StringRef chip);
  LogicalResult emitCode(ModuleOp module, llvm::StringRef chip);
  LogicalResult write(llvm::StringRef chip, llvm::StringRef contents,
                      bool isText);
  LogicalResult report(ModuleOp module, const target::CodeObject &object);
  void printTiming(llvm::StringRef chip, const target::CodeObject *object,
                   double totalMs);
  std::string outputFor(llvm::StringRef chip, bool isText);
  int reportDefect(llvm::StringRef what);

  // First of all, so that the context's own start counts.
  const double startMs = millisecondsNow();
  const CompileRequest &request;
  DialectRegistry registry;
  MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  OwningOpRef<ModuleOp> source;
  PassTimes times;
  double setUpMs = 0, parseMs = 0;
  CompileTimings timings;
  unsigned errors = 0, warnings = 0;
  llvm::StringRef defect; ///< What went wrong by our fault, if anything.
};
} // namespace

/// Where the next chip's file goes; "-" for standard output.
std::string Driver::outputFor(llvm::StringRef chip, bool isText) {
  std::string name = request.output;
  if (name.empty()) {
    if (isText || request.input == "-")
      return "-";
    name = llvm::sys::path::stem(request.input).str();
    name += request.chips.size() > 1 ? ".%c.hsaco" : ".hsaco";
  }
  if (size_t at = name.find("%c"); at != name.npos)
    name.replace(at, 2, chip.str());
  return name;
}

LogicalResult Driver::write(llvm::StringRef chip, llvm::StringRef contents,
                            bool isText) {
  std::string path = outputFor(chip, isText);
  llvm::Error error = writeOutputFile(path, contents);
  if (!error)
    return success();
  fail("fly-compile",
       "cannot write '" + path + "': " + llvm::toString(std::move(error)));
  ++errors;
  return failure();
}

bool Driver::parse() {
  double start = millisecondsNow();
  setUpMs = start - startMs;
  auto file = readInput(request.input);
  if (!file) {
    fail("fly-compile", llvm::toString(file.takeError()));
    ++errors;
    return false;
  }
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  source = parseSource(sources, &context);
  parseMs = millisecondsNow() - start;
  return source && succeeded(selectKernel(*source, request.kernel)) &&
         succeeded(applyOverrides(*source, request.kernel, request.overrides));
}

LogicalResult Driver::emitIr(ModuleOp module, llvm::StringRef chip) {
  double start = millisecondsNow();
  PassManager pm(&context);
  pm.addInstrumentation(times.makeInstrumentation());
  if (!request.after.empty()) {
    if (llvm::Error error = addPasses(pm, "", request.after, request.checks)) {
      fail("fly-compile", "--after=" + request.after + ": " +
                              llvm::toString(std::move(error)));
      ++errors;
      return failure();
    }
  } else {
    buildFlyTilePipeline(pm, request.checks);
    if (request.emit != Emit::Tile)
      buildFlyExplicitPipeline(pm);
    if (request.emit == Emit::Rocdl)
      buildFlyRocdlPipeline(pm);
  }
  if (failed(pm.run(module)))
    return failure();
  if (request.timing)
    printTiming(chip, nullptr, millisecondsNow() - start);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << '\n';
  return write(chip, text, /*isText=*/true);
}

/// Multiply-adds of one wave for one K tile: the dots of the kernel's loop.
static uint64_t macsPerKTile(ModuleOp module, llvm::StringRef kernelName) {
  uint64_t macs = 0;
  module.walk([&](FunctionOpInterface kernel) {
    auto schedule =
        kernel->getAttrOfType<ScheduleAttr>(FlyDialect::getScheduleAttrName());
    if (kernel.getName() != kernelName || !schedule)
      return;
    auto waves = dyn_cast_or_null<ArrayAttr>(schedule.get("waves"));
    uint64_t count = 1;
    for (Attribute extent : waves ? waves.getValue() : ArrayRef<Attribute>())
      count *= cast<IntegerAttr>(extent).getInt();
    kernel.walk([&](ProductOpInterface dot) {
      auto a = cast<RankedTensorType>(dot.getLhs().get().getType());
      auto b = cast<RankedTensorType>(dot.getRhs().get().getType());
      if (dot->getParentOfType<PipelineOp>() && a.hasStaticShape() &&
          b.hasStaticShape())
        macs += a.getNumElements() * b.getDimSize(0) / count;
    });
  });
  return macs;
}

LogicalResult Driver::report(ModuleOp module,
                             const target::CodeObject &object) {
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(object.bytes);
  if (!report) {
    fail("fly-compile", llvm::toString(report.takeError()));
    ++errors;
    return failure();
  }
  for (reports::KernelReport &kernel : report->kernels)
    for (const target::KernelStatistics &each : object.kernels)
      if (each.name == kernel.name) {
        reports::setCodegen(kernel, each.codegen, each.tried);
        kernel.order = each.order;
      }
  PassManager pm(&context);
  buildFlyTilePipeline(pm, request.checks);
  if (succeeded(pm.run(module)))
    for (reports::KernelReport &kernel : report->kernels)
      reports::setKTiles(kernel, macsPerKTile(module, kernel.name));
  if (request.report == ReportForm::Json)
    llvm::outs() << llvm::formatv("{0:2}", reports::toJSON(*report)) << '\n';
  else
    reports::print(llvm::outs(), *report);
  return success();
}

void Driver::printTiming(llvm::StringRef chip, const target::CodeObject *object,
                         double totalMs) {
  llvm::raw_ostream &os = llvm::errs();
  auto line = [&](llvm::StringRef name, double ms) {
    os << llvm::formatv("  {0,-24} {1,8:f2} ms\n", name, ms);
  };
  os << "timing" << (chip.empty() ? "" : " for ") << chip << ":\n";
  line("set up", setUpMs);
  line("parse", parseMs);
  totalMs += setUpMs + parseMs;
  for (const auto &[name, ms] : times.get())
    line(name, ms);
  if (!object)
    return line("all", totalMs);
  const target::SerializeTimings &t = object->timings;
  line("translate to LLVM IR", t.translateMs);
  line("mid end", t.midEndMs);
  line("LLVM code generation", t.codegenMs);
  line("link", t.linkMs);
  line("verify", timings.verifyMs);
  line("all", totalMs);
  line("all but LLVM's", totalMs - t.codegenMs);
}

LogicalResult Driver::emitCode(ModuleOp module, llvm::StringRef chip) {
  double start = millisecondsNow();
  CompileOptions options;
  options.chip = chip.str();
  options.checks = request.checks;
  options.serialize.isolate = request.isolate;
  options.serialize.emitAssembly = request.emit == Emit::Asm;
  options.serialize.emitLlvmIr = request.emit == Emit::Llvm;
  auto configure = [&](PassManager &pm) {
    pm.addInstrumentation(times.makeInstrumentation());
  };
  options.configure = configure;
  FailureOr<target::CodeObject> object = compile(module, options, &timings);
  if (failed(object))
    return failure();
  double totalMs = millisecondsNow() - start;
  // Warnings count before anything is written.
  if (request.warningsAreErrors && warnings)
    return failure();
  switch (request.emit) {
  case Emit::Llvm:
    if (failed(write(chip, object->llvmIr, true)))
      return failure();
    break;
  case Emit::Asm:
    if (failed(write(chip, object->assembly, true)))
      return failure();
    break;
  case Emit::Contract:
    if (failed(write(
            chip,
            contract::printContracts({object->contracts, object->programs}, 2) +
                "\n",
            true)))
      return failure();
    break;
  default:
    // A report alone asks for no file.
    if (request.report != ReportForm::None && request.output.empty())
      break;
    if (failed(write(chip, object->bytes, false)))
      return failure();
    break;
  }
  if (request.report != ReportForm::None && failed(report(module, *object)))
    return failure();
  if (request.timing)
    printTiming(object->chip, &*object, totalMs);
  return success();
}

LogicalResult Driver::compileFor(llvm::StringRef chip) {
  OwningOpRef<ModuleOp> module = source->clone();
  times.clear();
  if (!chip.empty() && failed(setChip(*module, chip)))
    return failure();
  bool isIr = !request.after.empty() || request.emit == Emit::Tile ||
              request.emit == Emit::Explicit || request.emit == Emit::Rocdl;
  return isIr ? emitIr(*module, chip) : emitCode(*module, chip);
}

/// What is our fault, not the user's: the input as it was compiled is kept for
/// a report.
int Driver::reportDefect(llvm::StringRef what) {
  int file;
  llvm::SmallString<64> path;
  if (llvm::sys::fs::createUniqueFile("fly-defect-%%%%%%.mlir", file, path))
    return fail("fly-compile", what + ": a defect of fly", OurDefect);
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  os << "// fly-compile " FLY_VERSION ": " << what << "\n";
  source->print(os);
  return fail("fly-compile",
              what + ": a defect of fly; please report it with " + path,
              OurDefect);
}

int Driver::run() {
  for (const std::string &chip : request.chips)
    if (llvm::Error error = checkChip(chip))
      return fail("fly-compile", llvm::toString(std::move(error)));
  if (request.chips.size() > 1 && !request.output.empty() &&
      !llvm::StringRef(request.output).contains("%c"))
    return fail("fly-compile",
                "-o " + request.output + " names one file for " +
                    llvm::Twine(request.chips.size()) +
                    " chips; put %c where the chip's name goes, as in "
                    "k.%c.hsaco");
  registerAllDialects(registry);
  registerAllPasses();
  registerTransformsPasses();
  context.appendDialectRegistry(registry);
  // Messages show the source line; the op in generic form would bury them.
  context.printOpOnDiagnostic(false);
  SourceMgrDiagnosticHandler printer(*sources, &context);
  ScopedDiagnosticHandler counter(&context, [&](Diagnostic &diag) {
    errors += diag.getSeverity() == DiagnosticSeverity::Error;
    for (llvm::StringRef text : {target::codegenCrashText, brokenCodeText})
      if (llvm::StringRef(diag.str()).contains(text))
        defect = text;
    warnings += diag.getSeverity() == DiagnosticSeverity::Warning;
    return failure(); // The printer gets it, too.
  });
  if (!parse())
    return UserError;
  std::vector<std::string> chips = request.chips;
  if (chips.empty())
    chips.emplace_back();
  for (const std::string &chip : chips) {
    if (succeeded(compileFor(chip)))
      continue;
    if (request.warningsAreErrors && warnings && !errors)
      return fail("fly-compile", "warnings count as errors (--werror)");
    if (!defect.empty())
      return reportDefect(defect);
    if (errors)
      return UserError;
    return reportDefect("compilation failed without a message");
  }
  if (request.warningsAreErrors && warnings)
    return fail("fly-compile", "warnings count as errors (--werror)");
  return Right;
}

int fly::tools::compileRequest(const CompileRequest &request) {
  return Driver(request).run();
}
