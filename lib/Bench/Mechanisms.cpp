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
    result.isGain = pair.isGain;
    result.before = valueOf(**before, pair.measure);
    result.after = valueOf(**after, pair.measure);
    result.detail = changes(**before, **after);
    results.push_back(result);
  }
  if (results.empty())
    return llvm::createStringError("no mechanism has '" + match + "' in it");
  return results;
}

void fly::bench::print(llvm::raw_ostream &os,
                       llvm::ArrayRef<MechanismResult> results) {
  unsigned wrong = 0, judged = 0;
  for (const MechanismResult &result : results) {
    os << result.name << "\n  " << result.kernel << "\n  ";
    if (result.measure == Measure::L2Hits)
      os << llvm::formatv("{0:f1} to {1:f1} % L2 hits: {2:f1} points",
                          result.before, result.after, result.gain());
    else
      os << llvm::formatv("{0} to {1} cycles: {2:f1} % faster",
                          uint64_t(result.before), uint64_t(result.after),
                          100 * result.gain());
    os << "; known: " << result.known
       << (result.isWrong() ? "; WRONG SIGN"
           : result.isGain  ? ""
                            : "; not judged")
       << "\n  " << result.detail << '\n';
    wrong += result.isWrong();
    judged += result.isGain;
  }
  os << llvm::formatv("\n{0} mechanisms, {1} judged, {2} with the wrong sign\n",
                      results.size(), judged, wrong);
}
