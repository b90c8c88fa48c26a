//===- VerdictText.cpp - Verdicts for people and programs -----------------===//
#include "fly/Verify/Verify.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly::verify;
using llvm::formatv;

llvm::StringRef fly::verify::ruleName(Rule rule) {
  static constexpr llvm::StringLiteral names[ruleCount] = {
      "waits", "hazards", "barriers", "LDS order"};
  return names[unsigned(rule)];
}

static llvm::StringRef verdictName(Verdict verdict) {
  static constexpr llvm::StringLiteral names[] = {"proved", "violated",
                                                  "not proved"};
  return names[unsigned(verdict)];
}

static std::string textOf(const Place &place) {
  std::string text = formatv("{0:x} '{1}'", place.pc, place.text);
  return place.source.empty() ? text : text + " at " + place.source;
}

std::string fly::verify::describe(const Finding &finding) {
  std::string text = textOf(finding.place) + " " + finding.what;
  if (finding.producer)
    text += " (of " + textOf(*finding.producer) + ")";
  if (!finding.expected.empty())
    text += ": expected " + finding.expected + ", found " + finding.actual;
  return text;
}

static void print(llvm::raw_ostream &os, const KernelFacts &facts) {
  os << formatv("  {0} instructions, {1} results of memory, {2} waits, {3} "
                "barriers; spills {4}, scratch accesses {5}\n",
                facts.instructions, facts.memoryResults, facts.waits,
                facts.barriers, facts.vgprSpills + facts.sgprSpills,
                facts.scratchAccesses);
  for (const LoopFacts &loop : facts.loops) {
    os << formatv("  loop {0:x} to {1:x}: {2} instructions, {3} MFMA, {4} "
                  "accumulator moves",
                  loop.begin, loop.end, loop.instructions, loop.mfma,
                  loop.accumulatorMoves);
    if (loop.scratchAccesses)
      os << ", scratch accesses " << loop.scratchAccesses;
    if (loop.narrowestAccessBytes)
      os << formatv(", narrowest access {0} bytes", loop.narrowestAccessBytes);
    os << '\n';
  }
}

void fly::verify::print(llvm::raw_ostream &os, const ObjectVerdict &verdict) {
  for (const KernelVerdict &kernel : verdict.kernels) {
    os << kernel.name << "  " << verdict.chip << '\n';
    for (Verdict state :
         {Verdict::Proved, Verdict::NotProved, Verdict::Violated}) {
      std::string rules;
      for (unsigned i = 0; i != ruleCount; ++i)
        if (kernel.rules[i] == state)
          rules += (rules.empty() ? "" : ", ") + ruleName(Rule(i)).str();
      if (!rules.empty())
        os << "  " << verdictName(state) << ": " << rules << '\n';
    }
    for (const Finding &finding : kernel.findings)
      os << "  finding: " << ruleName(finding.rule) << ": " << describe(finding)
         << '\n';
    for (const Finding &note : kernel.notes)
      os << "  note: " << ruleName(note.rule) << ": " << describe(note) << '\n';
    ::print(os, kernel.facts);
  }
}

static llvm::json::Value toJSON(const Place &place) {
  llvm::json::Object object{{"pc", place.pc}, {"text", place.text}};
  if (!place.source.empty())
    object["source"] = place.source;
  return object;
}

static llvm::json::Value toJSON(llvm::ArrayRef<Finding> findings) {
  llvm::json::Array list;
  for (const Finding &finding : findings) {
    llvm::json::Object entry{{"rule", ruleName(finding.rule)},
                             {"pc", finding.place.pc},
                             {"instruction", finding.place.text},
                             {"what", finding.what}};
    if (!finding.place.source.empty())
      entry["source"] = finding.place.source;
    if (finding.producer)
      entry["producer"] = ::toJSON(*finding.producer);
    if (!finding.expected.empty()) {
      entry["expected"] = finding.expected;
      entry["actual"] = finding.actual;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

static llvm::json::Value toJSON(const KernelFacts &facts) {
  llvm::json::Array loops;
  for (const LoopFacts &loop : facts.loops)
    loops.push_back(llvm::json::Object{
        {"begin", loop.begin},
        {"end", loop.end},
        {"instructions", loop.instructions},
        {"mfma", loop.mfma},
        {"acc_move", loop.accumulatorMoves},
        {"scratch_accesses", loop.scratchAccesses},
        {"access_bytes", loop.narrowestAccessBytes},
    });
  return llvm::json::Object{
      {"instructions", facts.instructions},
      {"memory_results", facts.memoryResults},
      {"waits", facts.waits},
      {"barriers", facts.barriers},
      {"vgpr_spills", facts.vgprSpills},
      {"sgpr_spills", facts.sgprSpills},
      {"scratch_accesses", facts.scratchAccesses},
      {"loops", std::move(loops)},
  };
}

llvm::json::Value fly::verify::toJSON(const ObjectVerdict &verdict) {
  llvm::json::Array kernels;
  for (const KernelVerdict &kernel : verdict.kernels) {
    llvm::json::Object rules;
    for (unsigned i = 0; i != ruleCount; ++i)
      rules[ruleName(Rule(i))] = verdictName(kernel.rules[i]);
    kernels.push_back(llvm::json::Object{
        {"name", kernel.name},
        {"rules", std::move(rules)},
        {"findings", ::toJSON(kernel.findings)},
        {"notes", ::toJSON(kernel.notes)},
        {"facts", ::toJSON(kernel.facts)},
    });
  }
  return llvm::json::Object{{"chip", verdict.chip},
                            {"kernels", std::move(kernels)}};
}
