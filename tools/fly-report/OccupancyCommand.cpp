//===- OccupancyCommand.cpp - fly-report occupancy ------------------------===//
//
// From a code object, a profile, or numbers. Exits with 2 where a kernel finds
// no place on the chip.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/DispatchOccupancy.h"
#include "fly/Analysis/ElementNames.h"
#include "fly/Analysis/OccupancyReport.h"
#include "fly/Reports/IsaReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "../Options/KernelOptions.h"
#include "../Options/ReportOutput.h"
#include "Subcommands.h"

namespace cl = llvm::cl;
using namespace fly;
using namespace fly::tools;
using llvm::StringRef;

namespace {
/// The options of the subcommand. Numbers are text, so that a bad one is one
/// message like all others.
struct OccupancyOptions {
  cl::OptionCategory category{"fly-report occupancy options"};
  struct Text : cl::opt<std::string> {
    Text(OccupancyOptions &owner, StringRef name, StringRef value,
         StringRef text)
        : cl::opt<std::string>(name, cl::value_desc(value), cl::desc(text),
                               cl::cat(owner.category)) {}
  };
  cl::opt<std::string> input{cl::Positional, cl::desc("[<k.hsaco|.csv|.db>]"),
                             cl::cat(category)};
  Text chip{*this, "chip", "name", "The chip, where no file says it"};
  Text kernel{*this, "kernel", "name", "Report on this kernel alone"};
  Text vgprs{*this, "vgprs", "number", "Architectural vector registers a lane"};
  Text agprs{*this, "agprs", "number", "Accumulation vector registers a lane"};
  Text sgprs{*this, "sgprs", "number", "Scalar registers a wave"};
  Text lds{*this, "lds", "bytes", "LDS of a workgroup; dynamic, of an object"};
  Text workgroup{*this, "workgroup", "number", "Work items of a workgroup"};
  Text maxnreg{*this, "maxnreg", "number",
               "Limit of vector registers a lane: refused where it cannot be "
               "had"};
  Text tile{*this, "tile", "MxNxK",
            "The tuning guide's rough estimate for this tile beside it"};
  Text waves{*this, "waves", "MxN", "Waves of the tile (1x4)"};
  Text type{*this, "type", "fp8", "Element type of the tile (fp8)"};
  OutputOptions output{"fly-report", category};
};
} // namespace

static int complain(const llvm::Twine &text) {
  return fail("fly-report", text);
}

/// The number of an option, 0 where it is not given.
static llvm::Error read(const OccupancyOptions::Text &option, uint64_t most,
                        unsigned &number) {
  if (option.empty())
    return llvm::Error::success();
  auto value = parseNumber(option.ArgStr, option, most);
  if (!value)
    return value.takeError();
  number = unsigned(*value);
  return llvm::Error::success();
}

/// Positive numbers with an x between them.
static llvm::Error readProduct(const OccupancyOptions::Text &option,
                               llvm::ArrayRef<int64_t *> numbers) {
  llvm::SmallVector<StringRef> parts;
  StringRef(option).split(parts, 'x');
  bool isRight = parts.size() == numbers.size();
  for (auto [part, number] : llvm::zip(parts, numbers))
    isRight &=
        !part.getAsInteger(10, *number) && *number > 0 && *number <= 1 << 16;
  if (isRight)
    return llvm::Error::success();
  return llvm::createStringError("--" + option.ArgStr + "=" + option + ": " +
                                 "expected " + option.ValueStr +
                                 ", positive numbers");
}

/// The tile of the guide's estimate, which counts instructions of 16x16.
static llvm::Expected<std::optional<plan::DotTile>>
readTile(const OccupancyOptions &options) {
  if (options.tile.empty())
    return std::nullopt;
  plan::DotTile tile;
  tile.wavesN = 4;
  if (llvm::Error error =
          readProduct(options.tile, {&tile.m, &tile.n, &tile.k}))
    return std::move(error);
  if (!options.waves.empty())
    if (llvm::Error error =
            readProduct(options.waves, {&tile.wavesM, &tile.wavesN}))
      return std::move(error);
  std::string type = options.type.empty() ? "fp8" : options.type.getValue();
  std::optional<arch::ElementType> element = analysis::findElementType(type);
  if (!element)
    return llvm::createStringError(
        "--type=" + type +
        ": unknown, expected one of: " + analysis::knownElementTypes());
  tile.a.bits = tile.b.bits = arch::bitWidth(*element);
  if (tile.m % (tile.wavesM * tile.mfma) || tile.n % (tile.wavesN * tile.mfma))
    return llvm::createStringError(llvm::formatv(
        "--tile={0}: rows and columns of a wave must be multiples of {1}: {2} "
        "over {3} waves and {4} over {5}",
        options.tile.getValue(), tile.mfma, tile.m, tile.wavesM, tile.n,
        tile.wavesN));
  return tile;
}

