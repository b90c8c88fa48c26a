//===- TimedGemm.cpp - a GEMM of a schedule, on the timing model ----------===//
#include "TimedGemm.h"

#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/MLIRContext.h"

using namespace fly;
using namespace fly::bench;

llvm::Expected<std::string>
fly::bench::compileGemm(mlir::MLIRContext &context,
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

llvm::Expected<PreparedGemm> fly::bench::prepareGemm(mlir::MLIRContext &context,
                                                     const GemmVariant &variant,
                                                     const GemmShape &shape) {
  PreparedGemm gemm;
  llvm::Expected<std::string> object = compileGemm(context, variant);
  if (!object)
    return object.takeError();
  gemm.object = std::move(*object);
  llvm::Expected<contract::ObjectContracts> contracts =
      contract::readContracts(gemm.object);
  if (!contracts)
    return contracts.takeError();
  gemm.contracts = std::move(*contracts);
  const contract::LaunchContract &contract = gemm.contracts.kernels.front();
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
  gemm.arguments = std::move(*arguments);
  if (llvm::Error error =
          launch::allocateBuffers(gemm.arguments, contract, specs, 0))
    return std::move(error);
  auto size = launch::sizeOf(contract, gemm.arguments);
  if (!size)
    return size.takeError();
  gemm.size = *size;
  gemm.size.dynamicLdsBytes += variant.unusedLdsBytes;
  return std::move(gemm);
}

llvm::Expected<std::shared_ptr<const sim::TimingResult>>
fly::bench::timeGemm(mlir::MLIRContext &context, const GemmVariant &variant,
                     const GemmShape &shape, const GemmTiming &timing) {
  llvm::Expected<PreparedGemm> gemm = prepareGemm(context, variant, shape);
  if (!gemm)
    return gemm.takeError();
  sim::SimOptions options;
  options.timing.enabled = options.timing.timeOnly = true;
  options.timing.isWarm = true;
  options.timing.rounds = timing.rounds;
  options.timing.product = timing.product;
  options.checks = sim::CheckSet();
  llvm::Expected<sim::Result> result = gemm->launch(options);
  if (!result)
    return result.takeError();
  return result->timing;
}
