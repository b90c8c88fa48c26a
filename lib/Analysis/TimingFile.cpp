//===- TimingFile.cpp - The time of a launch from its JSON ----------------===//
//
// Bytes are those that memory behind the caches gave to the launch, and those
// that were written; what caches kept is no traffic.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/TimingFile.h"

#include "fly/Profile/JsonStream.h"
#include "fly/Support/Samples.h"

using namespace fly;
using namespace fly::analysis;

namespace {
class TimingVisitor : public profile::JsonVisitor {
public:
  llvm::Error enter(const profile::JsonPath &, bool) override {
    return llvm::Error::success();
  }
  llvm::Error value(const profile::JsonPath &path,
                    const profile::JsonScalar &scalar) override {
    using Scalar = profile::JsonScalar;
    if (path.is({"timing", "product"})) {
      if (scalar.kind != Scalar::String)
        return profile::expectedJson("the name of a product", scalar);
      product = scalar.text.str();
      return llvm::Error::success();
    }
    if (path.is({"device"})) {
      isMeasured = scalar.kind == Scalar::String && scalar.text == "hsa";
      return llvm::Error::success();
    }
    std::optional<double> *number =
        path.is({"timing", "microseconds"})              ? &microseconds
        : path.is({"timing", "mfma_util"})               ? &busy
        : path.is({"timing", "workgroups"})              ? &workgroups
        : path.is({"timing", "occupancy", "active_cus"}) ? &units
        : path.is({"timing", "bytes", "hbm"})            ? &read
        : path.is({"timing", "bytes", "written"})        ? &written
                                                         : nullptr;
    if (!number)
      return llvm::Error::success();
    if ((scalar.kind != Scalar::Unsigned && scalar.kind != Scalar::Real) ||
        scalar.real < 0)
      return profile::expectedJson("a number from 0", scalar);
    if (!isMeasurement(scalar.real))
      return profile::expectedJson("0 or a number of 1e-90 to 1e90", scalar);
    if (number == &busy && scalar.real > 100)
      return profile::expectedJson("a share of at most 100 %", scalar);
    *number = scalar.real;
    return llvm::Error::success();
  }

  std::string product;
  bool isMeasured = false; ///< On a GPU.
  std::optional<double> microseconds, busy, read, written, workgroups, units;
};
} // namespace

llvm::Expected<SimulatedTiming>
fly::analysis::readTiming(llvm::StringRef path) {
  TimingVisitor visitor;
  if (llvm::Error error = profile::readJson(path, visitor))
    return std::move(error);
  if (!visitor.microseconds || !(*visitor.microseconds > 0))
    return llvm::createStringError(
        "'" + path +
        "' holds no timing; fly-run k.mlir --timing --json prints one");
  // Peaks of another machine would make shares of its time.
  if (visitor.product.empty())
    return llvm::createStringError(
        "'" + path +
        "': timing.product: expected the name of a product, "
        "found none; is the file of another program, or of an unknown GPU?");
  SimulatedTiming timing;
  timing.product = visitor.product;
  timing.measured.microseconds = *visitor.microseconds;
  timing.measured.source = visitor.isMeasured ? "measured" : "simulated";
  if (visitor.busy)
    timing.measured.mfmaBusy = *visitor.busy / 100;
  if (visitor.workgroups && visitor.units && *visitor.units <= UINT32_MAX)
    timing.measured.grid = {uint64_t(*visitor.workgroups),
                            unsigned(*visitor.units)};
  if (visitor.read && visitor.written)
    timing.measured.bytes = *visitor.read + *visitor.written;
  return timing;
}
