//===- SimulatorDevice.h - Buffers and launches on a simulator --*- C++ -*-===//
//
// A simulator with one object loaded. Buffers travel with their guard bands, so
// that a stray write of a kernel is found on the host.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_LAUNCH_SIMULATORDEVICE_H
#define FLY_LIB_LAUNCH_SIMULATORDEVICE_H

#include "fly/Launch/SimulatorLaunch.h"

namespace fly::launch {

class SimulatorDevice {
public:
  SimulatorDevice(const sim::SimOptions &options) : options(options) {}

  llvm::Error load(llvm::StringRef object);
  /// Copies a buffer to the device and gives the address of its first byte: a
  /// multiple of `alignment`, and of no more where that is less than what
  /// allocations have, so that a kernel which relies on more is found. Where
  /// the launch is timed, what allocations have.
  llvm::Expected<uint64_t> upload(Buffer &buffer, uint32_t alignment);
  /// Copies it back, guard bands included.
  llvm::Error download(uint64_t address, Buffer &buffer);
  /// Runs a kernel on arguments of `bits` each, `bytes` wide.
  struct Value {
    uint64_t bits = 0;
    unsigned bytes = 8;
  };
  llvm::Expected<sim::Result> launch(llvm::StringRef kernel,
                                     const LaunchSize &size,
                                     llvm::ArrayRef<Value> values);

  sim::DeviceMemory &memory() { return simulator.memory(); }

private:
  sim::SimOptions options;
  sim::Simulator simulator;
  const sim::LoadedProgram *program = nullptr;
};

} // namespace fly::launch

#endif // FLY_LIB_LAUNCH_SIMULATORDEVICE_H