/// The kernels of the object with what the options add.
static llvm::Expected<std::vector<analysis::OccupancyReport>>
reportFile(const OccupancyOptions &options, arch::KernelResources given) {
  auto file = readCodeObject(options.input);
  if (!file)
    return file.takeError();
  llvm::Expected<reports::ObjectReport> object =
      reports::reportObject((*file)->getBuffer());
  if (!object)
    return llvm::createStringError("'" + options.input +
                                   "': " + llvm::toString(object.takeError()));
  std::vector<analysis::OccupancyReport> reports;
  std::string names;
  for (const reports::KernelReport &kernel : object->kernels) {
    names += (names.empty() ? "" : ", ") + kernel.name;
    if (!options.kernel.empty() && options.kernel != kernel.name)
      continue;
    arch::KernelResources used = kernel.resources;
    used.ldsBytes += given.ldsBytes;
    if (given.workgroupThreads)
      used.workgroupThreads = given.workgroupThreads;
    reports.push_back(analysis::reportOccupancy(
        *arch::ArchInfo::lookup(object->chip), kernel.name, used));
  }
  if (reports.empty())
    return llvm::createStringError(
        options.kernel.empty() ? "'" + options.input + "' holds no kernel"
                               : "--kernel=" + options.kernel + ": '" +
                                     options.input + "' holds: " + names);
  return reports;
}

/// The kernels of a kernel trace or a database, each kind of dispatch once.
static llvm::Expected<std::vector<analysis::OccupancyReport>>
reportProfile(const OccupancyOptions &options) {
  if (!options.chip.empty() && !arch::ArchInfo::lookup(options.chip))
    return llvm::createStringError(
        "--chip=" + options.chip +
        ": unknown chip, expected one of: " + arch::knownChipNames());
  return analysis::reportDispatches(options.input, options.chip,
                                    options.kernel);
}

static llvm::Expected<std::vector<analysis::OccupancyReport>>
reportNumbers(const OccupancyOptions &options, arch::KernelResources given) {
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(options.chip);
  if (!chip)
    return llvm::createStringError(
        options.chip.empty()
            ? "name a code object, or a chip and numbers: fly-report occupancy "
              "--chip=gfx942 --vgprs=128 --workgroup=256"
            : "--chip=" + options.chip +
                  ": unknown chip, expected one of: " + arch::knownChipNames());
  return std::vector<analysis::OccupancyReport>{
      analysis::reportOccupancy(*chip, options.kernel, given)};
}

static llvm::Expected<std::vector<analysis::OccupancyReport>>
collect(const OccupancyOptions &options) {
  arch::KernelResources given;
  for (auto [option, most, number] :
       {std::tuple(&options.vgprs, 1u << 16, &given.archVgprs),
        std::tuple(&options.agprs, 1u << 16, &given.accVgprs),
        std::tuple(&options.sgprs, 1u << 16, &given.sgprs),
        std::tuple(&options.lds, 1u << 30, &given.ldsBytes),
        std::tuple(&options.workgroup, 1024u, &given.workgroupThreads)})
    if (llvm::Error error = read(*option, most, *number))
      return std::move(error);
  if (options.input.empty())
    return reportNumbers(options, given);
  bool isElf = !analysis::holdsDispatches(options.input);
  // What is wrong with the file comes before options that do not suit it.
  auto reports = isElf ? reportFile(options, given) : reportProfile(options);
  if (!reports)
    return reports.takeError();
  for (const OccupancyOptions::Text *option :
       {&options.vgprs, &options.agprs, &options.sgprs,
        isElf ? &options.chip : &options.lds,
        isElf ? &options.chip : &options.workgroup})
    if (!option->empty())
      return llvm::createStringError("--" + option->ArgStr +
                                     ": the file says it; leave it out");
  return reports;
}

int fly::tools::reportOccupancy(int argc, char **argv) {
  OccupancyOptions options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Waves that a kernel has on a compute unit, what limits it, and how much "
      "less of\neach resource gives more. Exits with 2 where a workgroup does "
      "not fit\n\n"
      "  fly-report occupancy gemm.hsaco\n"
      "  fly-report occupancy triton.hsaco --lds=65536 --workgroup=256\n"
      "  fly-report occupancy out_kernel_trace.csv --chip=gfx942\n"
      "  fly-report occupancy --chip=gfx950 --vgprs=172 --agprs=64 "
      "--workgroup=256 --lds=40000\n"
      "  fly-report occupancy --chip=gfx942 --tile=64x256x128 --vgprs=84 "
      "--agprs=64\n");
  auto tile = readTile(options);
  if (!tile)
    return complain(llvm::toString(tile.takeError()));
  auto reports = collect(options);
  if (!reports)
    return complain(llvm::toString(reports.takeError()));
  unsigned limit = 0;
  if (llvm::Error error = read(options.maxnreg, 1u << 16, limit))
    return complain(llvm::toString(std::move(error)));
  if (!options.maxnreg.empty())
    for (const analysis::OccupancyReport &report : *reports)
      if (llvm::Error error =
              analysis::checkRegisterLimit(report.used, *report.chip, limit))
        return complain("--maxnreg: " + llvm::toString(std::move(error)));
  const plan::DotTile *estimated = *tile ? &**tile : nullptr;
  llvm::json::Array array;
  for (const analysis::OccupancyReport &report : *reports)
    array.push_back(analysis::toJSON(report, estimated));
  Report page{"Occupancy",
              options.input.empty() ? "by numbers" : options.input.getValue(),
              std::move(array),
              [&](llvm::raw_ostream &os) {
                for (const analysis::OccupancyReport &report : *reports)
                  analysis::print(os, report, estimated);
              },
              nullptr};
  bool isImpossible = llvm::any_of(
      *reports, [](const auto &report) { return report.isImpossible; });
  return options.output.get().emit(page, isImpossible ? FailedCheck : Right);
}
