//===- LdsRaces.cpp - accesses to LDS that nothing orders -----------------===//

#include "LdsRaces.h"

#include "fly/Isa/InstructionClass.h"
#include "fly/Sim/Simulator.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::sim;

LdsRaces::LdsRaces(FindingLog &log, const LoadedProgram &program,
                   uint32_t ldsBytes, unsigned waveCount)
    : log(log), program(program), cells((ldsBytes + 3) / 4), openAccesses(1),
      synchronised(waveCount) {}

void LdsRaces::startWorkgroup() {
  // Stamps of former workgroups are of former generations.
  if (generation > (1u << 31)) {
    generation = 0;
    llvm::fill(cells, Cell());
  }
  if (!splitCells.empty() || openAccesses.size() > 1) {
    for (Cell &cell : cells)
      if (cell.openWrite || cell.openRead)
        cell = Cell();
    splitCells.clear();
    openAccesses.resize(1);
    freeNumbers.clear();
  }
  releaseBarrier();
}

void LdsRaces::releaseBarrier() {
  generation += generationStep;
  llvm::fill(synchronised, 0);
}

const isa::Instruction &LdsRaces::instructionAt(uint32_t slot) const {
  return *program.slots()[slot].instruction;
}

/// Gives the bytes of a dword cells of their own.
uint32_t LdsRaces::split(Cell &cell) {
  if (cell.openWrite == isSplit)
    return cell.openRead;
  uint32_t first = uint32_t(splitCells.size());
  splitCells.insert(splitCells.end(), 4, cell);
  cell.openWrite = isSplit;
  cell.openRead = first;
  return first;
}

template <typename Visit>
void LdsRaces::visitCells(uint32_t address, uint32_t bytes, Visit visit) {
  uint32_t end = address + bytes;
  while (address != end) {
    Cell &cell = cells[address / 4];
    uint32_t inDword = address % 4;
    uint32_t count = std::min(4 - inDword, end - address);
    if (count == 4 && cell.openWrite != isSplit) {
      visit(cell, address);
    } else {
      uint32_t first = split(cell) + inDword;
      for (uint32_t i = 0; i != count; ++i)
        visit(splitCells[first + i], address + i);
    }
    address += count;
  }
}

bool LdsRaces::isOrdered(uint32_t theirs, const Accessor &mine) const {
  uint32_t difference = theirs ^ mine.stamp;
  if (difference >= generationStep || (difference & waveMask) == 0)
    return true;
  unsigned other = theirs & waveMask;
  return (theirs & mine.stamp & atomicBit) ||
         (synchronised[mine.wave.waveIndex] >> other) & 1;
}

void LdsRaces::report(const Accessor &accessor, Conflict conflict,
                      uint32_t slot, unsigned otherWave, bool isCopy) {
  const isa::Instruction &inst = *accessor.op.inst;
  log.report(
      Check::Races, accessor.wave, inst, accessor.lane, &instructionAt(slot),
      [&] {
        const char *mine = accessor.op.isLdsDma ? "copied to"
                           : accessor.writes    ? "written"
                                                : "read";
        bool own = otherWave == accessor.wave.waveIndex;
        std::string text =
            llvm::formatv("LDS byte {0} is {1} while ", accessor.address, mine);
        std::string who =
            own ? "the same wave" : llvm::formatv("wave {0}", otherWave).str();
        if (isCopy)
          return text + "a copy to LDS of " + who +
                 " that writes it is outstanding: " +
                 (own ? "a wait for vmcnt is missing here"
                      : "its wave has to wait for vmcnt in front of a barrier "
                        "between the two");
        switch (conflict) {
        case Conflict::OpenWrite:
        case Conflict::OpenRead:
          return text + "the " +
                 (conflict == Conflict::OpenWrite ? "write" : "read") + " of " +
                 who + " is outstanding: " +
                 (own ? "a wait for lgkmcnt is missing here"
                      : "its wave has to wait for lgkmcnt in front of the "
                        "barrier between the two");
        case Conflict::Write:
          return text + who + " may be writing it: no barrier orders the two";
        default:
          return text + who + " may be reading it: no barrier orders the two";
        }
      });
}

void LdsRaces::checkOpen(Cell &cell, const Accessor &accessor) {
  auto check = [&](uint32_t number, Conflict conflict) {
    if (!number)
      return;
    const OpenAccess &other = openAccesses[number];
    // Instructions of one unit of one wave are executed in order.
    if (other.wave == accessor.wave.waveIndex &&
        other.isCopy == accessor.op.isLdsDma)
      return;
    report(accessor, conflict, other.slot, other.wave, other.isCopy);
  };
  check(cell.openWrite, Conflict::OpenWrite);
  if (accessor.writes)
    check(cell.openRead, Conflict::OpenRead);
}

void LdsRaces::record(Cell &cell, const Accessor &accessor) {
  if (accessor.writes) {
    // An atomic hides no plain write of its wave from the other waves.
    if (accessor.isAtomic && (cell.writeStamp ^ accessor.stamp) == atomicBit)
      return;
    cell.writeStamp = accessor.stamp;
    cell.writeSlot = accessor.op.slot;
    return;
  }
  auto isOfThisGeneration = [&](uint32_t stamp) {
    return (stamp ^ accessor.stamp) < generationStep;
  };
  for (unsigned i = 0; i != 2; ++i)
    if (cell.readStamp[i] == accessor.stamp ||
        !isOfThisGeneration(cell.readStamp[i])) {
      cell.readStamp[i] = accessor.stamp;
      cell.readSlot[i] = accessor.op.slot;
      return;
    }
}

