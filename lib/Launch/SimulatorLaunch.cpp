//===- SimulatorLaunch.cpp - Run a kernel with arguments ------------------===//
#include "fly/Launch/SimulatorLaunch.h"

using namespace fly;
using namespace fly::launch;

llvm::Expected<LaunchSize>
fly::launch::sizeOf(const contract::LaunchContract &contract,
                    llvm::ArrayRef<Argument> arguments) {
  auto bindings = [&](llvm::StringRef name) {
    return lookupScalar(arguments, name);
  };
  if (llvm::Error error = contract::checkRequirements(contract, bindings))
    return error;
  llvm::Expected<std::array<uint32_t, 3>> grid =
      contract::evaluateGrid(contract, bindings);
  if (!grid)
    return grid.takeError();
  llvm::Expected<int64_t> lds = contract.dynamicLdsBytes.evaluate(bindings);
  if (!lds)
    return lds.takeError();
  LaunchSize size;
  size.workgroups = *grid;
  size.workgroupSize = contract.block;
  size.dynamicLdsBytes = uint32_t(*lds);
  return size;
}

/// Copies a buffer and its guard bands to the device; gives the address of the
/// buffer's first byte.
static llvm::Expected<uint64_t> upload(sim::DeviceMemory &memory,
                                       Buffer &buffer) {
  llvm::MutableArrayRef<uint8_t> bytes = buffer.guarded();
  llvm::Expected<uint64_t> address =
      memory.allocate(bytes.size(), buffer.name());
  if (!address)
    return address.takeError();
  if (llvm::Error error = memory.write(*address, bytes))
    return error;
  return *address + Buffer::guardBytes;
}

llvm::Expected<sim::Result> fly::launch::launchOnSimulator(
    llvm::StringRef object, llvm::StringRef kernel, const LaunchSize &size,
    std::vector<Argument> &arguments, const sim::SimOptions &options) {
  sim::Simulator simulator;
  llvm::Expected<const sim::LoadedProgram *> program = simulator.load(object);
  if (!program)
    return program.takeError();
  sim::LaunchParams params;
  params.program = *program;
  params.kernel = kernel.str();
  params.workgroups = size.workgroups;
  params.workgroupSize = size.workgroupSize;
  params.dynamicLdsBytes = size.dynamicLdsBytes;
  params.options = options;
  for (Argument &argument : arguments) {
    sim::ArgumentValue value;
    uint64_t bits = argument.bits;
    if (argument.buffer) {
      llvm::Expected<uint64_t> address =
          upload(simulator.memory(), *argument.buffer);
      if (!address)
        return address.takeError();
      bits = *address;
    }
    value.bytes.resize(argument.parameter.size);
    std::memcpy(value.bytes.data(), &bits,
                std::min<size_t>(value.bytes.size(), sizeof(bits)));
    params.arguments.push_back(std::move(value));
  }
  // An empty grid is a launch that does nothing.
  bool isEmpty = llvm::is_contained(size.workgroups, 0u);
  llvm::Expected<sim::Result> result =
      isEmpty ? llvm::Expected<sim::Result>(sim::Result())
              : simulator.launch(params);
  for (auto [argument, value] : llvm::zip(arguments, params.arguments)) {
    if (!argument.buffer)
      continue;
    uint64_t address;
    std::memcpy(&address, value.bytes.data(), sizeof(address));
    if (llvm::Error error = simulator.memory().read(
            address - Buffer::guardBytes, argument.buffer->guarded())) {
      if (!result)
        return llvm::joinErrors(result.takeError(), std::move(error));
      return error;
    }
  }
  return result;
}
