//===- Jobs.cpp - Compilations of a module side by side -------------------===//
//
// Code generation changes its module, and an LLVM context is for one thread. So
// each job reads the module from bitcode into a context of its own. All jobs
// do, also single ones, so that bytes do not depend on how many there are.
//
//===----------------------------------------------------------------------===//
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"

#include <thread>

#include "Codegen.h"
#include "Portfolio.h"

using namespace fly;
using namespace fly::target;

static Emission failure(llvm::Error error) {
  Emission result;
  result.messages.push_back({true, "", llvm::toString(std::move(error))});
  return result;
}

static Emission runJob(llvm::StringRef bitcode, llvm::StringRef chip,
                       MidEnd midEnd, const CodegenJob &job) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context);
  if (!module)
    return failure(module.takeError());
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(chip);
  if (!machine)
    return failure(machine.takeError());
  size_t index = 0;
  for (llvm::Function &function : **module)
    if (isKernel(function))
      applyForm(function, getCodegenForms()[job.forms[index++]]);
  return generateCode(**module, **machine, midEnd, job);
}

std::vector<Emission> fly::target::runJobs(llvm::StringRef bitcode,
                                           llvm::StringRef chip,
                                           const SerializeOptions &options,
                                           llvm::ArrayRef<CodegenJob> jobs) {
  auto compile = [&](size_t index) {
    return runJob(bitcode, chip, options.midEnd, jobs[index]);
  };
  if (options.isolate)
    return runIsolated(jobs.size(), compile);
  std::vector<Emission> results(jobs.size());
  std::vector<std::thread> threads;
  for (size_t index = 1; index < jobs.size(); ++index)
    threads.emplace_back([&, index] { results[index] = compile(index); });
  if (!jobs.empty())
    results[0] = compile(0);
  for (std::thread &thread : threads)
    thread.join();
  return results;
}
