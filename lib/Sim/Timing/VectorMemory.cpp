//===- VectorMemory.cpp - the path of loads and stores --------------------===//

#include "VectorMemory.h"

using namespace fly;
using namespace fly::sim;

VectorMemory::VectorMemory(const Machine &machine, const MemoryShares &shares,
                           TimingCounters &counters)
    : machine(machine), counters(counters),
      l1(machine.l1Bytes, machine.requestBytes, machine.l1Ways),
      scalar(machine.scalarBytes, machine.scalarLineBytes, machine.scalarWays),
      translations(machine.translationReach, unsigned(machine.pageBytes),
                   unsigned(machine.translationReach / machine.pageBytes)),
      returnBus(machine.returnBytes),
      l2(machine.l2BytesPerCycle / shares.cusOfXcd),
      mall(machine.mallBytesPerCycle / shares.cus),
      memory(machine.memoryReadBytes / shares.cus) {}

bool VectorMemory::hasRoom(Ticks now) {
  while (!waiting.empty() && waiting.front() <= now)
    waiting.pop_front();
  return waiting.size() < machine.vmemQueue;
}

/// When an access that starts at `start` has its physical address.
Ticks VectorMemory::translate(Ticks start, uint64_t address) {
  uint64_t number = translations.lineOf(address);
  Ticks known = start + machine.translation * ticksPerCycle;
  auto [page, isFirst] = pages.try_emplace(number, known);
  if (number != lastPage) {
    lastPage = number;
    if (!translations.find(number)) {
      translations.insert(number, 0);
      if (!isFirst)
        start += machine.translationMiss * ticksPerCycle;
    }
  }
  return std::max(start, page->second);
}

Ticks VectorMemory::load(Ticks start, BlockAccess access, MemoryLevel level,
                         bool &isMiss) {
  uint64_t address = access.block() * machine.requestBytes;
  Ticks hit = start + machine.l1Latency * ticksPerCycle;
  ++counters.l1Requests;
  if (Ticks *arrival = l1.find(access.block())) {
    ++counters.l1Hits;
    return std::max(hit, *arrival);
  }
  isMiss = true;
  ++counters.l2ReadRequests;
  start = translate(start, address);
  unsigned latency = machine.l2Latency;
  if (level == MemoryLevel::Mall || level == MemoryLevel::JoinedMall)
    latency = machine.mallLatency;
  if (level == MemoryLevel::Memory || level == MemoryLevel::JoinedMemory)
    latency = machine.memoryLatency;
  Ticks moved = l2.reserve(start, machine.requestBytes);
  if (level == MemoryLevel::Mall || level == MemoryLevel::Memory) {
    bool isMall = level == MemoryLevel::Mall;
    ++counters.l2Misses;
    ++counters.memoryReads;
    counters.memoryReads32 += access.halves() != 3;
    counters.mallHits += isMall;
    Bandwidth &behind = isMall ? mall : memory;
    moved = std::max(moved, behind.reserve(start, machine.requestBytes));
  } else {
    ++counters.l2Hits;
  }
  // Latencies are those of a single request, whose own time is in them.
  Ticks ready = std::max(moved, start + latency * ticksPerCycle);
  l1.insert(access.block(), ready);
  return ready;
}

Ticks VectorMemory::store(Ticks start, BlockAccess access, MemoryLevel level) {
  uint64_t address = access.block() * machine.requestBytes;
  ++counters.l2WriteRequests;
  start = translate(start, address);
  Ticks moved = l2.reserve(start, machine.requestBytes);
  bool isHit = level != MemoryLevel::Memory;
  counters.l2Hits += isHit;
  counters.l2Misses += !isHit;
  if (!isHit || level == MemoryLevel::WriteBack) {
    ++counters.memoryWrites;
    // Lines are written back some time; their bytes count now. Reads and
    // writes share the bus, at a rate each.
    auto bytes = uint64_t(machine.requestBytes * machine.memoryReadBytes /
                              machine.memoryWriteBytes +
                          0.5);
    moved = std::max(moved, memory.reserve(start, bytes));
  }
  return std::max(moved, start + machine.l2Latency * ticksPerCycle);
}

Ticks VectorMemory::issue(Ticks now, const TimedInstruction &timed,
                          const BlockRun &blocks,
                          llvm::ArrayRef<MemoryLevel> levels) {
  Ticks start = std::max(now, addressFree);
  waiting.push_back(start);
  unsigned lookups = unsigned(blocks.size() + machine.requestsPerCycle - 1) /
                     machine.requestsPerCycle;
  addressFree = start + std::max(machine.slot, lookups) * ticksPerCycle;
  Ticks done = start;
  unsigned misses = 0;
  for (size_t i = 0; i != blocks.size(); ++i) {
    bool isMiss = false;
    Ticks ready = timed.kind == TimedKind::VectorStore
                      ? store(start, blocks[i], levels[i])
                      : load(start, blocks[i], levels[i], isMiss);
    misses += isMiss;
    done = std::max(done, ready);
  }
  if (timed.kind == TimedKind::VectorStore)
    return done;
  if (misses > 1)
    done += Ticks(misses - 1) * machine.missSpread * ticksPerCycle;
  // Latencies were measured with a slot's worth of data, which is in them.
  Ticks own = machine.slot * ticksPerCycle;
  return returnBus.reserve(done > own ? done - own : 0, timed.returnBytes);
}

Ticks VectorMemory::issueScalar(Ticks now, const BlockRun &blocks,
                                llvm::ArrayRef<MemoryLevel> levels) {
  Ticks done = now + machine.slot * ticksPerCycle;
  for (size_t i = 0; i != blocks.size(); ++i) {
    uint64_t line = scalar.lineOf(blocks[i].block() * machine.requestBytes);
    Ticks ready = now + machine.scalarHit * ticksPerCycle;
    ++counters.scalarRequests;
    if (Ticks *arrival = scalar.find(line)) {
      ++(*arrival <= now ? counters.scalarHits : counters.scalarPending);
      ready = std::max(ready, *arrival);
    } else {
      unsigned latency =
          levels[i] == MemoryLevel::L2 ? machine.scalarL2 : machine.scalarCold;
      ready = now + latency * ticksPerCycle;
      scalar.insert(line, ready);
    }
    done = std::max(done, ready);
  }
  return done;
}
