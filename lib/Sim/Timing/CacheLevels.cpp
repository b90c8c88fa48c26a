//===- CacheLevels.cpp - where the blocks of a launch are -----------------===//

#include "CacheLevels.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using namespace fly::sim;

/// Equal shares in which resident workgroups advance.
static constexpr uint64_t stepsPerRound = 256;

unsigned Placement::activeCus() const {
  unsigned count = 0;
  for (unsigned xcd = 0; xcd != xcds; ++xcd)
    count += activeCusOfXcd(xcd);
  return count;
}

namespace {

/// One workgroup while its blocks are looked up.
struct Stream {
  const WorkgroupTrace *trace = nullptr;
  std::vector<MemoryLevel> *levels = nullptr;
  /// Blocks that its compute unit still has in its L1, by their low bits.
  std::vector<uint64_t> recent;
};

} // namespace

static MemoryLevel lookUp(BlockAccess access, const Machine &machine,
                          Stream &stream, Cache &l2, Cache &mall) {
  uint64_t block = access.block();
  uint64_t &recent = stream.recent[block % stream.recent.size()];
  if (recent == block + 1)
    return MemoryLevel::L2;
  recent = block + 1;
  uint64_t address = block * machine.requestBytes;
  uint64_t line = l2.lineOf(address);
  if (l2.find(line))
    return MemoryLevel::L2;
  l2.insert(line, 0);
  if (mall.find(line))
    return MemoryLevel::Mall;
  mall.insert(line, 0);
  return MemoryLevel::Memory;
}

CacheLevels::CacheLevels(const LaunchTrace &trace, const Placement &placement) {
  const Machine &machine = trace.machine;
  std::vector<Cache> l2(
      placement.xcds,
      Cache(machine.l2Bytes, machine.l2LineBytes, machine.l2Ways));
  Cache mall(machine.mallBytes, machine.l2LineBytes, machine.mallWays);
  uint64_t perRound = placement.perRound() * placement.xcds;
  for (uint64_t first = 0; first < trace.plan.size(); first += perRound) {
    uint64_t last = std::min<uint64_t>(first + perRound, trace.plan.size());
    std::vector<Stream> streams;
    for (uint64_t workgroup = first; workgroup != last; ++workgroup) {
      Stream stream;
      stream.trace = trace.find(workgroup);
      if (stream.trace) {
        stream.recent.resize(machine.l1Bytes / machine.requestBytes);
        if (trace.plan[workgroup] == TraceDepth::Full) {
          stream.levels = &levels[workgroup];
          stream.levels->reserve(stream.trace->blocks.size());
        }
      }
      streams.push_back(std::move(stream));
    }
    for (uint64_t step = 0; step != stepsPerRound; ++step)
      for (auto [i, stream] : llvm::enumerate(streams)) {
        if (!stream.trace)
          continue;
        uint64_t count = stream.trace->blocks.size();
        uint64_t begin = count * step / stepsPerRound;
        uint64_t end = count * (step + 1) / stepsPerRound;
        Cache &ofXcd = l2[placement.xcdOf(first + i)];
        for (uint64_t at = begin; at != end; ++at) {
          MemoryLevel level =
              lookUp(stream.trace->blocks[at], machine, stream, ofXcd, mall);
          if (stream.levels)
            stream.levels->push_back(level);
        }
      }
  }
}

llvm::ArrayRef<MemoryLevel> CacheLevels::of(uint64_t workgroup) const {
  auto it = levels.find(workgroup);
  if (it == levels.end())
    return {};
  return it->second;
}
