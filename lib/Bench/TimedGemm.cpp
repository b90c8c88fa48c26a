//===- TimedGemm.cpp - a GEMM of a schedule, on the timing model ----------===//
#include "TimedGemm.h"

#include "fly/Contract/Note.h"
#include "fly/Launch/SimulatorLaunch.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

using namespace fly;
using namespace fly::bench;

static llvm::Expected<std::string> compileVariant(mlir::MLIRContext &context,
                                                  const GemmVariant &variant) {
  std::string text = variant.text;
  if (text.empty()) {
    llvm::Expected<std::string> generated = gen::generateGemm(variant.options);
    if (!generated)
      return generated.takeError();
    text = std::move(*generated);
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "gemm.mlir"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(sources, &context);
  ScheduleOverrides overrides;
  overrides.schedule = variant.schedule;
  if (!module || failed(applyOverrides(*module, "", overrides)))
    return llvm::createStringError("the kernel of a bench does not parse");
  mlir::FailureOr<target::CodeObject> object = compile(*module);
  if (failed(object))
    return llvm::createStringError("the kernel of a bench does not compile");
  return std::move(object->bytes);
}

llvm::Expected<std::shared_ptr<const sim::TimingResult>>
fly::bench::timeGemm(mlir::MLIRContext &context, const GemmVariant &variant,
                     const GemmShape &shape, const GemmTiming &timing) {
  llvm::Expected<std::string> object = compileVariant(context, variant);
  if (!object)
    return object.takeError();
  llvm::Expected<contract::ObjectContracts> contracts =
      contract::readContracts(*object);
  if (!contracts)
    return contracts.takeError();
  const contract::LaunchContract &contract = contracts->kernels.front();
  auto parameters = launch::parametersOf(contract);
  if (!parameters)
    return parameters.takeError();
  std::vector<launch::NamedSpec> specs;
  for (auto [name, value] : {std::pair("M", shape.m), std::pair("N", shape.n),
                             std::pair("K", shape.k)}) {
    auto spec =
        launch::parseNamedSpec(std::string(name) + "=" + std::to_string(value));
    if (!spec)
      return spec.takeError();
    specs.push_back(*spec);
  }
  auto arguments = launch::bindScalars(*parameters, specs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error =
          launch::allocateBuffers(*arguments, contract, specs, 0))
    return std::move(error);
  auto size = launch::sizeOf(contract, *arguments);
  if (!size)
    return size.takeError();
  size->dynamicLdsBytes += variant.unusedLdsBytes;
  sim::SimOptions options;
  options.timing.enabled = options.timing.recordedOnly = true;
  options.timing.isWarm = true;
  options.timing.rounds = timing.rounds;
  options.timing.product = timing.product;
  options.checks = sim::CheckSet();
  auto result = launch::launchOnSimulator(*object, contract.kernel, *size,
                                          *arguments, options);
  if (!result)
    return result.takeError();
  return result->timing;
}
