//===- SimulationFile.cpp - What fly-run --timing --json prints -----------===//
//
// A launch is the root of the file, or an entry of its "launches"; paths below
// either are the same.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/SimulationFile.h"

#include "fly/Isa/InstructionKind.h"
#include "fly/Profile/JsonStream.h"
#include "fly/Support/Samples.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;
using profile::JsonPath;
using profile::JsonScalar;

namespace {
/// Which keys the root has; the first decides, and ends the reading.
class KindVisitor : public profile::JsonVisitor {
public:
  llvm::Error enter(const JsonPath &path, bool) override { return see(path); }
  llvm::Error value(const JsonPath &path, const JsonScalar &) override {
    return see(path);
  }
  bool isSimulation = false;

private:
  llvm::Error see(const JsonPath &path) {
    if (path.size() != 1)
      return llvm::Error::success();
    StringRef key = path.key(0);
    // Names of the root of fly-run's JSON, and of an isa report's.
    isSimulation = key == "device" || key == "launches" || key == "timing";
    if (isSimulation || key == "kernels")
      return llvm::createStringError("enough");
    return llvm::Error::success();
  }
};

/// Numbers that are handed on, without "timing.".
constexpr StringRef wantedNumbers[] = {"cycles",
                                       "microseconds",
                                       "mfma_util",
                                       "workgroups",
                                       "bytes.hbm",
                                       "bytes.written",
                                       "occupancy.active_cus",
                                       "occupancy.waves_per_simd",
                                       "detail.issue_cycles",
                                       "detail.mfma_busy_share",
                                       "resources.vgpr",
                                       "resources.agpr",
                                       "resources.lds_bytes"};
/// Objects all of whose numbers are.
constexpr StringRef wantedObjects[] = {"counters", "instructions_by_class",
                                       "detail.stall_cycles"};

class LaunchVisitor : public profile::JsonVisitor {
public:
  using Callback = llvm::function_ref<llvm::Error(const SimulatedLaunch &)>;
  explicit LaunchVisitor(Callback callback) : callback(callback) {}

  llvm::Error enter(const JsonPath &path, bool isList) override;
  llvm::Error leave(const JsonPath &path) override;
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override;

  SimulationFile file;
  bool isAnyTimed = false;

private:
  /// A launch that is read, and whether it has a timing.
  struct Reading {
    SimulatedLaunch launch;
    bool isTimed = false;
    ExecutedInstruction instruction;
    SimulatedWhatIf whatIf;
  };
  llvm::Error keep(Reading &reading) {
    if (!reading.isTimed)
      return llvm::Error::success();
    isAnyTimed = true;
    return callback(reading.launch);
  }
  static bool isInList(const JsonPath &path) {
    return path.size() >= 2 && path.key(0) == "launches";
  }
  Reading &readingOf(const JsonPath &path) {
    return isInList(path) ? current : root;
  }
  /// Where \p path is below its launch: "timing.bytes.hbm", "*" in lists.
  static std::string below(const JsonPath &path);
  static llvm::Error setNumber(double &number, const JsonScalar &scalar);
  static llvm::Error setText(std::string &text, const JsonScalar &scalar);

  Callback callback;
  Reading root, current;
};
} // namespace

std::string LaunchVisitor::below(const JsonPath &path) {
  std::string text;
  for (unsigned level = isInList(path) ? 2 : 0; level < path.size(); ++level)
    text += (text.empty() ? "" : ".") +
            (path.isList(level) ? std::string("*") : path.key(level).str());
  return text;
}

static bool isWanted(StringRef name) {
  auto [object, member] = name.rsplit('.');
  return llvm::is_contained(wantedNumbers, name) ||
         (!member.empty() && llvm::is_contained(wantedObjects, object));
}

