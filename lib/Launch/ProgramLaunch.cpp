//===- ProgramLaunch.cpp - Run a program on the simulator -----------------===//
//
// All memory lies on the device from the first step to the last. Numbers that a
// launch passes must fit what the kernel takes: the contract computes in 64
// bits.
//
//===----------------------------------------------------------------------===//
#include "fly/Launch/ProgramLaunch.h"

#include "fly/Contract/Checks.h"

#include "llvm/ADT/StringMap.h"

#include "SimulatorDevice.h"

using namespace fly;
using namespace fly::launch;
using contract::ProgramMemory;
using llvm::StringRef;

llvm::Expected<std::vector<Parameter>>
fly::launch::parametersOf(const contract::ProgramContract &program) {
  // As of a kernel with these arguments.
  contract::LaunchContract whole;
  for (const ProgramMemory &memory : program.arguments)
    whole.arguments.push_back(memory.argument);
  whole.requirements = program.requirements;
  // What every run launches.
  for (const contract::Step &step : program.steps)
    llvm::append_range(whole.requirements, step.requirements);
  return parametersOf(whole);
}

/// The size of memory as a buffer has it.
static llvm::Expected<std::optional<std::pair<Shape, int64_t>>>
findShape(const contract::ProgramContract &program, const ProgramMemory &memory,
          contract::Bindings bindings) {
  llvm::Expected<std::optional<contract::MemorySize>> size =
      contract::sizeOf(program, memory, bindings);
  if (!size)
    return size.takeError();
  if (!*size)
    return std::nullopt;
  Shape shape;
  shape.extents.assign((*size)->extents.begin(), (*size)->extents.end());
  shape.strides.assign((*size)->strides.begin(), (*size)->strides.end());
  return std::pair(shape, (*size)->elements);
}

llvm::Error
fly::launch::allocateBuffers(std::vector<Argument> &arguments,
                             const contract::ProgramContract &program,
                             llvm::ArrayRef<NamedSpec> specs, uint64_t seed) {
  auto bindings = [&](StringRef name) { return lookupScalar(arguments, name); };
  if (llvm::Error error = contract::checkRequirements(program, bindings))
    return error;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!argument.parameter.isPointer)
      continue;
    auto shape = findShape(program, program.arguments[index], bindings);
    if (!shape)
      return shape.takeError();
    std::optional<Shape> known;
    if (*shape)
      known = (*shape)->first;
    if (llvm::Error error = allocateBuffer(
            argument, index, known, *shape ? (*shape)->second : 0, specs, seed))
      return error;
  }
  return llvm::Error::success();
}

namespace {

/// A program while it runs.
class Runner {
public:
  Runner(const contract::ObjectContracts &contracts,
         const contract::ProgramContract &program,
         std::vector<Argument> &arguments, const sim::SimOptions &options,
         ChannelReader readChannel)
      : contracts(contracts), program(program), arguments(arguments),
        readChannel(readChannel), device(options) {}

  llvm::Expected<ProgramRun> run(StringRef object);

private:
  struct Placed {
    Buffer *buffer = nullptr;
    uint64_t address = 0;
  };
  llvm::Error makeWorkspaces();
  llvm::Error uploadAll();
  llvm::Error downloadAll();
  llvm::Error runStep(const contract::Step &step, contract::Bindings values);
  llvm::Error fill(const contract::Step &step, contract::Bindings values);
  llvm::Error launch(const contract::Step &step, contract::Bindings values);
  /// A fresh channel of the kernel on the device, and its address.
  llvm::Expected<Placed> makeChannel(const contract::LaunchContract &kernel,
                                     const Parameter &parameter,
                                     std::vector<Argument> &channel);
  llvm::Expected<SimulatorDevice::Value>
  evaluate(const contract::Binding &binding, const Parameter &parameter,
           contract::Bindings values);
  /// Notes whether workspaces that the kernel wants zeroed are.
  void checkWorkspaces(const contract::Step &step,
                       const contract::LaunchContract &kernel, bool isAfter);

  std::optional<int64_t> lookup(StringRef name) const {
    return lookupScalar(arguments, name);
  }
  std::optional<double> lookupFloat(StringRef name) const {
    for (const Argument &argument : arguments)
      if (argument.parameter.name == name && argument.parameter.type &&
          argument.parameter.type->isFloat())
        return argument.parameter.type->decode(argument.bits);
    return std::nullopt;
  }
  uint8_t *hostOf(StringRef name) {
    const Placed &place = memory[name];
    return device.memory().host(place.address, place.buffer->bytes());
  }

