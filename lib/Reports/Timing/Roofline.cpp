//===- Roofline.cpp - Work and traffic of a timed launch ------------------===//
//
// A multiply-add is two operations. Lanes that are switched off are counted:
// the units work for them. The roof of computation is that of the matrix
// instructions which do most of the work, or of vector multiply-adds where
// there are none.
//
//===----------------------------------------------------------------------===//
#include "Roofline.h"

#include "fly/Arch/Products.h"
#include "fly/Arch/Wave.h"
#include "fly/Isa/InstructionClass.h"

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

/// Types that a matrix instruction multiplies; of instructions that take
/// several the ones that this one is set to.
static std::pair<arch::ElementType, arch::ElementType>
typesOf(const arch::MfmaRow &row, const Instruction &inst) {
  auto chosen = [](arch::ElementType type, unsigned format) {
    using T = arch::ElementType;
    // [AMD] CDNA4 ISA document: formats of scaled matrix instructions.
    static constexpr T formats[] = {T::Fp8, T::Bf8, T::Fp6, T::Bf6, T::Fp4};
    return type == T::F8F6F4 && format < 5 ? formats[format] : type;
  };
  return {chosen(row.a, inst.cbsz), chosen(row.b, inst.blgp)};
}

namespace {

/// What the waves in detail computed.
struct Work {
  /// Operations of matrix instructions by the types they multiply.
  std::map<std::pair<arch::ElementType, arch::ElementType>, double> matrix;
  double vector = 0;
};

} // namespace

static Work workOf(const TimedDispatch &dispatch) {
  Work work;
  for (const sim::InstructionTiming &row : dispatch.timing->instructions) {
    if (!row.hits)
      continue;
    const Instruction &inst =
        dispatch.program->instructions()[dispatch.program->indexOf(row.pc)];
    if (!isMfma(inst)) {
      work.vector +=
          double(row.hits) * vectorOperations(inst.mnemonic) * arch::waveLanes;
      continue;
    }
    if (const arch::MfmaRow *mfma = arch::lookupMfmaByMnemonic(inst.mnemonic))
      work.matrix[typesOf(*mfma, inst)] +=
          2.0 * mfma->m * mfma->n * mfma->k * mfma->blocks * double(row.hits);
  }
  return work;
}

static llvm::json::Object roof(llvm::StringRef name, llvm::StringRef kind,
                               double value, llvm::StringRef source) {
  return llvm::json::Object{{"name", name.str()},
                            {"kind", kind.str()},
                            {"value", value},
                            {"source", source.str()}};
}

template <typename T>
static std::string basisOf(const arch::Fact<T> &fact) {
  return fact.source();
}

/// Multiply-adds of the vector unit, in 10^12 operations a second.
static double vectorPeak(const arch::ArchInfo &info,
                         const arch::Product &product) {
  return 2.0 * arch::waveLanes / *info.issue.valu * *info.simdsPerCu *
         *product.computeUnits * *product.clockMhz / 1e6;
}

llvm::json::Object fly::reports::rooflineJSON(const TimedDispatch &dispatch) {
  const sim::TimingResult &timing = *dispatch.timing;
  Work work = workOf(dispatch);
  double scale = timing.detailWorkgroups ? double(timing.workgroups) /
                                               double(timing.detailWorkgroups)
                                         : 0;
  const sim::TimingCounters &c = timing.counters;
  double bytes =
      double(c.memoryReads - c.mallHits + c.memoryWrites) * 64 * scale;
  double matrix = 0, most = 0;
  std::pair<arch::ElementType, arch::ElementType> types;
  for (auto [key, operations] : work.matrix) {
    matrix += operations;
    if (operations > most) {
      most = operations;
      types = key;
    }
  }
  double operations = (matrix + work.vector) * scale;
  double seconds = timing.microseconds() * 1e-6;
  llvm::json::Array roofs;
  const arch::Product *product = arch::lookupProduct(timing.product);
  const arch::ArchInfo *info = arch::ArchInfo::lookup(timing.chip);
  if (product && info) {
    if (most > 0) {
      if (arch::Fact<double> peak =
              arch::peakTeraOps(*product, types.first, types.second)) {
        std::string name = arch::elementTypeName(types.first);
        if (types.first != types.second)
          name += std::string(" x ") + arch::elementTypeName(types.second);
        roofs.push_back(
            roof("matrix " + name, "compute", *peak, basisOf(peak)));
      }
    } else if (info->issue.valu && product->computeUnits) {
      roofs.push_back(roof("vector multiply-add", "compute",
                           vectorPeak(*info, *product),
                           basisOf(info->issue.valu)));
    }
    if (product->l2GBs)
      roofs.push_back(
          roof("L2", "memory", *product->l2GBs / 1e3, basisOf(product->l2GBs)));
    if (product->hbmGBs)
      roofs.push_back(roof("HBM, data sheet", "memory", *product->hbmGBs / 1e3,
                           basisOf(product->hbmGBs)));
    if (product->hbmReadGBs)
      roofs.push_back(roof("HBM, reached by reads", "memory",
                           *product->hbmReadGBs / 1e3,
                           basisOf(product->hbmReadGBs)));
  }
  return llvm::json::Object{
      {"operations", operations},
      {"matrix_operations", matrix * scale},
      {"bytes", bytes},
      {"intensity", bytes > 0 ? operations / bytes : 0},
      {"tera_operations_a_second",
       seconds > 0 ? operations / seconds / 1e12 : 0},
      {"tera_bytes_a_second", seconds > 0 ? bytes / seconds / 1e12 : 0},
      {"roofs", std::move(roofs)}};
}