llvm::Error LaunchVisitor::enter(const JsonPath &path, bool isList) {
  auto expectObject = [&](StringRef what) {
    return isList ? profile::expectedJson(what, isList)
                  : llvm::Error::success();
  };
  if (path.size() == 0)
    return expectObject("what fly-run --timing --json prints");
  if (path.is({"launches"})) {
    file.isProgram = isList;
    return isList ? llvm::Error::success()
                  : profile::expectedJson("a list", isList);
  }
  if (path.is({"launches", "*"})) {
    current = Reading();
    return expectObject("a launch");
  }
  Reading &reading = readingOf(path);
  std::string place = below(path);
  if (place == "timing") {
    reading.isTimed = true;
    return expectObject("an object");
  }
  StringRef name = place;
  name.consume_front("timing.");
  if (isWanted(name) || name == "samples_us.*")
    return profile::expectedJson("a number from 0", isList);
  if (llvm::is_contained(wantedObjects, name))
    return expectObject("an object");
  if (name == "what_if.*")
    reading.whatIf = SimulatedWhatIf();
  if (name == "detail.hotspots.*")
    reading.instruction = ExecutedInstruction();
  return llvm::Error::success();
}

llvm::Error LaunchVisitor::leave(const JsonPath &path) {
  if (path.size() == 0)
    return file.isProgram ? llvm::Error::success() : keep(root);
  if (path.is({"launches", "*"}))
    return keep(current);
  Reading &reading = readingOf(path);
  std::string place = below(path);
  auto append = [](auto &list, const auto &element, size_t most,
                   StringRef what) -> llvm::Error {
    if (list.size() == most)
      return llvm::createStringError("more than " + llvm::Twine(most) + " " +
                                     what);
    list.push_back(element);
    return llvm::Error::success();
  };
  if (place == "timing.what_if.*" && !reading.whatIf.cause.empty() &&
      reading.whatIf.cycles > 0)
    return append(reading.launch.whatIf, reading.whatIf,
                  SimulatedLaunch::maxNumbers, "what-ifs");
  if (place == "timing.detail.hotspots.*")
    return append(reading.launch.instructions, reading.instruction,
                  SimulatedLaunch::maxInstructions, "instructions");
  return llvm::Error::success();
}

llvm::Error LaunchVisitor::setText(std::string &text,
                                   const JsonScalar &scalar) {
  if (scalar.kind != JsonScalar::String)
    return profile::expectedJson("a name", scalar);
  text = scalar.text.str();
  return llvm::Error::success();
}

llvm::Error LaunchVisitor::setNumber(double &number, const JsonScalar &scalar) {
  if ((scalar.kind != JsonScalar::Unsigned &&
       scalar.kind != JsonScalar::Real) ||
      scalar.real < 0)
    return profile::expectedJson("a number from 0", scalar);
  if (!isMeasurement(scalar.real))
    return profile::expectedJson("0 or a number of 1e-90 to 1e90", scalar);
  number = scalar.real;
  return llvm::Error::success();
}

