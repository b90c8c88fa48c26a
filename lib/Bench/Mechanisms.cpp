//===- Mechanisms.cpp - what each lever of a schedule gives ---------------===//
#include "fly/Bench/Mechanisms.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include "MechanismPairs.h"

using namespace fly;
using namespace fly::bench;

double MechanismResult::gain() const {
  if (measure == Measure::L2Hits)
    return after - before;
  return after != 0 ? before / after - 1 : 0;
}

MechanismResult::Verdict MechanismResult::verdict() const {
  if (known.sign == KnownGain::Sign::Unknown)
    return Verdict::NotJudged;
  double size = known.sign == KnownGain::Sign::Helps ? gain() : -gain();
  if (size <= 0)
    return Verdict::WrongSign;
  bool isRight = !known.isSized() || (size >= known.low / sizeFactor &&
                                      size <= known.high * sizeFactor);
  return isRight ? Verdict::Right : Verdict::WrongSize;
}

/// "conflicts 4096 to 0; L2 hits 71 to 84 %; waits for memory 30 to 20 %"
static std::string changes(const sim::TimingResult &before,
                           const sim::TimingResult &after) {
  auto share = [](const sim::TimingResult &timing, sim::StallReason reason) {
    return 100.0 * double(timing.stalls[unsigned(reason)]) /
           double(timing.issueCycles + sim::totalStall(timing.stalls));
  };
  auto scratch = [](const sim::TimingResult &timing) {
    uint64_t count = 0;
    for (const sim::InstructionTiming &row : timing.instructions)
      if (llvm::StringRef(row.text).starts_with("scratch_"))
        count += row.hits;
    return count;
  };
  std::string text =
      llvm::formatv(
          "MFMA busy {0:f0} to {1:f0} %; L2 hits {2:f0} to {3:f0} %; wait-vmem "
          "{4:f0} to {5:f0} %, wait-lds {6:f0} to {7:f0} %, barrier {8:f0} to "
          "{9:f0} %",
          100 * before.mfmaBusyShare, 100 * after.mfmaBusyShare,
          100 * before.traffic.l2HitShare(), 100 * after.traffic.l2HitShare(),
          share(before, sim::StallReason::WaitVmem),
          share(after, sim::StallReason::WaitVmem),
          share(before, sim::StallReason::WaitLds),
          share(after, sim::StallReason::WaitLds),
          share(before, sim::StallReason::Barrier),
          share(after, sim::StallReason::Barrier))
          .str();
  auto addCount = [&](const char *what, uint64_t first, uint64_t second) {
    if (first || second)
      text += llvm::formatv("; {0} {1} to {2}", what, first, second).str();
  };
  addCount("LDS conflicts", before.counters.ldsBankConflict,
           after.counters.ldsBankConflict);
  addCount("accesses to scratch", scratch(before), scratch(after));
  if (before.workgroupsPerCu != after.workgroupsPerCu)
    addCount("workgroups a unit", before.workgroupsPerCu,
             after.workgroupsPerCu);
  return text;
}

static std::string describeKernel(const MechanismPair &pair) {
  const gen::GemmOptions &options = pair.after.options;
  const GemmShape &shape = pair.shape;
  return llvm::formatv("{0} {1} {2}, {3} x {4} x {5}", options.chip, options.in,
                       options.tile, shape.m, shape.n, shape.k)
      .str();
}

static double valueOf(const sim::TimingResult &timing, Measure measure) {
  return measure == Measure::L2Hits ? 100 * timing.traffic.l2HitShare()
                                    : double(timing.cycles);
}

llvm::Expected<std::vector<MechanismResult>>
fly::bench::measureMechanisms(mlir::MLIRContext &context,
                              llvm::StringRef match) {
  std::vector<MechanismPair> pairs;
  if (llvm::Error error = addLdsPairs(pairs))
    return std::move(error);
  addOrderPairs(pairs);
  addGridPairs(pairs);
  std::vector<MechanismResult> results;
  for (const MechanismPair &pair : pairs) {
    MechanismResult result;
    result.name = pair.name;
    result.kernel = describeKernel(pair);
    if (!llvm::StringRef(result.name).contains(match) &&
        !llvm::StringRef(result.kernel).contains(match))
      continue;
    auto before = timeGemm(context, pair.before, pair.shape, {pair.rounds, ""});
    if (!before)
      return before.takeError();
    auto after = timeGemm(context, pair.after, pair.shape, {pair.rounds, ""});
    if (!after)
      return after.takeError();
    result.known = pair.known;
    result.measure = pair.measure;
    result.before = valueOf(**before, pair.measure);
    result.after = valueOf(**after, pair.measure);
    result.detail = changes(**before, **after);
    results.push_back(result);
  }
  if (results.empty())
    return llvm::createStringError("no mechanism has '" + match + "' in it");
  return results;
}

/// "+8 to +10 %, the tuning guide", "up to +230 %, ...", "-47 points, ..."
static std::string knownText(const MechanismResult &result) {
  const KnownGain &known = result.known;
  if (!known.isSized())
    return known.text;
  bool isHits = result.measure == Measure::L2Hits;
  const char *unit = isHits ? " points" : " %";
  auto number = [&](double value) {
    const char *sign = known.sign == KnownGain::Sign::Helps ? "+" : "-";
    return llvm::formatv("{0}{1:f0}", sign, isHits ? value : 100 * value).str();
  };
  std::string size = known.low == known.high ? number(known.high)
                     : known.low == 0
                         ? "up to " + number(known.high)
                         : number(known.low) + " to " + number(known.high);
  return size + unit + ", " + known.text;
}

static const char *verdictText(const MechanismResult &result) {
  switch (result.verdict()) {
  case MechanismResult::Verdict::NotJudged:
    return "not judged";
  case MechanismResult::Verdict::Right:
    return result.known.low > 0 ? "right sign and size" : "right sign";
  case MechanismResult::Verdict::WrongSign:
    return "WRONG SIGN";
  case MechanismResult::Verdict::WrongSize:
    return "WRONG SIZE";
  }
  return "";
}

void fly::bench::print(llvm::raw_ostream &os,
                       llvm::ArrayRef<MechanismResult> results) {
  unsigned signs = 0, sizes = 0, judged = 0;
  for (const MechanismResult &result : results) {
    os << result.name << "\n  " << result.kernel << "\n  ";
    if (result.measure == Measure::L2Hits)
      os << llvm::formatv("{0:f1} to {1:f1} % L2 hits: {2:f1} points",
                          result.before, result.after, result.gain());
    else
      os << llvm::formatv("{0} to {1} cycles: {2:f1} % faster",
                          uint64_t(result.before), uint64_t(result.after),
                          100 * result.gain());
    os << "; known: " << knownText(result) << "; " << verdictText(result)
       << "\n  " << result.detail << '\n';
    signs += result.verdict() == MechanismResult::Verdict::WrongSign;
    sizes += result.verdict() == MechanismResult::Verdict::WrongSize;
    judged += result.isJudged();
  }
  os << llvm::formatv("\n{0} mechanisms, {1} judged, {2} with the wrong sign, "
                      "{3} more than {4} times off a known size\n",
                      results.size(), judged, signs, sizes, sizeFactor);
}
