//===- CounterFigures.cpp - Figures made of counters ----------------------===//
//
// The formulas of the profiling tools' own definitions: hit rate = hits / (hits
// + misses); bytes = 32 a small read, 128 a read of a whole line (TCC_BUBBLE),
// 64 each other one; MfmaUtil = busy / (device cycles * SIMDs); LDSBankConflict
// = conflict cycles / device cycles / compute units. [AMD]
//
//===----------------------------------------------------------------------===//
#include "fly/Arch/ArchInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

#include "CounterTotals.h"

using namespace fly;
using namespace fly::analysis;
using llvm::StringRef;

namespace {
/// A counter as the formulas name it, under the name that the file has.
struct Found {
  std::string name;
  const CounterTotal *total = nullptr;
  /// Of the dispatches that all counters of a figure are of.
  double value = 0;
  uint64_t dispatches = 0;
};

/// Makes figures, each of counters that are there.
class Maker {
public:
  Maker(KernelCounters &kernel, const arch::Product *product,
        std::optional<double> idealBytes)
      : kernel(kernel), product(product), idealBytes(idealBytes) {}
  void make();

private:
  Found find(StringRef name) const;
  /// A figure of \p inputs, or one that is not told for want of some.
  CounterFigure begin(StringRef name, StringRef unit,
                      llvm::MutableArrayRef<Found> inputs) const;
  void ratio(StringRef name, Found part, Found whole);
  void addHitRate();
  void addReads();
  void addWrites();
  void addBalance();
  void addUnits();
  void addLds();
  void add(CounterFigure figure) {
    kernel.figures.push_back(std::move(figure));
  }

  KernelCounters &kernel;
  const arch::Product *product;
  std::optional<double> idealBytes;
};
} // namespace

/// "TCC_HIT" stands for TCC_HIT_sum and TCC_HIT, EA0 for the older EA.
Found Maker::find(StringRef name) const {
  std::vector<std::string> names = {name.str() + "_sum", name.str()};
  if (StringRef rest = name; rest.consume_front("TCC_EA0_")) {
    names.push_back("TCC_EA_" + rest.str() + "_sum");
    names.push_back("TCC_EA_" + rest.str());
  }
  for (const std::string &each : names)
    if (auto found = kernel.counters.find(each); found != kernel.counters.end())
      return {each, &found->second};
  return {name.str(), nullptr};
}

/// A count without decimals, other numbers by six digits.
static std::string number(double value) {
  // Within what an integer holds exactly.
  bool isWhole = std::abs(value) < 1e15 && value == std::trunc(value);
  return isWhole ? std::to_string(int64_t(value))
                 : llvm::formatv("{0}", llvm::format("%.6g", value)).str();
}

static const CounterTotal::Run *findRun(const CounterTotal &total,
                                        unsigned run) {
  auto found =
      llvm::partition_point(total.runs, [&](const CounterTotal::Run &each) {
        return each.run < run;
      });
  return found != total.runs.end() && found->run == run ? &*found : nullptr;
}

/// Gives all inputs the values of the runs that counted them together, in as
/// many dispatches. False if there is no such run: they keep their totals.
static bool alignRuns(llvm::MutableArrayRef<Found> inputs) {
  for (Found &input : inputs)
    input.value = input.dispatches = 0;
  for (const CounterTotal::Run &run : inputs.front().total->runs) {
    bool isShared = llvm::all_of(inputs, [&](const Found &input) {
      const CounterTotal::Run *other = findRun(*input.total, run.run);
      return other && other->dispatches == run.dispatches;
    });
    if (!isShared)
      continue;
    for (Found &input : inputs) {
      input.value += findRun(*input.total, run.run)->value;
      input.dispatches += run.dispatches;
    }
  }
  if (inputs.front().dispatches)
    return true;
  for (Found &input : inputs) {
    input.value = input.total->value;
    input.dispatches = input.total->dispatches;
  }
  return false;
}

