//===- Launching.cpp - Arguments and launches of what is loaded -----------===//
#include "fly/Arch/Products.h"
#include "fly/Launch/ReferenceLaunch.h"

#include "Complaint.h"
#include "DebugRequest.h"
#include "LoadedKernel.h"

using namespace mlir;
using namespace fly;
using namespace fly::tools;
using launch::Argument;

/// Whether a fault is what the kernel did, not what the simulator cannot do.
static bool isOfKernel(sim::FaultKind kind) {
  return kind != sim::FaultKind::UnknownInstruction &&
         kind != sim::FaultKind::Unimplemented;
}

LogicalResult LoadedKernel::complainOfLaunch(const RunRequest &request,
                                             llvm::Error error,
                                             const launch::LaunchSize *size) {
  error = llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<sim::FaultError> fault) -> llvm::Error {
        // Nothing in a foreign object says how much dynamic LDS its kernels
        // expect: where an access falls behind what the launch has, that is the
        // likely reason.
        if (size && fault->fault.kind == sim::FaultKind::LdsOutOfRange)
          fault->message +=
              size->dynamicLdsBytes
                  ? "; is --dynamic-lds=" +
                        std::to_string(size->dynamicLdsBytes) + " too little?"
                  : "; a kernel with dynamic LDS needs --dynamic-lds=BYTES";
        hasCheckFailed |= isOfKernel(fault->fault.kind);
        return llvm::Error(std::move(fault));
      });
  return complain(request, std::move(error));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

FailureOr<std::vector<Argument>> LoadedKernel::bind(const RunRequest &request) {
  llvm::Expected<std::vector<launch::Parameter>> parameters =
      program    ? launch::parametersOf(*program)
      : contract ? launch::parametersOf(*contract)
      : code     ? launch::parametersOf(*code->findKernel(kernelName))
                 : launch::parametersOf(kernel);
  if (!parameters)
    return complain(request, parameters.takeError());
  llvm::Expected<std::vector<Argument>> arguments =
      launch::bindScalars(*parameters, request.specs);
  if (!arguments)
    return complain(request, arguments.takeError());
  if (program || code) {
    if (llvm::Error error = allocate(*arguments, request))
      return complain(request, std::move(error));
    // Nobody asks for the channel; each launch gets a fresh one.
    if (!arguments->empty() && arguments->back().buffer &&
        arguments->back().parameter.name == contract::channelArgument) {
      channel = std::move(arguments->back());
      arguments->pop_back();
    }
    return std::move(*arguments);
  }
  FailureOr<reference::LaunchPlan> plan =
      launch::planOnReference(kernel, *arguments);
  if (failed(plan))
    return failure();
  if (!isProgramIr) {
    LaunchRecord record{kernelName, {}, std::nullopt, std::nullopt};
    record.size.workgroups = {1, 1, 1};
    for (auto [dim, count] : llvm::enumerate(plan->grid))
      record.size.workgroups[dim] = uint32_t(count);
    records = {record};
  }
  if (llvm::Error error = launch::allocateBuffers(*arguments, *plan,
                                                  request.specs, request.seed))
    return complain(request, std::move(error));
  return std::move(*arguments);
}

/// The buffers of what has an object.
llvm::Error LoadedKernel::allocate(std::vector<Argument> &arguments,
                                   const RunRequest &request) {
  if (program)
    return launch::allocateBuffers(arguments, *program, request.specs,
                                   request.seed);
  if (contract) {
    // A launch that is refused should say so before buffers are made.
    llvm::Expected<launch::LaunchSize> checked =
        launch::sizeOf(*contract, arguments);
    if (!checked)
      return checked.takeError();
    return launch::allocateBuffers(arguments, *contract, request.specs,
                                   request.seed);
  }
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.parameter.isPointer)
      if (llvm::Error error = launch::allocateBuffer(
              argument, index, std::nullopt, 0, request.specs, request.seed))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

LogicalResult LoadedKernel::launchReference(std::vector<Argument> &arguments) {
  // Standard output is for the verdict. What the simulator has printed is not
  // printed again.
  return launch::launchOnReference(
      kernel, arguments, hasSpoken ? nullptr : &llvm::errs(), &hasCheckFailed);
}

