//===- Workgroup.cpp - one running workgroup ------------------------------===//
//
// What problem: the waves of a workgroup share LDS and meet at barriers, and a
// wrong kernel may never end.
// What idea: waves run one after the other until each waits, ends or uses up
// its time slice; when none can run, the barrier is released or the workgroup
// is done. All of it is deterministic.
// What it refuses: a barrier that some waves can not reach (check), and a wave
// that exceeds its instruction budget.
//
//===----------------------------------------------------------------------===//

#include "Workgroup.h"

#include "llvm/ADT/STLExtras.h"

#include "Timing/TimeSlice.h"

using namespace fly;
using namespace fly::sim;

/// Registers of one wave in the shared array.
static constexpr size_t fileLanes = WaveState::numVectorRegisters;

WorkgroupState::WorkgroupState(const LaunchState &launch,
                               ExecutionListener *listener)
    : launch(launch), listener(listener), slots(launch.program->slots().data()),
      waves(launch.wavesPerWorkgroup), executed(launch.wavesPerWorkgroup),
      registers(new LaneBuffer[launch.wavesPerWorkgroup * fileLanes]),
      lds(launch.ldsBytes), scratch(size_t(launch.wavesPerWorkgroup) *
                                    waveLanes * launch.privateBytes) {}

bool WorkgroupState::find(uint64_t address, uint64_t bytes) {
  const MemoryRegion *region = launch.memory->find(address);
  if (!region)
    return false;
  Accessible found = {region->base, region->size, region->host};
  if (launch.options.checks.has(Check::Bounds)) {
    found.base += region->frontGuard;
    found.host += region->frontGuard;
    found.size -= region->frontGuard + region->backGuard;
  }
  if (address < found.base || bytes > found.size ||
      address - found.base > found.size - bytes)
    return false;
  last = found;
  return true;
}

/// Repeats a dword over `count` bytes.
static void fill(void *target, uint32_t value, size_t count) {
  uint8_t *bytes = static_cast<uint8_t *>(target);
  for (size_t i = 0; i + 4 <= count; i += 4)
    std::memcpy(bytes + i, &value, 4);
}

void WorkgroupState::initialiseWave(WaveState &wave) {
  const isa::KernelDescriptor &kd = launch.kernel->descriptor;
  const uint32_t pattern = launch.options.uninitialisedFill;
  unsigned index = unsigned(&wave - waves.data());
  wave = WaveState();
  wave.vectorFile = registers[index * fileLanes].lane;
  wave.waveIndex = index;
  wave.workgroup = this;
  wave.pc = launch.entry;
  wave.mode.bits = kd.floatMode() | (kd.dx10Clamp() ? 1u << 8 : 0) |
                   (kd.ieeeMode() ? 1u << 9 : 0) |
                   (kd.fp16Ovfl() ? 1u << 23 : 0);

  unsigned architected = std::min(kd.accumOffset(), kd.totalVectorRegisters());
  unsigned accumulation =
      std::min(kd.totalVectorRegisters() - architected, 256u);
  fill(wave.vgpr(0), pattern, size_t(architected) * sizeof(LaneBuffer));
  fill(wave.vgpr(WaveState::agprBase), pattern,
       size_t(accumulation) * sizeof(LaneBuffer));

  for (unsigned i = 0; i != 102; ++i)
    wave.sgpr[i] = pattern;
  unsigned next = 0;
  for (uint32_t value : launch.userSgprs)
    wave.sgpr[next++] = value;
  // System SGPRs follow the declared number of user SGPRs.
  next = kd.userSgprCount();
  for (unsigned dim = 0; dim != 3; ++dim)
    if (kd.enableWorkgroupId(dim))
      wave.sgpr[next++] = workgroupId[dim];
  if (kd.enableWorkgroupInfo())
    wave.sgpr[next++] = 0;

  // gfx90a and later pack the work-item ids into v0. [LLVM22] AMDGPUUsage
  uint64_t exec = 0;
  uint32_t *ids = wave.vgpr(0);
  for (unsigned lane = 0; lane != waveLanes; ++lane) {
    uint32_t flat = index * waveLanes + lane;
    if (flat >= launch.flatWorkgroupSize)
      break;
    exec |= uint64_t(1) << lane;
    uint32_t x = flat % launch.workgroupSize[0];
    uint32_t yz = flat / launch.workgroupSize[0];
    uint32_t y = yz % launch.workgroupSize[1];
    uint32_t z = yz / launch.workgroupSize[1];
    unsigned dims = kd.workitemIdDims();
    ids[lane] = x | (dims >= 1 ? y << 10 : 0) | (dims >= 2 ? z << 20 : 0);
  }
  wave.setExec(exec);
  wave.lanesAtStart = exec;
}

