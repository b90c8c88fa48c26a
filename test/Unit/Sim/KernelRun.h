//===- KernelRun.h - one kernel, its buffers and its launch -----*- C++ -*-===//
//
// Tests write a kernel body in assembly, give buffers, launch, and read them
// back. Every buffer has guard bands of 256 bytes before and behind.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_SIM_KERNELRUN_H
#define FLY_TEST_UNIT_SIM_KERNELRUN_H

#include "fly/Sim/Simulator.h"

#include <string>
#include <vector>

#include "Assemble.h"

namespace fly::test {

class KernelRun {
public:
  /// A kernel "k" with the body; see wrapKernel().
  static KernelRun ofBody(llvm::StringRef body, llvm::StringRef chip = "gfx942",
                          const KernelShape &shape = KernelShape());
  /// A file of test/Sim/Objects.
  static KernelRun ofObject(llvm::StringRef name);
  /// A file of test/Sim/Kernels, compiled by clang.
  static KernelRun ofSource(llvm::StringRef name, llvm::StringRef chip,
                            llvm::StringRef optimisation);
  /// A code object.
  static KernelRun ofBytes(const std::string &bytes);
  /// Whole assembly text.
  static KernelRun ofText(llvm::StringRef text, llvm::StringRef chip);

  /// A zeroed buffer between guard bands; its device address.
  uint64_t buffer(size_t bytes, llvm::StringRef name = "buffer");
  template <typename T>
  uint64_t bufferOf(const std::vector<T> &values,
                    llvm::StringRef name = "buffer") {
    uint64_t address = buffer(values.size() * sizeof(T), name);
    std::memcpy(simulator->memory().host(address, values.size() * sizeof(T)),
                values.data(), values.size() * sizeof(T));
    return address;
  }
  template <typename T>
  std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> values(count);
    const uint8_t *host = simulator->memory().host(address, count * sizeof(T));
    if (host)
      std::memcpy(values.data(), host, count * sizeof(T));
    return values;
  }
  /// True if no guard band has changed.
  bool guardsIntact();

  /// Sets the arguments of params.kernel: pointers and integers.
  void setArguments(std::vector<uint64_t> values);
  /// Launches with all checks, unless params say otherwise; a failure to load
  /// is a failure here.
  llvm::Expected<sim::Result> launch();
  /// Launches and gives the text of the error or of what checks found, empty
  /// on success.
  std::string launchError();

  /// Loading failed; `message` says why.
  bool failed() const { return !params.program; }

  std::unique_ptr<sim::Simulator> simulator =
      std::make_unique<sim::Simulator>();
  sim::LaunchParams params;
  std::string message;

private:
  void load(const std::string &bytes);
  struct Guarded {
    uint64_t base, bytes;
  };
  std::vector<Guarded> guarded;
};

/// Loads arguments into SGPRs and the lane's byte offset into v1: s[4:5] and
/// s[6:7] are the first two arguments, s[8:9] the third, v1 = 4 * v0.
extern const char *const prologue;

} // namespace fly::test

#endif // FLY_TEST_UNIT_SIM_KERNELRUN_H