  const contract::ObjectContracts &contracts;
  const contract::ProgramContract &program;
  std::vector<Argument> &arguments;
  std::vector<Argument> workspaces;
  ChannelReader readChannel;
  SimulatorDevice device;
  llvm::StringMap<Placed> memory;
  ProgramRun result;
};

} // namespace

llvm::Error Runner::makeWorkspaces() {
  auto bindings = [&](StringRef name) { return lookup(name); };
  contract::LaunchContract whole;
  for (const ProgramMemory &workspace : program.workspaces)
    whole.arguments.push_back(workspace.argument);
  llvm::Expected<std::vector<Parameter>> parameters = parametersOf(whole);
  if (!parameters)
    return parameters.takeError();
  for (auto [index, parameter] : llvm::enumerate(*parameters)) {
    auto shape = findShape(program, program.workspaces[index], bindings);
    if (!shape)
      return shape.takeError();
    Argument &argument = workspaces.emplace_back();
    argument.parameter = parameter;
    if (llvm::Error error = allocateBuffer(argument, index, (*shape)->first,
                                           (*shape)->second, {}, /*seed=*/0))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Runner::uploadAll() {
  for (std::vector<Argument> *list : {&arguments, &workspaces})
    for (Argument &argument : *list) {
      if (!argument.buffer)
        continue;
      llvm::Expected<uint64_t> address =
          device.upload(*argument.buffer, argument.parameter.alignment);
      if (!address)
        return address.takeError();
      memory[argument.parameter.name] = {&*argument.buffer, *address};
    }
  return llvm::Error::success();
}

llvm::Error Runner::downloadAll() {
  llvm::Error all = llvm::Error::success();
  for (auto &entry : memory)
    all =
        llvm::joinErrors(std::move(all), device.download(entry.second.address,
                                                         *entry.second.buffer));
  return all;
}

llvm::Error Runner::fill(const contract::Step &step,
                         contract::Bindings values) {
  llvm::Expected<int64_t> elements =
      contract::countElements(step.extents, values);
  if (!elements)
    return elements.takeError();
  Buffer &buffer = *memory[step.memory].buffer;
  if (*elements > buffer.elements())
    return llvm::createStringError(
        "fill of '" + step.memory + "' writes " + llvm::Twine(*elements) +
        " elements, it has " + llvm::Twine(buffer.elements()));
  uint8_t *bytes = hostOf(step.memory);
  for (int64_t i = 0; i < *elements; ++i)
    buffer.type().storeBits(bytes, i, step.bits);
  return llvm::Error::success();
}

llvm::Expected<SimulatorDevice::Value>
Runner::evaluate(const contract::Binding &binding, const Parameter &parameter,
                 contract::Bindings values) {
  SimulatorDevice::Value value{0, parameter.size};
  if (!binding.memory.empty()) {
    value.bits = memory[binding.memory].address;
    return value;
  }
  if (parameter.type->isFloat()) {
    llvm::Expected<double> number =
        contract::evaluate(binding.terms, values,
                           [&](StringRef name) { return lookupFloat(name); });
    if (!number)
      return number.takeError();
    value.bits = parameter.type->encode(*number);
    return value;
  }
  llvm::Expected<int64_t> number = binding.value.evaluate(values);
  if (!number)
    return number.takeError();
  if (parameter.type->wrap(*number) != *number)
    return llvm::createStringError("argument '" + binding.argument +
                                   "' = " + binding.value.str() + " is " +
                                   llvm::Twine(*number) + ", which no " +
                                   parameter.type->name() + " holds");
  value.bits = uint64_t(*number);
  return value;
}

void Runner::checkWorkspaces(const contract::Step &step,
                             const contract::LaunchContract &kernel,
                             bool isAfter) {
  for (auto [argument, binding] : llvm::zip(kernel.arguments, step.bindings)) {
    if (!argument.workspace || argument.fill != "zeros" ||
        !result.failedCheck.empty())
      continue;
    llvm::ArrayRef<uint8_t> bytes(hostOf(binding.memory),
                                  memory[binding.memory].buffer->bytes());
    llvm::Error error = checkZeroed(argument.name, bytes);
    if (error && !isAfter)
      result.failedCheck = "kernel '" + step.kernel +
                           "' wants zeros in its workspace '" + argument.name +
                           "': fill '" + binding.memory + "' before";
    else if (error)
      result.failedCheck =
          "kernel '" + step.kernel + "': " + llvm::toString(std::move(error));
    llvm::consumeError(std::move(error));
  }
}

llvm::Expected<Runner::Placed>
Runner::makeChannel(const contract::LaunchContract &kernel,
                    const Parameter &parameter,
                    std::vector<Argument> &channel) {
  channel.emplace_back().parameter = parameter;
  if (llvm::Error error =
          launch::allocateBuffers(channel, kernel, {}, /*seed=*/0))
    return std::move(error);
  Buffer &buffer = *channel.back().buffer;
  llvm::Expected<uint64_t> address = device.upload(buffer, parameter.alignment);
  if (!address)
    return address.takeError();
  return Placed{&buffer, *address};
}

llvm::Error Runner::launch(const contract::Step &step,
                           contract::Bindings scalars) {
  const contract::LaunchContract *kernel =
      contract::findKernel(contracts.kernels, step);
  if (!kernel)
    return llvm::createStringError("the object has no contract of the kernel");
  llvm::Expected<std::vector<Parameter>> parameters = parametersOf(*kernel);
  if (!parameters)
    return parameters.takeError();
  if (parameters->size() != step.bindings.size())
    return llvm::createStringError(
        "the program passes " + llvm::Twine(step.bindings.size()) +
        " arguments, the kernel takes " + llvm::Twine(parameters->size()));
  // The kernel's own words: its size is evaluated over its own arguments.
  std::vector<Argument> passed;
  std::vector<SimulatorDevice::Value> values;
  std::vector<Argument> channel;
  Placed said;
  for (auto [parameter, binding] : llvm::zip(*parameters, step.bindings)) {
    if (binding.memory == contract::channelArgument) {
      llvm::Expected<Placed> made = makeChannel(*kernel, parameter, channel);
      if (!made)
        return made.takeError();
      said = *made;
      values.push_back({said.address, parameter.size});
      passed.emplace_back().parameter = parameter;
      continue;
    }
    llvm::Expected<SimulatorDevice::Value> value =
        evaluate(binding, parameter, scalars);
    if (!value)
      return value.takeError();
    values.push_back(*value);
    Argument &argument = passed.emplace_back();
    argument.parameter = parameter;
    argument.bits = value->bits;
  }
  llvm::Expected<LaunchSize> size = sizeOf(*kernel, passed);
  if (!size)
    return size.takeError();
  checkWorkspaces(step, *kernel, /*isAfter=*/false);
  llvm::Expected<sim::Result> launched =
      device.launch(step.kernel, *size, values);
  if (said.buffer) {
    if (llvm::Error error = device.download(said.address, *said.buffer))
      return llvm::joinErrors(launched.takeError(), std::move(error));
    if (readChannel)
      readChannel(*kernel,
                  {reinterpret_cast<const uint32_t *>(said.buffer->data()),
                   said.buffer->bytes() / sizeof(uint32_t)});
  }
  if (!launched)
    return launched.takeError();
  checkWorkspaces(step, *kernel, /*isAfter=*/true);
  result.launches.push_back({step.kernel, *size, *launched});
  return llvm::Error::success();
}

llvm::Error Runner::runStep(const contract::Step &step,
                            contract::Bindings values) {
  if (step.kind == contract::Step::Kind::Fill)
    return fill(step, values);
  // Requirements were checked before the first step.
  if (step.kind != contract::Step::Kind::Launch)
    return llvm::Error::success();
  std::string what = "launch of '" + step.kernel + "': ";
  // A fault stays one: whoever runs the program tells it from other errors.
  return llvm::handleErrors(
      launch(step, values),
      [&](std::unique_ptr<sim::FaultError> fault) -> llvm::Error {
        fault->message = what + fault->message;
        return llvm::Error(std::move(fault));
      },
      [&](std::unique_ptr<llvm::ErrorInfoBase> other) -> llvm::Error {
        return llvm::createStringError(what + other->message());
      });
}

llvm::Expected<ProgramRun> Runner::run(StringRef object) {
  if (llvm::Error error = device.load(object))
    return error;
  if (llvm::Error error = makeWorkspaces())
    return error;
  if (llvm::Error error = uploadAll())
    return error;
  // What was written until it fails is of use.
  llvm::Error failed = contract::visitSteps(
      program, [&](StringRef name) { return lookup(name); },
      [&](const contract::Step &step, contract::Bindings values) {
        return runStep(step, values);
      });
  llvm::Error down = downloadAll();
  if (failed || down)
    return llvm::joinErrors(std::move(failed), std::move(down));
  if (llvm::Error error = checkGuards(workspaces))
    result.failedCheck = llvm::toString(std::move(error));
  return std::move(result);
}

llvm::Expected<ProgramRun> fly::launch::launchOnSimulator(
    StringRef object, const contract::ObjectContracts &contracts,
    const contract::ProgramContract &program, std::vector<Argument> &arguments,
    const sim::SimOptions &options, ChannelReader readChannel) {
  return Runner(contracts, program, arguments, options, readChannel)
      .run(object);
}