void WorkgroupState::reset(std::array<uint32_t, 3> id) {
  workgroupId = id;
  fill(lds.data(), launch.options.uninitialisedFill, lds.size());
  fill(scratch.data(), launch.options.uninitialisedFill, scratch.size());
  for (WaveState &wave : waves)
    initialiseWave(wave);
  llvm::fill(executed, 0);
}

/// Index mode of s_set_gpr_idx_on: adds M0[7:0] to the vector registers of the
/// operands that M0[15:12] selects.
static bool isIndexed(const isa::Instruction &inst) {
  switch (inst.format) {
  case isa::Format::VOP1:
  case isa::Format::VOP2:
  case isa::Format::VOPC:
  case isa::Format::VOP3:
  case isa::Format::VOP3P:
    return true;
  default:
    return false;
  }
}
/// The instruction with its registers moved. Faults if that is not possible.
static isa::Instruction shiftOperands(const isa::Instruction &inst,
                                      WaveState &wave) {
  isa::Instruction shifted = inst;
  unsigned index = wave.m0() & 0xff, enables = (wave.m0() >> 12) & 0xf;
  bool inRange = true;
  auto shift = [&](isa::Operand &operand) {
    if (operand.kind != isa::OperandKind::VGPR)
      return;
    operand.reg = uint16_t(operand.reg + index);
    inRange &= operand.reg + operand.dwords <= WaveState::agprBase;
  };
  for (unsigned i = 0; i != 3; ++i)
    if (enables & (1u << i))
      shift(shifted.src[i]);
  if (enables & 8)
    shift(shifted.dst[0]);
  if (!inRange)
    wave.raise(FaultKind::Trap, inst,
               "a register index of s_set_gpr_idx is over 255");
  return shifted;
}

void WorkgroupState::executeWatched(const isa::Instruction &inst,
                                    ExecFn execute, size_t slot,
                                    WaveState &wave) {
  accesses.clear();
  listener->before(inst, slot, wave);
  execute(inst, wave);
  if (wave.status != WaveStatus::Faulted)
    listener->after(inst, slot, wave, accesses);
}

template <bool isWatched>
void WorkgroupState::runWaveAs(WaveState &wave, uint64_t slice) {
  const LoadedProgram &program = *launch.program;
  const uint64_t slotCount = program.slots().size();
  const uint64_t codeBase = program.loadBase() + program.codeBegin();
  uint64_t &count = executed[wave.waveIndex];
  uint64_t end = count + slice;
  bool budgetEnds = end >= launch.options.maxInstructionsPerWave;
  if (budgetEnds)
    end = launch.options.maxInstructionsPerWave;

  while (count != end) {
    uint64_t index = (wave.pc - codeBase) >> 2;
    if (LLVM_UNLIKELY(index >= slotCount || (wave.pc & 3))) {
      isa::Instruction nowhere;
      nowhere.pc = wave.pc - program.loadBase();
      wave.raise(FaultKind::BadProgramCounter, nowhere);
      return;
    }
    const LoadedProgram::Slot &slot = slots[index];
    wave.pc += slot.instruction->size;
    ++count;
    if constexpr (isWatched)
      if (!slot.execute)
        continue; // No part of the slice.
    if (LLVM_UNLIKELY(wave.mode.gprIndexEnabled() &&
                      isIndexed(*slot.instruction))) {
      isa::Instruction shifted = shiftOperands(*slot.instruction, wave);
      if (wave.status != WaveStatus::Running)
        return;
      if constexpr (isWatched)
        executeWatched(shifted, slot.execute, ExecutionListener::noSlot, wave);
      else
        slot.execute(shifted, wave);
    } else if constexpr (isWatched) {
      executeWatched(*slot.instruction, slot.execute, index, wave);
    } else {
      slot.execute(*slot.instruction, wave);
    }
    if (wave.status != WaveStatus::Running)
      return;
  }
  if (budgetEnds) {
    isa::Instruction here;
    here.pc = wave.pc - program.loadBase();
    wave.raise(FaultKind::Budget, here);
  }
}