CounterFigure Maker::begin(StringRef name, StringRef unit,
                           llvm::MutableArrayRef<Found> inputs) const {
  CounterFigure figure;
  figure.name = name.str();
  figure.unit = unit.str();
  for (const Found &input : inputs)
    if (!input.total)
      figure.notTold += (figure.notTold.empty() ? "" : ", ") + input.name;
  if (!figure.notTold.empty())
    return figure;
  bool isOneRun = alignRuns(inputs);
  const Found &first = inputs.front();
  for (const Found &input : inputs) {
    figure.evidence += (figure.evidence.empty() ? "" : ", ") + input.name +
                       " " + number(input.value);
    if (figure.notTold.empty() && input.dispatches != first.dispatches)
      figure.notTold = "the same dispatches of both: " + first.name + " has " +
                       std::to_string(first.dispatches) + ", " + input.name +
                       " " + std::to_string(input.dispatches);
  }
  if (!isOneRun)
    figure.evidence += "; of different runs";
  return figure;
}

void Maker::ratio(StringRef name, Found part, Found whole) {
  Found inputs[] = {std::move(part), std::move(whole)};
  CounterFigure figure = begin(name, "%", inputs);
  if (figure.notTold.empty() && inputs[1].value == 0)
    figure.notTold = "any " + inputs[1].name;
  if (figure.notTold.empty()) {
    figure.value = 100 * inputs[0].value / inputs[1].value;
    if (*figure.value > 100 || *figure.value < 0)
      figure.impossible = inputs[0].name + " is a part of " + inputs[1].name;
  }
  add(std::move(figure));
}

void Maker::addHitRate() {
  Found hit = find("TCC_HIT"), miss = find("TCC_MISS"), all = find("TCC_REQ");
  if (!miss.total && all.total) {
    ratio("L2 hit rate", hit, all);
    return;
  }
  Found inputs[] = {hit, miss};
  CounterFigure figure = begin("L2 hit rate", "%", inputs);
  if (figure.notTold.empty()) {
    double sum = inputs[0].value + inputs[1].value;
    if (sum == 0)
      figure.notTold = "any access to the L2";
    else
      figure.value = 100 * inputs[0].value / sum;
    Found requests[] = {hit, all};
    if (figure.value && (*figure.value > 100 || *figure.value < 0))
      figure.impossible = "hits are a part of hits and misses";
    else if (figure.value && all.total && alignRuns(requests) &&
             requests[0].value > requests[1].value)
      figure.impossible = "more hits than requests, " + all.name + " " +
                          number(requests[1].value);
  }
  add(std::move(figure));
}

void Maker::addReads() {
  Found reads = find("TCC_EA0_RDREQ"), small = find("TCC_EA0_RDREQ_32B");
  Found lines = find("TCC_BUBBLE"), dram = find("TCC_EA0_RDREQ_DRAM");
  ratio("reads of 32 bytes", small, reads);
  ratio("reads from HBM", dram, reads);
  bool hasLines = lines.total != nullptr;
  Found inputs[] = {reads, small, lines};
  CounterFigure bytes =
      begin("bytes read behind the L2", "bytes",
            llvm::MutableArrayRef(inputs).take_front(hasLines ? 3 : 2));
  uint64_t dispatches = inputs[0].dispatches;
  if (bytes.notTold.empty()) {
    double whole = hasLines ? inputs[2].value : 0;
    double other = inputs[0].value - inputs[1].value - whole;
    bytes.value = 32 * inputs[1].value + 128 * whole + 64 * other;
    if (!hasLines)
      bytes.evidence += "; reads of 128 bytes count as 64 without TCC_BUBBLE";
    if (other < 0)
      bytes.impossible = "more reads of 32 and 128 bytes than reads";
  }
  CounterFigure over = bytes;
  add(std::move(bytes));
  over.name = "over-fetch";
  over.unit = "x";
  if (over.value && !idealBytes) {
    over.value.reset();
    over.notTold = "--ideal-bytes, what a dispatch must read at least "
                   "(fly-report roofline computes it)";
  } else if (over.value) {
    double ideal = *idealBytes * double(dispatches);
    over.evidence = number(*over.value) + " of " + number(ideal) +
                    " bytes in " + std::to_string(dispatches) +
                    " dispatches; behind the L2s, each of which reads a copy "
                    "of its own: what of it is from HBM, 'reads from HBM' says";
    over.value = *over.value / ideal;
  }
  add(std::move(over));
}

