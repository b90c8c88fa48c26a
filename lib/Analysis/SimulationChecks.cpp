//===- SimulationChecks.cpp - What a simulation tells the checklist -------===//
//
// Reads what fly-run --timing --json prints, of which the checklist needs a
// few numbers and the what-ifs.
//
//===----------------------------------------------------------------------===//
#include "fly/Analysis/Checklist.h"
#include "fly/Arch/Products.h"
#include "fly/Profile/JsonStream.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

#include "ChecklistLimits.h"

using namespace fly;
using namespace fly::analysis;
using llvm::formatv;
using llvm::StringRef;
using profile::JsonPath;
using profile::JsonScalar;

namespace {
/// The numbers of "timing" by their paths, and the saved cycles by what is
/// free.
class SimulationReader : public profile::JsonVisitor {
public:
  llvm::Error enter(const JsonPath &path, bool isList) override {
    if (path.size() == 0 && isList)
      return profile::expectedJson("what fly-run --timing --json prints",
                                   isList);
    if (path.is({"timing"}))
      hasTiming = !isList;
    if (path.is({"timing", "what_if", "*"})) {
      free.clear();
      cyclesWithout = 0;
    }
    return llvm::Error::success();
  }
  llvm::Error leave(const JsonPath &path) override {
    // Its members may come in any order.
    if (path.is({"timing", "what_if", "*"}) && !free.empty() &&
        cyclesWithout > 0)
      numbers["what_if." + free] = cyclesWithout;
    return llvm::Error::success();
  }
  llvm::Error value(const JsonPath &path, const JsonScalar &scalar) override {
    if (path.is({"timing", "product"}) && scalar.kind == JsonScalar::String)
      product = scalar.text.str();
    if (path.is({"timing", "what_if", "*", "free"}) &&
        scalar.kind == JsonScalar::String)
      free = scalar.text.str();
    if (path.is({"timing", "what_if", "*", "cycles"}))
      return setNumber(cyclesWithout, scalar);
    if (path.size() == 2 && path.key(0) == "timing" && isNumber(scalar))
      return setNumber(numbers[path.key(1).str()], scalar);
    if (path.size() == 3 && path.key(0) == "timing" && isWanted(path.key(1)) &&
        isNumber(scalar))
      return setNumber(numbers[path.key(1).str() + "." + path.key(2).str()],
                       scalar);
    if (path.is({"timing", "detail", "stall_cycles", "*"}) && isNumber(scalar))
      return setNumber(numbers["detail.stall_cycles." + path.key(3).str()],
                       scalar);
    return llvm::Error::success();
  }

  std::optional<double> find(StringRef name) const {
    auto found = numbers.find(name.str());
    if (found == numbers.end())
      return std::nullopt;
    return found->second;
  }
  /// Of all numbers whose name begins so.
  double sum(StringRef prefix) const {
    double total = 0;
    for (const auto &[name, number] : numbers)
      if (StringRef(name).starts_with(prefix))
        total += number;
    return total;
  }
  bool hasTiming = false;
  std::string product;

private:
  static bool isNumber(const JsonScalar &scalar) {
    return scalar.kind == JsonScalar::Unsigned ||
           scalar.kind == JsonScalar::Real;
  }
  static bool isWanted(StringRef key) {
    return key == "counters" || key == "occupancy" ||
           key == "instructions_by_class" || key == "detail";
  }
  llvm::Error setNumber(double &number, const JsonScalar &scalar) {
    if (!isNumber(scalar) || numbers.size() > maxNumbers)
      return profile::expectedJson("a number from 0", scalar);
    number = scalar.real;
    return llvm::Error::success();
  }

  static constexpr size_t maxNumbers = 1 << 12;
  std::map<std::string, double> numbers;
  std::string free; ///< Of the what-if that is read.
  double cyclesWithout = 0;
};
} // namespace

/// part / whole where both are told and whole is not 0.
static std::optional<double> ratio(std::optional<double> part,
                                   std::optional<double> whole) {
  if (!part || !whole || *whole <= 0)
    return std::nullopt;
  return *part / *whole;
}

static void addFill(Checklist &list, StringRef input,
                    const SimulationReader &timing) {
  const arch::Product *product = arch::lookupProduct(timing.product);
  std::optional<double> active = timing.find("occupancy.active_cus");
  if (!product || !product->computeUnits || !active)
    return;
  list.add(Check::FillsMachine, input,
           formatv("{0:f0} of {1} compute units of {2} have workgroups",
                   *active, *product->computeUnits, product->name)
               .str(),
           *active >= *product->computeUnits);
}

static void addStalls(Checklist &list, StringRef input,
                      const SimulationReader &timing) {
  if (auto share = ratio(timing.find("counters.SQ_LDS_BANK_CONFLICT"),
                         timing.find("counters.SQ_LDS_IDX_ACTIVE")))
    list.add(
        Check::BankConflicts, input,
        formatv("{0:f1} % of the LDS cycles are conflicts", 100 * *share).str(),
        *share < mostStall);
  double life = timing.find("detail.issue_cycles").value_or(0) +
                timing.sum("detail.stall_cycles.");
  double wait = timing.find("detail.stall_cycles.wait-vmem").value_or(0);
  if (life > 0)
    list.add(Check::GlobalLatency, input,
             formatv("{0:f1} % of the waves' lives wait for vector memory",
                     100 * wait / life)
                 .str(),
             wait / life < mostStall);
}

static void addMix(Checklist &list, StringRef input,
                   const SimulationReader &timing) {
  double all = timing.sum("instructions_by_class.");
  double mfma = timing.find("instructions_by_class.mfma").value_or(0);
  if (mfma > 0)
    list.add(Check::MfmaShare, input,
             formatv("{0:f1} % of the executed instructions; the matrix unit "
                     "is busy {1:f1} % of the time of the units at work",
                     100 * mfma / all,
                     100 * timing.find("detail.mfma_busy_share").value_or(0))
                 .str(),
             mfma / all >= leastMfmaShare);
  auto hits = timing.find("counters.TCC_HIT_sum");
  auto misses = timing.find("counters.TCC_MISS_sum");
  if (hits && misses)
    if (auto share = ratio(hits, *hits + *misses))
      list.add(Check::CacheBalance, input,
               formatv("{0:f1} % of the L2's accesses hit", 100 * *share).str(),
               *share >= leastHitRate);
}

llvm::Error Checklist::addSimulation(StringRef path) {
  SimulationReader timing;
  if (llvm::Error error = profile::readJson(path, timing))
    return error;
  std::optional<double> cycles = timing.find("cycles");
  if (!timing.hasTiming || !cycles || *cycles <= 0)
    return llvm::createStringError(
        "'" + path +
        "': no 'timing' with cycles; expected what fly-run --timing --json "
        "prints");
  addFill(*this, path, timing);
  addStalls(*this, path, timing);
  addMix(*this, path, timing);
  // Which row each cause belongs to.
  static constexpr std::pair<StringRef, Check> causes[] = {
      {"conflicts", Check::BankConflicts}, {"l2", Check::CacheBalance},
      {"barriers", Check::DoubleBuffer},   {"waits", Check::GlobalLatency},
      {"addresses", Check::MfmaShare},
  };
  for (auto [cause, check] : causes)
    if (auto without = timing.find(("what_if." + cause).str());
        without && *without < *cycles)
      addGain(check, 1 - *without / *cycles);
  return llvm::Error::success();
}
