//===- TimingFile.cpp - The time of a launch from its JSON ----------------===//
//
// Bytes are those that memory behind the caches gave to the launch, and those
// that were written; what caches kept is no traffic.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/TimingFile.h"

#include "fly/Analysis/SimulationFile.h"

using namespace fly;
using namespace fly::analysis;

llvm::Expected<SimulatedTiming>
fly::analysis::readTiming(llvm::StringRef path) {
  SimulatedLaunch launch;
  size_t launches = 0;
  llvm::Expected<SimulationFile> file =
      readSimulationFile(path, [&](const SimulatedLaunch &each) {
        launch = each;
        ++launches;
        return llvm::Error::success();
      });
  if (!file)
    return file.takeError();
  if (launches > 1)
    return llvm::createStringError(
        "'" + path + "' holds " + llvm::Twine(launches) +
        " launches, expected one; run one kernel of the program by --kernel");
  std::optional<double> microseconds = launch.find("microseconds");
  if (!microseconds || !(*microseconds > 0))
    return llvm::createStringError(
        "'" + path +
        "' holds no timing; fly-run k.mlir --timing --json prints one");
  // Peaks of another machine would make shares of its time.
  if (launch.product.empty())
    return llvm::createStringError(
        "'" + path +
        "': timing.product: expected the name of a product, "
        "found none; is the file of another program, or of an unknown GPU?");
  SimulatedTiming timing;
  timing.product = launch.product;
  timing.measured.microseconds = *microseconds;
  timing.measured.source = file->isMeasured ? "measured" : "simulated";
  if (std::optional<double> busy = launch.find("mfma_util"))
    timing.measured.mfmaBusy = *busy / 100;
  std::optional<double> workgroups = launch.find("workgroups");
  std::optional<double> units = launch.find("occupancy.active_cus");
  if (workgroups && units && *workgroups < 0x1p64 && *units <= UINT32_MAX)
    timing.measured.grid = {uint64_t(*workgroups), unsigned(*units)};
  std::optional<double> read = launch.find("bytes.hbm");
  std::optional<double> written = launch.find("bytes.written");
  if (read && written)
    timing.measured.bytes = *read + *written;
  return timing;
}
