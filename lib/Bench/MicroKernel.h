//===- MicroKernel.h - a small kernel in assembly, timed --------*- C++ -*-===//
//
// Assembles a body with LLVM's MC, links it, launches it on the simulator with
// timing and gives what the model says.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_LIB_BENCH_MICROKERNEL_H
#define FLY_LIB_BENCH_MICROKERNEL_H

#include "fly/Arch/ArchInfo.h"
#include "fly/Sim/Simulator.h"

namespace fly::bench {

/// What a micro-kernel needs.
struct MicroShape {
  unsigned ldsBytes = 0;
  unsigned vgprs = 64, accumOffset = 64;
  /// Scalar registers without VCC and its kin, which are added.
  unsigned sgprs = 64;
};

/// An assembled kernel in a simulator of its own. Its arguments are 64-bit
/// values; s[0:1] is the kernarg pointer, s2 the workgroup, v0 the work item.
class MicroKernel {
public:
  static constexpr unsigned argumentCount = 4;

  static llvm::Expected<std::unique_ptr<MicroKernel>>
  create(arch::Chip chip, llvm::StringRef body, const MicroShape &shape = {});

  /// A zeroed buffer.
  llvm::Expected<uint64_t> allocate(uint64_t bytes);
  sim::DeviceMemory &memory() { return simulator.memory(); }

  struct Launch {
    unsigned workgroups = 1, threads = 64;
    llvm::SmallVector<uint64_t, argumentCount> arguments;
  };
  llvm::Expected<std::shared_ptr<const sim::TimingResult>>
  run(const Launch &launch);
  /// Launches with options of one's own.
  llvm::Expected<sim::Result> launch(const Launch &launch,
                                     const sim::SimOptions &options);

private:
  sim::Simulator simulator;
  const sim::LoadedProgram *program = nullptr;
};

/// The bytes of a code object with the kernel "k" made of `body`.
llvm::Expected<std::string>
assembleKernel(arch::Chip chip, llvm::StringRef body, const MicroShape &shape);

} // namespace fly::bench

#endif // FLY_LIB_BENCH_MICROKERNEL_H
