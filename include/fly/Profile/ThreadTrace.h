//===- ThreadTrace.h - What a thread trace tells of a kernel ----*- C++ -*-===//
//
// The data of one traced dispatch: how often each instruction ran and how long
// its waves stood at it, and, where asked for, what each wave did when. It is
// what rocprofv3 writes as a `ui_output_agent_*_dispatch_*` directory, and what
// the simulator's timing model gives; the reports know only this form, so that
// both are read alike. Times are cycles of the shader clock.
//
//===----------------------------------------------------------------------===//
#ifndef FLY_PROFILE_THREADTRACE_H
#define FLY_PROFILE_THREADTRACE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::profile {

/// The kind of an instruction as a thread trace numbers it. A matrix
/// instruction is Valu; waits, barriers and nops are Immediate.
enum class Category : uint8_t {
  None,
  ScalarMemory,
  Scalar,
  VectorMemory,
  Flat,
  Lds,
  Valu,
  Jump, ///< A branch that was taken.
  Next, ///< A branch that was not taken.
  Immediate,
  Context,
  Message,
  Bvh,
};

/// What a wave does during a stretch of its timeline.
enum class WaveState : uint8_t { Empty, Idle, Executes, Waits, Stalls };

/// "VALU", "LDS", ...: as the viewers call them.
llvm::StringRef name(Category category);
/// "exec", "wait", ...
llvm::StringRef name(WaveState state);

/// One instruction of the traced code: sums over all traced waves.
struct TracedInstruction {
  std::string text; ///< Disassembly; "; name" for the row that names a kernel.
  /// "file:line", innermost first, call sites after " -> "; may be empty.
  std::string source;
  uint32_t line = 0; ///< Its number in the trace; wave events refer to it.
  uint32_t codeObject = 0;
  uint64_t address = 0; ///< In the loaded code object.
  uint64_t hits = 0;
  uint64_t latency = 0; ///< Cycles: stall and issue.
  uint64_t stall = 0;   ///< Cycles between the first attempt and the issue.
  uint64_t idle = 0;    ///< Cycles of the wave before the first attempt.

  /// A row that names a kernel or comments; it has no hits of its own.
  bool isComment() const { return llvm::StringRef(text).starts_with(";"); }
};

/// One execution of an instruction by a wave.
struct WaveEvent {
  uint64_t time = 0; ///< First attempt to issue; issued at time + stall.
  Category category = Category::None;
  uint32_t stall = 0;
  uint32_t duration = 0; ///< Stall and issue cycles.
  uint32_t line = 0;     ///< TracedInstruction::line.
};

struct WaveStretch {
  WaveState state = WaveState::Empty;
  uint64_t duration = 0;
};

/// What a wait (by its line) waited for, over all its executions by a wave.
struct WaitLink {
  uint32_t wait = 0;             ///< TracedInstruction::line.
  std::vector<uint32_t> sources; ///< Lines of memory instructions, ascending.
};

/// One traced wave, and where it ran.
struct TracedWave {
  unsigned shaderEngine = 0, cu = 0, simd = 0, slot = 0, id = 0;
  uint64_t begin = 0, end = 0;
  std::vector<WaveEvent> events;
  std::vector<WaveStretch> timeline;
  std::vector<WaitLink> waits; ///< Ascending by line.
};

/// A source file, as it was when it was compiled.
struct TracedSource {
  std::string name; ///< As TracedInstruction::source spells it.
  std::string text;
};

/// A wave that begins (or ends) somewhere on the chip.
struct OccupancyEvent {
  uint64_t time = 0;
  unsigned shaderEngine = 0, cu = 0, simd = 0, slot = 0;
  bool starts = false;
  uint32_t kernel = 0; ///< An index of ThreadTrace::kernels.
};

/// What fly-run calls itself in the traces of its simulator.
inline constexpr llvm::StringLiteral simulatorName = "fly";

/// One traced dispatch.
struct ThreadTrace {
  bool isSimulated() const { return writer == simulatorName; }

  /// "rocprofv3 3.0.0", or simulatorName; empty where no file tells.
  std::string writer;
  std::string agent, dispatch;      ///< Of the directory's name; may be empty.
  std::vector<std::string> kernels; ///< Names, as the writer spells them.
  std::vector<TracedInstruction> instructions; ///< Ascending by line.
  std::vector<TracedWave> waves;               ///< Empty unless asked for.
  std::vector<OccupancyEvent> occupancy;       ///< Ascending by time.
  std::vector<TracedSource> sources;
  /// Of the shader clock; 0 if unknown.
  double clockMhz = 0;
};

} // namespace fly::profile

#endif // FLY_PROFILE_THREADTRACE_H
