//===- HotLoop.cpp - What is asked of the order in a loop -----------------===//
#include "fly/Dialect/Fly/IR/HotLoop.h"

#include "fly/Dialect/Fly/IR/FlyAttrs.h"

#include "llvm/ADT/STLExtras.h"

#include "Schedule/Words.h"

using namespace mlir;
using namespace fly;

namespace {
struct SchedName {
  SchedClass schedClass;
  llvm::StringLiteral word, noun;
};
} // namespace

static constexpr SchedName kNames[] = {
    {SchedClass::Mfma, "mfma", "MFMA"},
    {SchedClass::DsRead, "dsrd", "LDS reads"},
    {SchedClass::DsWrite, "dswr", "LDS writes"},
    {SchedClass::VmemRead, "vmem", "global loads"},
    {SchedClass::VmemWrite, "vmem_write", "global stores"},
    {SchedClass::Valu, "valu", "vector instructions"},
    {SchedClass::Salu, "salu", "scalar instructions"},
    {SchedClass::Trans, "trans", "transcendental instructions"},
    {SchedClass::Fence, "barrier", "fences"},
};
static_assert(std::size(kNames) == schedClassCount, "a name for each class");

StringRef fly::getSchedWord(SchedClass schedClass) {
  return kNames[size_t(schedClass)].word;
}
StringRef fly::getSchedNoun(SchedClass schedClass) {
  return kNames[size_t(schedClass)].noun;
}

/// More than a loop of any size has; groups are counted in 32 bits.
static constexpr int64_t kMostOperations = 65535;

FailureOr<SmallVector<SchedGroup>>
fly::readSchedPattern(ArrayAttr pattern,
                      function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<SchedGroup> groups;
  for (Attribute element : pattern) {
    if (auto word = dyn_cast<StringAttr>(element);
        word && word == getSchedWord(SchedClass::Fence)) {
      groups.push_back({SchedClass::Fence, 1});
      continue;
    }
    auto policy = dyn_cast<PolicyAttr>(element);
    const auto *name =
        policy ? llvm::find_if(kNames,
                               [&](const SchedName &each) {
                                 return each.word == policy.getName();
                               })
               : std::end(kNames);
    auto count = policy && policy.getPositional().size() == 1 &&
                         policy.getNamed().empty()
                     ? dyn_cast<IntegerAttr>(policy.getPositional().front())
                     : IntegerAttr();
    if (name == std::end(kNames) || name->schedClass == SchedClass::Fence ||
        !count || count.getInt() < 1 || count.getInt() > kMostOperations)
      return emitError() << "the pattern has " << schedule::describe(element)
                         << "; expected mfma(n), dsrd(n), dswr(n), vmem(n), "
                            "vmem_write(n), valu(n), salu(n) or trans(n) with "
                            "n from 1 to "
                         << kMostOperations << ", or barrier";
    groups.push_back({name->schedClass, unsigned(count.getInt())});
  }
  if (groups.empty())
    return emitError() << "the pattern is empty; to have no hints write off";
  return groups;
}

LogicalResult fly::verifyHotLoop(Attribute value,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (auto pattern = dyn_cast<ArrayAttr>(value))
    return success(succeeded(readSchedPattern(pattern, emitError)));
  auto word = dyn_cast<StringAttr>(value);
  constexpr StringLiteral words[] = {"off",   "on",       "guide",
                                     "hints", "pingpong", "interleave"};
  if (word && llvm::is_contained(words, word.getValue()))
    return success();
  return emitError()
         << "expected off, on, guide, hints, pingpong, "
            "interleave or a pattern such as [mfma(4), dsrd(1)], got "
         << value;
}
