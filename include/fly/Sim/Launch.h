//===- Launch.h - what to run -----------------------------------*- C++ -*-===//

#ifndef FLY_SIM_LAUNCH_H
#define FLY_SIM_LAUNCH_H

#include "fly/Sim/Options.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fly::sim {

class LoadedProgram;

/// The bytes of one explicit kernel argument, as the host would pass them.
struct ArgumentValue {
  std::vector<uint8_t> bytes;

  template <typename T>
  static ArgumentValue of(const T &value) {
    ArgumentValue argument;
    argument.bytes.resize(sizeof(T));
    std::memcpy(argument.bytes.data(), &value, sizeof(T));
    return argument;
  }
  /// A device address.
  static ArgumentValue pointer(uint64_t address) { return of(address); }
};

/// One kernel launch.
struct LaunchParams {
  const LoadedProgram *program = nullptr;
  std::string kernel; ///< Metadata name; may be empty if there is only one.
  std::array<uint32_t, 3> workgroups = {1, 1, 1};     ///< Grid in workgroups.
  std::array<uint32_t, 3> workgroupSize = {64, 1, 1}; ///< In work-items.
  uint32_t dynamicLdsBytes = 0;
  /// The explicit arguments in metadata order; hidden ones are built.
  std::vector<ArgumentValue> arguments;
  /// If not empty, the whole kernarg segment, instead of `arguments`.
  std::vector<uint8_t> kernarg;
  SimOptions options;
};

} // namespace fly::sim

#endif // FLY_SIM_LAUNCH_H
