//===- ConversionRun.h - Explicit IR to values ------------------*- C++ -*-===//
//
// Tests write an explicit kernel as text. It goes through the passes from
// fly-instantiate on, those on tiles left out, and code generation, and runs on
// the simulator with guard bands around its buffers.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_TEST_UNIT_CONVERSION_CONVERSIONRUN_H
#define FLY_TEST_UNIT_CONVERSION_CONVERSIONRUN_H

#include "fly/Sim/Simulator.h"

#include "llvm/ADT/StringRef.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace fly::test {

/// Wraps kernels and structs of a gpu.module for `chip`.
std::string moduleOf(llvm::StringRef chip, llvm::StringRef body);

class ConversionRun {
public:
  /// Compiles; `errors` has the diagnostics.
  explicit ConversionRun(llvm::StringRef source);

  /// A buffer with these values between guard bands; its device address.
  template <typename T>
  uint64_t buffer(const std::vector<T> &values) {
    uint64_t address = reserve(values.size() * sizeof(T));
    std::memcpy(host(address, values.size() * sizeof(T)), values.data(),
                values.size() * sizeof(T));
    return address;
  }
  template <typename T>
  std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), host(address, count * sizeof(T)),
                count * sizeof(T));
    return values;
  }

  /// Runs `workgroups` workgroups; arguments are pointers and 32-bit integers
  /// in order. The error's text, empty on success, also if a guard changed.
  std::string launch(std::vector<uint64_t> arguments, uint32_t workgroups = 1,
                     llvm::StringRef kernel = "");

  /// LDS that launches add.
  uint32_t dynamicLdsBytes = 0;
  std::string errors;
  std::string assembly;
  sim::Result result;

private:
  uint64_t reserve(size_t bytes);
  uint8_t *host(uint64_t address, size_t bytes) {
    return simulator.memory().host(address, bytes);
  }
  struct Guarded {
    uint64_t base, bytes;
  };

  sim::Simulator simulator;
  const sim::LoadedProgram *program = nullptr;
  std::vector<Guarded> guarded;
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_CONVERSION_CONVERSIONRUN_H