void LdsRaces::visit(Cell &cell, Accessor &accessor) {
  if (LLVM_UNLIKELY(!isOrdered(cell.writeStamp, accessor))) {
    unsigned writer = cell.writeStamp & waveMask;
    // What another wave's atomic has left was meant to be seen.
    if ((cell.writeStamp & atomicBit) && !accessor.writes)
      synchronised[accessor.wave.waveIndex] |= 1u << writer;
    else if (!accessor.changesNothing)
      report(accessor, Conflict::Write, cell.writeSlot, writer, false);
  } else if (LLVM_UNLIKELY(accessor.isAtomic) &&
             (cell.writeStamp ^ accessor.stamp) < generationStep) {
    synchronised[accessor.wave.waveIndex] |= 1u << (cell.writeStamp & waveMask);
  }
  if (accessor.writes)
    for (unsigned i = 0; i != 2; ++i)
      if (LLVM_UNLIKELY(!isOrdered(cell.readStamp[i], accessor)))
        report(accessor, Conflict::Read, cell.readSlot[i],
               cell.readStamp[i] & waveMask, false);
  if (LLVM_UNLIKELY((cell.openWrite | cell.openRead) != 0))
    checkOpen(cell, accessor);
  record(cell, accessor);
}

/// LDS instructions of the wave itself that a copy might overtake.
void LdsRaces::checkOwnQueue(MemoryOp &copy, WaveState &wave,
                             const MemoryOps &ops) {
  for (const MemoryOp *older : ops.ldsQueue())
    for (const LdsRange &theirs : older->ldsRanges)
      for (const LdsRange &mine : copy.ldsRanges)
        if (theirs.address < mine.address + mine.bytes &&
            mine.address < theirs.address + theirs.bytes) {
          Accessor accessor{copy, wave, 0, false, true, false};
          accessor.lane = mine.lane;
          accessor.address = mine.address;
          return report(accessor, Conflict::OpenRead, older->slot,
                        wave.waveIndex, false);
        }
}

void LdsRaces::access(MemoryOp &op, WaveState &wave, const MemoryOps &ops) {
  if (op.ldsRanges.empty())
    return;
  const isa::Instruction &inst = *op.inst;
  bool isRead = !op.isLdsDma && isa::isLoad(inst);
  bool isWrite = op.isLdsDma || isa::isStore(inst);
  bool isAtomic = !isRead && !isWrite;
  Accessor accessor{op,
                    wave,
                    generation | wave.waveIndex,
                    isRead || isAtomic,
                    isWrite || isAtomic,
                    isAtomic};
  if (isAtomic)
    accessor.stamp |= atomicBit;
  if (op.isLdsDma)
    checkOwnQueue(op, wave, ops);
  for (const LdsRange &range : op.ldsRanges) {
    accessor.lane = range.lane;
    accessor.changesNothing = range.changesNothing;
    visitCells(range.address, range.bytes, [&](Cell &cell, uint32_t address) {
      accessor.address = address;
      visit(cell, accessor);
    });
  }
  if (op.isLdsDma)
    open(op, wave);
}

void LdsRaces::open(MemoryOp &op, const WaveState &wave) {
  if (op.ldsRanges.empty() || op.openNumber)
    return;
  if (freeNumbers.empty()) {
    freeNumbers.push_back(uint32_t(openAccesses.size()));
    openAccesses.emplace_back();
  }
  op.openNumber = freeNumbers.back();
  freeNumbers.pop_back();
  openAccesses[op.openNumber] = {op.slot, uint8_t(wave.waveIndex), op.isLdsDma};
  bool isRead = !op.isLdsDma && isa::isLoad(*op.inst);
  for (const LdsRange &range : op.ldsRanges)
    visitCells(range.address, range.bytes, [&](Cell &cell, uint32_t) {
      (isRead ? cell.openRead : cell.openWrite) = op.openNumber;
    });
}

void LdsRaces::complete(MemoryOp &op, const WaveState &wave) {
  if (!op.openNumber)
    return;
  uint32_t stamp = generation | wave.waveIndex;
  bool isRead = !op.isLdsDma && isa::isLoad(*op.inst);
  for (const LdsRange &range : op.ldsRanges)
    visitCells(range.address, range.bytes, [&](Cell &cell, uint32_t) {
      uint32_t &mark = isRead ? cell.openRead : cell.openWrite;
      if (mark == op.openNumber)
        mark = 0;
      // It may have happened as late as now.
      (isRead ? cell.readStamp[0] : cell.writeStamp) = stamp;
      (isRead ? cell.readSlot[0] : cell.writeSlot) = op.slot;
    });
  freeNumbers.push_back(op.openNumber);
  op.openNumber = 0;
}

void LdsRaces::arrive(const WaveState &wave, const MemoryOps &ops) {
  for (MemoryOp *op : ops.ldsQueue())
    open(*op, wave);
}
