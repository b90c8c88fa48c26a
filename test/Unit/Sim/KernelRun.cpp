//===- KernelRun.cpp - one kernel, its buffers and its launch -------------===//

#include "KernelRun.h"

using namespace fly;
using namespace fly::test;

static constexpr uint64_t guardBytes = 256;
static constexpr uint8_t guardPattern = 0xa5;

const char *const fly::test::prologue = R"(
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
)";

void KernelRun::load(const std::string &bytes) {
  if (bytes.empty())
    return;
  params.options.checks = sim::CheckSet::all();
  auto program = simulator->load(bytes);
  if (program)
    params.program = *program;
  else
    message = llvm::toString(program.takeError());
}

KernelRun KernelRun::ofBytes(const std::string &bytes) {
  KernelRun run;
  run.load(bytes);
  return run;
}

KernelRun KernelRun::ofText(llvm::StringRef text, llvm::StringRef chip) {
  KernelRun run;
  std::string bytes = assembleText(text, chip, run.message);
  run.load(bytes);
  return run;
}

KernelRun KernelRun::ofBody(llvm::StringRef body, llvm::StringRef chip,
                            const KernelShape &shape) {
  return ofText(wrapKernel(body, chip, shape), chip);
}

KernelRun KernelRun::ofObject(llvm::StringRef name) {
  KernelRun run;
  std::string bytes = assembleObject(name, run.message);
  run.load(bytes);
  return run;
}

KernelRun KernelRun::ofSource(llvm::StringRef name, llvm::StringRef chip,
                              llvm::StringRef optimisation) {
  KernelRun run;
  std::string bytes = compileKernel(name, chip, optimisation, run.message);
  run.load(bytes);
  return run;
}

uint64_t KernelRun::buffer(size_t bytes, llvm::StringRef name) {
  auto base = simulator->memory().allocate(bytes + 2 * guardBytes, name);
  if (!base) {
    message = llvm::toString(base.takeError());
    return 0;
  }
  uint8_t *host = simulator->memory().host(*base, bytes + 2 * guardBytes);
  std::memset(host, guardPattern, guardBytes);
  std::memset(host + guardBytes + bytes, guardPattern, guardBytes);
  simulator->memory().setGuards(*base, guardBytes, guardBytes);
  guarded.push_back({*base, bytes});
  return *base + guardBytes;
}

bool KernelRun::guardsIntact() {
  for (const Guarded &range : guarded) {
    const uint8_t *host =
        simulator->memory().host(range.base, range.bytes + 2 * guardBytes);
    for (uint64_t i = 0; i != guardBytes; ++i)
      if (host[i] != guardPattern ||
          host[guardBytes + range.bytes + i] != guardPattern)
        return false;
  }
  return true;
}

void KernelRun::setArguments(std::vector<uint64_t> values) {
  params.arguments.clear();
  if (failed())
    return;
  const isa::CodeObject &object = params.program->object();
  const isa::Kernel *kernel = object.findKernel(params.kernel);
  if (!kernel)
    kernel = &object.kernels()[0];
  size_t count = 0;
  for (const isa::KernelArgument &argument : kernel->arguments) {
    if (argument.isHidden())
      continue;
    uint64_t value = count < values.size() ? values[count] : 0;
    sim::ArgumentValue bytes = sim::ArgumentValue::of(value);
    bytes.bytes.resize(argument.size);
    params.arguments.push_back(bytes);
    ++count;
  }
}

llvm::Expected<sim::Result> KernelRun::launch() {
  if (failed())
    return llvm::createStringError("not loaded: %s", message.c_str());
  return simulator->launch(params);
}

std::string KernelRun::launchError() {
  auto result = launch();
  if (!result)
    return llvm::toString(result.takeError());
  std::string found;
  for (const sim::Finding &finding : result->findings)
    found += finding.message + "\n";
  return found;
}
