//===- LdsUnit.h - the ports and banks of LDS -------------------*- C++ -*-===//
//
// What problem: waves of four SIMDs share two ports, and both ports the banks;
// who is served when decides how fast a mix of waves reads.
// What idea: each wave has a queue of its instructions. A port serves the one
// that can start first: not before the port is free, the wave's previous one is
// some cycles behind, and a cycle later where the port served the same SIMD
// before. The banks take phases and conflicts of one instruction after the
// other; a port is done when its data and the banks are.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_TIMING_LDSUNIT_H
#define FLY_LIB_SIM_TIMING_LDSUNIT_H

#include <deque>
#include <optional>
#include <vector>

#include "Machine.h"
#include "Trace.h"

namespace fly::sim {

class LdsUnit {
public:
  explicit LdsUnit(const Machine &machine)
      : machine(machine), ports(machine.ldsPorts) {}

  struct Op {
    Ticks issued = 0;
    Ticks portTicks = 0;
    BankCycles banks;
  };
  /// What a port has served.
  struct Served {
    unsigned wave = 0;
    Ticks done = 0; ///< The result is there.
  };

  unsigned portOf(unsigned simd) const {
    return simd * machine.ldsPorts / machine.simds;
  }
  /// A wave may come before its first instruction, or again with another SIMD.
  void addWave(unsigned wave, unsigned simd);
  void push(unsigned wave, const Op &op);
  size_t waiting(unsigned wave) const { return waves[wave].queue.size(); }

  /// When the port has something to do; `never` if nothing waits.
  Ticks nextTime(unsigned port) const;
  /// Serves the instruction that nextTime() is about.
  Served serve(unsigned port);
  /// A copy from memory writes its bytes through the banks.
  void writeCopy(Ticks time, unsigned bytes);

private:
  struct WaveQueue {
    std::deque<Op> queue;
    unsigned simd = 0;
    Ticks gate = 0; ///< Its next instruction starts no earlier.
  };
  struct Port {
    Ticks free = 0;
    unsigned lastSimd = ~0u;
    std::vector<unsigned> waves; ///< With instructions that wait.
    std::optional<unsigned> chosen;
    Ticks start = never;
  };
  void choose(Port &port);

  const Machine &machine;
  std::vector<Port> ports;
  std::vector<WaveQueue> waves;
  Ticks banksFree = 0;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_TIMING_LDSUNIT_H
