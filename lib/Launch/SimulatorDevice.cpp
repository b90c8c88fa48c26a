//===- SimulatorDevice.cpp - Buffers and launches on a simulator ----------===//
#include "SimulatorDevice.h"

#include "llvm/Support/MathExtras.h"

using namespace fly;
using namespace fly::launch;

llvm::Error SimulatorDevice::load(llvm::StringRef object) {
  llvm::Expected<const sim::LoadedProgram *> loaded = simulator.load(object);
  if (!loaded)
    return loaded.takeError();
  program = *loaded;
  return llvm::Error::success();
}

/// What allocators of runtimes give, for timing: rows that begin at 16 bytes
/// and no more share lines with their neighbours, which would be timed too.
static constexpr uint32_t allocatedAlignment = 256;

llvm::Expected<uint64_t> SimulatorDevice::upload(Buffer &buffer,
                                                 uint32_t alignment) {
  llvm::MutableArrayRef<uint8_t> bytes = buffer.guarded();
  alignment = std::max<uint32_t>(alignment, 1);
  // Allocations start at pages, so the distance from there is the alignment.
  uint64_t front = llvm::alignTo(Buffer::guardBytes, alignment);
  if (front % (uint64_t(2) * alignment) == 0)
    front += alignment;
  uint64_t skipped = front - Buffer::guardBytes;
  llvm::Expected<uint64_t> base =
      simulator.memory().allocate(skipped + bytes.size(), buffer.name());
  if (!base)
    return base.takeError();
  if (llvm::Error error = simulator.memory().write(*base + skipped, bytes))
    return error;
  // The range check drops whole dwords, so loads may read the rest of the last
  // one; what is written there shows in the guard bytes afterwards.
  uint64_t size = bytes.size() - 2 * Buffer::guardBytes;
  uint64_t rest = llvm::alignTo(size, 4) - size;
  simulator.memory().setGuards(*base, front, Buffer::guardBytes - rest);
  simulator.memory().setTimedShift(
      *base, llvm::alignTo(*base + front, allocatedAlignment) - *base - front);
  return *base + front;
}

llvm::Error SimulatorDevice::download(uint64_t address, Buffer &buffer) {
  return simulator.memory().read(address - Buffer::guardBytes,
                                 buffer.guarded());
}

llvm::Expected<sim::Result>
SimulatorDevice::launch(llvm::StringRef kernel, const LaunchSize &size,
                        llvm::ArrayRef<Value> values) {
  // An empty grid is a launch that does nothing.
  if (llvm::is_contained(size.workgroups, 0u))
    return sim::Result();
  sim::LaunchParams params;
  params.program = program;
  params.kernel = kernel.str();
  params.workgroups = size.workgroups;
  params.workgroupSize = size.workgroupSize;
  params.dynamicLdsBytes = size.dynamicLdsBytes;
  params.options = options;
  for (const Value &value : values) {
    sim::ArgumentValue argument;
    argument.bytes.resize(value.bytes);
    std::memcpy(argument.bytes.data(), &value.bits,
                std::min<size_t>(value.bytes, sizeof(value.bits)));
    params.arguments.push_back(std::move(argument));
  }
  llvm::Expected<sim::Result> result = simulator.launch(params);
  // The launches of a program share the room for events.
  if (result && result->timing)
    for (const sim::WaveTiming &wave : result->timing->waves)
      options.timing.timelineEvents -= wave.events.size();
  return result;
}
