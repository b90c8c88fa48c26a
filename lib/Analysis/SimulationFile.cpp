//===- SimulationFile.cpp - What fly-run --timing --json prints -----------===//
//
// A launch is the root of the file, or an entry of its "launches"; paths below
// either are the same.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/SimulationFile.h"

#include "fly/Profile/JsonStream.h"
#include "fly/Support/Samples.h"

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

class LaunchVisitor : public profile::JsonVisitor {
public:
  explicit LaunchVisitor(SimulationFile &file) : file(file) {}

  llvm::Error enter(const JsonPath &path, bool isList) override {
    if (path.size() == 0) {
      if (isList)
        return profile::expectedJson("what fly-run --timing --json prints",
                                     isList);
      return llvm::Error::success();
    }
    if (path.is({"launches", "*"}))
      return begin();
    return llvm::Error::success();
  }
  llvm::Error leave(const JsonPath &path) override {
    // The root's own launch; its members may come in any order.
    if (path.size() == 0 && file.launches.empty())
      keep(root);
    else if (path.is({"launches", "*"}))
      keep(current);
    return llvm::Error::success();
  }
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override {
    bool isInList = path.size() > 2 && path.key(0) == "launches";
    unsigned depth = isInList ? 2 : 0;
    SimulatedLaunch &launch = isInList ? current : root;
    unsigned left = path.size() - depth;
    if (left == 1 && path.key(depth) == "kernel")
      return setText(launch.kernel, scalar);
    if (left != 2 || path.key(depth) != "timing")
      return llvm::Error::success();
    StringRef key = path.key(depth + 1);
    if (key == "product")
      return setText(launch.product, scalar);
    if (key == "microseconds")
      return setNumber(launch.microseconds, scalar);
    if (key == "cycles")
      return setNumber(launch.cycles, scalar);
    return llvm::Error::success();
  }

private:
  llvm::Error begin() {
    if (file.launches.size() == SimulationFile::maxLaunches)
      return llvm::createStringError("more than " +
                                     llvm::Twine(SimulationFile::maxLaunches) +
                                     " launches");
    current = SimulatedLaunch();
    return llvm::Error::success();
  }
  void keep(SimulatedLaunch &launch) {
    if (launch.microseconds > 0)
      file.launches.push_back(std::move(launch));
  }
  static llvm::Error setText(std::string &text, const JsonScalar &scalar) {
    if (scalar.kind != JsonScalar::String)
      return profile::expectedJson("a name", scalar);
    text = scalar.text.str();
    return llvm::Error::success();
  }
  static llvm::Error setNumber(double &number, const JsonScalar &scalar) {
    if ((scalar.kind != JsonScalar::Unsigned &&
         scalar.kind != JsonScalar::Real) ||
        scalar.real < 0)
      return profile::expectedJson("a number from 0", scalar);
    if (!isMeasurement(scalar.real))
      return profile::expectedJson("0 or a number of 1e-90 to 1e90", scalar);
    number = scalar.real;
    return llvm::Error::success();
  }

  SimulationFile &file;
  SimulatedLaunch root, current;
};
} // namespace

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

llvm::Expected<SimulationFile>
fly::analysis::readSimulationFile(StringRef path) {
  SimulationFile file;
  LaunchVisitor visitor(file);
  if (llvm::Error error = profile::readJson(path, visitor))
    return std::move(error);
  if (file.launches.empty())
    return llvm::createStringError(
        "'" + path +
        "' holds no timing; fly-run k.mlir --timing --json prints one");
  return file;
}