llvm::Error LaunchVisitor::value(const JsonPath &path,
                                 const JsonScalar &scalar) {
  if (path.size() == 0)
    return profile::expectedJson("what fly-run --timing --json prints", scalar);
  if (path.is({"device"})) {
    file.isMeasured = scalar.kind == JsonScalar::String && scalar.text == "hsa";
    return llvm::Error::success();
  }
  Reading &reading = readingOf(path);
  SimulatedLaunch &launch = reading.launch;
  std::string place = below(path);
  if (place == "kernel")
    return setText(launch.kernel, scalar);
  if (place == "timing" || place == "launches")
    return profile::expectedJson("an object", scalar);
  StringRef name = place;
  bool isTiming = name.consume_front("timing.");
  if (!isTiming && !name.starts_with("resources."))
    return llvm::Error::success();
  // Of a launch on a GPU that nobody timed.
  if (name == "microseconds" && scalar.kind == JsonScalar::Null)
    return llvm::Error::success();
  if (llvm::is_contained(wantedObjects, name))
    return profile::expectedJson("an object", scalar);
  if (isWanted(name)) {
    if (launch.numbers.size() == SimulatedLaunch::maxNumbers)
      return llvm::createStringError("more than " +
                                     llvm::Twine(SimulatedLaunch::maxNumbers) +
                                     " numbers of one launch");
    double number = 0;
    if (llvm::Error error = setNumber(number, scalar))
      return error;
    if (name == "mfma_util" && number > 100)
      return profile::expectedJson("a share of at most 100 %", scalar);
    launch.numbers[name.str()] = number;
    return llvm::Error::success();
  }
  if (name == "product")
    return setText(launch.product, scalar);
  if (name == "what_if.*.free")
    return setText(reading.whatIf.cause, scalar);
  if (name == "what_if.*.edit")
    return setText(reading.whatIf.edit, scalar);
  if (name == "what_if.*.cycles")
    return setNumber(reading.whatIf.cycles, scalar);
  if (name == "what_if.*.edit_cycles")
    return setNumber(reading.whatIf.editCycles.emplace(), scalar);
  if (name == "samples_us.*") {
    if (launch.samplesUs.size() == SimulatedLaunch::maxNumbers)
      return llvm::createStringError(
          "more than " + llvm::Twine(SimulatedLaunch::maxNumbers) + " samples");
    return setNumber(launch.samplesUs.emplace_back(), scalar);
  }
  if (name == "detail.hotspots.*.hits") {
    llvm::Expected<uint64_t> hits = profile::unsignedOf(scalar, "hits");
    if (!hits)
      return hits.takeError();
    reading.instruction.hits = *hits;
  }
  if (name == "detail.hotspots.*.text")
    reading.instruction.isMatrix =
        scalar.kind == JsonScalar::String &&
        isa::kindOf(isa::instructionOfText(scalar.text.str())) ==
            isa::InstructionKind::Mfma;
  return llvm::Error::success();
}

std::optional<double> SimulatedLaunch::find(StringRef name) const {
  auto found = numbers.find(std::string_view(name));
  if (found == numbers.end())
    return std::nullopt;
  return found->second;
}

double SimulatedLaunch::sum(StringRef prefix) const {
  double total = 0;
  for (const auto &[name, number] : numbers)
    if (StringRef(name).starts_with(prefix))
      total += number;
  return total;
}

bool fly::analysis::isSimulation(StringRef path) {
  // What is no regular file can be read once only.
  if (!llvm::sys::fs::is_regular_file(path))
    return false;
  auto start = llvm::MemoryBuffer::getFileSlice(path, 16, 0);
  if (!start || !(*start)->getBuffer().ltrim().starts_with("{"))
    return false;
  KindVisitor visitor;
  llvm::consumeError(profile::readJson(path, visitor));
  return visitor.isSimulation;
}

llvm::Expected<SimulationFile> fly::analysis::readSimulationFile(
    StringRef path,
    llvm::function_ref<llvm::Error(const SimulatedLaunch &)> launch) {
  LaunchVisitor visitor(launch);
  if (llvm::Error error = profile::readJson(path, visitor))
    return std::move(error);
  if (!visitor.isAnyTimed)
    return llvm::createStringError(
        "'" + path +
        "' holds no timing; fly-run k.mlir --timing --json prints one");
  return visitor.file;
}

std::optional<double> fly::analysis::matrixShareOfLoop(
    llvm::ArrayRef<ExecutedInstruction> instructions) {
  uint64_t most = 0, first = 0;
  for (const ExecutedInstruction &each : instructions) {
    first = first ? first : each.hits;
    if (each.isMatrix)
      most = std::max(most, each.hits);
  }
  if (!most || most / 2 < first)
    return std::nullopt;
  double all = 0, matrix = 0;
  for (const ExecutedInstruction &each : instructions) {
    if (each.hits < most / 2)
      continue;
    all += double(each.hits);
    matrix += each.isMatrix ? double(each.hits) : 0;
  }
  return matrix / all;
}
