//===- ThreadTraceView.cpp - A timed launch as a thread trace -------------===//
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/InstructionClass.h"
#include "fly/Isa/InstructionKind.h"
#include "fly/Reports/Timing/TraceView.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

#include "WaitLinks.h"

using namespace fly;
using namespace fly::reports;
using namespace fly::sim;
using isa::Instruction;
using profile::Category;
using profile::ThreadTrace;
using profile::TracedInstruction;
using profile::TracedWave;
using profile::WaveState;

/// The kind of one execution; `isJump` says that it did not go straight on.
static Category categoryOf(const Instruction &inst, bool isJump) {
  using isa::InstructionKind;
  switch (kindOf(inst)) {
  case InstructionKind::Mfma:
  case InstructionKind::AccumulatorMove:
  case InstructionKind::Valu:
    return Category::Valu;
  case InstructionKind::VectorLoad:
  case InstructionKind::VectorStore:
  case InstructionKind::LdsDma:
    return isFlat(inst) ? Category::Flat : Category::VectorMemory;
  case InstructionKind::LdsRead:
  case InstructionKind::LdsWrite:
  case InstructionKind::LdsOther:
    return Category::Lds;
  case InstructionKind::ScalarMemory:
    return Category::ScalarMemory;
  case InstructionKind::Branch:
    return isJump ? Category::Jump : Category::Next;
  case InstructionKind::Salu:
    return Category::Scalar;
  case InstructionKind::Wait:
  case InstructionKind::Barrier:
  case InstructionKind::Nop:
  case InstructionKind::Other:
    break;
  }
  return inst.mnemonic.starts_with("s_sendmsg") ? Category::Message
                                                : Category::Immediate;
}

namespace {

class TraceBuilder {
public:
  TraceBuilder(const TimedDispatch &dispatch)
      : dispatch(dispatch), timing(*dispatch.timing) {}
  ThreadTrace build();

private:
  void addInstructions();
  void addWave(const WaveTiming &wave);
  /// Counts an execution in the row of its instruction.
  void addEvent(uint32_t instruction, const IssueEvent &event);
  void numberWaves();
  void addOccupancy();
  const Instruction &decoded(uint32_t instruction) const {
    return dispatch.program->instructions()[dispatch.program->indexOf(
        timing.instructions[instruction].pc)];
  }

  const TimedDispatch &dispatch;
  const TimingResult &timing;
  ThreadTrace trace;
  std::vector<uint32_t> lines; ///< By index in TimingResult::instructions.
  std::vector<size_t> rows;    ///< The same in ThreadTrace::instructions.
};

} // namespace

/// The kernel's own code, and what else of the object the launch has executed.
/// A row that names the kernel stands in front of it.
void TraceBuilder::addInstructions() {
  const isa::Kernel &kernel = *dispatch.kernel;
  uint32_t line = 0;
  lines.assign(timing.instructions.size(), 0);
  rows.assign(timing.instructions.size(), 0);
  for (auto [index, row] : llvm::enumerate(timing.instructions)) {
    bool isOfKernel =
        row.pc >= kernel.entry && row.pc < kernel.entry + kernel.codeSize;
    if (!isOfKernel && !row.hits)
      continue;
    TracedInstruction traced;
    traced.codeObject = 1;
    traced.address = row.pc;
    if (row.pc == kernel.entry) {
      traced.text = "; " + kernel.name;
      traced.source = kernel.name;
      traced.line = line++;
      trace.instructions.push_back(traced);
    } else if (line == 0) {
      ++line; // Readers skip what stands on line 0.
    }
    traced.text = row.text;
    traced.source = row.source;
    traced.line = lines[index] = line++;
    rows[index] = trace.instructions.size();
    trace.instructions.push_back(traced);
  }
}

/// Appends a stretch; equal ones that follow each other are one.
static void append(std::vector<profile::WaveStretch> &timeline, WaveState state,
                   uint64_t duration) {
  if (duration == 0)
    return;
  if (!timeline.empty() && timeline.back().state == state)
    timeline.back().duration += duration;
  else
    timeline.push_back({state, duration});
}

