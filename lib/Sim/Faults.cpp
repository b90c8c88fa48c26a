//===- Faults.cpp - messages of a launch that stopped ---------------------===//

#include "Faults.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::sim;
using namespace llvm;

char FaultError::ID = 0;

void FaultError::log(raw_ostream &os) const { os << message; }

std::error_code FaultError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Result &Result::operator+=(const Result &other) {
  workgroups += other.workgroups;
  waves += other.waves;
  instructions += other.instructions;
  barriers += other.barriers;
  bufferReadsOutOfRange += other.bufferReadsOutOfRange;
  bufferWritesDropped += other.bufferWritesDropped;
  ldsOutOfRange += other.ldsOutOfRange;
  return *this;
}

/// "v_add_f32_e32 v0, v1, v2 (02 05 00 02)"
static std::string describe(const isa::Instruction &inst) {
  std::string text = inst.text.str() + " (";
  for (unsigned i = 0; i != inst.size; ++i)
    text += formatv("{0}{1:x-2}", i ? " " : "", inst.bytes[i]).str();
  return text + ")";
}

/// The allocation next to a bad address, so that an overrun shows its size.
static std::string describeNearest(const DeviceMemory &memory,
                                   uint64_t address) {
  const MemoryRegion *region = memory.nearest(address);
  if (!region)
    return "no memory is allocated";
  uint64_t base = region->base + region->frontGuard;
  uint64_t size = region->size - region->frontGuard - region->backGuard;
  bool before = address < base;
  uint64_t distance = before                  ? base - address
                      : address - base < size ? 0
                                              : address - base - size;
  std::string name = region->name.empty() ? "unnamed" : region->name;
  if (distance == 0 && !before)
    return formatv("it runs over the end of '{0}', {1} bytes at {2:x}", name,
                   size, base);
  return formatv("{0} bytes {1} '{2}', {3} bytes at {4:x}", distance,
                 before ? "before" : "behind the end of", name, size, base);
}

static std::string describeCause(const WorkgroupState &workgroup,
                                 const Fault &fault) {
  const DeviceMemory &memory = *workgroup.launch.memory;
  const char *access = fault.isWrite ? "write" : "read";
  switch (fault.kind) {
  case FaultKind::UnknownInstruction:
    return "unknown instruction";
  case FaultKind::Unimplemented:
    return fault.reason[0] ? formatv("unimplemented: {0}", fault.reason).str()
                           : "unimplemented instruction";
  case FaultKind::UnmappedAccess:
    if ((fault.address >> 32) == (privateApertureBase >> 32))
      return formatv("scratch {0} of {1} bytes at {2}, a lane has {3} bytes",
                     access, fault.bytes, uint32_t(fault.address),
                     workgroup.launch.privateBytes);
    return formatv("{0} of {1} bytes at unmapped address {2:x}: {3}", access,
                   fault.bytes, fault.address,
                   describeNearest(memory, fault.address));
  case FaultKind::LdsOutOfRange:
    return formatv("LDS {0} of {1} bytes at {2}, the workgroup has {3} bytes",
                   access, fault.bytes, fault.address,
                   workgroup.launch.ldsBytes);
  case FaultKind::MisalignedAccess:
    return formatv("{0} of {1} bytes at misaligned address {2:x}", access,
                   fault.bytes, fault.address);
  case FaultKind::BadProgramCounter:
    return "no instruction starts at this pc";
  case FaultKind::Barrier:
    if (fault.lane >= 0)
      return fault.reason;
    return formatv("{0} of {1} waves at barrier, the others have ended",
                   workgroup.waitingWaves(),
                   workgroup.launch.wavesPerWorkgroup);
  case FaultKind::Budget: {
    std::string text = formatv("no end after {0} instructions of one wave",
                               workgroup.launch.options.maxInstructionsPerWave);
    if (unsigned waiting = workgroup.countWaiting())
      text += formatv("; {0} of {1} waves wait at a barrier", waiting,
                      workgroup.launch.wavesPerWorkgroup);
    return text;
  }
  case FaultKind::Trap:
    return fault.reason;
  case FaultKind::None:
    break;
  }
  return "no fault";
}

Error sim::makeFaultError(const WorkgroupState &workgroup) {
  const WaveState &wave = workgroup.faultedWave();
  const LaunchState &launch = workgroup.launch;
  auto error = std::make_unique<FaultError>();
  error->fault = wave.fault;
  error->workgroup = workgroup.id();
  error->wave = wave.waveIndex;
  error->kernel = launch.kernel->name;
  const isa::Program &program = launch.program->program();
  size_t index = program.indexOf(wave.fault.pc);
  if (index != isa::Program::npos)
    error->instruction = describe(program.instructions()[index]);
  error->message =
      formatv("kernel '{0}', workgroup ({1}, {2}, {3}), wave {4}",
              error->kernel, error->workgroup[0], error->workgroup[1],
              error->workgroup[2], error->wave);
  if (wave.fault.lane >= 0)
    error->message += formatv(", lane {0}", wave.fault.lane);
  error->message += formatv(", pc {0:x}: {1}", wave.fault.pc,
                            describeCause(workgroup, wave.fault));
  if (!error->instruction.empty())
    error->message += "; at: " + error->instruction;
  std::string source = launch.program->lines().at(wave.fault.pc);
  if (!source.empty())
    error->message += " (" + source + ")";
  return Error(std::move(error));
}

Error sim::addFindings(Error fault, std::vector<Finding> findings) {
  return handleErrors(
      std::move(fault), [&](std::unique_ptr<FaultError> error) -> Error {
        for (const Finding &finding : findings)
          error->message += "\nfound before: " + finding.message;
        error->findings = std::move(findings);
        return Error(std::move(error));
      });
}
