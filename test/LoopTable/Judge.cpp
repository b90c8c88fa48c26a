//===- Judge.cpp - A configuration compiled and held to the promises ------===//
//
// Two buffers of LDS are asked for; where the chip's LDS does not hold them,
// one is, and what does not fit either is a row with its bytes. That is no
// fault, as long as the bytes really are too many: they are computed here once
// more, from the tile alone.
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"
#include "fly/Gen/Gemm.h"
#include "fly/Pipelines/Compile.h"
#include "fly/Pipelines/Pipelines.h"
#include "fly/Pipelines/Source.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "Rows.h"

using namespace fly;
using namespace fly::looptable;

namespace {

/// The promises.
constexpr double kLeastCover = 0.90; ///< Of tiles with kCoverRows and more.
constexpr int64_t kCoverRows = 64;
constexpr double kMostOthers = 0.25; ///< Share of the loop, or
constexpr double kMostOthersATile = 24;
constexpr unsigned kAccessBytes = 16; ///< But of what the chip copies less.
constexpr unsigned kMostCodeBytes = 32 * 1024;

/// N and K of bound kernels.
constexpr int64_t kBoundExtent = 8192;

/// A kernel's bytes, or why there are none.
struct Compiled {
  std::string bytes;
  std::string problem;
};

/// Operands that go through LDS.
llvm::SmallVector<llvm::StringRef, 2> inLds(const Configuration &c) {
  llvm::SmallVector<llvm::StringRef, 2> labels = {"a"};
  if (!c.isPreshuffled)
    labels.push_back("b");
  return labels;
}

Compiled compileText(const Configuration &c, const std::string &text) {
  Compiled result;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            result.problem.empty())
          result.problem = diagnostic.str();
        return mlir::success();
      });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "kernel.mlir"), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module = parseSource(sources, &context);
  ScheduleOverrides overrides;
  if (c.isBound)
    for (const char *extent : {"N", "K"})
      overrides.consts.push_back(
          llvm::formatv("{0}={1}", extent, kBoundExtent));
  if (!c.copy.empty())
    for (llvm::StringRef label : inLds(c))
      overrides.schedule.push_back(
          llvm::formatv("{0}.copy={1}", label, c.copy));
  if (!module || mlir::failed(applyOverrides(*module, "", overrides)))
    return result;
  CompileOptions options;
  options.serialize.isolate = true;
  mlir::FailureOr<target::CodeObject> object = compile(*module, options);
  if (mlir::succeeded(object))
    result.bytes = object->bytes;
  return result;
}

llvm::Expected<std::string> generate(const Configuration &c, unsigned stages) {
  gen::GemmOptions options;
  options.chip = c.chip;
  options.in = c.type;
  options.out = c.type == "i8" ? "i32" : "bf16";
  options.tile = llvm::formatv("{0}x{1}x{2}", c.tile[0], c.tile[1], c.tile[2]);
  options.waves = llvm::formatv("{0}x{1}", c.waves[0], c.waves[1]);
  options.ldsStages = std::to_string(stages);
  options.bLayout = c.isPreshuffled ? "preshuffle" : "plain";
  // Turns of waves, which 8 take where they gain, have barriers of their own.
  options.hotLoop = "hints";
  options.require = llvm::formatv("K:{0},N:16", c.tile[2]);
  if (c.type == "fp4")
    options.scales = "mx";
  return gen::generateGemm(options);
}

void judge(Row &row) {
  const Configuration &c = row.configuration;
  auto fault = [&](auto &&...arguments) {
    row.faults.push_back(
        llvm::formatv(std::forward<decltype(arguments)>(arguments)...));
  };
  unsigned spills = row.kernel.vgprSpills + row.kernel.sgprSpills;
  if (spills)
    fault("{0} spills", spills);
  if (row.kernel.codeBytes >= kMostCodeBytes)
    fault("code of {0} bytes", row.kernel.codeBytes);
  if (!row.kernel.hotLoop) {
    fault("{0}", "no loop with matrix instructions");
    return;
  }
  const reports::LoopReport &loop = *row.kernel.hotLoop;
  double tiles = loop.kTiles.value_or(0);
  if (loop.accMove)
    fault("{0} accumulator moves", loop.accMove);
  if (c.tile[0] >= kCoverRows && loop.pipeCover < kLeastCover)
    fault("pipe cover {0:f2}", loop.pipeCover);
  if (loop.countOthers() > kMostOthers * loop.instructions &&
      loop.countOthers() > kMostOthersATile * tiles)
    fault("{0} others of {1} instructions", loop.countOthers(),
          loop.instructions);
  if (loop.barrier != tiles * (row.stages == 1 ? 2 : 1))
    fault("{0} barriers for {1} K tiles", loop.barrier, tiles);
  unsigned widest = kAccessBytes;
  if (loop.ldsDma && c.copy == "async")
    widest = arch::ArchInfo::lookup(c.chip)->dma.widths->back();
  if (c.scaleBytes()) {
    // Scales of a tile are fewer bytes than an access; all else is wide.
    widest = c.scaleBytes();
    if (loop.narrowAccesses > c.scaleReads() * tiles)
      fault("{0} narrow accesses, {1} of scales", loop.narrowAccesses,
            c.scaleReads() * tiles);
  }
  if (loop.accessBytes < std::min(widest, kAccessBytes))
    fault("an access of {0} bytes", loop.accessBytes);
  if (std::optional<double> bound = findBound(c.name());
      bound && loop.instructions > *bound * tiles)
    fault("{0:f1} instructions a K tile, at most {1:f1} before",
          loop.instructions / tiles, *bound);
}

/// Refusals for LDS that one buffer does not need, and rows of fewer buffers
/// than fit.
void judgeLds(Row &row) {
  const arch::ArchInfo *chip = arch::ArchInfo::lookup(row.configuration.chip);
  int64_t bytes = row.configuration.ldsBytes();
  int64_t limit = *chip->lds.bytes;
  if (row.stages == 0 && bytes <= limit)
    row.faults.push_back(llvm::formatv(
        "refused although one buffer takes {0} of {1} bytes", bytes, limit));
  if (row.stages == 1 && 2 * bytes <= limit)
    row.faults.push_back(llvm::formatv(
        "one buffer although two take {0} of {1} bytes", 2 * bytes, limit));
}

} // namespace

Row fly::looptable::makeRow(const Configuration &configuration) {
  Row row;
  row.configuration = configuration;
  for (unsigned stages : {2u, 1u}) {
    llvm::Expected<std::string> text = generate(configuration, stages);
    if (!text) {
      row.refusal = llvm::toString(text.takeError());
      break;
    }
    Compiled compiled = compileText(configuration, *text);
    if (compiled.bytes.empty()) {
      row.refusal = compiled.problem;
      // One buffer less may fit.
      if (llvm::StringRef(compiled.problem).contains("LDS"))
        continue;
      break;
    }
    row.refusal.clear();
    row.stages = stages;
    llvm::Expected<reports::ObjectReport> report =
        reports::reportObject(compiled.bytes);
    if (!report || report->kernels.empty()) {
      row.faults.push_back(report ? "no kernel in the object"
                                  : llvm::toString(report.takeError()));
      return row;
    }
    row.kernel = report->kernels.front();
    const auto &[m, n, k] = configuration.tile;
    reports::setKTiles(row.kernel,
                       uint64_t(m) * n * k /
                           (configuration.waves[0] * configuration.waves[1]));
    judge(row);
    break;
  }
  judgeLds(row);
  return row;
}
