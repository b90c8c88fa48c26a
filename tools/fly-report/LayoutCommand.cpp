//===- LayoutCommand.cpp - fly-report layout ------------------------------===//
//
// Reads a kernel as the compiler does, or one tile type, and prints its maps.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reports/Layout/LayoutReport.h"
#include "fly/Support/OutputFile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include "../Options/KernelOptions.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace fly;
using namespace fly::tools;

namespace {
/// The options of the subcommand.
struct LayoutOptions {
  cl::OptionCategory category{"fly-report layout options"};
  KernelOptions kernel{category};
  cl::opt<std::string> input{cl::Positional, cl::desc("<k.mlir>"),
                             cl::cat(category)};
  cl::opt<std::string> value{
      "value", cl::value_desc("name"), cl::cat(category),
      cl::desc("A value of the source or a label, instead of all")};
  cl::opt<std::string> type{
      "type", cl::value_desc("tensor<...>"), cl::cat(category),
      cl::desc("A tile with a layout, instead of a file")};
  cl::opt<std::string> after{
      "after", cl::value_desc("pass"), cl::cat(category),
      cl::desc("Look behind this pass, instead of fly-assign-layouts for\n"
               "tiles and the explicit level for accesses")};
  cl::opt<std::string> wave{"wave", cl::init("0"), cl::value_desc("number"),
                            cl::cat(category),
                            cl::desc("Wave whose accesses are shown")};
  cl::opt<std::string> element{"element", cl::value_desc("row,column"),
                               cl::cat(category),
                               cl::desc("Who holds this element")};
  cl::opt<std::string> holder{"lane", cl::value_desc("wave,lane[,slot]"),
                              cl::cat(category),
                              cl::desc("What this lane holds")};
  cl::opt<bool> map{"map", cl::cat(category),
                    cl::desc("Print whole maps and banks")};
  cl::opt<bool> json{"json", cl::cat(category), cl::desc("Print JSON")};
  cl::opt<std::string> svg{"svg", cl::value_desc("file"), cl::cat(category),
                           cl::desc("Write a picture")};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// Numbers separated by commas, `least` to `most` of them.
static llvm::Expected<SmallVector<int64_t>> parseNumbers(llvm::StringRef option,
                                                         llvm::StringRef text,
                                                         unsigned least,
                                                         unsigned most) {
  SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  SmallVector<int64_t> numbers;
  for (llvm::StringRef part : parts) {
    auto number = parseNumber(option, part.trim(), INT32_MAX);
    if (!number)
      return number.takeError();
    numbers.push_back(int64_t(*number));
  }
  if (numbers.size() < least || numbers.size() > most)
    return llvm::createStringError("--" + option + "=" + text + ": expected " +
                                   llvm::Twine(least) + " to " +
                                   llvm::Twine(most) + " numbers");
  return numbers;
}

/// Answers --element; the exit code.
static int printElement(const reports::LayoutReport &report,
                        llvm::StringRef text) {
  auto at = parseNumbers("element", text, 1, 2);
  if (!at)
    return complain(llvm::toString(at.takeError()));
  for (const reports::TileReport &tile : report.tiles) {
    if (at->size() != tile.map.getShape().size())
      return complain("--element=" + text + ": the tile has " +
                      llvm::Twine(tile.map.getShape().size()) + " dimensions");
    int64_t row = at->size() < 2 ? 0 : at->front(), column = at->back();
    if (row >= tile.map.getRows() || column >= tile.map.getColumns())
      return complain("--element=" + text + ": outside of " + tile.type);
    for (const reports::Holder &holder : tile.map.holders(row, column))
      llvm::outs() << "wave " << holder.wave << " lane " << holder.lane
                   << " slot " << holder.slot << '\n';
  }
  return Right;
}

/// Answers --lane; the exit code.
static int printLane(const reports::LayoutReport &report,
                     llvm::StringRef text) {
  auto at = parseNumbers("lane", text, 2, 3);
  if (!at)
    return complain(llvm::toString(at.takeError()));
  for (const reports::TileReport &tile : report.tiles) {
    size_t slots = tile.map.getLaneMap().tails.size();
    int64_t waves = tile.map.getThreads() / arch::waveLanes;
    if ((*at)[0] >= waves || (*at)[1] >= arch::waveLanes ||
        (at->size() == 3 && (*at)[2] >= int64_t(slots)))
      return complain("--lane=" + text + ": there are " + llvm::Twine(waves) +
                      " waves of " + llvm::Twine(arch::waveLanes) +
                      " lanes with " + llvm::Twine(slots) + " slots");
    for (unsigned slot = 0; slot < slots; ++slot) {
      if (at->size() == 3 && slot != (*at)[2])
        continue;
      auto [row, column] =
          tile.map.element({unsigned((*at)[0]), unsigned((*at)[1]), slot});
      llvm::outs() << "slot " << slot << ": ";
      if (row < 0)
        llvm::outs() << "nothing\n";
      else if (tile.map.getShape().size() < 2)
        llvm::outs() << "element " << column << '\n';
      else
        llvm::outs() << "row " << row << " column " << column << '\n';
    }
  }
  return Right;
}

static int printReport(const LayoutOptions &options,
                       const reports::LayoutReport &report) {
  bool isQuestion = !options.element.empty() || !options.holder.empty();
  if (isQuestion && report.tiles.size() != 1)
    return complain("--element and --lane ask about one tile, there are " +
                    llvm::Twine(report.tiles.size()) + ": name one by --value");
  if (!options.element.empty())
    return printElement(report, options.element);
  if (!options.holder.empty())
    return printLane(report, options.holder);
  if (!options.svg.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    reports::printSvg(os, report);
    if (llvm::Error error = writeOutputFile(options.svg, text))
      return complain("cannot write '" + options.svg +
                      "': " + llvm::toString(std::move(error)));
  }
  if (options.json)
    llvm::outs() << llvm::formatv("{0:2}", reports::toJSON(report)) << '\n';
  else if (options.svg.empty())
    reports::print(llvm::outs(), report, options.map);
  return Right;
}

static FailureOr<reports::LayoutReport>
reportFile(const LayoutOptions &options, reports::LayoutQuery query,
           MLIRContext &context,
           const std::shared_ptr<llvm::SourceMgr> &sources) {
  OwningOpRef<ModuleOp> module = parseSource(sources, &context);
  const KernelOptions &kernel = options.kernel;
  if (!module || failed(selectKernel(*module, kernel.kernel)) ||
      failed(applyOverrides(*module, kernel.kernel, kernel.overrides())))
    return failure();
  if (!kernel.chips.empty() && failed(setChip(*module, kernel.chips.front())))
    return failure();
  std::vector<reports::SourceValue> values =
      reports::nameValues(*sources, &context);
  return reports::reportLayouts(*module, values, query);
}

static int run(const LayoutOptions &options) {
  if (options.input.empty() == options.type.empty())
    return complain("name a kernel file, or a tile by --type: fly-report "
                    "layout gemm.mlir --value acc");
  if (options.kernel.chips.size() > 1)
    return complain("--chip: a report is on one chip");
  for (const std::string &chip : options.kernel.chips)
    if (llvm::Error error = checkChip(chip))
      return complain(llvm::toString(std::move(error)));
  auto wave = parseNumber("wave", options.wave, arch::maxWorkgroupWaves - 1);
  if (!wave)
    return complain(llvm::toString(wave.takeError()));
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  registerTransformsPasses();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  if (!options.type.empty()) {
    // The text of an option has no file to point into.
    std::string problem;
    ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
      problem = diagnostic.str();
      if (auto place =
              diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
        problem += " at column " + std::to_string(place.getColumn());
    });
    Type type = parseType(options.type, &context);
    FailureOr<reports::TileReport> tile = failure();
    if (type)
      tile = reports::reportTileType(
          type, [&] { return emitError(UnknownLoc::get(&context)); });
    if (failed(tile))
      return complain("--type: " + problem);
    reports::LayoutReport report;
    report.tiles.push_back(std::move(*tile));
    return printReport(options, report);
  }
  auto file = readInput(options.input);
  if (!file)
    return complain(llvm::toString(file.takeError()));
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  SourceMgrDiagnosticHandler printer(*sources, &context);
  reports::LayoutQuery query;
  query.kernel = options.kernel.kernel;
  query.value = llvm::StringRef(options.value).ltrim('%').str();
  query.after = options.after;
  query.wave = unsigned(*wave);
  auto report = reportFile(options, query, context, sources);
  return failed(report) ? int(UserError) : printReport(options, *report);
}

int fly::tools::reportLayout(int argc, char **argv) {
  LayoutOptions options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Which wave, lane and register hold which element of a tile; the banks "
      "of LDS\naccesses; the coalescing of global ones\n\n"
      "  fly-report layout gemm.mlir\n"
      "  fly-report layout gemm.mlir --value acc --map\n"
      "  fly-report layout gemm.mlir --value a --svg a.svg --size=BM=64\n"
      "  fly-report layout gemm.mlir --value acc --element=5,17\n"
      "  fly-report layout --type 'tensor<32x32xf32, #fly.mma<shape = [32, "
      "32], "
      "waves = [1, 1]>>' --lane=0,33\n");
  return run(options);
}