launch::Tolerance LoadedKernel::tolerance(llvm::ArrayRef<Argument> inputs,
                                          ElementType output) {
  return launch::defaultTolerance(kernel, inputs, output);
}

static llvm::Expected<sim::SimOptions>
optionsOf(const RunRequest &request, llvm::ArrayRef<Argument> arguments) {
  sim::SimOptions options;
  options.threads = request.threads;
  options.checks = request.simChecks;
  options.interleaveSeed = options.deliverySeed = request.interleaveSeed;
  options.dispatchSeed = request.dispatchSeed;
  options.timing.enabled = request.timing;
  options.timing.whatIf = request.timing && request.whatIf;
  options.timing.timeOnly = request.timeOnly;
  // The waves of one compute unit show what all do.
  options.timing.timeline = request.views.needEvents();
  options.timing.timelineUnits = 1;
  options.timing.timelineEvents = uint64_t(1) << 20;
  options.timing.ldsBanks = !request.views.html.empty();
  llvm::Expected<sim::DebugOptions> debug = debugOptionsOf(request, arguments);
  if (!debug)
    return debug.takeError();
  options.debug = std::move(*debug);
  return options;
}

/// Occupancy depends on what the launch adds.
LogicalResult LoadedKernel::makeReport(const RunRequest &request,
                                       const launch::LaunchSize &size) {
  reports::LaunchResources resources;
  resources.dynamicLdsBytes = size.dynamicLdsBytes;
  resources.workgroupThreads =
      size.workgroupSize[0] * size.workgroupSize[1] * size.workgroupSize[2];
  llvm::Expected<reports::ObjectReport> report =
      reports::reportObject(object, resources);
  if (!report)
    return complain(request, report.takeError());
  objectReport = std::move(*report);
  return success();
}

LogicalResult
LoadedKernel::readChannel(const contract::LaunchContract &contract,
                          llvm::ArrayRef<uint32_t> words,
                          const RunRequest &request) {
  // Of a program the first assert that does not hold is the one to read.
  if (!assertFault.empty())
    return success();
  hasSpoken = true;
  llvm::Expected<contract::CheckReport> said =
      contract::readChannel(contract.checks, words);
  if (!said)
    return complain(request, said.takeError());
  for (const std::string &line : said->lines)
    llvm::errs() << line << '\n';
  assertFault = said->failure;
  bool hasAsserts =
      llvm::any_of(contract.checks, [](const contract::CheckSite &site) {
        return site.isAssert;
      });
  if (said->lost) {
    std::string lost = std::to_string(said->lost) +
                       " records of asserts and prints found no room in the "
                       "channel";
    if (hasAsserts && assertFault.empty())
      assertFault = "error: " + lost + ": whether asserts hold is not known";
    else
      llvm::errs() << "warning: " << lost << '\n';
  }
  if (!assertFault.empty())
    llvm::errs() << assertFault << '\n';
  hasCheckFailed |= !assertFault.empty();
  return success();
}

LogicalResult LoadedKernel::launchProgram(std::vector<Argument> &arguments,
                                          const RunRequest &request) {
  llvm::Expected<sim::SimOptions> options = optionsOf(request, arguments);
  if (!options)
    return complain(request, options.takeError());
  LogicalResult read = success();
  llvm::Expected<launch::ProgramRun> run = launch::launchOnSimulator(
      object, contracts, *program, arguments, *options,
      [&](const contract::LaunchContract &kernel,
          llvm::ArrayRef<uint32_t> words) {
        if (failed(readChannel(kernel, words, request)))
          read = failure();
      });
  if (!run)
    return complainOfLaunch(request, run.takeError());
  if (failed(read))
    return failure();
  records.clear();
  for (launch::ProgramStep &step : run->launches)
    records.push_back({step.kernel, step.size, step.result, std::nullopt});
  workspaceFault = std::move(run->failedCheck);
  // Each kernel says its workgroup size itself.
  llvm::Expected<reports::ObjectReport> report = reports::reportObject(object);
  if (!report)
    return complain(request, report.takeError());
  objectReport = std::move(*report);
  return success();
}

