//===- SimulatorLaunch.cpp - Run a kernel with arguments ------------------===//
#include "fly/Launch/SimulatorLaunch.h"

#include "SimulatorDevice.h"

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

llvm::Expected<sim::Result> fly::launch::launchOnSimulator(
    llvm::StringRef object, llvm::StringRef kernel, const LaunchSize &size,
    std::vector<Argument> &arguments, const sim::SimOptions &options) {
  SimulatorDevice device(options);
  if (llvm::Error error = device.load(object))
    return error;
  std::vector<SimulatorDevice::Value> values;
  for (Argument &argument : arguments) {
    uint64_t bits = argument.bits;
    if (argument.buffer) {
      llvm::Expected<uint64_t> address =
          device.upload(*argument.buffer, argument.parameter.alignment);
      if (!address)
        return address.takeError();
      bits = *address;
    }
    values.push_back({bits, argument.parameter.size});
  }
  llvm::Expected<sim::Result> result = device.launch(kernel, size, values);
  for (auto [argument, value] : llvm::zip(arguments, values)) {
    if (!argument.buffer)
      continue;
    if (llvm::Error error = device.download(value.bits, *argument.buffer)) {
      if (!result)
        return llvm::joinErrors(result.takeError(), std::move(error));
      return error;
    }
  }
  return result;
}
