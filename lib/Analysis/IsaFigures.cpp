//===- IsaFigures.cpp - Figures of kernels from objects and reports -------===//
//
// Objects are reported on first, so that both inputs are one form: the leaves
// of the report's JSON.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/CompareObjects.h"
#include "fly/Analysis/SimulationFile.h"
#include "fly/Profile/JsonStream.h"
#include "fly/Reports/IsaReport.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fly;
using namespace fly::analysis;

/// Kernels that a report may have; a code object with more is none of ours.
static constexpr size_t maxKernels = 1 << 14;

/// The first bytes of a file; empty where there is none.
static std::string readStart(llvm::StringRef path) {
  if (!llvm::sys::fs::is_regular_file(path))
    return "";
  auto start = llvm::MemoryBuffer::getFileSlice(path, 16, 0);
  return start ? (*start)->getBuffer().str() : "";
}

static bool isObject(llvm::StringRef path) {
  return llvm::StringRef(readStart(path))
      .starts_with("\x7f"
                   "ELF");
}

bool fly::analysis::isObjectOrReport(llvm::StringRef path) {
  std::string start = readStart(path);
  return isObject(path) || (llvm::StringRef(start).ltrim().starts_with("{") &&
                            !isSimulation(path));
}

namespace {
/// Collects the leaves of `kernels[i]`.
class FigureVisitor : public profile::JsonVisitor {
public:
  explicit FigureVisitor(std::vector<IsaFigures> &kernels) : kernels(kernels) {}

  llvm::Error enter(const profile::JsonPath &path, bool isList) override {
    if (path.is({"kernels", "*"})) {
      if (isList)
        return profile::expectedJson("an object", isList);
      if (kernels.size() == maxKernels)
        return llvm::createStringError("more than " + llvm::Twine(maxKernels) +
                                       " kernels");
      kernels.emplace_back();
    }
    return llvm::Error::success();
  }
  llvm::Error value(const profile::JsonPath &path,
                    const profile::JsonScalar &scalar) override {
    using Scalar = profile::JsonScalar;
    if (path.is({"chip"})) {
      if (scalar.kind != Scalar::String)
        return profile::expectedJson("the name of a chip", scalar);
      chip = scalar.text.str();
      return llvm::Error::success();
    }
    bool isOfKernel = path.is({"kernels", "*", "*"});
    bool isOfLoop = path.is({"kernels", "*", "hot_loop", "*"});
    if ((!isOfKernel && !isOfLoop) || kernels.empty())
      return llvm::Error::success();
    llvm::StringRef key = path.key(path.size() - 1);
    if (isOfKernel && key == "name") {
      if (scalar.kind != Scalar::String)
        return profile::expectedJson("the name of a kernel", scalar);
      kernels.back().kernel = scalar.text.str();
      return llvm::Error::success();
    }
    // Null stands where there is nothing to count.
    if (scalar.kind == Scalar::Null)
      return llvm::Error::success();
    bool isNumber = scalar.kind == Scalar::Unsigned ||
                    scalar.kind == Scalar::Negative ||
                    scalar.kind == Scalar::Real;
    if (!isNumber)
      return profile::expectedJson("a number", scalar);
    std::string name = (isOfLoop ? "hot_loop." : "") + key.str();
    kernels.back().numbers[name] = scalar.real;
    return llvm::Error::success();
  }

  std::string chip;

private:
  std::vector<IsaFigures> &kernels;
};

} // namespace

/// Adds the numbers of an object; those of its objects with a dotted name.
static void addNumbers(const llvm::json::Object &object,
                       const std::string &prefix,
                       std::map<std::string, double> &numbers) {
  for (const auto &[key, value] : object) {
    std::string name = prefix + llvm::StringRef(key).str();
    if (std::optional<double> number = value.getAsNumber())
      numbers[name] = *number;
    else if (const llvm::json::Object *nested = value.getAsObject())
      addNumbers(*nested, name + ".", numbers);
  }
}

static llvm::Expected<std::vector<IsaFigures>>
readObject(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + file.getError().message());
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject((*file)->getBuffer());
  if (!report)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(report.takeError()));
  std::vector<IsaFigures> kernels;
  llvm::json::Value value = reports::toJSON(*report);
  for (const llvm::json::Value &entry :
       *value.getAsObject()->getArray("kernels")) {
    IsaFigures &kernel = kernels.emplace_back();
    kernel.kernel = entry.getAsObject()->getString("name")->str();
    kernel.chip = report->chip;
    addNumbers(*entry.getAsObject(), "", kernel.numbers);
  }
  return kernels;
}

llvm::Expected<std::vector<IsaFigures>>
fly::analysis::readIsaFigures(llvm::StringRef path) {
  std::vector<IsaFigures> kernels;
  if (isObject(path)) {
    auto read = readObject(path);
    if (!read)
      return read.takeError();
    kernels = std::move(*read);
  } else {
    FigureVisitor visitor(kernels);
    if (llvm::Error error = profile::readJson(path, visitor))
      return std::move(error);
    for (IsaFigures &kernel : kernels)
      kernel.chip = visitor.chip;
  }
  if (kernels.empty())
    return llvm::createStringError(
        "'" + path +
        "' has no kernels; expected a code object or what fly-report isa "
        "--json prints");
  std::map<std::string, unsigned> names;
  for (const IsaFigures &kernel : kernels) {
    if (kernel.kernel.empty())
      return llvm::createStringError("'" + path +
                                     "' has a kernel without a name");
    if (names[kernel.kernel]++)
      return llvm::createStringError("'" + path + "' has the kernel '" +
                                     kernel.kernel + "' twice");
  }
  return kernels;
}
