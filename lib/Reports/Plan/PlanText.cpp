//===- PlanText.cpp - Plans for people and as JSON ------------------------===//
#include "fly/Reports/Plan/PlanReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::reports;
using llvm::formatv;

static std::string typeName(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// "name      value  = how".
static void line(llvm::raw_ostream &os, llvm::StringRef name,
                 const llvm::Twine &text) {
  os << "    " << llvm::left_justify(name, 20) << text << '\n';
}

static void printDot(llvm::raw_ostream &os, const PlannedDot &dot) {
  const plan::DotTile &tile = dot.tile;
  using Side = plan::DotTile;
  os << formatv("  dot {0}: {1}x{2}x{3} of {4} and {5} over [{6}, {7}] waves, "
                "mfma {8}x{8}, accumulator {9}\n",
                dot.label, tile.m, tile.n, tile.k, typeName(dot.a),
                typeName(dot.b), tile.wavesM, tile.wavesN, tile.mfma,
                dot.transposed ? "transposed" : "plain");
  line(os, "m_repeat",
       formatv("{0} = {1} / {2} / {3}", tile.mRepeat(), tile.m, tile.wavesM,
               tile.mfma)
           .str());
  line(os, "n_per_wave",
       formatv("{0} = {1} / {2}", tile.nPerWave(), tile.n, tile.wavesN).str());
  line(os, "num_acc_n",
       formatv("{0} = {1} / {2}", tile.accumulatorsN(), tile.nPerWave(),
               tile.mfma)
           .str());
  line(os, "micro-steps",
       formatv("{0} = {1} / {2} elements of k", tile.microSteps(), tile.k,
               tile.microStep())
           .str());
  if (dot.instruction)
    line(os, "MFMA a tile",
         formatv("{0} = {1} * {2} * {3} of {4} a wave",
                 tile.mfmasPerTile(*dot.instruction),
                 tile.mfmasAlongK(*dot.instruction), tile.mRepeat(),
                 tile.accumulatorsN(), dot.instruction->mnemonic)
             .str());
  for (auto [side, name, load] : {std::tuple(Side::A, "a", &dot.loadA),
                                  std::tuple(Side::B, "b", &dot.loadB)}) {
    if (load->empty()) {
      line(os, formatv("operand {0}", name).str(), "computed, not loaded");
      continue;
    }
    line(os, formatv("num_{0}_loads", name).str(),
         formatv("{0}: {1} bytes, {2} threads * {3}", tile.copyRounds(side),
                 tile.tileBytes(side), tile.threads(), plan::accessBytes)
             .str());
    line(os, formatv("LDS reads of {0}", name).str(),
         tile.operand(side).inLds
             ? formatv("{0} of {1} bytes a lane", tile.ldsReads(side),
                       plan::accessBytes)
                   .str()
             : "none: straight to registers");
  }
  line(os, "registers",
       formatv("estimated {0} a lane", dot.registers.total()).str());
  for (const plan::BudgetMember &member : dot.registers.members)
    os << formatv("      {0,4}  {1}\n", member.amount, member.text);
}

static void printOccupancy(llvm::raw_ostream &os, const KernelPlan &kernel) {
  if (!kernel.occupancy) {
    os << "  occupancy: none, " << kernel.occupancyProblem << '\n';
    return;
  }
  const arch::Occupancy &occupancy = *kernel.occupancy;
  os << formatv("  occupancy: {0} wave{1} a SIMD, {2} workgroup{3} a compute "
                "unit, limited by {4}\n",
                occupancy.wavesPerSimd, occupancy.wavesPerSimd == 1 ? "" : "s",
                occupancy.workgroupsPerCu,
                occupancy.workgroupsPerCu == 1 ? "" : "s",
                arch::limiterName(occupancy.limiter));
  if (kernel.schedule.dots.empty())
    os << "    at most: registers are estimated from dots alone\n";
  if (kernel.nextStep.empty())
    return;
  std::string text;
  for (const arch::OccupancyStep &step : kernel.nextStep)
    text += formatv("{0}{1} at most {2} (now {3})", text.empty() ? "" : ", ",
                    arch::limiterName(step.resource), step.most, step.used)
                .str();
  os << "    one workgroup more needs: " << text << '\n';
}

static void printMachine(llvm::raw_ostream &os, const PlanReport &report,
                         const KernelPlan &kernel) {
  if (!kernel.missing.empty())
    os << "  grid: give " << llvm::join(kernel.missing, "=.. ")
       << "=.. for workgroups and roofline\n";
  if (kernel.fill) {
    const plan::Fill &fill = *kernel.fill;
    os << formatv("  grid: {0} workgroups on {1} compute units of {2}, {3} at "
                  "once: {4} round{5}, the last with {6} ({7:P0}); {8:P0} of "
                  "all slots\n",
                  fill.workgroups, fill.computeUnits, report.product->name,
                  fill.slots, fill.rounds, fill.rounds == 1 ? "" : "s",
                  fill.lastRound,
                  fill.slots ? double(fill.lastRound) / double(fill.slots) : 0,
                  fill.share());
  }
  if (kernel.flop) {
    os << formatv("  work: {0}{1:f0} FLOP", kernel.isAtMost ? "at most " : "",
                  *kernel.flop);
    if (kernel.tileFlop)
      os << formatv(", {0:f0} of whole tiles", *kernel.tileFlop);
    os << '\n';
  }
  if (const auto &roofline = kernel.roofline) {
    os << formatv(
        "  roofline: {0:f0} bytes, {1:f2} FLOP a byte; crossover {2:f1} "
        "({3:f1} TFLOPS, {4:f0} GB/s of {5}): {6}-bound, at least {7:f1} us\n",
        roofline->bytes, roofline->intensity(), roofline->crossover(),
        roofline->peakTeraOps, roofline->bandwidthGBs, report.product->name,
        roofline->isComputeBound() ? "compute" : "memory",
        roofline->leastMicroseconds());
    if (kernel.rows)
      os << formatv(
          "    the guide's rule: {0} rows, {1} {2}: {3}-bound\n", *kernel.rows,
          *kernel.rows <= plan::fewRows ? "at most" : "more than",
          plan::fewRows, *kernel.rows <= plan::fewRows ? "memory" : "compute");
  }
}

static void printRule(llvm::raw_ostream &os, const plan::Rule &rule) {
  os << "    " << (rule.holds ? "pass  " : "FAIL  ")
     << llvm::left_justify(rule.name, 20) << rule.text << '\n';
}

static void printProblem(llvm::raw_ostream &os, const PlannedProblem &problem) {
  os << "          " << problem.text << '\n';
  for (const std::string &note : problem.notes)
    os << "            " << note << '\n';
}

static void print(llvm::raw_ostream &os, const PlanReport &report,
                  const KernelPlan &kernel) {
  const SchedulePlan &schedule = kernel.schedule;
  os << formatv("{0}  {1}  {2}\n", kernel.name, report.chip->name,
                kernel.isLegal() ? "legal" : "ILLEGAL");
  for (const PlannedDot &dot : schedule.dots)
    printDot(os, dot);
  os << formatv("  LDS: {0} of {1} bytes{2}\n", kernel.lds.total(),
                *report.chip->lds.bytes,
                kernel.ldsIsLaidOut ? "" : ", without what waves exchange");
  for (const plan::BudgetMember &member : kernel.lds.members)
    os << formatv("    {0,6}  {1}\n", member.amount, member.text);
  printOccupancy(os, kernel);
  printMachine(os, report, kernel);
  os << "  decisions\n";
  for (const std::string &decision : schedule.decisions)
    os << "    " << decision << '\n';
  os << "  rules\n";
  for (auto [index, rule] : llvm::enumerate(schedule.rules)) {
    printRule(os, rule);
    for (const PlannedProblem &problem : schedule.problems)
      if (problem.rule == index)
        printProblem(os, problem);
  }
  for (const PlannedProblem &problem : schedule.problems)
    if (!problem.rule) {
      printRule(os, {"schedule", false, "cannot be applied"});
      printProblem(os, problem);
    }
  for (const plan::Rule &rule : kernel.launchRules)
    printRule(os, rule);
}

void fly::reports::print(llvm::raw_ostream &os, const PlanReport &report) {
  for (const KernelPlan &kernel : report.kernels)
    ::print(os, report, kernel);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Array toJSON(const plan::Budget &budget) {
  llvm::json::Array members;
  for (const plan::BudgetMember &member : budget.members)
    members.push_back(llvm::json::Object{{"what", member.text},
                                         {"amount", int64_t(member.amount)}});
  return members;
}

static llvm::json::Object toJSON(const PlannedDot &dot) {
  const plan::DotTile &tile = dot.tile;
  using Side = plan::DotTile;
  llvm::json::Object object{
      {"label", dot.label},
      {"a", typeName(dot.a)},
      {"b", typeName(dot.b)},
      {"tile", llvm::json::Array{tile.m, tile.n, tile.k}},
      {"waves", llvm::json::Array{tile.wavesM, tile.wavesN}},
      {"mfma", tile.mfma},
      {"acc", dot.transposed ? "transposed" : "plain"},
      {"m_repeat", tile.mRepeat()},
      {"n_per_wave", tile.nPerWave()},
      {"num_acc_n", tile.accumulatorsN()},
      {"micro_steps", tile.microSteps()},
      {"num_a_loads", tile.copyRounds(Side::A)},
      {"num_b_loads", tile.copyRounds(Side::B)},
      {"lds_reads_a", tile.ldsReads(Side::A)},
      {"lds_reads_b", tile.ldsReads(Side::B)},
      {"registers", int64_t(dot.registers.total())},
      {"register_members", toJSON(dot.registers)}};
  if (dot.instruction) {
    object["instruction"] = dot.instruction->mnemonic;
    object["mfma_per_tile"] = tile.mfmasPerTile(*dot.instruction);
  }
  return object;
}

static llvm::json::Object toJSON(const PlanReport &report,
                                 const KernelPlan &kernel) {
  const SchedulePlan &schedule = kernel.schedule;
  llvm::json::Array dots, rules, decisions, problems;
  for (const PlannedDot &dot : schedule.dots)
    dots.push_back(toJSON(dot));
  for (const plan::Rule &rule :
       llvm::concat<const plan::Rule>(schedule.rules, kernel.launchRules))
    rules.push_back(llvm::json::Object{
        {"name", rule.name}, {"holds", rule.holds}, {"text", rule.text}});
  for (const std::string &decision : schedule.decisions)
    decisions.push_back(decision);
  for (const PlannedProblem &problem : schedule.problems)
    problems.push_back(problem.text);
  llvm::json::Object object{
      {"name", kernel.name},
      {"legal", kernel.isLegal()},
      {"waves", llvm::json::Array{schedule.waves[0], schedule.waves[1]}},
      {"waves_per_eu", int64_t(schedule.wavesPerEu)},
      {"dots", std::move(dots)},
      {"lds_bytes", int64_t(kernel.lds.total())},
      {"lds_limit", int64_t(*report.chip->lds.bytes)},
      {"lds_members", toJSON(kernel.lds)},
      {"decisions", std::move(decisions)},
      {"rules", std::move(rules)},
      {"problems", std::move(problems)}};
  if (kernel.occupancy) {
    llvm::json::Array steps;
    for (const arch::OccupancyStep &step : kernel.nextStep)
      steps.push_back(
          llvm::json::Object{{"resource", arch::limiterName(step.resource)},
                             {"used", int64_t(step.used)},
                             {"most", int64_t(step.most)}});
    object["occupancy"] = llvm::json::Object{
        {"waves_per_simd", int64_t(kernel.occupancy->wavesPerSimd)},
        {"workgroups_per_cu", int64_t(kernel.occupancy->workgroupsPerCu)},
        {"limiter", arch::limiterName(kernel.occupancy->limiter)},
        {"next", std::move(steps)}};
  }
  if (kernel.fill)
    object["grid"] = llvm::json::Object{
        {"workgroups", int64_t(kernel.fill->workgroups)},
        {"compute_units", int64_t(kernel.fill->computeUnits)},
        {"slots", int64_t(kernel.fill->slots)},
        {"rounds", int64_t(kernel.fill->rounds)},
        {"last_round", int64_t(kernel.fill->lastRound)},
        {"share", kernel.fill->share()}};
  if (kernel.flop) {
    object["flop"] = *kernel.flop;
    if (kernel.isAtMost)
      object["flop_at_most"] = true;
  }
  if (kernel.tileFlop) {
    object["tile_flop"] = *kernel.tileFlop;
  }
  if (const auto &roofline = kernel.roofline)
    object["roofline"] = llvm::json::Object{
        {"bytes", roofline->bytes},
        {"intensity", roofline->intensity()},
        {"crossover", roofline->crossover()},
        {"peak_tera_ops", roofline->peakTeraOps},
        {"bandwidth_gbs", roofline->bandwidthGBs},
        {"regime", roofline->isComputeBound() ? "compute" : "memory"},
        {"least_us", roofline->leastMicroseconds()}};
  if (kernel.rows)
    object["guide_regime"] =
        *kernel.rows <= plan::fewRows ? "memory" : "compute";
  return object;
}

llvm::json::Value fly::reports::toJSON(const PlanReport &report) {
  llvm::json::Array kernels;
  for (const KernelPlan &kernel : report.kernels)
    kernels.push_back(::toJSON(report, kernel));
  llvm::json::Object object{{"chip", report.chip->name},
                            {"kernels", std::move(kernels)}};
  if (report.product)
    object["product"] = report.product->name;
  return object;
}
