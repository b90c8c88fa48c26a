//===- FurtherDraws.cpp - Levers of one operand, two bodies, and more -----===//
#include "fly/Arch/ArchInfo.h"

#include <numeric>

#include "SeededDraws.h"

using namespace fly;
using namespace fly::sweep;

/// Other numbers of buffers: more of them, and one for each operand.
static void drawBuffers(Random &random, Configuration &c) {
  int64_t limit = *arch::ArchInfo::lookup(c.chip)->lds.bytes;
  Configuration other = c;
  if (random.chance(10))
    other.stages = 5 + random.below(4);
  if (other.ldsBytes() <= limit)
    c.stages = other.stages;
  if (c.isPreshuffled() || c.isWidened() || !random.chance(20))
    return;
  other = c;
  other.stagesOfB = 1 + random.below(5);
  // Loops are laid out for so many rounds.
  if (other.stagesOfB == c.stages || other.ldsBytes() > limit ||
      std::lcm(other.stagesOfB, c.stages) > 12)
    return;
  c.stagesOfB = other.stagesOfB;
  c.addOverride("b.stages=" + std::to_string(c.stagesOfB));
}

/// What the levers of fly-gen say of both operands, said of one.
static void drawOperands(Random &random, Configuration &c) {
  constexpr const char *copies[] = {"a.copy=async", "b.copy=async"};
  constexpr const char *swizzles[] = {"a.swizzle=pad", "b.swizzle=pad",
                                      "a.swizzle=none", "b.swizzle=xor"};
  constexpr const char *caches[] = {"a.cache=stream", "b.cache=stream",
                                    "a.cache=stream,b.cache=stream"};
  constexpr const char *reads[] = {"plain", "transposed"};
  bool isBInLds = !c.isPreshuffled() && !c.isWidened();
  auto addOf = [&](llvm::StringRef text) {
    if (isBInLds || text.starts_with("a."))
      c.addOverride(text);
  };
  if (random.chance(6) && !c.levers.async)
    addOf(random.pick(copies));
  else if (random.chance(6) && !c.levers.async)
    addOf(random.pick(swizzles));
  if (random.chance(8))
    c.addOverride(random.pick(caches));
  if (c.isATransposed() && random.chance(15))
    c.addOverride(std::string("a.read=") + random.pick(reads));
  if (c.isBTransposed() && random.chance(15))
    c.addOverride(std::string("b.read=") + random.pick(reads));
}

void fly::sweep::drawFurther(Random random, Configuration &c) {
  constexpr const char *orders[] = {"guide", "hints",
                                    "[mfma(2),dsrd(1),vmem(1),dswr(1)]"};
  constexpr const char *packs[] = {"a.first_pack=carried",
                                   "b.first_pack=carried"};
  drawBuffers(random, c);
  drawOperands(random, c);
  if (random.chance(20))
    c.addOverride("versions=auto");
  // Of two kernels the other one stores C, and atomics store nothing.
  llvm::StringRef split = c.levers.splitK;
  if (random.chance(5) && !split.contains("atomic") && !split.contains("two"))
    c.addOverride("c.cache=stream");
  if (random.chance(5))
    c.addOverride("waves_per_eu=" + std::to_string(1 + random.below(2)));
  if (c.levers.streamK.empty() && random.chance(4) &&
      !llvm::StringRef(c.overrides).contains("grid"))
    c.addOverride("grid.persistent=on");
  if (c.isPreshuffled() || c.isWidened())
    return;
  if (c.levers.hotLoop == "auto" && random.chance(15))
    c.addOverride(std::string("kloop.hot_loop=") + random.pick(orders));
  if (random.chance(5) && !llvm::StringRef(c.overrides).contains("first_pack"))
    c.addOverride(random.pick(packs));
}
