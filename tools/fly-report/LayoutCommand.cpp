//===- LayoutCommand.cpp - fly-report layout ------------------------------===//
//
// Reads a kernel as the compiler does, or one tile type, and prints its maps.
//
//===----------------------------------------------------------------------===//
#include "fly/Pipelines/Pipelines.h"
#include "fly/Reports/Layout/LayoutReport.h"

#include "mlir/AsmParser/AsmParser.h"

#include "../Options/ReportOutput.h"
#include "KernelSource.h"
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
  OutputOptions output{"fly-report", category, OutputOptions::WithPicture};
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

/// The one tile that a question is about.
static llvm::Expected<const reports::TileReport *>
findOneTile(const reports::LayoutReport &report) {
  if (report.tiles.size() == 1)
    return &report.tiles.front();
  return llvm::createStringError(
      "--element and --lane ask about one tile, there are " +
      llvm::Twine(report.tiles.size()) + ": name one by --value");
}

/// An answer for people and for programs.
struct Answer {
  std::string text;
  llvm::json::Array json;
};

/// Answers --element.
static llvm::Expected<Answer> findElement(const reports::TileReport &tile,
                                          llvm::StringRef text) {
  auto at = parseNumbers("element", text, 1, 2);
  if (!at)
    return at.takeError();
  if (at->size() != tile.map.getShape().size())
    return llvm::createStringError("--element=" + text + ": the tile has " +
                                   llvm::Twine(tile.map.getShape().size()) +
                                   " dimensions");
  int64_t row = at->size() < 2 ? 0 : at->front(), column = at->back();
  if (row >= tile.map.getRows() || column >= tile.map.getColumns())
    return llvm::createStringError("--element=" + text + ": outside of " +
                                   tile.type);
  Answer answer;
  llvm::raw_string_ostream os(answer.text);
  for (const reports::Holder &holder : tile.map.holders(row, column)) {
    os << "wave " << holder.wave << " lane " << holder.lane << " slot "
       << holder.slot << '\n';
    answer.json.push_back(llvm::json::Object{{"wave", int64_t(holder.wave)},
                                             {"lane", int64_t(holder.lane)},
                                             {"slot", int64_t(holder.slot)}});
  }
  return answer;
}

/// Answers --lane.
static llvm::Expected<Answer> findHeld(const reports::TileReport &tile,
                                       llvm::StringRef text) {
  auto at = parseNumbers("lane", text, 2, 3);
  if (!at)
    return at.takeError();
  size_t slots = tile.map.getLaneMap().tails.size();
  int64_t waves = tile.map.getThreads() / arch::waveLanes;
  if ((*at)[0] >= waves || (*at)[1] >= arch::waveLanes ||
      (at->size() == 3 && (*at)[2] >= int64_t(slots)))
    return llvm::createStringError(
        "--lane=" + text + ": there are " + llvm::Twine(waves) + " waves of " +
        llvm::Twine(arch::waveLanes) + " lanes with " + llvm::Twine(slots) +
        " slots");
  Answer answer;
  llvm::raw_string_ostream os(answer.text);
  for (unsigned slot = 0; slot < slots; ++slot) {
    if (at->size() == 3 && slot != (*at)[2])
      continue;
    auto [row, column] =
        tile.map.element({unsigned((*at)[0]), unsigned((*at)[1]), slot});
    llvm::json::Object held{{"slot", int64_t(slot)}};
    os << "slot " << slot << ": ";
    if (row < 0) {
      os << "nothing\n";
    } else if (tile.map.getShape().size() < 2) {
      os << "element " << column << '\n';
      held["element"] = llvm::json::Array{column};
    } else {
      os << "row " << row << " column " << column << '\n';
      held["element"] = llvm::json::Array{row, column};
    }
    answer.json.push_back(std::move(held));
  }
  return answer;
}

static int printReport(const LayoutOptions &options,
                       const reports::LayoutReport &report) {
  std::string subject =
      options.type.empty() ? options.input.getValue() : options.type.getValue();
  bool asksElement = !options.element.empty();
  if (asksElement || !options.holder.empty()) {
    auto tile = findOneTile(report);
    if (!tile)
      return complain(llvm::toString(tile.takeError()));
    auto answer = asksElement ? findElement(**tile, options.element)
                              : findHeld(**tile, options.holder);
    if (!answer)
      return complain(llvm::toString(answer.takeError()));
    Report page{"Layout",
                subject + (asksElement ? ", element " + options.element
                                       : ", lane " + options.holder),
                std::move(answer->json),
                [&](llvm::raw_ostream &os) { os << answer->text; }, nullptr};
    return options.output.get().emit(page, Right);
  }
  Report page{
      "Layout", subject, reports::toJSON(report),
      [&](llvm::raw_ostream &os) { reports::print(os, report, options.map); },
      [&](llvm::raw_ostream &os) { reports::printSvg(os, report); }};
  return options.output.get().emit(page, Right);
}

/// A tile by its type alone, whose text has no file to point into.
static int reportType(const LayoutOptions &options) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  std::string problem;
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    problem = diagnostic.str();
    if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
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

static int run(const LayoutOptions &options) {
  if (options.input.empty() == options.type.empty())
    return complain("name a kernel file, or a tile by --type: fly-report "
                    "layout gemm.mlir --value acc");
  auto edits = readEdits(options.kernel, "a report");
  if (!edits)
    return complain(llvm::toString(edits.takeError()));
  auto wave = parseNumber("wave", options.wave, arch::maxWorkgroupWaves - 1);
  if (!wave)
    return complain(llvm::toString(wave.takeError()));
  if (!options.type.empty())
    return reportType(options);
  auto file = readInput(options.input);
  if (!file)
    return complain(llvm::toString(file.takeError()));
  KernelSource source(std::move(*file));
  FailureOr<OwningOpRef<ModuleOp>> module = source.parse(*edits);
  if (failed(module) || failed(selectKernel(**module, edits->kernel)))
    return UserError;
  reports::LayoutQuery query;
  query.kernel = options.kernel.kernel;
  query.value = llvm::StringRef(options.value).ltrim('%').str();
  query.after = options.after;
  query.wave = unsigned(*wave);
  std::vector<reports::SourceValue> values =
      reports::nameValues(source.getSources(), &source.getContext());
  FailureOr<reports::LayoutReport> report =
      reports::reportLayouts(**module, values, query);
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
