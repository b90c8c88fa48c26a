//===- Roofline.cpp - Work and traffic of a timed launch ------------------===//
//
// A multiply-add is two operations. Lanes that are switched off are counted:
// the units work for them. The roof of computation is that of the matrix
// instructions which do most of the work, or of vector multiply-adds where
// there are none.
//
//===----------------------------------------------------------------------===//
#include "Roofline.h"

#include "fly/Analysis/Roofline.h"
#include "fly/Arch/MatrixFormats.h"
#include "fly/Arch/MatrixWork.h"
#include "fly/Arch/Wave.h"
#include "fly/Isa/CodeObject.h"
#include "fly/Isa/InstructionClass.h"

#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace fly;
using namespace fly::reports;
using isa::Instruction;

/// Operations of one vector instruction in one lane.
static unsigned vectorOperations(llvm::StringRef name) {
  bool isPacked = name.consume_front("v_pk_");
  if (!isPacked && !name.consume_front("v_"))
    return 0;
  auto [operation, type] = name.rsplit('_');
  if (type != "f32" && type != "f64" && type != "f16" && type != "bf16")
    return 0;
  unsigned each = llvm::StringSwitch<unsigned>(operation)
                      .Cases({"fma", "fmac", "mac", "mad", "fmamk", "fmaak"}, 2)
                      .Cases({"add", "sub", "subrev", "mul"}, 1)
                      .Default(0);
  return isPacked ? 2 * each : each;
}

/// A type of the sources that a counter stands for; only sparse forms, which
/// have one of these each, are asked about.
static arch::ElementType typeOf(arch::MatrixCounter counter) {
  switch (counter) {
  case arch::MatrixCounter::Bf16:
    return arch::ElementType::Bf16;
  case arch::MatrixCounter::I8:
    return arch::ElementType::I8;
  case arch::MatrixCounter::F8:
    return arch::ElementType::Fp8;
  default:
    return arch::ElementType::F16;
  }
}

namespace {

/// What the waves in detail computed.
struct Executed {
  /// Operations of matrix instructions by the types they multiply.
  std::map<std::pair<arch::ElementType, arch::ElementType>, double> matrix;
  double vector = 0;
};

} // namespace

static Executed countOperations(const TimedDispatch &dispatch) {
  Executed executed;
  for (const sim::InstructionTiming &row : dispatch.timing->instructions) {
    if (!row.hits)
      continue;
    const Instruction &inst =
        dispatch.program->instructions()[dispatch.program->indexOf(row.pc)];
    if (!isMfma(inst)) {
      executed.vector +=
          double(row.hits) * vectorOperations(inst.mnemonic) * arch::waveLanes;
      continue;
    }
    std::optional<arch::MatrixWork> work =
        arch::matrixWork(inst.mnemonic, /*isNarrow=*/false);
    if (!work)
      continue;
    double operations = double(work->operations) * double(row.hits);
    if (const arch::MfmaRow *mfma = arch::lookupMfmaByMnemonic(inst.mnemonic)) {
      executed.matrix[arch::multipliedTypes(*mfma, inst.cbsz, inst.blgp)] +=
          operations;
    } else {
      // Of a sparse form, half of the dense product is multiplied.
      arch::ElementType type = typeOf(work->counter);
      executed.matrix[{type, type}] += operations / 2;
    }
  }
  return executed;
}

/// A roof; `value` is in 10^12 operations, or bytes, a second.
template <typename T>
static llvm::json::Object roof(const std::string &name, llvm::StringRef kind,
                               double value, const arch::Fact<T> &fact) {
  return llvm::json::Object{{"name", name},
                            {"kind", kind.str()},
                            {"value", value},
                            {"source", fact.source()}};
}

/// Multiply-adds of the vector unit, in 10^12 operations a second.
static double vectorPeak(const arch::ArchInfo &info,
                         const arch::Product &product) {
  return 2.0 * arch::waveLanes / *info.issue.valu * *info.simdsPerCu *
         *product.computeUnits * *product.clockMhz / 1e6;
}

static llvm::json::Array roofsOf(const analysis::RooflineReport &report) {
  llvm::json::Array roofs;
  const arch::Product &product = *report.product;
  const arch::ArchInfo &info = arch::ArchInfo::get(product.chip);
  if (report.peak) {
    auto [a, b] = *report.work.types;
    std::string name = std::string("matrix ") + arch::elementTypeName(a);
    if (a != b)
      name += std::string(" x ") + arch::elementTypeName(b);
    roofs.push_back(roof(name, "compute", *report.peak, report.peak));
  } else if (info.issue.valu && product.computeUnits && product.clockMhz) {
    roofs.push_back(roof("vector multiply-add", "compute",
                         vectorPeak(info, product), info.issue.valu));
  }
  for (auto [name, fact] :
       {std::pair("L2", &product.l2GBs),
        std::pair("HBM, data sheet", &product.hbmGBs),
        std::pair("HBM, reached by reads", &product.hbmReadGBs)})
    if (*fact)
      roofs.push_back(roof(name, "memory", **fact / 1e3, *fact));
  return roofs;
}

llvm::json::Object fly::reports::rooflineJSON(const TimedDispatch &dispatch) {
  const sim::TimingResult &timing = *dispatch.timing;
  Executed executed = countOperations(dispatch);
  double scale = timing.detailWorkgroups ? double(timing.workgroups) /
                                               double(timing.detailWorkgroups)
                                         : 0;
  analysis::Work work;
  work.name = dispatch.kernel->name;
  work.bytes = double(timing.launchTraffic.loadedBytes() +
                      timing.launchTraffic.storedBytes());
  double most = 0;
  for (auto [types, operations] : executed.matrix) {
    work.flop += operations * scale;
    if (operations > most) {
      most = operations;
      work.types = types;
    }
  }
  double matrix = work.flop, bytes = work.bytes;
  work.flop += executed.vector * scale;
  double operations = work.flop, seconds = timing.microseconds() * 1e-6;
  llvm::json::Object result{
      {"operations", operations},
      {"matrix_operations", matrix},
      {"bytes", bytes},
      {"intensity", bytes > 0 ? operations / bytes : 0},
      {"tera_operations_a_second",
       seconds > 0 ? operations / seconds / 1e12 : 0},
      {"tera_bytes_a_second", seconds > 0 ? bytes / seconds / 1e12 : 0}};
  llvm::json::Array roofs;
  if (const arch::Product *product = arch::lookupProduct(timing.product)) {
    analysis::Measured measured;
    measured.microseconds = timing.microseconds();
    measured.source = "simulated";
    measured.mfmaBusy = timing.mfmaUtil() / 100;
    measured.grid = {timing.workgroups, timing.activeCus};
    llvm::Expected<analysis::RooflineReport> report =
        analysis::reportRoofline(*product, std::move(work), measured);
    if (report) {
      result["regime"] = analysis::getName(report->regime);
      result["reason"] = report->reason;
      roofs = roofsOf(*report);
    } else {
      // A launch without traffic or a chip without figures is under no roof.
      result["reason"] = llvm::toString(report.takeError());
    }
  }
  result["roofs"] = std::move(roofs);
  return result;
}