void Maker::addWrites() {
  ratio("writes of whole blocks", find("TCC_EA0_WRREQ_64B"),
        find("TCC_EA0_WRREQ"));
}

/// How evenly the channels of the L2 are used: of the first counter that has
/// its instances.
void Maker::addBalance() {
  CounterFigure figure;
  figure.name = "fullest channel of the L2";
  figure.unit = "x";
  figure.notTold = "TCC_REQ, TCC_HIT or TCC_EA0_RDREQ by channel; sums have "
                   "none";
  for (StringRef name : {"TCC_REQ", "TCC_HIT", "TCC_EA0_RDREQ", "TCC_MISS"}) {
    auto found = kernel.counters.find(name.str());
    if (found == kernel.counters.end() || found->second.instances.size() < 2)
      continue;
    const auto &channels = found->second.instances;
    double sum = 0;
    for (auto [index, value] : channels)
      sum += value;
    if (sum <= 0)
      continue;
    double mean = sum / double(channels.size());
    auto [least, most] = std::minmax_element(channels.begin(), channels.end(),
                                             llvm::less_second());
    figure.value = most->second / mean;
    figure.notTold.clear();
    figure.evidence = llvm::formatv(
        "{0} of {1} channels: mean {2}, most {3} (number {4}), least {5}", name,
        channels.size(), number(mean), number(most->second), most->first,
        number(least->second));
    if (least->second < 0)
      figure.impossible = "a channel counts less than nothing";
    break;
  }
  add(std::move(figure));
}

void Maker::addUnits() {
  Found busy = find("SQ_VALU_MFMA_BUSY_CYCLES"), gui = find("GRBM_GUI_ACTIVE");
  Found conflict = find("SQ_LDS_BANK_CONFLICT");
  const arch::ArchInfo *chip =
      product ? &arch::ArchInfo::get(product->chip) : nullptr;
  double units =
      product && product->computeUnits ? double(*product->computeUnits) : 0;
  auto share = [&](StringRef name, const Found &part, double perUnit) {
    Found inputs[] = {part, gui};
    CounterFigure figure = begin(name, "%", inputs);
    if (figure.notTold.empty() && !(units > 0 && perUnit > 0))
      figure.notTold = "--chip or --product, which have the number of units";
    if (figure.notTold.empty() && inputs[1].value == 0)
      figure.notTold = "any " + gui.name;
    if (figure.notTold.empty()) {
      figure.value =
          100 * inputs[0].value / (inputs[1].value * units * perUnit);
      figure.evidence += llvm::formatv(" on {0} ({1} compute units)",
                                       product->name, number(units));
      if (*figure.value > 100 || *figure.value < 0)
        figure.impossible = "a unit works at most all the time; is the product "
                            "another?";
    }
    add(std::move(figure));
  };
  share("MfmaUtil", busy,
        chip && chip->simdsPerCu ? double(*chip->simdsPerCu) : 0);
  share("LDSBankConflict", conflict, 1);
}

void Maker::addLds() {
  Found conflict = find("SQ_LDS_BANK_CONFLICT");
  ratio("LDS cycles lost to conflicts", conflict, find("SQ_LDS_IDX_ACTIVE"));
  ratio("wave cycles waiting", find("SQ_WAIT_ANY"), find("SQ_WAVE_CYCLES"));
  ratio("wave cycles waiting for LDS", find("SQ_WAIT_INST_LDS"),
        find("SQ_WAVE_CYCLES"));
  ratio("MFMA of vector instructions", find("SQ_INSTS_MFMA"),
        find("SQ_INSTS_VALU"));
}

void Maker::make() {
  addHitRate();
  addReads();
  addWrites();
  addBalance();
  addUnits();
  addLds();
  for (const auto &[name, total] : kernel.counters)
    if (total.value < 0)
      kernel.impossible.push_back(name + " is " + number(total.value) +
                                  "; counters do not count down");
}

void fly::analysis::addFigures(KernelCounters &kernel,
                               const arch::Product *product,
                               std::optional<double> idealBytes) {
  Maker(kernel, product, idealBytes).make();
}