void TraceBuilder::addEvent(uint32_t instruction, const IssueEvent &event) {
  TracedInstruction &row = trace.instructions[rows[instruction]];
  uint32_t stall = event.stall - event.idle;
  ++row.hits;
  row.idle += event.idle;
  row.stall += stall;
  row.latency += stall + event.issue;
}

void TraceBuilder::addWave(const WaveTiming &wave) {
  TracedWave traced;
  traced.shaderEngine = wave.xcd;
  traced.cu = wave.cu;
  traced.simd = wave.simd;
  traced.slot = wave.slot;
  traced.begin = wave.begin;
  traced.end = wave.end;
  WaitLinks links;
  uint64_t at = wave.begin;
  for (auto [index, event] : llvm::enumerate(wave.events)) {
    const Instruction &inst = decoded(event.instruction);
    bool isJump =
        index + 1 != wave.events.size() &&
        decoded(wave.events[index + 1].instruction).pc != inst.pc + inst.size;
    uint32_t line = lines[event.instruction];
    uint32_t stall = event.stall - event.idle;
    Category category = categoryOf(inst, isJump);
    traced.events.push_back(
        {event.time + event.idle, category, stall, stall + event.issue, line});
    links.execute(inst, line);
    addEvent(event.instruction, event);
    append(traced.timeline, WaveState::Idle, event.idle);
    append(traced.timeline,
           category == Category::Immediate ? WaveState::Waits
                                           : WaveState::Stalls,
           stall);
    append(traced.timeline, WaveState::Executes, event.issue);
    at = event.time + event.stall + event.issue;
  }
  append(traced.timeline, WaveState::Idle, wave.end - std::min(at, wave.end));
  traced.waits = links.links();
  trace.waves.push_back(std::move(traced));
}

/// Waves of a slot have numbers in the order in which they begin.
void TraceBuilder::numberWaves() {
  auto slotOf = [](const TracedWave &wave) {
    return std::tie(wave.shaderEngine, wave.cu, wave.simd, wave.slot);
  };
  llvm::sort(trace.waves, [&](const TracedWave &a, const TracedWave &b) {
    return std::tuple_cat(slotOf(a), std::tie(a.begin)) <
           std::tuple_cat(slotOf(b), std::tie(b.begin));
  });
  for (size_t i = 1; i < trace.waves.size(); ++i)
    if (slotOf(trace.waves[i]) == slotOf(trace.waves[i - 1]))
      trace.waves[i].id = trace.waves[i - 1].id + 1;
}

/// Of the engines whose waves are traced; another's would be waves without
/// files.
void TraceBuilder::addOccupancy() {
  std::set<unsigned> engines;
  for (const TracedWave &wave : trace.waves)
    engines.insert(wave.shaderEngine);
  for (const WaveTiming &wave : timing.waves) {
    if (!engines.count(wave.xcd))
      continue;
    for (bool starts : {true, false})
      trace.occupancy.push_back({starts ? wave.begin : wave.end, wave.xcd,
                                 wave.cu, wave.simd, wave.slot, starts,
                                 /*kernel=*/0});
  }
  // Where one wave ends and another begins there is never one too many.
  llvm::sort(trace.occupancy, [](const auto &a, const auto &b) {
    return std::tie(a.time, a.starts, a.shaderEngine, a.simd, a.slot) <
           std::tie(b.time, b.starts, b.shaderEngine, b.simd, b.slot);
  });
}

ThreadTrace TraceBuilder::build() {
  trace.writer = profile::simulatorName.str();
  trace.agent = simulatorAgent;
  trace.dispatch = std::to_string(dispatch.id);
  trace.kernels = {dispatch.kernel->name};
  trace.clockMhz = timing.clockMhz;
  addInstructions();
  for (const WaveTiming &wave : timing.waves)
    if (!wave.events.empty())
      addWave(wave);
  numberWaves();
  addOccupancy();
  return std::move(trace);
}

ThreadTrace fly::reports::toThreadTrace(const TimedDispatch &dispatch) {
  return TraceBuilder(dispatch).build();
}
