//===- Simulator.h - run code objects on the host ---------------*- C++ -*-===//
//
// What problem: few people have the GPU at hand; the bytes that it would run
// should give the same values on any machine.
// What idea: decode once, bind each instruction to a function, run workgroup
// after workgroup over simulated memory. See docs/Simulator/Model.md for what
// is exact and what is assumed.
// What it refuses: everything wrong with an object, a launch or a running wave
// is an llvm::Error; a fault of a wave is a FaultError with its place.
//
// Example:
//   Simulator simulator;
//   auto program = simulator.load(bytes);
//   auto buffer = simulator.memory().allocate(4096);
//   LaunchParams params;
//   params.program = *program;
//   params.arguments = {ArgumentValue::pointer(*buffer)};
//   llvm::Expected<Result> result = simulator.launch(params);
//
//===----------------------------------------------------------------------===//

#ifndef FLY_SIM_SIMULATOR_H
#define FLY_SIM_SIMULATOR_H

#include "fly/Isa/CodeObject.h"
#include "fly/Isa/Decoder.h"
#include "fly/Isa/LineTable.h"
#include "fly/Sim/Executors.h"
#include "fly/Sim/Launch.h"
#include "fly/Sim/Memory.h"
#include "fly/Sim/Result.h"

#include <memory>
#include <vector>

namespace fly::sim {

/// A code object in a simulator's memory, decoded and bound to executors.
class LoadedProgram {
public:
  const isa::CodeObject &object() const { return codeObject; }
  const isa::Program &program() const { return *decoded; }
  ChipKind chip() const { return chipKind; }
  /// Device address of the object's address 0.
  uint64_t loadBase() const { return base; }

  /// What to call for the dword at an offset of the code range.
  struct Slot {
    ExecFn execute = nullptr;
    const isa::Instruction *instruction = nullptr;
  };
  /// One slot a dword from codeBegin() on; dwords that start no instruction
  /// are bound to a fault.
  const std::vector<Slot> &slots() const { return slotTable; }
  /// Object address of the first slot.
  uint64_t codeBegin() const { return codeStart; }
  /// Source lines, where the object has them.
  const isa::LineTable &lines() const { return lineTable; }
  /// Some global atomic gives results that depend on order.
  bool hasOrderedAtomics() const { return orderedAtomics; }

private:
  friend class Simulator;
  isa::CodeObject codeObject;
  std::unique_ptr<isa::Program> decoded;
  ChipKind chipKind = ChipKind::Gfx942;
  uint64_t base = 0;
  uint64_t codeStart = 0;
  std::vector<Slot> slotTable;
  isa::Instruction gap;
  isa::LineTable lineTable;
  bool orderedAtomics = false;
};

/// A device: memory and loaded programs. An instance is used by one thread at
/// a time; any number may live in a process.
class Simulator {
public:
  Simulator();
  ~Simulator();
  Simulator(const Simulator &) = delete;
  Simulator &operator=(const Simulator &) = delete;

  DeviceMemory &memory() { return deviceMemory; }

  /// Loads a code object; the program lives as long as the simulator.
  llvm::Expected<const LoadedProgram *>
  load(llvm::StringRef bytes, llvm::StringRef name = "code object");

  /// Runs a kernel to its end. Memory holds what it wrote, also on a fault.
  llvm::Expected<Result> launch(const LaunchParams &params);

private:
  DeviceMemory deviceMemory;
  std::vector<std::unique_ptr<LoadedProgram>> programs;
};

} // namespace fly::sim

#endif // FLY_SIM_SIMULATOR_H