unsigned WorkgroupState::countWaiting() const {
  return unsigned(llvm::count_if(waves, [](const WaveState &wave) {
    return wave.status == WaveStatus::AtBarrier;
  }));
}

bool WorkgroupState::releaseBarrier() {
  unsigned waiting = countWaiting();
  if (waiting == 0)
    return false;
  if (waiting != waves.size() && launch.options.checks.has(Check::Barriers)) {
    WaveState &first = *llvm::find_if(waves, [](const WaveState &wave) {
      return wave.status == WaveStatus::AtBarrier;
    });
    isa::Instruction barrier;
    barrier.pc = first.pc - 4 - launch.program->loadBase();
    waitingAtFault = waiting;
    first.raise(FaultKind::Barrier, barrier);
    return false;
  }
  for (WaveState &wave : waves)
    if (wave.status == WaveStatus::AtBarrier)
      wave.status = WaveStatus::Running;
  ++counts.barriers;
  if (listener)
    listener->releaseBarrier(*this);
  return true;
}

void WorkgroupState::start(std::array<uint32_t, 3> id) {
  reset(id);
  if (launch.slice)
    slots = launch.slice->slotsOf(linearId());
  random.seed(uint32_t(launch.options.interleaveSeed + linearId() * 7919));
  if (listener)
    listener->startWorkgroup(*this);
}

/// With a seed, a wave runs at most so many instructions in a turn: few enough
/// to stop between any two, too many to slow the simulation much.
static constexpr unsigned maxDrawnInstructions = 97;

WaveState *WorkgroupState::drawWave() {
  unsigned running = unsigned(llvm::count_if(waves, [](const WaveState &wave) {
    return wave.status == WaveStatus::Running;
  }));
  if (running == 0)
    return nullptr;
  unsigned drawn = unsigned(random() % running);
  for (WaveState &wave : waves)
    if (wave.status == WaveStatus::Running && drawn-- == 0)
      return &wave;
  return nullptr;
}

WorkgroupState::Progress WorkgroupState::stop() {
  for (WaveState &wave : waves)
    if (wave.status == WaveStatus::Faulted) {
      faulted = wave.waveIndex;
      return Progress::Faulted;
    }
  return Progress::Ended;
}

WorkgroupState::Progress WorkgroupState::step() {
  bool anyRunning = false;
  if (launch.options.interleaveSeed != 0) {
    if (WaveState *wave = drawWave()) {
      runWave(*wave, 1 + random() % maxDrawnInstructions);
      if (wave->status == WaveStatus::Faulted)
        return stop();
      anyRunning = true;
    }
  } else {
    for (WaveState &wave : waves) {
      if (wave.status != WaveStatus::Running)
        continue;
      runWave(wave, launch.options.timeSliceInstructions);
      if (wave.status == WaveStatus::Faulted)
        return stop();
      anyRunning |= wave.status == WaveStatus::Running;
    }
  }
  if (anyRunning || releaseBarrier())
    return Progress::Running;
  return stop();
}

void WorkgroupState::finish() {
  if (listener)
    listener->endWorkgroup(*this);
  for (uint64_t count : executed)
    counts.instructions += count;
  counts.waves += waves.size();
  ++counts.workgroups;
}

uint32_t WaveState::special(unsigned code, unsigned dword) const {
  switch (code) {
  case 235: // shared_base
    return dword ? uint32_t(sharedApertureBase >> 32) : 0;
  case 236: // shared_limit
    return dword ? uint32_t(sharedApertureBase >> 32) : 0xffffffffu;
  case 237: // private_base
    return dword ? uint32_t(privateApertureBase >> 32) : 0;
  case 238: // private_limit
    return dword ? uint32_t(privateApertureBase >> 32) : 0xffffffffu;
  case 251:
    return vcc() == 0;
  case 252:
    return exec() == 0;
  case 253:
    return scc;
  default: // null
    return 0;
  }
}
