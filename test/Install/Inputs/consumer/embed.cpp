//===- embed.cpp - A program that embeds Fly ------------------------------===//
//
// A project outside of the tree, built against an installation: it registers
// the dialects, runs passes, compiles a GEMM to bytes and launches them on the
// simulator. Problems arrive at its own handler; nothing ends the process.
// usage: embed GEMM.mlir
//
//===----------------------------------------------------------------------===//
#include "fly/Contract/LaunchContract.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"
#include "fly/Sim/Simulator.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace {

/// LDS of more bytes than the chip has: compiling it must fail, and no more.
const char *const tooMuchLds = R"mlir(
gpu.module @big [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<70000 x i8>
  llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
    %0 = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %1 = llvm.mlir.constant(1 : i8) : i8
    llvm.store volatile %1, %0 : i8, !llvm.ptr<3>
    llvm.return
  }
}
)mlir";

int fail(const std::string &what) {
  std::printf("failed: %s\n", what.c_str());
  return 1;
}

uint16_t toBf16(int value) {
  float number = float(value);
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return uint16_t(bits >> 16); // Exact for small integers.
}

int valueA(int m, int k) { return (131 * m + 71 * k + m * k % 17) % 9 - 4; }
int valueB(int n, int k) { return (57 * n + 101 * k + n * k % 13) % 7 - 3; }

/// Launches the object of a GEMM by its contract and compares the result.
int simulate(const fly::target::CodeObject &object) {
  const int M = 70, N = 50, K = 40;
  std::vector<uint16_t> a, b;
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      a.push_back(toBf16(valueA(m, k)));
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k)
      b.push_back(toBf16(valueB(n, k)));
  std::vector<float> c(M * N);

  // A device of its own, with memory and the loaded object.
  fly::sim::Simulator simulator;
  llvm::Expected<const fly::sim::LoadedProgram *> program =
      simulator.load(object.bytes);
  if (!program)
    return fail(llvm::toString(program.takeError()));
  fly::sim::LaunchParams launch;
  launch.program = *program;

  auto upload = [&](const void *data, size_t bytes) -> uint64_t {
    uint64_t address = llvm::cantFail(simulator.memory().allocate(bytes));
    llvm::cantFail(simulator.memory().write(
        address, {static_cast<const uint8_t *>(data), bytes}));
    launch.arguments.push_back(fly::sim::ArgumentValue::pointer(address));
    return address;
  };
  upload(a.data(), a.size() * 2);
  upload(b.data(), b.size() * 2);
  uint64_t result = upload(c.data(), c.size() * 4);
  for (int32_t size : {M, N, K})
    launch.arguments.push_back(fly::sim::ArgumentValue::of(size));

  // The grid comes from the contract that the compiler wrote, by the names that
  // the arguments have in the source.
  const fly::contract::LaunchContract &contract = object.contracts.front();
  auto sizes = [&](llvm::StringRef name) -> std::optional<int64_t> {
    if (name == "M")
      return M;
    if (name == "N")
      return N;
    if (name == "K")
      return K;
    return std::nullopt;
  };
  if (llvm::Error error = fly::contract::checkRequirements(contract, sizes))
    return fail(llvm::toString(std::move(error)));
  llvm::Expected<std::array<uint32_t, 3>> grid =
      fly::contract::evaluateGrid(contract, sizes);
  if (!grid)
    return fail(llvm::toString(grid.takeError()));
  launch.workgroups = *grid;
  launch.workgroupSize = contract.block;

  llvm::Expected<fly::sim::Result> run = simulator.launch(launch);
  if (!run)
    return fail(llvm::toString(run.takeError()));
  llvm::cantFail(simulator.memory().read(
      result, {reinterpret_cast<uint8_t *>(c.data()), c.size() * 4}));
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      int expected = 0;
      for (int k = 0; k < K; ++k)
        expected += valueA(m, k) * valueB(n, k);
      if (c[m * N + n] != float(expected))
        return fail("C[" + std::to_string(m) + "][" + std::to_string(n) +
                    "] is " + std::to_string(c[m * N + n]) + ", expected " +
                    std::to_string(expected));
    }
  std::printf("%s: %zu bytes, %llu waves, C is right\n", object.chip.c_str(),
              object.bytes.size(), static_cast<unsigned long long>(run->waves));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return fail("usage: embed GEMM.mlir");
  std::stringstream text;
  text << std::ifstream(argv[1]).rdbuf();

  // Registration may be repeated, and mixed with upstream's.
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  fly::registerAllDialects(registry);
  fly::registerAllDialects(registry);
  mlir::MLIRContext context(registry);

  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    messages += diag.str() + "\n";
    return mlir::success();
  });

  // A failure is a diagnostic; the process goes on.
  auto big = mlir::parseSourceString<mlir::ModuleOp>(tooMuchLds, &context);
  if (!big)
    return fail(messages);
  if (mlir::succeeded(fly::compile(*big)))
    return fail("70000 bytes of LDS compile for gfx942");
  if (messages.find("70000") == std::string::npos ||
      messages.find("65536") == std::string::npos)
    return fail("no message about LDS, but: " + messages);
  std::printf("refused: %s", messages.c_str());
  messages.clear();

  // Passes alone: the kernel at the explicit level.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text.str(), argv[1]), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      fly::parseSource(sources, &context);
  if (!module)
    return fail(messages);
  mlir::OwningOpRef<mlir::ModuleOp> explicitLevel = module->clone();
  mlir::PassManager passes(&context);
  fly::FlyPipelineOptions options;
  options.until = fly::Phase::Explicit;
  fly::buildFlyPipeline(passes, options);
  if (mlir::failed(passes.run(*explicitLevel)))
    return fail(messages);
  unsigned reads = 0;
  explicitLevel->walk([&](mlir::Operation *op) {
    reads += op->getName().getStringRef() == "fly.read";
  });
  if (reads == 0)
    return fail("no fly.read at the explicit level");
  std::printf("explicit level: %u reads\n", reads);

  // Source to bytes, for each chip.
  for (const char *chip : {"gfx942", "gfx950"}) {
    fly::CompileOptions compileOptions;
    compileOptions.chip = chip;
    mlir::FailureOr<fly::target::CodeObject> object =
        fly::compile(*module, compileOptions);
    if (mlir::failed(object))
      return fail(messages);
    if (int code = simulate(*object))
      return code;
  }
  return 0;
}