LogicalResult LoadedKernel::launch(std::vector<Argument> &arguments,
                                   const RunRequest &request, Device device) {
  // With --against, they are for the kernel that has no contract.
  if ((request.grid || request.block) && request.against.empty() &&
      (program || contract || device == Device::Reference))
    return complain(request, "--grid and --block are for objects without a "
                             "contract; kernel '" +
                                 kernelName +
                                 "' says its grid and workgroup itself");
  if (device == Device::Reference)
    return launchReference(arguments);
  if (program && device == Device::Gpu)
    return complain(request, "a program of several kernels runs on the "
                             "simulator alone (leave --device out, or choose a "
                             "kernel by --kernel)");
  return program ? launchProgram(arguments, request)
                 : launchKernel(arguments, request, device);
}

llvm::Expected<LaunchRecord>
LoadedKernel::runOn(Device device, const launch::LaunchSize &size,
                    std::vector<Argument> &arguments,
                    const RunRequest &request) {
  LaunchRecord record{kernelName, size, std::nullopt, std::nullopt};
  if (device == Device::Gpu) {
    launch::GpuOptions gpu = request.gpu;
    const arch::ArchInfo *chip = arch::ArchInfo::lookup(chipName);
    const arch::Product *product =
        chip ? arch::defaultProduct(chip->chip) : nullptr;
    if (product && product->mallBytes)
      gpu.coldBytes = 2 * *product->mallBytes;
    llvm::Expected<launch::GpuRun> run =
        launch::launchOnGpu(object, kernelName, size, arguments, gpu);
    if (!run)
      return run.takeError();
    record.gpu = std::move(*run);
    return record;
  }
  llvm::Expected<sim::SimOptions> options = optionsOf(request, arguments);
  if (!options)
    return options.takeError();
  llvm::Expected<sim::Result> result =
      launch::launchOnSimulator(object, kernelName, size, arguments, *options);
  if (!result)
    return result.takeError();
  record.result = std::move(*result);
  return record;
}

LogicalResult LoadedKernel::launchKernel(std::vector<Argument> &arguments,
                                         const RunRequest &request,
                                         Device device) {
  launch::LaunchSize launchSize;
  if (channel)
    arguments.push_back(*channel);
  if (contract) {
    llvm::Expected<launch::LaunchSize> size =
        launch::sizeOf(*contract, arguments);
    if (!size)
      return complain(request, size.takeError());
    launchSize = *size;
  } else if (!request.grid) {
    return complain(request,
                    "'" + path +
                        "' carries no launch contract; give the number of "
                        "workgroups as --grid=X,Y,Z");
  } else {
    const isa::Kernel *metadata = code->findKernel(kernelName);
    launchSize.workgroupSize = metadata->requiredWorkgroupSize;
    if (!request.block && launchSize.workgroupSize[0] == 0)
      return complain(
          request,
          "the metadata of '" + kernelName +
              "' requires no workgroup size; give it as --block=X,Y,Z");
  }
  if (request.grid && !contract)
    launchSize.workgroups = *request.grid;
  if (request.block && !contract)
    launchSize.workgroupSize = *request.block;
  if (contract && !contract->dynamicLdsMember.empty() &&
      !request.dynamicLdsBytes)
    return complain(request, "kernel '" + kernelName +
                                 "' has the dynamic LDS member '" +
                                 contract->dynamicLdsMember +
                                 "'; give its bytes as --dynamic-lds=BYTES");
  if (request.dynamicLdsBytes)
    launchSize.dynamicLdsBytes = *request.dynamicLdsBytes;
  if (failed(makeReport(request, launchSize)))
    return failure();
  const bool hasEdits =
      device == Device::Simulator && request.timing && request.whatIf && tileIr;
  std::vector<Argument> inputs;
  if (hasEdits)
    inputs = arguments;
  llvm::Expected<LaunchRecord> record =
      runOn(device, launchSize, arguments, request);
  // Also after a fault, which an assert may explain.
  if (channel) {
    Argument said = std::move(arguments.back());
    arguments.pop_back();
    if (failed(readChannel(
            *contract,
            {reinterpret_cast<const uint32_t *>(said.buffer->data()),
             said.buffer->bytes() / sizeof(uint32_t)},
            request)))
      return record ? failure() : complainOfLaunch(request, record.takeError());
  }
  if (!record)
    return complainOfLaunch(request, record.takeError(),
                            contract ? nullptr : &launchSize);
  records = {std::move(*record)};
  if (hasEdits && records.front().result->timing)
    timeEdits(request, inputs);
  return success();
}
