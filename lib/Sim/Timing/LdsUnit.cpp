//===- LdsUnit.cpp - the ports and banks of LDS ---------------------------===//

#include "LdsUnit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace fly::sim;

void LdsUnit::addWave(unsigned wave, unsigned simd) {
  if (wave >= waves.size())
    waves.resize(wave + 1);
  waves[wave] = WaveQueue();
  waves[wave].simd = simd;
}

void LdsUnit::push(unsigned wave, const Op &op) {
  WaveQueue &queue = waves[wave];
  Port &port = ports[portOf(queue.simd)];
  if (queue.queue.empty())
    port.waves.push_back(wave);
  queue.queue.push_back(op);
  choose(port);
}

/// The instruction that can start first; of equal ones the oldest.
void LdsUnit::choose(Port &port) {
  port.chosen.reset();
  port.start = never;
  Ticks issued = never;
  for (unsigned wave : port.waves) {
    const WaveQueue &queue = waves[wave];
    const Op &op = queue.queue.front();
    Ticks free =
        port.free + (queue.simd == port.lastSimd ? machine.ldsSameSimd : 0);
    Ticks start = std::max({free, queue.gate, op.issued});
    if (std::tie(start, op.issued, wave) <
        std::make_tuple(port.start, issued, port.chosen.value_or(~0u))) {
      port.start = start;
      port.chosen = wave;
      issued = op.issued;
    }
  }
}

Ticks LdsUnit::nextTime(unsigned port) const { return ports[port].start; }

LdsUnit::Served LdsUnit::serve(unsigned index) {
  Port &port = ports[index];
  unsigned wave = *port.chosen;
  WaveQueue &queue = waves[wave];
  Op op = queue.queue.front();
  queue.queue.pop_front();
  if (queue.queue.empty())
    llvm::erase(port.waves, wave);
  Ticks banksEnd = port.start;
  if (op.banks.cycles) {
    banksEnd =
        std::max(port.start, banksFree) + op.banks.cycles * ticksPerCycle;
    banksFree = banksEnd;
  }
  Ticks end = std::max(port.start + op.portTicks, banksEnd);
  port.free = end;
  port.lastSimd = queue.simd;
  queue.gate = end + machine.ldsSameWave;
  choose(port);
  return {wave, end + machine.ldsLatency};
}

void LdsUnit::writeCopy(Ticks time, unsigned bytes) {
  Ticks cycles = (bytes + machine.ldsArrayBytes - 1) / machine.ldsArrayBytes;
  banksFree = std::max(banksFree, time) + cycles * ticksPerCycle;
}
