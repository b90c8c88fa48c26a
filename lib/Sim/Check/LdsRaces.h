//===- LdsRaces.h - accesses to LDS that nothing orders ---------*- C++ -*-===//
//
// What problem: a barrier too few, or a wait too weak in front of it, shows in
// values only when waves happen to run in the wrong order.
// What idea: happens-before. All waves of a workgroup pass a barrier together,
// so the barriers cut the run into generations: what is complete before a
// barrier is ordered before everything behind it, and accesses of different
// waves in one generation are not ordered at all. Each dword of LDS remembers
// who wrote and who read it in which generation. An access that is outstanding
// when its wave arrives at a barrier stays open, until a wait covers it; a copy
// to LDS is open from its issue, also for its own wave, whose LDS instructions
// do not queue behind it.
// Instructions on parts of a dword split it into bytes.
// Waves may write the same bytes with the same values: whoever is last, they
// hold them.
// What it refuses: waves that synchronise by polling LDS without atomics are
// reported; behind an atomic that another wave has written, accesses count as
// ordered with that wave until the next barrier.
//
//===----------------------------------------------------------------------===//

#ifndef FLY_LIB_SIM_CHECK_LDSRACES_H
#define FLY_LIB_SIM_CHECK_LDSRACES_H

#include "FindingLog.h"
#include "MemoryOps.h"

namespace fly::sim {

class LoadedProgram;

class LdsRaces {
public:
  LdsRaces(FindingLog &log, const LoadedProgram &program, uint32_t ldsBytes,
           unsigned waveCount);

  void startWorkgroup();
  /// `op` has executed: its accesses against all others.
  void access(MemoryOp &op, WaveState &wave, const MemoryOps &ops);
  /// A wait covers `op`, or its wave has ended.
  void complete(MemoryOp &op, const WaveState &wave);
  /// The wave waits at a barrier: what is outstanding stays open.
  void arrive(const WaveState &wave, const MemoryOps &ops);
  void releaseBarrier();

private:
  /// Who touched some bytes last. A stamp is generation, atomic bit and wave.
  struct Cell {
    uint32_t writeStamp = 0, writeSlot = 0;
    /// Two readers of different waves: any writer meets one of another wave.
    uint32_t readStamp[2] = {0, 0}, readSlot[2] = {0, 0};
    /// Numbers of open accesses, 0: none; see openAccesses.
    uint32_t openWrite = 0, openRead = 0;
  };
  struct OpenAccess {
    uint32_t slot = 0;
    uint8_t wave = 0;
    bool isCopy = false; ///< To LDS, from memory.
  };
  /// What an instruction does to each of its cells.
  struct Accessor {
    MemoryOp &op;
    WaveState &wave;
    uint32_t stamp;
    bool reads, writes, isAtomic;
    bool changesNothing = false;
    int lane = 0;
    uint32_t address = 0;
  };
  enum class Conflict { None, Write, Read, OpenWrite, OpenRead };

  static constexpr unsigned waveBits = 4;
  static constexpr uint32_t waveMask = (1u << waveBits) - 1;
  static constexpr uint32_t atomicBit = 1u << waveBits;
  static constexpr uint32_t generationStep = 2u << waveBits;
  /// Stands in openWrite of a dword whose bytes have cells of their own, from
  /// index openRead of splitCells on.
  static constexpr uint32_t isSplit = ~uint32_t(0);

  template <typename Visit>
  void visitCells(uint32_t address, uint32_t bytes, Visit visit);
  uint32_t split(Cell &cell);
  bool isOrdered(uint32_t theirs, const Accessor &mine) const;
  void visit(Cell &cell, Accessor &accessor);
  void record(Cell &cell, const Accessor &accessor);
  void checkOpen(Cell &cell, const Accessor &accessor);
  void checkOwnQueue(MemoryOp &copy, WaveState &wave, const MemoryOps &ops);
  void report(const Accessor &accessor, Conflict conflict, uint32_t slot,
              unsigned wave, bool isCopy);
  void open(MemoryOp &op, const WaveState &wave);
  const isa::Instruction &instructionAt(uint32_t slot) const;

  FindingLog &log;
  const LoadedProgram &program;
  std::vector<Cell> cells; ///< One a dword.
  std::vector<Cell> splitCells;
  std::vector<OpenAccess> openAccesses; ///< [0] is unused.
  std::vector<uint32_t> freeNumbers;
  /// Of each wave: waves that it is ordered with by atomics.
  std::vector<uint32_t> synchronised;
  uint32_t generation = generationStep;
};

} // namespace fly::sim

#endif // FLY_LIB_SIM_CHECK_LDSRACES_H
