//===- HintClaims.cpp - What hints ask for against what there is ----------===//
#include "HintClaims.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::target;

namespace {
/// A class of the claim, and where the loop has its operations. Accesses of
/// spilled registers come behind the order that hints make.
struct ClaimedClass {
  llvm::StringLiteral word, noun;
  unsigned (*count)(const reports::LoopReport &);
};
} // namespace

static constexpr ClaimedClass kClasses[] = {
    {"mfma", "MFMA", [](const reports::LoopReport &loop) { return loop.mfma; }},
    {"dsrd", "LDS reads",
     [](const reports::LoopReport &loop) { return loop.dsRead; }},
    {"dswr", "LDS writes",
     [](const reports::LoopReport &loop) { return loop.dsWrite; }},
    {"vmem", "global loads",
     [](const reports::LoopReport &loop) {
       return loop.vmemLoad - loop.scratchLoad + loop.ldsDma;
     }},
    {"vmem_write", "global stores",
     [](const reports::LoopReport &loop) {
       return loop.vmemStore - loop.scratchStore;
     }},
    {"barrier", "barriers",
     [](const reports::LoopReport &loop) { return loop.barrier; }},
};

std::string fly::target::compareClaim(llvm::StringRef claim,
                                      const reports::LoopReport &loop) {
  llvm::SmallVector<llvm::StringRef> parts;
  claim.split(parts, ',');
  unsigned stretches = 1;
  if (parts.empty() || parts.front().getAsInteger(10, stretches) || !stretches)
    return {};
  std::string wrong, ungrouped;
  for (llvm::StringRef part : llvm::drop_begin(parts)) {
    auto [word, number] = part.split('=');
    unsigned claimed;
    if (number.getAsInteger(10, claimed))
      continue;
    for (const ClaimedClass &each : kClasses) {
      if (each.word != word)
        continue;
      unsigned real = each.count(loop);
      // A stretch's own numbers where all stretches are alike.
      bool isEven = claimed % stretches == 0 && real % stretches == 0;
      unsigned by = isEven ? stretches : 1;
      if (claimed && claimed != real)
        wrong += llvm::formatv("{0}{1} {2} claimed, {3} there",
                               wrong.empty() ? "" : "; ", claimed / by,
                               each.noun, real / by);
      if (!claimed && real)
        ungrouped += llvm::formatv("{0}{1} {2}", ungrouped.empty() ? "" : ", ",
                                   real / by, each.noun);
    }
  }
  if (wrong.empty())
    return {};
  if (!ungrouped.empty())
    wrong += "; in no group: " + ungrouped;
  if (stretches > 1)
    wrong +=
        llvm::formatv(", in each of {0} stretches between barriers", stretches);
  return wrong;
}
