//===- Result.h - what a launch did -----------------------------*- C++ -*-===//

#ifndef FLY_SIM_RESULT_H
#define FLY_SIM_RESULT_H

#include "fly/Sim/Checks.h"
#include "fly/Sim/Timing.h"
#include "fly/Sim/WaveState.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fly::sim {

/// Counts of a finished launch.
struct Result {
  uint64_t workgroups = 0;
  uint64_t waves = 0;
  uint64_t instructions = 0; ///< Executed, one a wave.
  uint64_t barriers = 0;     ///< Barrier releases over all workgroups.
  /// Buffer dwords (or shorter elements) outside num_records: reads that gave
  /// 0 and writes that were dropped, one a lane and element.
  uint64_t bufferReadsOutOfRange = 0;
  uint64_t bufferWritesDropped = 0;
  /// LDS accesses outside the allocation, with the check off.
  uint64_t ldsOutOfRange = 0;
  unsigned threadsUsed = 1;
  /// What the launch was checked for, and what was found: nothing, of a correct
  /// kernel. In dispatch order.
  CheckSet checked;
  std::vector<Finding> findings;
  /// With SimOptions::timing; else null.
  std::shared_ptr<const TimingResult> timing;

  /// Adds the counts.
  Result &operator+=(const Result &other);
};

/// A launch that stopped: the first faulting wave in dispatch order.
class FaultError : public llvm::ErrorInfo<FaultError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): LLVM's name

  Fault fault;
  std::array<uint32_t, 3> workgroup = {0, 0, 0};
  uint32_t wave = 0;
  std::string kernel;
  /// Assembly text and bytes of the instruction at fault.pc.
  std::string instruction;
  /// What checks had found before.
  std::vector<Finding> findings;
  /// The whole message, one line.
  std::string message;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

} // namespace fly::sim

#endif // FLY_SIM_RESULT_H
